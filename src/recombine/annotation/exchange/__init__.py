"""What goes into a campaign and comes out of it as files: items, answers, examples, and Label Studio's forms."""
