"""What a change of the rules does, and which change does what is wanted."""
