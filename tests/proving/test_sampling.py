"""Programs carried out for many playings at once: as by hand, whatever they are made of."""

import sys
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from closecombat.proving.at_once.arrays import WIDEST, Coding, Dice, Falls, Lookup, filled, grouped, numbered
from closecombat.proving.at_once.sampling import MOST_PASSES, Sampled, Sampler
from closecombat.proving.programs import program as p
from closecombat.proving.values.arithmetic import add
from closecombat.proving.values.symbolic import Workshop, at_least, same
from closecombat.text.faults import Faulty
from random_programs import Programs, carried_out

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))
from chi import chi_squared

LEAST_P = 0.00001
TIMES = 4_000


def counts(found: Sampled) -> Counter:
    columns = zip(found.columns, found.codings, strict=True)
    return Counter(zip(*([coding.values[n] for n in column.tolist()] for column, coding in columns), strict=True))


@pytest.mark.parametrize("seed", range(80))
def test_a_program_made_up_from_a_seed_is_played_as_by_hand(seed: int) -> None:
    made = Programs(seed)
    by_hand = carried_out(made, 1_000)
    assert by_hand is not None
    found = Sampler(made.shop, made.steps, made.wanted).batch(1, 1, TIMES)
    assert not found.refused
    assert chi_squared(counts(found), by_hand)[2] > LEAST_P


def die(shop: Workshop) -> tuple[p.Throw, object]:
    var = shop.variable()
    return p.Throw(var, [(((face,),), 1) for face in range(1, 7)]), shop.lift(lambda faces: faces[0][0], var)


def test_a_value_that_fails_refuses_the_playings_that_look_at_it() -> None:
    """Whoever throws a 6 fails, if a second die shows a 6 too: 1 of 36."""
    shop = Workshop()
    (one, first), (two, second) = die(shop), die(shop)
    fault = shop.fault(lambda: Faulty.one("no-value", "a six", None))
    must = p.Must((shop.equal(first, 6), shop.equal(second, 6)), fault)
    sampler = Sampler(shop, [one, two, must], [first])
    batches = [sampler.batch(1, number, TIMES) for number in range(1, 5)]
    refused = [refusal for batch in batches for refusal in batch.refused]
    assert {refusal.error.codes.pop() for refusal in refused} == {"no-value"}
    times = sum(refusal.times for refusal in refused)
    left = sum(len(batch.playings) for batch in batches)
    assert times + left == 4 * TIMES
    assert chi_squared({True: times, False: left}, {True: Fraction(1, 36), False: Fraction(35, 36)})[2] > LEAST_P
    assert all(refusal.first not in batch.playings for batch in batches for refusal in batch.refused)


def test_a_repetition_without_end_is_refused() -> None:
    """A pass goes on unless a die shows no 6 at first; from then on nothing changes any more."""
    shop = Workshop()
    throw, face = die(shop)
    var, end = shop.variable(), shop.variable()
    loop = p.Loop((var,), (0,), [], (shop.lift(add, var, 1),), shop.lift(at_least, 5, face), None, (end,), None, ((),))
    found = Sampler(shop, [throw, loop], [end]).batch(3, 1, 600)
    (refused,) = found.refused
    assert refused.error.codes == {"loop-without-end"} and str(MOST_PASSES) in str(refused.error)
    assert counts(found) == {(1,): 600 - refused.times}
    assert 60 < refused.times < 140


def test_so_many_passes_at_most() -> None:
    """Three throws at most for a 6: 1/6, 5/36, 25/36."""
    shop = Workshop()
    throw, face = die(shop)
    var, end = shop.variable(), shop.variable()
    loop = p.Loop((var,), (0,), [throw], (shop.lift(add, var, 1),), shop.equal(face, 6), 3, (end,), None, ((),))
    found = Sampler(shop, [loop], [end]).batch(1, 1, TIMES)
    chances = {(1,): Fraction(1, 6), (2,): Fraction(5, 36), (3,): Fraction(25, 36)}
    assert chi_squared(counts(found), chances)[2] > LEAST_P


