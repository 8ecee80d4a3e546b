"""Weighted rows, and fights to the end as equations over them."""
