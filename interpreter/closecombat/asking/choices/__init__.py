"""What players may choose, and what is best."""