def test_batches_have_dice_of_their_own() -> None:
    shop = Workshop()
    throw, face = die(shop)
    sampler = Sampler(shop, [throw], [face])
    shown = [sampler.batch(seed, number, 50).columns[0].tolist() for seed, number in ((1, 1), (1, 2), (2, 1), (1, 1))]
    assert shown[0] == shown[3]
    assert len({tuple(one) for one in shown}) == 3


def test_the_same_dice_on_every_machine() -> None:
    """Philox-4x64-10 as it is published (Salmon and others, 2011), counting from 1, with the first 16 bytes of the
    SHA-256 of `7 together 2` as its key."""
    key = int.from_bytes(sha256(b"7 together 2").digest()[:16], "big")
    word = 2**64
    published = []
    for block in (1, 2):
        a, b, c, d = block, 0, 0, 0
        low, high = key % word, key // word
        for _ in range(10):
            one, other = 0xD2E7470EE14C6C93 * a, 0xCA5A826395121157 * c
            a, b, c, d = other // word ^ b ^ low, other % word, one // word ^ d ^ high, one % word
            low, high = (low + 0x9E3779B97F4A7C15) % word, (high + 0xBB67AE8584CAA73B) % word
        published += [a, b, c, d]
    assert [int(raw) for raw in Dice(7, 2).raw(8)] == published


@pytest.mark.parametrize(("weights", "den"), [([1, 0, 2, 5], 8), ([10**30, 0, 2 * 10**30, 5 * 10**30], 8 * 10**30)])
def test_ways_fall_by_their_weights(weights: list[int], den: int) -> None:
    (column,) = Falls(weights, den, [[7, 8, 9, 10]]).drawn(Dice(1, 1).raw(TIMES))
    found = Counter(column.tolist())
    assert chi_squared(found, {n: Fraction(w, den) for n, w in zip((7, 8, 9, 10), weights, strict=True)})[2] > LEAST_P


# ---- columns ----------------------------------------------------------------------------------------------


def test_a_function_is_asked_once_for_each_combination() -> None:
    asked = []

    def plus(given: tuple) -> int:
        asked.append(given)
        return given[0] + given[1]

    one, two, out = Coding([5]), Coding([10, 20]), Coding()
    lookup = Lookup([one, two], out, plus)

    def values(a: list[int], b: list[int]) -> list[int]:
        columns = [filled(len(a), 0) for _ in range(2)]
        for column, numbers in zip(columns, (a, b), strict=True):
            column[:] = numbers
        return [out.values[n] for n in lookup(columns).tolist()]

    assert values([0, 0, 0], [0, 1, 0]) == [15, 25, 15]
    for value in range(6, 40):  # the table is laid out anew for more values
        one.number(value)
    assert values([0, 34, 34], [1, 0, 1]) == [25, 49, 59]
    for value in range(40, 1 << 18):  # and is none where they are too many
        one.number(value)
    assert values([0, 34, 200_000], [1, 0, 1]) == [25, 49, 200_025]
    assert len(asked) == len(set(asked)) == 5


def test_yes_is_not_one() -> None:
    assert Coding([1, True, Fraction(1, 2), None, "yes", 1]).values == [1, True, Fraction(1, 2), None, "yes"]
    assert Coding([1, True]).bits == 1 and Coding([1]).bits == 0


def test_rows_are_grouped_by_any_number_of_columns() -> None:
    columns = [numbered(64) % k for k in range(2, 40)]
    places, first = grouped(columns, [6] * len(columns))
    assert 6 * len(columns) > WIDEST
    assert places.tolist() == first.tolist() == list(range(64))
    again, at = grouped([numbered(6) % 3, filled(6, 0)], [2, 0])
    assert (again.tolist(), at.tolist()) == ([0, 1, 2, 0, 1, 2], [0, 1, 2])


def test_a_word_is_compared_as_anywhere() -> None:
    shop = Workshop()
    var = shop.variable()
    draw = p.Draw(var, ("low", "high"), (1, 3))
    found = Sampler(shop, [draw], [shop.lift(same, var, "low")]).batch(1, 1, TIMES)
    assert chi_squared(counts(found), {(True,): Fraction(1, 4), (False,): Fraction(3, 4)})[2] > LEAST_P
