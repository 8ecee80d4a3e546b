"""The tests of the room `cli/`, a file for each module or for what it is about."""
