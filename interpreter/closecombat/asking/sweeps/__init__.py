"""Whole grids of fights."""
