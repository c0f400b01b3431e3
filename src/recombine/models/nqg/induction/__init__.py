"""The search for a grammar of low codelength (NQG-T5 paper, §4.1.1, App. A.2)."""
