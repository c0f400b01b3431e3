"""Fine-tuning of checkpoints from disk: sequence-to-sequence and causal models, and encoders with a copying decoder.

Nothing here is ever downloaded. torch and transformers are needed: install `recombine[pretrained]`. Modules here use
nothing else besides `recombine.errors`, `files`, `seeds`, `version` and the checkpoint format of `models.seq2seq`, so
that they run on a machine with a GPU and little more.
"""
