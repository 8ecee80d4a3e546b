"""The tests of the room `binding/`, a file for each module or for what it is about."""
