"""The tests of the room `reading/`, a file for each module or for what it is about."""
