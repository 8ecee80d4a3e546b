"""What goes for a state is found as by going through a list, however it hangs on what is read."""

from random import Random

import pytest

from closecombat.playing.by_reading import ByReading
from closecombat.reading.slots import FactOf
from closecombat.reading.types import Thing

SLOTS = [FactOf(Thing("man", f"m{i}", i), "steps") for i in range(7)]


def read_of(seed: int, state: tuple[int, ...]) -> list[int]:
    """The places that are read of a state: which one is next hangs on what has been found so far."""
    so_far: list[int] = []
    while True:
        chance = Random(repr((seed, so_far, [state[i] for i in so_far])))
        left = [i for i in range(len(SLOTS)) if i not in so_far]
        if not left or chance.random() < 0.2:
            return so_far
        so_far.append(chance.choice(left))


@pytest.mark.parametrize("seed", range(20))
def test_a_state_finds_what_reads_the_same(seed: int) -> None:
    chance, tree = Random(seed), ByReading[int]()
    listed: list[tuple[dict[int, int], int]] = []
    for number in range(150):
        state = tuple(chance.choices(range(3), k=len(SLOTS)))
        expected = [which for read, which in listed if all(state[i] == value for i, value in read.items())]
        found = tree.get(lambda slot, state=state: state[SLOTS.index(slot)])
        assert (found in expected) if expected else found is None
        if found is None or chance.random() < 0.1:
            places = read_of(seed % 4, state)
            if chance.random() < 0.2:  # what reads in another order
                chance.shuffle(places)
            tree.put(tuple((SLOTS[i], state[i]) for i in places), number)
            listed.append(({i: state[i] for i in places}, number))
