"""Running a study, here or on other machines."""
