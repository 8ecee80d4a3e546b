"""What a text is, and where in it one stands: files, places, YAML nodes, and the one type for every fault."""
