"""A program carried out: for every fall of the dice at once."""
