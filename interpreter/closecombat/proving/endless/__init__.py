"""Dice that are thrown once more without end."""
