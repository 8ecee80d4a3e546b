"""Answers as text and JSON. Only here and in `cli` is anything printed, and only here is a chance a float."""
