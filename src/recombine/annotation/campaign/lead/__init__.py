"""What a lead looks at and decides."""
