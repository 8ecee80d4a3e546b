"""Which rule matters: single effects and fair shares, held against a small game in plain Python."""

import csv
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from brawl import Man, Rules, chances, laid_down
from closecombat.asking.weights.shares import drawn_shares, exact_shares
from closecombat.cli.main import main

SCHEMA = Path(__file__).parents[2] / "schemas" / "weigh.schema.json"
A: Man = {"drunk": True, "dug-in": True}
B: Man = {"tired": True}
FIGHT = "ruleset: ..\nsituation: {fight: {attacker: a}, sides: {a: {drunk: yes, dug-in: yes}, b: {tired: yes}}}\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(laid_down(tmp_path, {"f/fight.yaml": FIGHT}))
    return tmp_path


def run(line: str, *more: str) -> Result:
    return CliRunner().invoke(main, [*line.split(), *more])


def told(line: str, *more: str) -> dict[str, Any]:
    result = run(f"{line} -f json", *more)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(found)
    return found


def ends(tired: bool = True, drunk: bool = True, cover: bool = True, falls: bool = False) -> dict[str, Fraction]:
    """The chances of the fight by hand, with some rows switched off."""
    bare: Man = {**A, "dug-in": cover}
    rules = Rules(tired=-1 if tired else 0, drunk=-2 if drunk else 0, dazed_falls=falls)
    found = chances(rules, bare, B).items()
    return {f"{who} {word}": chance for (who, word), chance in found if word not in ("down", "dazed")}


def moved(one: dict[str, Fraction], other: dict[str, Fraction]) -> dict[str, Fraction]:
    out = {key: other.get(key, Fraction(0)) - one.get(key, Fraction(0)) for key in one | other}
    return {key: by for key, by in out.items() if by}


def test_what_each_rule_does_is_as_reckoned_apart(game: Path) -> None:
    found = {str(one["rule"]): one for one in told("weigh f/fight.yaml")["weights"]}
    expected = {
        "blow.tired": ends(tired=False),
        "blow.drunk": ends(drunk=False),
        "blow.cover": ends(cover=False),
        "reeling": ends(falls=True),
    }
    assert set(found) == {*expected, "blow.luck"}
    for name, other in expected.items():
        shifts = found[name]["shifts"]
        assert isinstance(shifts, list)
        here = {
            f"{each['whom']} {each['outcome']}": Fraction(each["by"])
            for each in shifts
            if each["outcome"] != "strength lost"
        }
        assert here == moved(ends(), other)
        lost = {each["whom"]: Fraction(each["by"]) for each in shifts if each["outcome"] == "strength lost"}
        assert lost == {key[0]: 4 * by for key, by in moved(ends(), other).items() if key.endswith("destroyed")}
    order = [
        max(abs(Fraction(s["by"])) for s in one["shifts"] if s["outcome"] != "strength lost") for one in found.values()
    ]
    assert order == sorted(order, reverse=True)


def by_orders(worth: Callable[..., dict[str, Fraction]], names: list[str]) -> dict[str, dict[str, Fraction]]:
    """Shapley's value as it is defined: what each adds, on average over all orders."""
    out: dict[str, dict[str, Fraction]] = {name: {} for name in names}
    orders = list(permutations(names))
    for order in orders:
        there = dict.fromkeys(names, False)
        for name in order:
            before = worth(**there)
            there[name] = True
            for key, by in moved(before, worth(**there)).items():
                out[name][key] = out[name].get(key, Fraction(0)) + by / len(orders)
    return {name: {key: by for key, by in those.items() if by} for name, those in out.items()}


def test_fair_shares_are_the_mean_over_all_orders(game: Path) -> None:
    (together,) = told("weigh f/fight.yaml --rows blow.")["together"]
    assert together["exact"] is True and together["sort"] == "modifier"
    shares = together["shares"]
    assert isinstance(shares, list)
    here = {
        one["rule"]: {f"{each['whom']} {each['outcome']}": Fraction(each["by"]) for each in one["of"]} for one in shares
    }
    assert set(here) == {"blow.tired", "blow.drunk", "blow.cover", "blow.luck"}

    def worth(tired: bool, drunk: bool, cover: bool, luck: bool) -> dict[str, Fraction]:
        if luck:
            return ends(tired, drunk, cover)
        return {"a unharmed": Fraction(1), "b unharmed": Fraction(1)}  # who throws nothing strikes nobody

    expected = by_orders(worth, ["tired", "drunk", "cover", "luck"])
    for name, those in here.items():
        assert {key: by for key, by in those.items() if "lost" not in key} == expected[str(name).partition(".")[2]]
    whole = {f"{each['whom']} {each['outcome']}": Fraction(each["by"]) for each in together["whole"]}
    for key, by in whole.items():
        assert sum((those.get(key, Fraction(0)) for those in here.values()), Fraction(0)) == by


