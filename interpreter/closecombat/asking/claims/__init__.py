"""What rules claim of themselves, and situations that show otherwise."""
