"""Arrays made of scenes, pictures and questions: regions, descriptions in English with what each noun means, rows."""
