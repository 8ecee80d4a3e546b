"""What a result rests on, and how much each of it weighs."""
