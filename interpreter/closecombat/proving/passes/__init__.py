"""Passes that make a program smaller."""
