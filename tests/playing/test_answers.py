"""What players answer: refused in play is refused in the chances, and no answer is heard by nobody."""

from __future__ import annotations

from typing import Any

import pytest

from closecombat.asking.exact.chances import work_out
from closecombat.asking.examples.examples import run_example
from closecombat.asking.played.resolution import resolve
from closecombat.binding.charts import Bound
from closecombat.playing import fight as fights
from closecombat.playing.fight import Fight, begin, fight
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import SeededDice
from closecombat.reading.ruleset import read_ruleset
from closecombat.reading.stack import as_mapping
from closecombat.text.document import parse
from closecombat.text.faults import Faults, Faulty
from closecombat.text.source import Source

RULES = """
ruleset: refusals
title: Refusals
language: 1
start: combat
words: {order: [wait, charge]}
kinds:
  fight: {one: yes, given: {night: flag, first: a side, second: a side, pet: a unit, spare: a unit or nobody}, noted: {round: 0 to 9}}
  side:
    given: {enemy: the other side, units: {are: units, each: unit}, blows: {are: blows, each: blow}}
    rolled: {die: one}
  unit:
    given: {side: a side, tired: flag}
    chosen: {order: order, partner: a unit or nobody, flees: flag}
    noted: {hurt: flag}
    rolled: {nerve: one}
  blow:
    given: {side: a side}
    chosen: {strikers: {are: units, each: striker}, victims: {are: units, each: victim}}
dice: {one: d2, coin: d2}
tables:
  orders:
    about: unit
    forbidden-if:
      tired: {order: charge, tired: yes, says: a tired unit charges}
      hurt:  {order: charge, hurt: yes,  says: a hurt unit charges}
  blows-struck:
    about: blow
    forbidden-if:
      hurt: {any striker: hurt, says: a hurt unit strikes}
sequences:
"""
SITUATION = """situation:
  fight: {first: one, second: two, pet: a}
  sides: {one: {units: {a: {}, b: {}}}, two: {units: {x: {}}}}
"""

# rows of `combat`; choices; the code, what is underlined, and which faces of a d2 (in rolling order) lead there
REFUSED = {
    "an answer that may break a rule": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: gain hurt}
      order: {each: unit of first, choose: order, legal: orders, otherwise: wait}
        """,
        "{order: {a: charge}}",
        "charge",
        [2, 1],
    ),
    "a default that may break a rule": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: gain hurt}
      order: {each: unit of first, choose: order, legal: orders, otherwise: charge}
        """,
        "{}",
        "order: {each",
        [1, 2],
    ),
    "an answer that names one of whom he may not choose": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: gain hurt}
      pairs: {each: unit of second, choose: partner, among: units of first where (not hurt), otherwise: nobody}
        """,
        "{pairs: {x: a}}",
        "a",
        [2, 1],
    ),
    "a default that is not one of whom he may choose": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: gain hurt}
      pairs: {each: unit of second, choose: partner, among: units of first where (not hurt), otherwise: pet}
        """,
        "{}",
        "pairs: {each",
        [2, 1],
    ),
    "an answer that names one who may have left": (
        """
      test: {each: unit of first, roll: nerve}
      goes: {each: unit of first, nerve: 2, do: leave}
      pairs: {each: unit of second, choose: partner}
        """,
        "{pairs: {x: a}}",
        "a",
        [2, 1],
    ),
    "a declaration that may break a rule": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: gain hurt}
      strikes: {for: first, declare: blows, legal: blows-struck}
        """,
        "{strikes: {one: {s: {strikers: [b], victims: [x]}}}}",
        "{strikers: [b], victims: [x]}",
        [1, 2],
    ),
    "a declaration left to the ruleset that may break a rule": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: gain hurt}
      strikes: {for: first, declare: blows, legal: blows-struck, otherwise: {all: {strikers: units of first, victims: units of second}}}
        """,
        "{}",
        "strikes: {for",
        [2, 2],
    ),
    "a choice that nobody makes": (
        """
      test: {for: second, roll: die}
      pairs: {each: unit of second, die of second: 2, choose: flees}
        """,
        "{}",
        "pairs: {each",
        [2],
    ),
    "a breach in the third pass of a fight without a bound": (
        """
      on: {play: rounds}
  rounds:
    again: {until: round is at least 3, at-most: unbounded}
    in-order:
      test: {for: second, roll: die}
      counts: {when: die of second is 2, do: add 1 to round}
      hurts: {each: unit of second, round: 2, do: gain hurt}
      order: {each: unit of second, choose: order, legal: orders, otherwise: charge}
        """,
        "{}",
        "order: {each",
        [2, 2],
    ),
}
ALLOWED = {
    "a breach where it cannot happen": (
        """
      test: {for: second, roll: die}
      hurts: {each: unit of second, when: die of second is 1 and die of second is 2, do: gain hurt}
      order: {each: unit of second, choose: order, legal: orders, otherwise: charge}
        """,
        "{}",
    ),
    "a declaration that is not made, for none of whom it names is left": (
        """
      test: {each: unit of first, roll: nerve}
      hurts: {each: unit of first, nerve: 2, do: [gain hurt, leave]}
      strikes: {for: first, declare: blows, legal: blows-struck}
        """,
        "{strikes: {one: {s: {strikers: [b], victims: [x]}}}}",
    ),
    "the next answer of a list, only where the one before was asked for": (
        """
      test: {for: second, roll: die}
      first: {each: unit of second, die of second: 2, play: asks}
      once: {each: unit of second, play: asks}
      right: {each: unit of second, when: (die of second is 2 and order is charge) or (die of second is 1 and order is wait), do: gain hurt}
  asks:
    about: unit
    in-order:
      order: {choose: order, otherwise: wait}
        """,
        "{order: {x: [wait, charge]}}",
    ),
}


