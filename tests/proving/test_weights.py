"""Weighted rows: joined, added up, and brought to one denominator."""

import pytest

from closecombat.proving.tables import weights as w
from closecombat.text.faults import Faulty

COIN, LOADED = {("head",): 1, ("tail",): 1}, {(1,): 2, (2,): 1}


def joined_up(tables):
    pieces, den = w.product_of(tables)
    out = {}
    for rows, each in pieces:
        w.summed(rows, each, out)
    return out, den


def test_independent_rows_are_multiplied() -> None:
    both = {("head", 1): 2, ("head", 2): 1, ("tail", 1): 2, ("tail", 2): 1}
    assert joined_up([(COIN, 2), (LOADED, 3)]) == (both, 6)
    assert joined_up([]) == ({(): 1}, 1)


def test_a_product_cut_into_pieces_is_the_same(monkeypatch) -> None:
    tables = [({(i,): i + 1 for i in range(5)}, 15), ({(i,): 1 for i in range(3)}, 3), (COIN, 2)]
    whole = joined_up(tables)
    monkeypatch.setattr(w, "MANY_PLACES", 4 * w.FEW_PLACES)
    assert joined_up(tables) == whole and len(whole[0]) == 30


def test_different_denominators_become_one() -> None:
    assert w.joined({2: {("a",): 1}, 3: {("a",): 1, ("b",): 1}}) == ({("a",): 5, ("b",): 2}, 6)
    assert w.joined({4: {("a",): 4}}) == ({("a",): 4}, 4)
    assert w.joined({}) == ({}, 1)


def test_columns_are_picked_in_any_order() -> None:
    row = ("a", "b", "c")
    assert w.picker("xyz", "yz")(row) == ("b", "c")
    assert w.picker("xyz", "zx")(row) == ("c", "a")
    assert w.picker("xyz", "")(row) == () and w.picker("xyz", "z")(row) == ("c",)


def test_too_many_rows_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(w, "MOST_PRODUCT", 5)
    with pytest.raises(Faulty) as caught:
        w.product_of([(COIN, 2), (COIN, 2), (COIN, 2)])
    assert caught.value.codes == {"budget-exceeded"}
