"""A file that describes a fight, and the ruleset it is played by."""
