"""The embedded index: a knowledge base as one folder of sorted arrays, memory-mapped, asked by kernels."""
