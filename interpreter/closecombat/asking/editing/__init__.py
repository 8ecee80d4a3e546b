"""Help while a file is written: what stands at a place of it, and what could."""
