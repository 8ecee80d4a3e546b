"""Rows held against each other: every finding of made-up tables against all their situations tried one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from closecombat.checking.check import check_paths
from closecombat.cli.main import main

RULES = """\
ruleset: rows
language: 1
title: Rows held against each other
start: go
words: {{size: [small, middle, large]}}
kinds:
  fight: {{one: yes, given: {{night: flag}}}}
  side:
    given: {{enemy: the other side, men: 0 to 8, broken: flag, build: size, rank: 1 to 4 or nobody}}
    noted: {{score: number or nobody}}
tables:
  asked:
    about: side
    {policy}:
{rows}{otherwise}
sequences: {{go: {{in-order: {{x: {{each: side, do: set score to asked}}}}}}}}
"""
STOPS = {"no-row-for": "no-row-applies", "rows-overlap": "several-rows-apply"}
SPARE = ("never-matters", "rows-join", "always-together")
SIZES = ("small", "middle", "large")
Case = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A sentence, and where it holds; `joined` of several, so that it can be denied as a whole."""

    text: str
    holds: Callable[[Case], bool]
    joined: bool = False


def cases() -> Iterator[Case]:
    for men, broken, build, rank, night in product(range(9), (False, True), SIZES, (None, 1, 2, 3, 4), (False, True)):
        yield {"men": men, "broken": broken, "build": build, "rank": rank, "night": night}


def leaf(dice: Random) -> Said:
    """A test that neither always nor never holds, by itself."""
    n, words = dice.randint(1, 7), dice.sample(SIZES, 2)
    rank = dice.randint(2, 3)
    return dice.choice(
        [
            Said(f"men is at least {n}", lambda c: c["men"] >= n),
            Said(f"men is less than {n}", lambda c: c["men"] < n),
            Said(f"men is {n - 1} to {n}", lambda c: n - 1 <= c["men"] <= n),
            Said(f"men is not {n}", lambda c: c["men"] != n),
            Said("broken", lambda c: c["broken"]),
            Said("not broken", lambda c: not c["broken"]),
            Said("night", lambda c: c["night"]),
            Said(f"build is {words[0]} or {words[1]}", lambda c: c["build"] in words),
            Said(f"build is not {words[0]}", lambda c: c["build"] != words[0]),
            Said("build is at least middle", lambda c: c["build"] != "small"),
            Said("rank is nobody", lambda c: c["rank"] is None),
            Said(f"rank is at least {rank}", lambda c: c["rank"] is not None and c["rank"] >= rank),
            Said(f"rank is not {rank}", lambda c: c["rank"] is not None and c["rank"] != rank),
        ]
    )


def sentence(dice: Random) -> Said:
    parts = [leaf(dice) for _ in range(dice.choice((1, 1, 2, 2, 3)))]
    if len(parts) == 1:
        return parts[0]
    joint, all_of = (" and ", True) if dice.random() < 0.7 else (" or ", False)
    said = joint.join(f"({part.text})" for part in parts)

    def holds(c: Case) -> bool:
        return (all if all_of else any)(part.holds(c) for part in parts)

    if dice.random() < 0.15:
        return Said(f"not ({said})", lambda c: not holds(c))
    return Said(said, holds, True)


def expected(policy: str, rows: list[Said], otherwise: bool, every: list[Case] | None = None) -> set[tuple[str, str]]:
    """What is wrong with the rows, by all situations: the code, and the row."""
    every = list(cases()) if every is None else every
    found = set()
    ever = [any(row.holds(c) for c in every) for row in rows]
    for at, row in enumerate(rows):
        if not ever[at]:
            found.add(("never", f"r{at}"))
        elif policy == "first-of" and not any(row.holds(c) and not any(b.holds(c) for b in rows[:at]) for c in every):
            found.add(("hidden-row", f"r{at}"))
        elif policy == "one-of" and any(row.holds(c) and any(b.holds(c) for b in rows[:at]) for c in every):
            found.add(("rows-overlap", f"r{at}"))
    gap = any(not any(row.holds(c) for row in rows) for c in every)
    if gap and not otherwise:
        found.add(("no-row-for", ""))
    if not gap and otherwise:
        found.add(("never-otherwise", "otherwise"))
    return found


