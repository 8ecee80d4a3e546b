"""What was found out before is not worked out again."""
