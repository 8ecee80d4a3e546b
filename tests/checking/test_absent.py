"""Rows that change nobody, held against every small situation: what is told is met in one of them, and what is met is
told."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from closecombat.checking.check import check_paths

RULES = """\
ruleset: absent
start: begin
kinds:
  fight: {{one: yes, given: {{night: flag}}}}
  side: {{given: {{units: {{are: units, each: unit}}}}}}
  unit:
    given: {{side: a side, men: 1 to 3, tired: flag, mate: a unit or nobody}}
    noted: {{hurt: flag, idle: flag}}
tables: {{has-mate: {{about: unit, is: mate is not nobody}}}}
sequences:
  begin: {{{order}: {{{rows}}}}}
outcomes: {{about: side, words: [well, worse], first-of: {{worse: {{any unit of side: hurt, is: worse}}}}, otherwise: well}}
"""
# A row's test, and the same in plain Python.
TESTS = {
    "men: at least 2": lambda u: u["men"] >= 2,
    "tired: yes": lambda u: u["tired"],
    "mate: not nobody": lambda u: u["mate"],
    "mate: nobody": lambda u: not u["mate"],
    "when: tired or mate is not nobody": lambda u: u["tired"] or u["mate"],
    "unless: mate is nobody and men is 3": lambda u: not (not u["mate"] and u["men"] == 3),
    "night: yes": lambda u: u["night"],
    "has-mate: yes": lambda u: u["mate"],
    "idle: yes": lambda u: u["idle"],
}
ALL = [
    dict(zip(("men", "tired", "mate", "night"), one, strict=True)) for one in product((1, 2, 3), *[(True, False)] * 3)
]


@pytest.mark.parametrize("seed", range(16))
def test_rows_that_change_nobody(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    order = random.choice(["in-order", "first-of"])
    some = [
        list({one.split(":")[0]: one for one in random.sample([*TESTS], random.randint(0, 2))}.values())
        for _ in range(2)
    ]
    marks = f"marks: {{{', '.join(['each: unit', *some[0], 'do: gain idle'])}}}"
    harms = f"harms: {{{', '.join(['each: unit', *some[1], 'do: gain hurt of mate'])}}}"
    rules = tmp_path / "rules.yaml"
    rules.write_text(RULES.format(order=order, rows=f"{marks}, {harms}"), "utf-8")
    met = False
    for unit in ALL:
        here = {**unit, "idle": False}
        here["idle"] = all(TESTS[one](here) for one in some[0])
        if order == "first-of" and here["idle"]:
            continue
        met = met or (all(TESTS[one](here) for one in some[1]) and not here["mate"])
    found = check_paths([str(rules)])
    assert not [one for one in found if one.severity == "error"], found
    assert any(one.code == "may-be-nobody" for one in found) == met, (order, some)