def made(rows: str, choices: str, extra: str = "") -> Fight:
    faults = Faults()
    text = f"{RULES}  combat:\n    in-order:{rows.rstrip()}\n"
    ruleset = read_ruleset(as_mapping(parse(Source("rules.yaml", text))), faults, ())
    faults.raise_if_any()
    return fight(Bound(ruleset), as_mapping(parse(Source("fight.yaml", f"{SITUATION}choices: {choices}\n{extra}"))))


class Faces:
    """Dice that show these faces, then ones."""

    def __init__(self, faces: list[int]) -> None:
        self.left = list(faces)

    def begin(self, number: int, what: str, place: object) -> None:
        pass

    def face(self, faces: tuple[object, ...], what: str) -> object:
        return self.left.pop(0) if self.left else 1

    def card(self, cards: object, what: str) -> str:
        raise NotImplementedError


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_in_play_is_the_same_fault_in_the_chances(name: str) -> None:
    rows, choices, underlined, faces = REFUSED[name]
    told = []
    for reading in (lambda: resolve(made(rows, choices), Faces(faces)), lambda: work_out(made(rows, choices))):
        with pytest.raises(Faulty) as error:
            reading()
        first = error.value.diagnostics[0]
        assert first.span is not None and first.span.text.startswith(underlined)
        told.append((first.code, first.span.text))
    assert told[0] == told[1]
    assert told[0][0] == ("missing-key" if name == "a choice that nobody makes" else "illegal-declaration")


@pytest.mark.parametrize("name", ALLOWED)
def test_what_cannot_happen_is_no_fault(name: str) -> None:
    rows, choices = ALLOWED[name]
    found = work_out(made(rows, choices))
    assert sum(one.probability for one in found.outcomes) == 1
    for seed in range(8):
        resolve(made(rows, choices), SeededDice(seed))


def test_a_list_of_answers_goes_on_only_where_it_was_asked() -> None:
    """Played, x is `hurt` whatever is rolled: asked twice he says charge, asked once he says wait."""
    rows, choices = ALLOWED["the next answer of a list, only where the one before was asked for"]
    (only,) = work_out(made(rows, choices)).outcomes
    assert only.units == {"x": {"hurt": True}}


# rows of `combat`; choices; what is underlined; the seeds with which it is a fault in play too
STRAY = {
    "a row that is never reached": ("\n      asks: {each: unit of second, fight: night, choose: flees, otherwise: no}", "{asks: {x: yes}}", "yes"),
    "one who is not asked": ("\n      asks: {each: unit of first, choose: flees, otherwise: no}", "{asks: {a: no, x: yes}}", "yes"),
    "one who has left": (
        "\n      goes: {each: unit of second, do: leave}\n      asks: {each: unit, choose: flees, otherwise: no}", "{asks: {x: yes}}", "yes",
    ),
    "the second answer of a list": ("\n      asks: {each: unit of first, choose: flees, otherwise: no}", "{asks: {a: [no, yes]}}", "yes"),
    "a declaration": ("\n      names: {for: first, fight: night, declare: blows}", "{names: {one: {}}}", "{}"),
}  # fmt: skip


@pytest.mark.parametrize("name", STRAY)
def test_an_answer_that_nobody_asks_for_is_a_fault(name: str) -> None:
    rows, choices, underlined = STRAY[name]
    for reading in (lambda: work_out(made(rows, choices)), lambda: resolve(made(rows, choices), SeededDice(1))):
        with pytest.raises(Faulty) as error:
            reading()
        (told,) = error.value.diagnostics
        assert told.code == "never-asked" and told.span is not None and told.span.text == underlined


def test_an_answer_asked_for_with_some_dice_is_no_fault_where_chance_rolls() -> None:
    rows = """
      test: {for: second, roll: die}
      asks: {each: unit of second, die of second: 2, choose: flees, otherwise: no}"""
    work_out(made(rows, "{asks: {x: yes}}"))
    for seed in range(8):
        resolve(made(rows, "{asks: {x: yes}}"), SeededDice(seed))