def played(file: Path, example: str) -> str:
    """What comes of a situation that a finding shows."""
    fight = file.parent / "fight.yaml"
    fight.write_text(f"ruleset: ./{file.name}\n{example}")
    return CliRunner().invoke(main, ["resolve", str(fight), "--seed", "1"]).stderr


@pytest.mark.parametrize("seed", range(120))
def test_what_is_said_of_rows_is_so_of_their_situations(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    policy = dice.choice(("first-of", "one-of"))
    rows = [sentence(dice) for _ in range(dice.randint(1, 6))]
    if (last := rows[-1]).joined and dice.random() < 0.6:
        rows.append(Said(f"not ({last.text})", lambda c: not last.holds(c)))
    otherwise = dice.random() < 0.4
    texts = "".join(f"      r{at}: {{when: '{row.text}', is: {at}}}\n" for at, row in enumerate(rows))
    file = tmp_path / "rows.yaml"
    file.write_text(RULES.format(policy=policy, rows=texts, otherwise="    otherwise: 9\n" if otherwise else ""))
    lines = file.read_text().splitlines()
    found = set()
    for one in check_paths([str(file)]):
        assert one.span is not None
        if one.code in ("unused", *SPARE):  # not every fact is asked for
            continue
        key = lines[one.span.source.position(one.span.start)[0] - 1].strip().split(":")[0]
        if one.code in STOPS:
            assert f"error[{STOPS[one.code]}]" in played(file, one.example), one.example
        if one.code in ("never-so", "never-applies"):
            found.add(("never", key))
        elif one.code == "never-otherwise" and key != "otherwise":
            at = int(key[1:])
            assert all(rows[at].holds(c) for c in cases())
        else:
            found.add((one.code, "" if one.code == "no-row-for" else key))
    assert found == expected(policy, rows, otherwise)


def found_in(file: Path, text: str) -> set[tuple[str, str]]:
    """What is wrong with rows, by code and row; what comes of a situation that a finding shows is played."""
    found = set()
    for one in check_paths([str(file)]):
        assert one.span is not None
        if one.code in ("unused", *SPARE):
            continue
        if one.code in STOPS:
            assert f"error[{STOPS[one.code]}]" in played(file, one.example), one.example
        key = text.splitlines()[one.span.source.position(one.span.start)[0] - 1].strip().split(":")[0]
        code = "never" if one.code in ("never-so", "never-applies") else one.code
        found.add((code, "" if one.code == "no-row-for" else key))
    return found


def all_of(parts: list[Said]) -> Said:
    """A row that asks all of some tests."""
    return Said(" and ".join(part.text for part in parts), lambda c: all(part.holds(c) for part in parts))


OF_UNITS = """\
ruleset: rows
language: 1
title: Rows that ask of somebody's side
start: go
kinds:
  side: {{given: {{enemy: the other side, units: {{are: units, each: unit}}, morale: 0 to 4, broken: flag}}}}
  unit: {{given: {{side: a side, men: 0 to 8, broken: flag}}, noted: {{score: number or nobody}}}}
tables:
  asked:
    about: unit
    {policy}:
{rows}{otherwise}
sequences: {{go: {{in-order: {{x: {{each: unit, do: set score to asked}}}}}}}}
"""


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_of_rows_that_ask_of_somebodys_side(seed: int, tmp_path: Path) -> None:
    """His side is another than he, so that whatever is asked of both may be so at once. Who is an enemy is a third."""
    dice = Random(seed)
    third = seed % 4 == 0
    facts = {"men": "men", "broken": "broken", "morale": "morale of side", "down": "broken of side"}
    every = [dict(zip(facts, c, strict=True)) for c in product(range(9), (False, True), range(5), (False, True))]

    def leaf() -> Said:
        fact, n = dice.choice([*facts]), dice.randint(1, 4)
        if fact in ("men", "morale"):
            if dice.random() < 0.5:
                return Said(f"{facts[fact]} is at least {n}", lambda c: c[fact] >= n)
            return Said(f"{facts[fact]} is {n - 1} to {n}", lambda c: n - 1 <= c[fact] <= n)
        return Said(facts[fact], lambda c: c[fact])

    def row() -> Said:
        return all_of([leaf() for _ in range(dice.randint(1, 3))])

    policy, rows, otherwise = dice.choice(("first-of", "one-of")), [row() for _ in range(4)], dice.random() < 0.4
    lines = [f"      r{at}: {{when: '{row.text}', is: {at}}}\n" for at, row in enumerate(rows)]
    if third:
        lines.insert(0, "      e: {when: morale of enemy of side is 4, is: 5}\n")
    file = tmp_path / "rows.yaml"
    text = OF_UNITS.format(policy=policy, rows="".join(lines), otherwise="    otherwise: 9\n" if otherwise else "")
    file.write_text(text)
    found = found_in(file, text)
    wanted = expected(policy, rows, otherwise, every)
    if third and policy == "one-of":  # the enemy's morale may be 4, whatever else is so: a fight that is played shows it
        wanted |= {("rows-overlap", f"r{at}") for at, row in enumerate(rows) if any(row.holds(c) for c in every)}
    assert found <= wanted if third else found == wanted


OF_SUMS = """\
ruleset: rows
language: 1
title: Rows that hold numbers against each other
start: go
kinds:
  fight: {{one: yes}}
  side: {{given: {{enemy: the other side, men: 0 to 4, nerve: 1 to 3, hits: 0 to 2}}, noted: {{score: number or nobody}}}}
tables:
  asked:
    about: side
    {policy}:
{rows}{otherwise}
sequences: {{go: {{in-order: {{x: {{each: side, do: set score to asked}}}}}}}}
"""


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_of_rows_that_hold_numbers_against_each_other(seed: int, tmp_path: Path) -> None:
    """Where only one difference is asked for, everything is found; where more hangs on the same facts, nothing else."""
    dice = Random(seed)
    alone = seed % 2 == 0
    every = [dict(zip(("men", "nerve", "hits"), c, strict=True)) for c in product(range(5), range(1, 4), range(3))]

    def leaf() -> Said:
        n = dice.randint(0, 2)
        of_one = [
            Said(f"men is at least nerve + {n}", lambda c: c["men"] >= c["nerve"] + n),
            Said(f"nerve is more than men - {n}", lambda c: c["nerve"] > c["men"] - n),
            Said(f"men - nerve is {n - 1}", lambda c: c["men"] - c["nerve"] == n - 1),
            Said(f"nerve + {n} is at most men + 1", lambda c: c["nerve"] + n <= c["men"] + 1),
            Said("men is nerve", lambda c: c["men"] == c["nerve"]),
            Said("men is not nerve", lambda c: c["men"] != c["nerve"]),
        ]
        of_more = [
            Said(f"men + hits is at least {n + 2}", lambda c: c["men"] + c["hits"] >= n + 2),
            Said("2 * hits is less than men + nerve", lambda c: 2 * c["hits"] < c["men"] + c["nerve"]),
            Said(f"men is at least {n + 1}", lambda c: c["men"] >= n + 1),
            Said(f"3 * hits is at most {n + 1}", lambda c: 3 * c["hits"] <= n + 1),
            Said("men is at most nerve - hits", lambda c: c["men"] <= c["nerve"] - c["hits"]),
        ]
        return dice.choice(of_one if alone else of_one + of_more)

    def row() -> Said:
        return all_of([leaf() for _ in range(dice.choice((1, 1, 2)))])

    policy, rows, otherwise = dice.choice(("first-of", "one-of")), [row() for _ in range(4)], dice.random() < 0.4
    texts = "".join(f"      r{at}: {{when: '{row.text}', is: {at}}}\n" for at, row in enumerate(rows))
    file = tmp_path / "rows.yaml"
    text = OF_SUMS.format(policy=policy, rows=texts, otherwise="    otherwise: 9\n" if otherwise else "")
    file.write_text(text)
    found = {one for one in found_in(file, text) if one[0] != "never-otherwise" or one[1] == "otherwise"}
    wanted = expected(policy, rows, otherwise, every)
    assert (found == wanted) if alone else found <= wanted, (found, wanted, text)


# ---- what could be spared ----------------------------------------------------------------------------------

FACTS = ("men", "broken", "build", "rank", "night")
EVERY = list(cases())


def told(file: Path, text: str) -> list[tuple[str, str, str]]:
    """Of each finding its code, the key of its line, and its message."""
    file.write_text(text)
    lines = text.splitlines()
    return [
        (one.code, lines[one.span.source.position(one.span.start)[0] - 1].strip().split(":")[0], one.message)
        for one in check_paths([str(file)])
        if one.span is not None and one.code != "unused"
    ]


def asked_in(rows: list[Said]) -> list[str]:
    return [fact for fact in FACTS if any(re.search(rf"\b{fact}\b", row.text) for row in rows)]


def without(c: Case, fact: str) -> tuple[Any, ...]:
    return tuple(value for name, value in c.items() if name != fact)


def stretches(dice: Random) -> list[Said]:
    """Rows that ask one thing after the other, next to each other or with gaps, perhaps on some condition."""
    if dice.random() < 0.3:
        rows = [Said(f"build is {size}", lambda c, size=size: c["build"] == size) for size in dice.sample(SIZES, 2)]
    else:
        cuts = sorted(dice.sample(range(10), dice.randint(3, 5)))
        rows = [
            Said(f"men is {low} to {high - 1}", lambda c, low=low, high=high: low <= c["men"] < high)
            for low, high in pairwise(cuts)
            if dice.random() < 0.8
        ]
    if dice.random() < 0.4:
        rows = [Said(f"({row.text}) and broken", lambda c, row=row: row.holds(c) and c["broken"]) for row in rows]
    return rows or [leaf(dice)]


@pytest.mark.parametrize("seed", range(160))
def test_what_never_matters_and_what_can_be_joined(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    policy = dice.choice(("first-of", "first-of", "one-of"))
    simple = dice.random() < 0.6
    rows = stretches(dice) if simple else [sentence(dice) for _ in range(dice.randint(2, 3))]
    if not simple and dice.random() < 0.7:  # a row cut in two
        half = leaf(dice)
        whole = rows.pop()
        rows += [
            Said(f"({whole.text}) and ({half.text})", lambda c: whole.holds(c) and half.holds(c)),
            Said(f"({whole.text}) and not ({half.text})", lambda c: whole.holds(c) and not half.holds(c)),
        ]
    verdicts = [dice.randint(1, 2) for _ in rows]
    if not simple and dice.random() < 0.7:
        verdicts[-1] = verdicts[-2]
    texts = "".join(f"      r{at}: {{when: '{row.text}', is: {verdicts[at]}}}\n" for at, row in enumerate(rows))
    otherwise = "    otherwise: 2\n"
    found = told(tmp_path / "rows.yaml", RULES.format(policy=policy, rows=texts, otherwise=otherwise))
    codes = {code for code, _, _ in found}

    def comes_to(c: Case) -> int:
        return next((verdict for row, verdict in zip(rows, verdicts, strict=True) if row.holds(c)), 2)

    if codes - set(SPARE):
        assert not codes & set(SPARE)  # first what is wrong
        return
    needless = []
    for fact in asked_in(rows):
        outcomes: dict[tuple[Any, ...], set[int]] = {}
        for c in EVERY:
            outcomes.setdefault(without(c, fact), set()).add(comes_to(c))
        if all(len(each) == 1 for each in outcomes.values()):
            needless.append(fact)
    says_one = len({*verdicts, 2}) == 1
    assert ("never-matters" in codes) == bool(needless and not says_one)
    if "never-matters" in codes:
        (said,) = [message for code, _, message in found if code == "never-matters"]
        assert any(f"whatever {fact}" in said for fact in needless)
        return
    for at in range(1, len(rows)):
        one, other = rows[at - 1], rows[at]
        both = [c for c in EVERY if one.holds(c) or other.holds(c)]
        sides = {fact: {c[fact] for c in both} for fact in FACTS}
        is_box = all(any(c[fact] not in sides[fact] for fact in FACTS) for c in EVERY if c not in both)
        joined = ("rows-join", f"r{at}") in {(code, key) for code, key, _ in found}
        if joined:
            assert is_box and verdicts[at - 1] == verdicts[at]
        elif (
            simple
            and at < len(rows) - 1
            and verdicts[at - 1] == verdicts[at]
            and one.text.split()[0] == other.text.split()[0]
        ):
            ranks = sorted(value for value in sides["men"])
            assert one.text.split()[0] != "men" or ranks != list(range(ranks[0], ranks[-1] + 1)) or not is_box


@pytest.mark.parametrize("seed", range(60))
def test_modifiers_that_apply_together_and_sums_that_leave_a_chart(seed: int, tmp_path: Path) -> None:
    dice = Random(seed)
    rows = [sentence(dice) for _ in range(dice.randint(2, 6))]
    if dice.random() < 0.5:
        twin = dice.choice(rows)
        rows.append(Said(f"not (not ({twin.text}))" if twin.joined else twin.text, twin.holds))
    worth = [dice.choice((-3, -2, -1, 1, 2, 3)) for _ in rows]
    start = dice.randint(-1, 4)
    low, high = -dice.randint(0, 5), dice.randint(1, 9)
    texts = "".join(f"      r{at}: {{when: '{row.text}', add: {worth[at]}}}\n" for at, row in enumerate(rows))
    text = RULES.format(policy="adds-up", rows=texts, otherwise=f"    start: {start}\n")
    text = text.replace("set score to asked", "set score to chart").replace(
        "sequences:",
        f"  chart: {{about: side, across: asked, columns: [{low} to 0, 1 to {high}], cells: [1, 2]}}\nsequences:",
    )
    found = told(tmp_path / "rows.yaml", text)
    sums = [start + sum(n for row, n in zip(rows, worth, strict=True) if row.holds(c)) for c in EVERY]
    leaves = [message for code, key, message in found if code == "leaves-chart"]
    assert bool(leaves) == (min(sums) < low or max(sums) > high)
    if leaves:
        assert f"`asked` is {min(sums) if min(sums) < low else max(sums)} where " in leaves[0]
    regions = [tuple(row.holds(c) for c in EVERY) for row in rows]
    if {code for code, _, _ in found} - {*SPARE, "leaves-chart"}:
        return
    together = {
        f"r{b}"
        for a in range(len(rows))
        for b in range(a + 1, len(rows))
        if regions[a] == regions[b] and any(regions[a])
    }
    assert {key for code, key, _ in found if code == "always-together"} == together


@pytest.mark.parametrize(("between", "told_of"), [("add", True), ("times", False)])
def test_what_is_multiplied_between_them_is_not_the_same_in_one_row(tmp_path: Path, between: str, told_of: bool) -> None:
    texts = f"      a: {{when: night, add: 1}}\n      b: {{when: not night, {between}: 2}}\n      c: {{when: night, add: 1}}\n"
    found = told(tmp_path / "rows.yaml", RULES.format(policy="adds-up", rows=texts, otherwise=""))
    assert [key for code, key, _ in found if code == "always-together"] == (["c"] if told_of else [])


def test_a_row_that_is_too_much_is_told_and_the_others_are_looked_at(tmp_path: Path) -> None:
    far = " and ".join(f"(night or build is small or men is not {n})" for n in range(6))
    rows = "".join(
        f"      r{at}: {{when: '{said}', is: {at}}}\n"
        for at, said in enumerate(("broken", far, "men is 3 and broken", "rank is 1"))
    )
    found = told(tmp_path / "rows.yaml", RULES.format(policy="first-of", rows=rows, otherwise="    otherwise: 9\n"))
    assert [(code, key) for code, key, _ in found] == [("not-analysed", "r1"), ("hidden-row", "r2")]
    assert "more than 200 cases" in found[0][2]


NESTED = """\
ruleset: nested
language: 1
title: Who is asked lies in somebody's set
start: go
options: {light: {readings: [day, dusk], default: day}}
kinds:
  fight: {one: yes, given: {attacker: a side, depth: 1 to 3}}
  side: {given: {enemy: the other side, units: {are: units, each: unit}}}
  unit: {given: {side: a side, class: [archer, knight]}, noted: {score: 0 to 9}}
tables:
  alone: {about: unit, first-of: {a: {class: archer, is: 1}, b: {light: dusk, depth: 3, is: 2}}}
  both:
    about: unit, target
    one-of:
      a: {class of unit: archer, class of target: archer, is: 1}
      b: {class of unit: knight, is: 2}
      c: {class of target: knight, light: day, is: 3}
      d: {class of unit: archer, class of target: knight, light: dusk, depth: at most 2, is: 3}
groups: {targets: {each: target, about: side, are: units of enemy of side}}
sequences:
  go: {in-order: {x: {each: unit, do: set score to alone}, y: {each: unit, play: pairs}}}
  pairs: {about: unit, in-order: {z: {each: target of side, do: set score to both of unit for target}}}
"""


def test_a_situation_to_paste_has_whom_and_what_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "nested.yaml"
    file.write_text(NESTED)
    found = {
        (one.code, one.message.split("`")[1]): one.example for one in check_paths([str(file)]) if one.code in STOPS
    }
    assert found == {
        ("no-row-for", "alone"): "options: {light: day}\nsituation:\n  fight: {attacker: red, depth: 1}\n  sides:\n"
        "    red: {units: {a: {class: knight}}}\n    blue: {}\n",
        ("no-row-for", "both"): "options: {light: dusk}\nsituation:\n  fight: {attacker: red, depth: 3}\n  sides:\n"
        "    red: {units: {a: {class: archer}}}\n    blue: {units: {b: {class: knight}}}\n",
        ("rows-overlap", "b"): "options: {light: day}\nsituation:\n  fight: {attacker: red, depth: 1}\n  sides:\n"
        "    red: {units: {a: {class: knight}}}\n    blue: {units: {b: {class: knight}}}\n",
    }
    assert "error[no-row-applies]" in played(file, found["no-row-for", "alone"])


def test_who_is_asked_whether_he_has_an_order_may_have_none(tmp_path: Path) -> None:
    """What is noted during the fight is nobody before, and a row asks for that: the gap is where he has an order."""
    file = tmp_path / "orders.yaml"
    file.write_text(
        NESTED.replace("noted: {score", "noted: {order: [hold, charge], score").replace(
            "{a: {class: archer, is: 1}, b: {light: dusk, depth: 3, is: 2}}",
            "{a: {class: archer, is: 1}, b: {order: nobody, is: 2}}",
        )
    )
    (found,) = [one for one in check_paths([str(file)]) if one.message.startswith("no row of `alone`")]
    assert "where class of unit is knight and order of unit is hold: 1 of 3 cases" in found.message
    assert "error[no-row-applies]" in played(file, found.example)


TWO_OF_EACH = """ruleset: two-of-each
language: 1
start: go
kinds:
  company: {given: {enemy: the other company, squads: {are: squads, each: squad}}}
  squad: {given: {company: a company, tired: flag}, noted: {safe: flag}}
  hill: {given: {beyond: the other hill, bunkers: {are: bunkers, each: bunker}}}
  bunker: {given: {hill: a hill, size: 0 to 3}}
tables:
  worth:
    about: squad, bunker
    one-of:
      big:   {tired of squad: no, size of bunker: at least 2, is: 1}
      tired: {tired of squad: yes, is: 2}
sequences: {go: {in-order: {hide: {each: squad, when: any bunker where (worth of squad for bunker is 1), do: gain safe}}}}
"""


def test_kinds_of_which_there_are_two_each_are_kept_apart(tmp_path: Path) -> None:
    file = tmp_path / "two-of-each.yaml"
    file.write_text(TWO_OF_EACH)
    (found,) = check_paths([str(file)])
    assert (found.code, found.example) == (
        "no-row-for",
        "situation:\n  companies:\n    red: {squads: {a: {tired: no}}}\n"
        "    blue: {}\n  hills:\n    hill-1: {bunkers: {b: {size: 0}}}\n    hill-2: {}\n",
    )
    assert "error[no-row-applies]" in played(file, found.example)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("when: men is at most 8", "never-otherwise `men is at most 8` is always so"),
        ("unless: men is at most 8", "never-so `men is at most 8` is always so"),
        ("when: men is more than 8", "never-so `men is more than 8` is never so"),
        ("unless: men is more than 8", "never-otherwise `men is more than 8` is never so"),
        (
            "when: not (men is more than 8 and night)",
            "never-otherwise `not (men is more than 8 and night)` is always so",
        ),
        ("unless: not broken or men is at most 8", "never-so `not broken or men is at most 8` is always so"),
    ],
)
def test_what_is_always_or_never_so_is_told_as_it_is_written(column: str, said: str, tmp_path: Path) -> None:
    row = f"      r0: {{{column}, is: 1}}\n"
    found = told(tmp_path / "rows.yaml", RULES.format(policy="first-of", rows=row, otherwise="    otherwise: 9\n"))
    assert said in [f"{code} {message}" for code, _, message in found]
