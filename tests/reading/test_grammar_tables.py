"""The tables of the grammar from the cache parse as those made anew, and what lies there spoilt is made again."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from lark import Lark

from closecombat.reading.grammar_tables import parser_of
from closecombat.text.cache import WHERE

ASK = """
import lark
made, build = [], lark.Lark.__init__
lark.Lark.__init__ = lambda self, *args, **how: (made.append(1), build(self, *args, **how))[1]
from closecombat.reading.grammar import STARTS, name_pattern, tree, words
SENTENCES = [
    ("condition", "any target of attack is not (broken or pinned) and strength of unit is at least 3"),
    ("value", "sum of firepower of attackers where (not broken) / 2 rounded up"),
    ("effect", "lose hits of target"), ("members", "units of side where (hits is less than 3)"),
]
for start, text in SENTENCES:
    try:
        print(tree(text, start))
    except Exception as error:
        print(type(error), vars(error))
print(name_pattern(), sorted(words()))
import sys
print(len(made), file=sys.stderr)
"""


def asked(cache: Path) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", ASK], capture_output=True, text=True, check=True, env={**os.environ, WHERE: str(cache)}
    )
    return done.stdout, done.stderr.strip()


def test_the_grammar_is_made_once_and_parses_alike(tmp_path: Path) -> None:
    first, made = asked(tmp_path)
    assert made == "1"
    again, made = asked(tmp_path)
    assert made == "0"
    assert again == first


def test_tables_of_another_lark_are_made_anew(tmp_path: Path) -> None:
    first, _ = asked(tmp_path)
    for file in tmp_path.glob("*.json"):
        data = b'[{"parser": 3}, {}]'
        file.write_bytes(sha256(data).hexdigest().encode() + b"\n" + data)
    again, made = asked(tmp_path)
    assert (again, made) == (first, "1")


GRAMMAR = """
start: sum
other: product
sum: product (("plus" | "minus") product)*
product: atom (("times" | "over") atom)*
atom: NAME | "(" sum ")"
NAME: /[a-z]/
%ignore " "
"""


def small() -> Lark:
    return Lark(GRAMMAR, parser="lalr", start=["start", "other"])


def test_the_same_grammar_is_kept_as_the_same_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever lies in memory is somewhere else each time."""
    kept, others = set(), list[object]()
    for at in range(4):
        monkeypatch.setenv(WHERE, str(tmp_path / str(at)))
        fresh = parser_of(GRAMMAR, None, small)  # type: ignore[arg-type]
        (file,) = (tmp_path / str(at)).glob("*.json")
        kept.add(file.read_bytes())
        others += [fresh, [object() for _ in range(1_000 * at)]]
    assert len(kept) == 1
    recalled = parser_of(GRAMMAR, None, lambda: pytest.fail("made anew"))  # type: ignore[arg-type]
    for start, said in (("start", "a plus (b minus c times d) over e"), ("other", "a times b")):
        assert recalled.parse(said, start=start) == small().parse(said, start=start)
