"""Knowledge bases that questions of rule sets such as CFQ's are grounded in, and what of the rules each can serve."""
