"""Examples: found, run, written anew; and how far they reach."""
