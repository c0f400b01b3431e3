"""The common part of SQL read without sqlglot, several times as quickly."""
