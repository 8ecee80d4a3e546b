"""A library for exact chances: values not known yet, dice, programs of throws, and the passes that make them small."""
