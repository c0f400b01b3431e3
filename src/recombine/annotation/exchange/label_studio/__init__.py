"""Label Studio's file forms: a labelling configuration and tasks out, its JSON export back."""
