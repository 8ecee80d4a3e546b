"""Rows that clash and choices without a legal answer, held against every situation played: what is told is met in one of
them, and what is met is told."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from closecombat.asking.examples.examples import run_example
from closecombat.binding.load import load
from closecombat.checking.check import check_paths
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.source import Source

KINDS = """\
ruleset: clashes
start: begin
kinds:
  fight: {one: yes, given: {night: flag}}
  side: {given: {units: {are: units, each: unit}}}
  unit:
    given: {side: a side, men: 1 to 4, tired: flag, arm: [foot, horse, bows]}
    chosen: {order: [stay, charge, flee]}
    noted: {hp: 0 to 9, shaken: flag, temper: [calm, glad, grim]}
"""
TESTS = ("men: at least 2", "men: 2 to 3", "men: at most 2", "men: 4", "tired: yes", "tired: no", "arm: foot", "arm: horse or bows",
         "night: yes", "when: tired or men is at least 3", "unless: arm is foot and night", "when: men is 1 or arm is bows")  # fmt: skip
TEMPERS = ("temper: calm", "temper: not glad", "temper: grim or glad", "temper: glad", "temper: calm or grim")
DOES = (("set hp to 1", "set hp to 2"), ("set hp to 1", "take 1 from hp"), ("set temper to glad", "set temper to grim"))
SETS = ("unit", "unit where (men is at least 2)", "unit where (not tired)")
ORDERS = ("order: stay", "order: charge", "order: flee", "order: stay or flee", "order: not stay")
ALL = [*product((1, 2, 3, 4), ("yes", "no"), ("foot", "horse", "bows"), ("yes", "no"), ("calm", "glad", "grim"))]


def some_tests(random: Random, most: int) -> list[str]:
    """A few tests, no two of one column."""
    some = random.sample(TESTS, random.randint(0, most))
    return list({one.partition(":")[0]: one for one in some}.values())


def played(rules: Path, more: str) -> list[set[str]]:
    """The codes of the faults of a playing in each situation there is."""
    bound = load(str(rules))
    found = []
    for men, tired, arm, night, temper in ALL:
        text = f"example: one\nsituation:\n  fight: {{night: {night}}}\n"
        text += f"  sides: {{a: {{units: {{u: {{men: {men}, tired: {tired}, arm: {arm}, hp: 9, temper: {temper}}}}}}}}}\n{more}expect: {{figures: {{hp of u: 9}}}}\n"
        result = run_example(bound, as_mapping(parse(Source("<example>", text))))
        found.append({fault.code for fault in result.faults})
    return found


def told(rules: Path, code: str) -> bool:
    """Whether a check warns of it: where nothing stands before, whatever is found is met."""
    found = check_paths([str(rules)])
    assert not [one for one in found if one.severity == "error" or (one.code == code and one.severity == "note")], found
    return any(one.code == code for one in found)


@pytest.mark.parametrize("seed", range(36))
def test_rows_that_clash(seed: int, tmp_path: Path) -> None:
    random, rules = Random(seed), tmp_path / "rules.yaml"
    pair = random.choice(DOES)
    fixed = random.sample(TEMPERS, 1) if "set temper to glad" in pair else []
    rows = [
        f"{{{', '.join([f'each: {random.choice(SETS)}', *some_tests(random, 3), *fixed, f'do: {does}'])}}}"
        for does in pair
    ]
    rules.write_text(f"{KINDS}sequences:\n  begin: {{at-once: {{one: {rows[0]}, two: {rows[1]}}}}}\n", "utf-8")
    assert told(rules, "rows-clash") == any("conflicting-writes" in codes for codes in played(rules, "")), rows


@pytest.mark.parametrize("seed", range(24))
def test_choices_without_a_legal_answer(seed: int, tmp_path: Path) -> None:
    random, rules = Random(seed), tmp_path / "rules.yaml"
    forbids = ", ".join(
        f"r{n}: {{{', '.join([random.choice(ORDERS), *some_tests(random, 2), f'says: not so, cites: R-{n}'])}}}"
        for n in range(4)
    )
    asks = ", ".join(
        [f"each: {random.choice(SETS)}", *some_tests(random, 1), "choose: order, legal: forbids, otherwise: stay"]
    )
    rules.write_text(
        f"{KINDS}tables: {{forbids: {{about: unit, forbidden-if: {{{forbids}}}}}}}\n"
        f"sequences: {{begin: {{in-order: {{asks: {{{asks}}}, obeys: {{each: unit, order: charge, do: gain shaken}}}}}}}}\n",
        "utf-8",
    )
    answers = [played(rules, f"choices: {{asks: {{u: {order}}}}}\n") for order in ("stay", "charge", "flee")]
    met = any(all("illegal-declaration" in codes for codes in each) for each in zip(*answers, strict=True))
    assert told(rules, "no-legal-answer") == met, (asks, forbids)


@pytest.mark.parametrize(
    ("forbids", "never_legal"),
    [
        ("x: {when: bid is more than men}", False),  # a bid of 0 is legal, whoever has how many men
        ("x: {when: bid + men is at least 5}", False),
        ("x: {when: men - bid is less than 0}, y: {bid: 3}", False),
        ("x: {when: bid * 2 is more than men}, y: {bid: 0}", True),  # with one man nothing is: a small fight comes to it
        ("x: {when: bid is more than men}, y: {bid: at most 3}", True),
        ("x: {bid: at least 1, tired: yes}, y: {bid: 0, men: 1}", True),
    ],
)
def test_a_choice_that_is_held_against_something_else(forbids: str, never_legal: bool, tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    forbids = forbids.replace("}", ", says: not so, cites: R-1}")
    rules.write_text(
        f"{KINDS.replace('chosen: {', 'chosen: {bid: 0 to 3, ')}tables: {{forbids: {{about: unit, forbidden-if: {{{forbids}}}}}}}\n"
        "sequences: {begin: {in-order: {asks: {each: unit, choose: bid, legal: forbids, otherwise: 0}, "
        "obeys: {each: unit, bid: 1, do: gain shaken}}}}\n",
        "utf-8",
    )
    assert told(rules, "no-legal-answer") is never_legal


@pytest.mark.parametrize(
    ("before", "after", "is_met"),
    [
        ("", "{play: strikes}", True),
        ("", "{when: not night, play: strikes}", True),
        ("dig: {each: unit, men: 4, do: gain shaken}, ", "{play: strikes}", True),
        # the smallest does not come to it, and others do: then that is said, and nothing else
        ("rest: {each: unit, men: 1, tired: yes, do: lose tired}, ", "{play: strikes}", True),
        ("rest: {each: unit, tired: yes, do: set tired to no}, ", "{play: strikes}", False),
        ("rout: {each: unit, tired: yes, arm: bows, do: leave}, ", "{play: strikes}", False),
        ("", "{when: night and 1 is 2, play: strikes}", False),
    ],
)
@pytest.mark.parametrize(
    ("does", "code"),
    [
        (("set hp to 1", "set hp to 2"), "rows-clash"),
        (("gain shaken", "lose shaken"), "rows-clash"),
        (("choose: order, legal: none, otherwise: stay", "set hp to 2"), "no-legal-answer"),
    ],
)
def test_where_no_small_fight_comes_to_it_it_is_a_note(
    does: tuple[str, str], code: str, before: str, after: str, is_met: bool, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.yaml"
    first, second = (one if "choose" in one else f"do: {one}" for one in does)
    order = "at-once" if code == "rows-clash" else "in-order"
    rules.write_text(
        KINDS.replace("tired: flag, arm", "arm").replace("noted: {hp", "noted: {tired: flag, hp")
        + "tables: {none: {about: unit, forbidden-if: {never: {tired: yes, arm: bows, says: not so, cites: R-1}}}}\n"
        f"sequences:\n  begin: {{in-order: {{{before}then: {after}, use: {{each: unit, order: charge, do: add 1 to hp}}}}}}\n"
        f"  strikes: {{{order}: {{one: {{each: unit, tired: yes, arm: bows, {first}}}, two: {{each: unit, tired: yes, arm: bows, {second}}}}}}}\n",
        "utf-8",
    )
    (found,) = (one for one in check_paths([str(rules)]) if one.code == code)
    assert (found.severity, bool(found.example)) == (("warning", True) if is_met else ("note", False))


HELD = {
    "hp: 0": lambda hp, shaken, mood: hp == 0,
    "hp: at least 9": lambda hp, shaken, mood: hp >= 9,
    "hp: 2 to 3": lambda hp, shaken, mood: 2 <= hp <= 3,
    "hp: 3": lambda hp, shaken, mood: hp == 3,
    "when: hp is at most 3 and shaken": lambda hp, shaken, mood: hp <= 3 and shaken,
    "shaken: yes": lambda hp, shaken, mood: shaken,
    "shaken: no": lambda hp, shaken, mood: not shaken,
    "unless: shaken or mood is glum": lambda hp, shaken, mood: not (shaken or mood == "glum"),
    "mood: glum": lambda hp, shaken, mood: mood == "glum",
    "mood: glum or keen": lambda hp, shaken, mood: mood in ("glum", "keen"),
    "mood: not glum": lambda hp, shaken, mood: mood != "glum",
}
DONE = {
    "gain shaken": lambda hp, shaken, mood: (hp, True, mood),
    "lose shaken": lambda hp, shaken, mood: (hp, False, mood),
    "set hp to 3": lambda hp, shaken, mood: (3, shaken, mood),
    "set hp to 0": lambda hp, shaken, mood: (0, shaken, mood),
    "add 2 to hp": lambda hp, shaken, mood: (min(hp + 2, 9), shaken, mood),
    "take 4 from hp": lambda hp, shaken, mood: (max(hp - 4, 0), shaken, mood),
    "set mood to glum": lambda hp, shaken, mood: (hp, shaken, "glum"),
    "set mood to keen": lambda hp, shaken, mood: (hp, shaken, "keen"),
}


@pytest.mark.parametrize("seed", range(60))
def test_effects_that_change_nothing(seed: int, tmp_path: Path) -> None:
    random, rules = Random(seed), tmp_path / "rules.yaml"
    tests = list({one.partition(":")[0]: one for one in random.sample(sorted(HELD), random.randint(1, 3))}.values())
    does = random.choice(sorted(DONE))
    row = f"{{{', '.join(['each: unit', *tests, f'do: {does}'])}}}"
    kinds = KINDS.replace("shaken: flag", "shaken: flag, mood: [fresh, glum, keen]")
    rules.write_text(f"{kinds}sequences:\n  begin: {{in-order: {{one: {row}}}}}\n", "utf-8")
    where = [
        (hp, shaken, mood)
        for hp, shaken, mood in product(range(10), (True, False), ("fresh", "glum", "keen"))
        if all(HELD[test](hp, shaken, mood) for test in tests)
    ]
    changes_nothing = where and all(DONE[does](*one) == one for one in where)
    said = [one for one in check_paths([str(rules)]) if one.code == "unused" and "changes nothing" in one.message]
    assert bool(said) == bool(changes_nothing), row


@pytest.mark.parametrize(
    ("of", "is_told"), [("unit of side", True), ("unit of side where (not (unit is in drawn of side))", False)]
)
def test_lots_that_are_drawn_twice_of_the_same(of: str, is_told: bool, tmp_path: Path) -> None:
    """Whoever is drawn alone is in the set then, unless he no longer stands among those of whom lots are drawn."""
    rules = tmp_path / "rules.yaml"
    kinds = KINDS.replace("each: unit}}}", "each: unit}}, noted: {drawn: {are: units, each: one-drawn}}}")
    rules.write_text(
        f"{kinds}sequences: {{begin: {{in-order: {{lots: {{each: side, repeat: 2, single-out: drawn, from: {of}, ties: again}}}}}}}}\n",
        "utf-8",
    )
    said = [one.message for one in check_paths([str(rules)]) if one.code == "unused" and "lots" in one.message]
    assert bool(said) is is_told
