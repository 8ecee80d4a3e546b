"""Dice, thrown and all their falls at once."""
