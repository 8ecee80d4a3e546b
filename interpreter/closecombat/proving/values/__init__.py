"""Values that are not known yet, and what is reckoned with them."""