LAYER = """
variant: merry
extends: ..
changes:
  kegs:   {at: tables.blow.drunk, set: {add: 0}, was: {add: -2}, why: merrier}
  weary:  {at: tables.blow.tired, set: {add: -2}, was: {add: -1}, why: wearier}
  reels:  {at: options.reeling, option: falls, was: stands, why: harder}
"""


def test_each_change_of_a_variant_and_its_share(game: Path) -> None:
    (game / "v/merry.yaml").write_text(LAYER, "utf-8")
    found = told("weigh f/fight.yaml -r v/merry.yaml --rows merry")

    def worth(kegs: bool, weary: bool, reels: bool) -> dict[str, Fraction]:
        rules = Rules(tired=-2 if weary else -1, drunk=0 if kegs else -2, dazed_falls=reels)
        them = chances(rules, A, B).items()
        return {f"{who} {word}": chance for (who, word), chance in them if word not in ("down", "dazed")}

    alone = {str(one["rule"]): one for one in [*found["weights"], *found["unmoved"]]}
    everything = dict.fromkeys(("kegs", "weary", "reels"), True)
    assert set(alone) == {f"merry.{name}" for name in everything}
    for name in everything:
        shifts = alone[f"merry.{name}"].get("shifts", [])
        assert isinstance(shifts, list)
        here = {f"{s['whom']} {s['outcome']}": Fraction(s["by"]) for s in shifts if s["outcome"] != "strength lost"}
        assert here == moved(worth(**everything), worth(**{**everything, name: False}))
    (together,) = (one for one in found["together"] if one["sort"] == "change")
    expected = by_orders(worth, list(everything))
    assert together["exact"] is True and isinstance(together["shares"], list)
    for one in together["shares"]:
        here = {f"{s['whom']} {s['outcome']}": Fraction(s["by"]) for s in one["of"] if s["outcome"] != "strength lost"}
        assert here == expected[str(one["rule"]).partition(".")[2]]


def test_drawn_shares_lie_around_the_exact_ones_and_are_the_same_each_time() -> None:
    """Seven of which the first two do something only together, the third something alone, the others nothing."""
    key = "it", "is so"

    def worth(there: tuple[bool, ...]) -> dict[tuple[str, str], Fraction]:
        return {key: Fraction(there[0] and there[1]) / 2 + Fraction(there[2]) / 4}

    exact = exact_shares({there: worth(there) for there in product((False, True), repeat=7)})
    assert [one[key].amount for one in exact] == [Fraction(1, 4)] * 3 + [Fraction(0)] * 4
    drawn = drawn_shares(7, worth, 40)
    assert drawn == drawn_shares(7, worth, 40)
    for one, other in zip(drawn, exact, strict=True):
        assert abs(one[key].amount - other[key].amount) <= 4 * sqrt(one[key].variance)
    assert sum(one[key].amount for one in drawn) == Fraction(3, 4) and not drawn[2][key].variance


def test_what_was_never_met_is_no_rule_that_changes_nothing(game: Path) -> None:
    (game / "f/bare.yaml").write_text(
        FIGHT.replace("drunk: yes", "drunk: no").replace("tired: yes", "tired: no"), "utf-8"
    )
    found = told("weigh f/bare.yaml")
    assert found["never_met"] == {"blow": ["tired", "drunk"]} and not found["unmoved"]
    assert {one["rule"] for one in found["weights"]} == {"blow.luck", "blow.cover", "reeling"}
    rules = (game / "ruleset.yaml").read_text("utf-8")
    (game / "ruleset.yaml").write_text(rules.replace("add: -1}\n      drunk", "add: 0}\n      drunk"), "utf-8")
    found = told("weigh f/fight.yaml")
    assert [one["rule"] for one in found["unmoved"]] == ["blow.tired"] and not found["never_met"]


def test_a_question_of_ones_own(game: Path) -> None:
    found = told("weigh f/fight.yaml --rows tired", "--of", "down of a")
    (one,) = found["weights"]
    was, now = (each.get("a destroyed", Fraction(0)) for each in (ends(), ends(tired=False)))
    assert now > was
    assert {(s["outcome"], Fraction(s["by"])) for s in one["shifts"]} == {("yes", now - was), ("no", was - now)}
    wrong = run("weigh f/fight.yaml", "--of", "downn of a")
    assert wrong.exit_code == 2 and "unknown-name" in wrong.stderr


