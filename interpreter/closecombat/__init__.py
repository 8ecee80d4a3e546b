"""Close-combat rules as readable tables that a machine can play, prove and check."""

__version__ = "0.1.0"
