"""Program languages: text to tree and back, what makes two programs equal, and which words are details."""
