"""The tests of the room `telling/`, a file for each module or for what it is about."""
