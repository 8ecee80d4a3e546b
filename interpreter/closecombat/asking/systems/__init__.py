"""Systems side by side."""
