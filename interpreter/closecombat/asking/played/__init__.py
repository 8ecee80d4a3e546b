"""A fight played with dice: once with a trace, or many times and counted."""
