"""The tests of the room `text/`, a file for each module or for what it is about."""
