"""What happens to a request before a page is made: who asks, from where, how often and with how much."""
