"""Names and types: from what is written to functions of a run. What a name could mean is decided here, never later."""
