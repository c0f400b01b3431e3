"""Work on a folder of Parquet parts, spread over the workers of a dask cluster.

A task is one part, and what comes back are sums, keys and counts, never rows; no result depends on the number of
workers, parts or blocks. `session.py` is the cluster, `folder_data.py` the data; each verb has a file of its own.
"""
