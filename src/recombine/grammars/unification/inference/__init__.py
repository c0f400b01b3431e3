"""Rules of inference, and logical forms from the words upwards."""
