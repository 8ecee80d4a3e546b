"""How tables, lines and trees are printed: what is expected is drawn by hand."""

import pytest

from closecombat.telling.blocks import BOLD, DIM, RESULT, Block, Column, Indented, Table, Tree, line, printed, wide
from closecombat.telling.page import Page, rendered
from closecombat.text.faults import Bug


def shown(block: Block, width: int = 80, colour: bool = False) -> list[str]:
    return list(printed(block, width, colour))


def test_headings_stand_on_their_foot_and_cells_at_their_head() -> None:
    out = Table([Column("side", width=6), Column("how\nmany", on_the_right=True, width=4), Column("why", width=9)])
    out.add_row("german", "12", "they were too many")
    out.add_row("both", "3")
    assert shown(out) == [
        "         how",
        "side    many  why",
        "german    12  they were",
        "              too many",
        "both       3",
    ]


def test_a_letter_can_take_two_columns_or_none() -> None:
    assert [wide(text) for text in ("squad", "班長", "e\u0301", "█▌")] == [5, 4, 1, 2]
    out = Table([Column("who", width=4), Column("lost", width=4)], show_header=False)
    out.add_row("班長", "1")
    out.add_row("e\u0301", "2")
    assert shown(out) == ["班長  1", "e\u0301     2"]


def test_a_word_is_never_split() -> None:
    long = line("a wall-to-wall-carpet here")
    assert shown(long, 8) == ["a", "wall-to-wall-carpet", "here"]
    assert shown(Indented(long, 4), 12) == ["    a", "    wall-to-wall-carpet", "    here"]


def test_a_tree_is_drawn_with_its_branches() -> None:
    leaf, long = Tree(line("leaf")), Tree(line("goes on below"))
    assert shown(Tree(line("root"), (Tree(line("first"), (leaf,)), long)), 12) == [
        "root",
        "├── first",
        "│   └── leaf",
        "└── goes on",
        "    below",
    ]


def test_only_a_terminal_is_told_of_colours() -> None:
    said = line("fire", BOLD, (" of r1: ", ""), ("6", RESULT), ("  [A11]", DIM))
    assert shown(said) == ["fire of r1: 6  [A11]"]
    assert shown(said, colour=True) == ["\x1b[1mfire\x1b[0m of r1: \x1b[1;36m6\x1b[0m\x1b[2m  [A11]\x1b[0m"]
    out = Table([Column("side", width=4)])
    out.add_row("both")
    assert rendered([out], Page(colour=True)) == "\x1b[1mside\x1b[0m\nboth\n"


def test_nothing_that_steers_a_terminal_is_printed() -> None:
    assert shown("a\x07b\rc\x0bd\x0ce\x08") == ["abcde"]


def test_a_row_has_no_more_cells_than_there_are_columns() -> None:
    with pytest.raises(Bug, match="2 cells in a table of 1 columns"):
        Table([Column("side")]).add_row("both", "3")
