"""Columns of Arrow: Parquet, Arrow files and streams, folders of them, and tables in memory."""
