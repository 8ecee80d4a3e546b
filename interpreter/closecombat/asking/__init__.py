"""The questions: resolve, chances, compare, choices, examples, coverage."""
