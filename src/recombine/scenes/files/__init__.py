"""Files of scenes: those of others read, our own read and written."""
