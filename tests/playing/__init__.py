"""The tests of the room `playing/`, a file for each module or for what it is about."""
