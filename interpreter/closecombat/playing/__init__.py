"""The one evaluator: sequences, effects, choices, tables, with dice or with all their falls at once."""
