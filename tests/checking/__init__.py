"""The tests of the room `checking/`, a file for each module or for what it is about."""
