"""The commands: arguments in, exit code out."""
