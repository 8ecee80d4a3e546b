"""Many playings at once, each with dice of its own."""