def test_on_the_page_and_in_other_forms(game: Path) -> None:
    text = run("weigh f/fight.yaml").stdout
    assert max(map(len, text.splitlines())) <= 80 and "█" in text and "fair share" in text
    rows = list(csv.DictReader(io.StringIO(run("weigh f/fight.yaml -f csv").stdout)))
    exact = moved(ends(), ends(drunk=False))
    drunk = {f"{r['whom']} {r['outcome']}": r["changes_by"] for r in rows if r["rule"] == "blow.drunk"}
    assert {key: Fraction(by) for key, by in drunk.items() if "lost" not in key} == exact
    assert "| blow.drunk | -2 | off |" in run("weigh f/fight.yaml -f md").stdout


def test_a_side_may_end_lost_though_that_is_what_it_loses_too(game: Path) -> None:
    """A word for how a side ends is the designer's own: the chance of it is not counted among the strength lost."""
    rules = (game / "ruleset.yaml").read_text("utf-8")
    (game / "ruleset.yaml").write_text(rules.replace("destroyed", "lost"), "utf-8")
    result = told("weigh f/fight.yaml", "--option", "reeling=falls")
    told_so = {
        f"{one['whom']} {one['outcome']}": Fraction(one["chance"]["probability"])
        for one in result["outcomes"]
        if "chance" in one
    }
    exact = {key.replace("destroyed", "lost"): chance for key, chance in ends(falls=True).items()}
    assert told_so == {key: by for key, by in exact.items() if by}
    amounts = {one["whom"]: Fraction(one["amount"]) for one in result["outcomes"] if one["outcome"] == "strength lost"}
    assert amounts == dict.fromkeys("ab", Fraction(4, 6))
    (drunk,) = [one for one in result["weights"] if one["rule"] == "blow.drunk"]
    off = {
        key.replace("destroyed", "lost"): by
        for key, by in moved(ends(falls=True), ends(drunk=False, falls=True)).items()
    }
    here = {
        f"{s['whom']} {s['outcome']}": Fraction(s["by"]) for s in drunk["shifts"] if s["outcome"] != "strength lost"
    }
    assert here == off


ASSUMED = """
ruleset: duel
title: A duel
language: 1
start: bout
assumptions: {D-1: The text prints no number.}
options: {armour: {readings: [leather, plate, cursed], default: leather, why: The text says armour.}}
kinds:
  fight: {one: yes, given: {attacker: a side}}
  side: {given: {enemy: the other side}, rolled: {luck: some}, chosen: {careful: flag}}
dice: {some: {die: d6, number: pool}}
tables:
  pool: {about: side, adds-up: {bare: {add: 2, assumed: D-1}, cursed: {when: armour is cursed, add: -3}}}
  wrong: {about: side, forbidden-if: {heavy: {when: armour is plate and careful, says: too heavy}}}
  blood: {about: side, is: number of luck of enemy of side where (face is 6)}
sequences:
  bout:
    in-order:
      stance: {each: side, choose: careful, otherwise: yes, legal: wrong}
      throw:  {each: side, roll: luck}
outcomes: {about: side, words: [unharmed, reduced], first-of: {hurt: {blood of side: at least 1, is: reduced}}, otherwise: unharmed}
strength-lost: {about: side, unit: wounds, is: blood of side}
"""


