"""The tests of the room `asking/`, a file for each module or for what it is about."""
