"""What is printed: the sheet of a player, the rulebook, the counters."""