def test_a_number_behind_an_assumption_and_changes_after_which_there_is_no_such_fight(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text(ASSUMED, "utf-8")
    fight = tmp_path / "examples" / "duel.yaml"
    fight.parent.mkdir()
    fight.write_text(
        f"ruleset: {tmp_path}\nsituation: {{fight: {{attacker: a}}, sides: {{a: {{}}, b: {{}}}}}}\n", "utf-8"
    )
    found = {(str(one["rule"]), str(one["if_it_were"])): one for one in told(f"weigh {fight}")["weights"]}
    safe = {dice: Fraction(5, 6) ** dice for dice in range(4)}
    for other, dice in (("+3", 3), ("+1", 1), ("off", 0)):
        one = found["pool.bare", other]
        (by,) = {Fraction(s["by"]) for s in one["shifts"] if (s["whom"], s["outcome"]) == ("a", "unharmed")}
        assert by == safe[dice] - safe[2] and one["assumed"] == ["D-1"]
    assert found["armour", "plate"]["fault"] == "forbidden"
    assert found["armour", "cursed"]["fault"] == "at-fault"
    text = run(f"weigh {fight}").stdout
    assert "then the declaration is forbidden" in " ".join(text.split()) and max(map(len, text.splitlines())) <= 80


def test_an_assumption_that_says_what_it_would_be_else(game: Path) -> None:
    """As if the ruleset were written so; what is changed of a row that never counts here is never met."""
    rules = (game / "ruleset.yaml").read_text("utf-8")
    rules = rules.replace("side: drunk, add: -2}", "side: drunk, add: -2, assumed: [B-1, B-3]}")
    rules = rules.replace("is: dazed}", "is: dazed, assumed: B-2}").replace(
        "side: tired, add: -1}", "side: tired, add: -1}"
    )
    doubts = (
        "assumptions:\n"
        "  B-1: {text: a keg is two, else: {at: tables.blow.drunk, set: {add: 0}}}\n"
        "  B-2: {text: he reels, else: [{at: tables.result.reeled, set: {is: fallen}}]}\n"
        "  B-3: {text: no more than that, else: {at: tables.result.struck, set: {when: blow of enemy of side is at least 7}}}\n"
    )
    (game / "ruleset.yaml").write_text(rules.replace("kinds:", doubts + "kinds:", 1), "utf-8")
    result = told("weigh f/fight.yaml --rows B-")
    found = {str(one["rule"]): one for one in [*result["weights"], *result["unmoved"]]}
    assert set(found) == {"B-1", "B-2", "B-3"} and {one["sort"] for one in found.values()} == {"assumption"}
    for name, other in (("B-1", ends(drunk=False)), ("B-2", ends(falls=True)), ("B-3", ends())):
        shifts = found[name].get("shifts", [])
        assert isinstance(shifts, list)
        here = {f"{s['whom']} {s['outcome']}": Fraction(s["by"]) for s in shifts if s["outcome"] != "strength lost"}
        assert here == moved(ends(), other)
    most = {
        name: max(map(abs, moved(ends(), ends(**so)).values()))
        for name, so in (("B-1", {"drunk": False}), ("B-2", {"falls": True}))
    }
    order = [str(one["id"]) for one in told("weigh f/fight.yaml")["assumed"]]
    assert most["B-1"] != most["B-2"] and (order.index("B-1") < order.index("B-2")) == (most["B-1"] > most["B-2"])
    (game / "f/sober.yaml").write_text(FIGHT.replace("drunk: yes", "drunk: no"), "utf-8")
    assert told("weigh f/sober.yaml --rows B-")["never_met"] == {"assumptions": ["B-1"]}


def test_a_reading_of_a_shipped_ruleset() -> None:
    """One Kill Number lower: 4 of 36 where it was 10, and nobody minds who cowers on the lower column's own double."""
    found = told("weigh squad-in-a-building -r squad-leader --rows kill-numbers --no-shares")
    (one,) = found["weights"]
    first = one["shifts"][0]
    assert (first["outcome"], first["old"], first["new"]) == ("locked", "169/324", "961/1296")


CROWD = """\
ruleset: crowd
language: 1
start: rush
kinds: {fight: {one: yes, given: {number: 1 to 9}}, side: {given: {enemy: the other side}, rolled: {die: d6}, noted: {through: flag}}}
tables:
  force:
    about: side
    adds-up:
      many:  {number: at least 2, add: 1}
      swarm: {number: at least 3, add: 2, instead-of: many}
      horde: {number: at least 4, add: 3, instead-of: swarm}
sequences:
  rush: {in-order: {throw: {each: side, roll: die}, push: {each: side, when: die + force is at least 7, do: gain through}}}
outcomes: {about: side, words: [out, inside], first-of: {inside: {through: yes, is: inside}}, otherwise: out}
strength-lost: {about: side, is: 0}
"""


@pytest.mark.parametrize(("number", "expected", "never"), [
    (4, {"force.horde": "-1/6", "force.swarm": "1/6"}, ["many"]),  # a 4, and by two who are three a 5; with many a 3
    (3, {"force.swarm": "-1/6"}, ["many", "horde"]),
    (2, {"force.many": "-1/6"}, ["swarm", "horde"]),
])  # fmt: skip
def test_a_row_in_whose_place_another_counts_still_keeps_out_a_third(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, expected: dict[str, str], never: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruleset.yaml").write_text(CROWD, "utf-8")
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "fight.yaml").write_text(f"ruleset: ..\nsituation: {{fight: {{number: {number}}}, sides: {{a: {{}}, b: {{}}}}}}\n", "utf-8")
    found = told("weigh f/fight.yaml --all")
    moves = {one["rule"]: {shift["by"] for shift in one["shifts"] if shift["outcome"] == "inside"} for one in found["weights"]}
    assert moves == {rule: {by} for rule, by in expected.items()}
    assert found["never_met"] == {"force": never} and not found["unmoved"]
    if number > 2:  # of all together against none, where one that never counts now comes in once another is off
        rows = ["horde", "swarm", "many"][4 - number :]

        def inside(there: set[str]) -> Fraction:
            force = 3 * ("horde" in there) + 2 * (there & {"horde", "swarm"} == {"swarm"}) + (there & {"swarm", "many"} == {"many"})
            return Fraction(min(force, 6), 6)

        orders = list(permutations(rows))
        shares = {
            row: sum(inside({*one[: one.index(row) + 1]}) - inside({*one[: one.index(row)]}) for one in orders) / len(orders)
            for row in rows
        }
        (together,) = found["together"]

        def by(told: list[dict[str, str]]) -> Fraction:
            return next((Fraction(one["by"]) for one in told if one["outcome"] == "inside"), Fraction(0))

        assert by(together["whole"]) == inside({*rows})
        assert {one["rule"]: by(one["of"]) for one in together["shares"]} == {f"force.{row}": shares[row] for row in rows}


BRUSH = """\
ruleset: brush
language: 1
start: rush
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, wood: flag, hill: flag}, rolled: {die: d6}}
tables:
  cover: {about: side, adds-up: {wood: {wood: yes, add: 2}, hill: {hill: yes, add: 1}}}
  drm:   {about: side, adds-up: {thin: {cover: 1, add: -3}, open: {cover: 0, add: -2}}}
  hit:   {about: side, is: die + drm + cover is at least 5}
sequences: {rush: {in-order: {throw: {each: side, roll: die}}}}
outcomes: {about: side, words: [out, inside], first-of: {inside: {hit: yes, is: inside}}, otherwise: out}
strength-lost: {about: side, is: 0}
"""


def test_what_counts_only_where_some_others_are_off_has_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`open` counts where wood and hill are both off, `thin` where the wood alone is; what they do is asked by the
    verdict, and by nothing before it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruleset.yaml").write_text(BRUSH, "utf-8")
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "fight.yaml").write_text("ruleset: ..\nsituation: {sides: {a: {wood: yes, hill: yes}, b: {wood: yes, hill: yes}}}\n", "utf-8")
    found = told("weigh f/fight.yaml --all")

    def inside(there: set[str]) -> Fraction:
        cover = 2 * ("wood" in there) + ("hill" in there)
        drm = -3 * (cover == 1 and "thin" in there) - 2 * (cover == 0 and "open" in there)
        return Fraction(sum(die + drm + cover >= 5 for die in range(1, 7)), 6)

    rows = ("wood", "hill", "thin", "open")
    shares = dict.fromkeys(rows, Fraction(0))
    for order in permutations(rows):
        for at, row in enumerate(order):
            shares[row] += (inside({*order[: at + 1]}) - inside({*order[:at]})) / 24
    (together,) = found["together"]
    by = {
        one["rule"].split(".")[1]: Fraction(of["by"])
        for one in together["shares"]
        for of in one["of"]
        if (of["whom"], of["outcome"]) == ("a", "inside")
    }
    assert by == {row: share for row, share in shares.items() if share}


