"""Brute force: each system's rules for small situations as a plain Python program, with no part of the
interpreter.

A play is a generator that yields the dice it throws (a die is `{face: how many sides show it}`), receives
the faces, and returns the end state. `chances` plays it once for every way the dice can fall.
"""

from fractions import Fraction
from itertools import product
from math import prod

D6 = {1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}


def chances(play):
    """The exact chance of every end state that `play` can return."""
    ends = {}
    open_paths = [(Fraction(1), ())]
    while open_paths:
        weight, answers = open_paths.pop()
        game = play()
        try:
            dice = next(game)
            for answer in answers:
                dice = game.send(answer)
        except StopIteration as end:
            ends[end.value] = ends.get(end.value, 0) + weight
            continue
        sides = prod(sum(die.values()) for die in dice)
        for fall in product(*(die.items() for die in dice)):
            faces = tuple(face for face, _ in fall)
            share = Fraction(prod(count for _, count in fall), sides)
            open_paths.append((weight * share, (*answers, faces)))
    return ends
