"""Best play: of each choice in a program the best answer."""
