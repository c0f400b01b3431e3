"""Pretrained checkpoints of local directories as picture models: `lxmert:DIR` and `transformers:DIR`."""
