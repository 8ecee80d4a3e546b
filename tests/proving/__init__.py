"""The tests of the room `proving/`, a file for each module or for what it is about."""