ASLEEP = """\
ruleset: asleep
language: 1
start: bout
options:
  need-is: {readings: [hard, easy], default: hard, why: the text is silent}
  blow-is: {readings: [plain, rich], default: plain, why: the text is silent}
  rich-is: {readings: [low, high], default: low, why: the text is silent}
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side}, noted: {down: flag}, rolled: {luck: d6}}
tables:
  need:  {about: side, first-of: {easy: {need-is: easy, is: 5}, usual: {need-is: hard, is: 6}}}
  bonus: {about: side, first-of: {high: {rich-is: high, is: 3}}, otherwise: 1}
  blow:  {about: side, first-of: {rich: {blow-is: rich, is: luck + bonus}}, otherwise: luck}
sequences:
  bout:
    in-order:
      throw: {each: side, roll: luck}
      fall:  {each: side, when: blow of enemy of side is at least need, do: gain down}
outcomes: {about: side, words: [well, down], first-of: {down: {down: yes, is: down}}, otherwise: well}
strength-lost: {about: side, is: 0}
"""
AWAKE = """\
variant: awake
title: Blows are plain, the bonus is smaller, and 5 is enough
extends: ../game
changes:
  plain:   {at: tables.blow.rich, set: {is: luck}, was: {is: luck + bonus}, why: as it was}
  smaller: {at: tables.bonus.high, set: {is: 1}, was: {is: 3}, why: never asked while blows are plain}
  enough:  {at: tables.need.usual, set: {is: 5}, was: {is: 6}, why: so that they fall}
  idle:    {at: tables.need.easy, set: {is: 4}, was: {is: 5}, why: nobody reads it so}
"""


