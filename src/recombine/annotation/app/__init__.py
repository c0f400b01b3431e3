"""The annotation app: server-rendered pages over a campaign, for people with a browser."""
