"""Operations as data, and the functions that are written for them."""