ROUNDS = """
      test: {for: second, roll: die}
      asks: {each: unit of second, die of second: 2, choose: flees, otherwise: no}
  next:
    in-order: {on: {do: add 1 to round}}
rounds: {until: round is at least 3, between: next}"""


@pytest.mark.parametrize(("most", "choices", "fault"), [
    (2_000, "{asks: {x: yes}}", False),
    (0, "{asks: {x: yes}}", False),           # one combat tells: what comes after it is not looked at
    (2_000, "{asks: {x: [no, yes]}}", False),
    (2_000, "{asks: {a: yes}}", True),
    (0, "{asks: {a: yes}}", False),           # a fight of many rounds is not worked out to find fault with an answer
])  # fmt: skip
def test_a_later_round_is_looked_at_for_an_answer_if_it_is_small(
    most: int, choices: str, fault: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fights, "MOST_LOOKED_AHEAD", most)
    for reading in (lambda: resolve(made(ROUNDS, choices), SeededDice(1)), lambda: work_out(made(ROUNDS, choices))):
        if fault:
            with pytest.raises(Faulty, match="never-asked"):
                reading()
        else:
            reading()


def test_of_a_fight_that_is_never_resolved_some_combats_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every playing of it would go on for thousands, each as long as what was asked."""
    begun: list[Run] = []

    def noted(*given: Any) -> Run:
        begun.append(begin(*given))
        return begun[-1]

    monkeypatch.setattr(fights, "begin", noted)
    with pytest.raises(Faulty, match="never-asked"):
        resolve(made(ROUNDS.replace("at least 3", "less than 0"), "{asks: {a: yes}}"), SeededDice(1))
    assert 1 < max(run.combats_begun for run in begun) <= 20


EXAMPLES = {  # what an example says beside its situation: the code that is found, and what is underlined
    "{asks: {x: yes}}|dice: [1]|expect: {figures: {round: 0}}": ("never-asked", "yes"),
    "{asks: {x: yes}}|dice: [2]|expect: {figures: {round: 0}}": ("", ""),
    "{}|dice: [[1, 1]]|expect: {figures: {round: 0}}": ("dice-grouped-wrongly", "[1, 1]"),
    "{}|dice: [{1: 2}]|expect: {figures: {round: 0}}": ("dice-grouped-wrongly", "{1: 2}"),
    "{}|dice: [[1]]|expect: {figures: {round: 0}}": ("", ""),
    "{}|dice: [{2: 1}]|expect: {units: {y: {tired: no}}}": ("example-fails", "y: {tired: no}"),
    "{}|dice: [2]|expect: {units: {y: {gone: yes, tired: no}}}": ("", ""),
    "{}|dice: [2]|expect: {units: {y: gone}}": ("", ""),
    "{}|dice: [1]|expect: {units: {y: {tired: no}}}": ("", ""),
}


@pytest.mark.parametrize("said", EXAMPLES)
def test_an_example_says_nothing_that_is_not_heard(said: str) -> None:
    rows = """
      test: {for: second, roll: die}
      goes: {for: spare, die of second: 2, do: leave}
      asks: {each: unit of second, die of second: 2, choose: flees, otherwise: no}"""
    choices, dice, expect = said.split("|")
    bound = made(rows, "{}").bound
    text = f"example: heard\n{SITUATION.replace('x: {}', 'x: {}, y: {}').replace('pet: a', 'pet: a, spare: y')}choices: {choices}\n{dice}\n{expect}\n"
    result = run_example(bound, as_mapping(parse(Source("example.yaml", text))))
    code, underlined = EXAMPLES[said]
    assert [(one.code, one.span.text) for one in result.faults if one.span] == ([(code, underlined)] if code else [])


GROUPS = """
      test: {each: unit, roll: nerve}
"""
GROUPED = {  # dice of three rolls of one die each
    "[1, 1, 1]": "", "[[1], 1, [1]]": "", "[[1, 1], 1]": "[1, 1]", "[1, [1, 1]]": "[1, 1]", "[[1], {1: 2}]": "{1: 2}",
}  # fmt: skip


@pytest.mark.parametrize("dice", GROUPED)
def test_dice_that_stand_together_are_one_roll(dice: str) -> None:
    text = f"example: grouped\n{SITUATION}dice: {dice}\nexpect: {{figures: {{round: 0}}}}\n"
    found = run_example(made(GROUPS, "{}").bound, as_mapping(parse(Source("example.yaml", text)))).faults
    assert [one.span.text for one in found if one.span and one.code == "dice-grouped-wrongly"] == (
        [GROUPED[dice]] if GROUPED[dice] else []
    )
