"""Pretrained vision-language checkpoints from local directories as picture models: `lxmert:DIR` and `transformers:DIR`."""