@pytest.mark.parametrize("sort", ["reading", "change"])
def test_what_is_asked_only_once_another_is_left_out_has_its_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sort: str
) -> None:
    """The bonus is asked of rich blows alone: as it is nothing hangs on it, and together much."""
    monkeypatch.chdir(tmp_path)
    text = ASLEEP if sort == "reading" else ASLEEP.replace("default: plain", "default: rich").replace("default: low", "default: high")
    for name, said in {"game/ruleset.yaml": text, "v/awake.yaml": AWAKE, "fight.yaml": "situation: {sides: {a: {}, b: {}}}\n"}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(said, "utf-8")
    (tmp_path / "pyproject.toml").write_text('[tool.closecombat]\n', "utf-8")
    found = told("weigh fight.yaml --all -r " + ("game" if sort == "reading" else "v/awake.yaml"))

    def well(need: int, bonus: int) -> dict[str, Fraction]:
        return {"well": Fraction(sum(luck + bonus < need for luck in range(1, 7)), 6)}

    def by_reading(**as_it_is: bool) -> dict[str, Fraction]:
        bonus = 0 if as_it_is["blow-is"] else 1 if as_it_is["rich-is"] else 3
        return well(6 if as_it_is["need-is"] else 5, bonus)

    def by_change(**there: bool) -> dict[str, Fraction]:
        bonus = 0 if there["awake.plain"] else 1 if there["awake.smaller"] else 3
        return well(5 if there["awake.enough"] else 6, bonus)

    worth = by_reading if sort == "reading" else by_change
    names = ["need-is", "blow-is", "rich-is"] if sort == "reading" else ["awake.plain", "awake.smaller", "awake.enough"]
    (together,) = [one for one in found["together"] if one["sort"] == sort]
    whole = moved(worth(**dict.fromkeys(names, False)), worth(**dict.fromkeys(names, True)))
    of_a = {each["outcome"]: Fraction(each["by"]) for each in together["whole"] if each["whom"] == "a"}
    assert of_a["well"] == whole["well"] == (Fraction(2, 3) if sort == "reading" else Fraction(1, 3))
    shares = {
        one["rule"]: {of["outcome"]: Fraction(of["by"]) for of in one["of"] if of["whom"] == "a" and of["outcome"] == "well"}
        for one in together["shares"]
    }
    assert {rule: share for rule, share in shares.items() if share} == by_orders(worth, names)


BLOWS = """
ruleset: blows
title: Blows
about: Two modifiers of what the other loses, who never falls of it.
language: 1
start: go
kinds:
  fight: {one: yes}
  side: {given: {enemy: the other side, hp: 0 to 20}, rolled: {d: d6}}
tables: {harm: {about: side, adds-up: {good: {d: at least 4, add: +2}, best: {d: 6, add: +3}}}}
sequences: {go: {in-order: {roll: {each: side, roll: d}, hurt: {each: side, do: take harm of enemy from hp}}}}
outcomes: {about: side, words: [up, gone], first-of: {gone: {hp: 0, is: gone}}, otherwise: up}
strength-lost: {about: side, unit: hp, is: hp-at-start - hp}
"""


def test_where_no_verdict_moves_what_moves_together_is_what_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the throws cost 2, and one of six 3 more: 3/2 together."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ruleset.yaml").write_text(BLOWS, "utf-8")
    fight = tmp_path / "f" / "fight.yaml"
    fight.parent.mkdir()
    fight.write_text("ruleset: ..\nsituation: {sides: {a: {hp: 20}, b: {hp: 20}}}\n", "utf-8")
    said = CliRunner().invoke(main, ["weigh", str(fight)]).stdout
    assert re.search(r"against none of them: a strength lost\s+\+1.50\n", said)
    assert re.search(r"harm\.good +\+1 .*\n *harm\.best +\+0\.50 ", said)
