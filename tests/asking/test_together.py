"""Playings that are carried out together: against the exact chances, shared out in every way, and what they refuse."""

import csv
import json
import sys
from collections.abc import Mapping
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

pytest.importorskip("numpy")

from closecombat.asking.crews.batches import Alone, Processes
from closecombat.asking.fights.fight_files import Scene, single
from closecombat.asking.played.playings import Amounts, Order, Share, Statistics, play_often
from closecombat.asking.played.together import BATCH, play_together
from closecombat.cli.main import main
from closecombat.text.faults import Faulty

from .test_playings import DUEL, LEAST_P, ROOT, _scene, chi_squared, counts, scene

__all__ = ["scene"]

TIMES = BATCH + 7_232  # a whole batch and a part of one


def fits(found: Mapping[object, Share]) -> bool:
    """Whether shares fit the chances beside them; what has not come up has the rest of the chance."""
    observed = {value: share.times for value, share in found.items()}
    chances = {value: share.chance or Fraction(0) for value, share in found.items()}
    assert all(chances.values())
    return chi_squared(observed, {**chances, "never": 1 - sum(chances.values())})[2] > LEAST_P


def all_fit(found: Statistics) -> bool:
    ends = {(tuple(one.sides.items()), repr(one.units)): one.share for one in found.ends}
    amounts: list[Amounts] = [*found.losses.values(), *found.answers.values()]
    return (
        fits(ends) and all(fits(one) for one in found.verdicts.values()) and all(fits(dict(a.found)) for a in amounts)
    )


def test_the_counts_fit_the_chances(scene: Scene) -> None:
    """Reckoned by hand: of 36 ways red alone hits in 10, blue alone in 4, both in 2, nobody in 20."""
    found = play_together(Order(scene, "", (), 5, False), TIMES, Alone())
    chances = {
        ("whole", "struck"): Fraction(10, 36),
        ("struck", "whole"): Fraction(4, 36),
        ("struck", "struck"): Fraction(2, 36),
        ("whole", "whole"): Fraction(20, 36),
    }
    assert chi_squared(counts(found), chances)[2] > LEAST_P
    assert (found.together, found.alone_because, found.combats) == (True, "", None)
    assert found.played == found.ended == sum(counts(found).values()) == TIMES


def test_rounds_until_it_is_resolved(scene: Scene) -> None:
    """Each exchange ends it with 16/36; the number of exchanges is geometric, 9/4 on average."""
    order = Order(scene, "", (), 6, True, "units", ("hit of red", "number of sides where (hit)"))
    found = play_together(order, TIMES, Alone(), exactly=True)
    assert all_fit(found)
    assert found.combats is not None and found.combats.mean is not None and found.combats.about is not None
    end = Fraction(16, 36)
    rounds = {number: share.times for number, share in found.combats.found}
    assert chi_squared(rounds, {n: end * (1 - end) ** (n - 1) for n in range(1, 80)})[2] > LEAST_P
    assert abs(found.combats.mean - Fraction(9, 4)) < 2 * found.combats.about


@pytest.mark.parametrize(
    ("system", "by"), [("asl", "sides"), ("squad-leader", "units"), ("assault", "units"), ("skirmish", "sides")]
)
def test_a_shipped_fight(system: str, by: str) -> None:
    order = Order(single(_scene_of("squad-in-a-building"), system), system, (), 11, False, by)
    found = play_together(order, TIMES, Alone(), exactly=True)
    assert found.together and not found.refused and all_fit(found)


def test_a_shipped_fight_to_its_end() -> None:
    order = Order(single(_scene_of("lone-leader"), "squad-leader"), "squad-leader", (), 12, True)
    found = play_together(order, TIMES, Alone(), exactly=True)
    assert found.together and all_fit(found)
    plainly = play_often(order, 300, Alone())
    assert found.combats is not None and plainly.combats is not None and plainly.combats.mean is not None
    assert abs(found.combats.mean - plainly.combats.mean) < 2 * plainly.combats.about


def test_losses_by_lot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second of the benchmark's fights, with lots, and rows that read what rows before have left."""
    monkeypatch.chdir(ROOT / "tests" / "benchmarks" / "rulesets")
    asked = tuple(f"{fact} of {unit}" for unit in ("a1", "b2") for fact in ("in-play", "reduced"))
    found = play_together(
        Order(_scene("w2-fight.yaml"), "", (), 13, False, "units", asked), TIMES, Alone(), exactly=True
    )
    assert found.together and all_fit(found)


def _scene_of(name: str) -> object:
    from closecombat.asking.fights.fight_files import read_scene

    return read_scene(name)


def test_the_same_however_it_is_shared_out(scene: Scene) -> None:
    order = Order(scene, "", (), 7, True, "units")
    alone = play_together(order, 3 * BATCH + 1, Alone())
    assert play_together(order, 3 * BATCH + 1, Alone()) == alone
    with Processes(2) as crew:
        assert play_together(order, 3 * BATCH + 1, crew) == alone
    other = play_together(Order(scene, "", (), 8, True, "units"), 3 * BATCH + 1, Alone())
    assert counts(other) != counts(alone)


def test_what_it_rests_on_is_that_of_the_chances() -> None:
    order = Order(single(_scene_of("lone-leader"), "squad-leader"), "squad-leader", (), 1, False)
    one_by_one, found = play_often(order, 200, Alone()), play_together(order, 200, Alone())
    assert set(found.remarks) == set(one_by_one.remarks)
    assert set(one_by_one.assumptions) <= set(found.assumptions)


def test_playings_without_an_end_are_counted(scene: Scene) -> None:
    with pytest.raises(Faulty) as refused:
        play_together(Order(_scene("cannot.yaml"), "", (), 1, False), 20, Alone())
    assert refused.value.codes == {"no-row-applies"}


def test_some_playings_have_no_end(scene: Scene, tmp_path: Path) -> None:
    """Whoever rolls a 6 divides by nothing: 11 of 36 playings, told as one by one."""
    odd = "      odd: {each: side, shot: 6, do: gain hit, when: sure of enemy is at least 2 / (6 - shot)}\n"
    (tmp_path / "duel.yaml").write_text(DUEL.replace("  told:\n", odd + "  told:\n"), "utf-8")
    order = Order(scene, "", (), 1, False)
    found, one_by_one = play_together(order, TIMES, Alone()), play_often(order, 50, Alone())
    (refused,), (told,) = found.refused, one_by_one.refused
    assert (refused.code, refused.message, refused.first) == (told.code, told.message, None)
    observed = {True: refused.times, False: found.ended}
    assert chi_squared(observed, {True: Fraction(11, 36), False: Fraction(25, 36)})[2] > LEAST_P
    assert found.together and found.played == TIMES == found.ended + refused.times


def test_what_has_no_program_is_played_one_by_one(scene: Scene, tmp_path: Path) -> None:
    """The sum of dice that explode without end may be anything."""
    (tmp_path / "duel.yaml").write_text(
        DUEL.replace("one-die: d6", "one-die: {die: d6, explode-if: face is 6, at-most: unbounded}"), "utf-8"
    )
    order = Order(scene, "", (), 1, False, "sides", ("shot of red",))
    found, one_by_one = play_together(order, 100, Alone()), play_often(order, 100, Alone())
    assert not found.together and "without end" in found.alone_because
    assert (found.ends, found.answers) == (one_by_one.ends, one_by_one.answers)


def test_what_some_playings_alone_can_answer_is_played_one_by_one(scene: Scene, tmp_path: Path) -> None:
    """Whose enemy has just thrown a 1 does not fire, and his last shot counts once more: which, many together forget."""
    fires = 'fire: {each: side, unless: "shot of enemy is 1", roll: shot}'
    (tmp_path / "duel.yaml").write_text(DUEL.replace("fire: {each: side, roll: shot}", fires), "utf-8")
    order = Order(scene, "", (), 1, True, "sides", ("shot of red",))
    found, one_by_one = play_together(order, 100, Alone()), play_often(order, 100, Alone())
    assert not found.together and "forgotten" in found.alone_because
    assert (found.ends, found.answers, found.refused) == (one_by_one.ends, one_by_one.answers, [])


def test_without_numpy(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "closecombat.proving.at_once.arrays", raising=False)
    line = "play fight.yaml --times 10 --seed 1"
    refused = CliRunner().invoke(main, [*line.split(), "--fast"])
    assert refused.exit_code == 2
    assert "pip install 'closecombat[fast]'" in refused.stderr
    assert CliRunner().invoke(main, line.split()).exit_code == 0


def test_as_it_is_told(scene: Scene) -> None:
    line = ["play", "fight.yaml", "--times", "500", "--seed", "1", "--fast"]
    text = CliRunner().invoke(main, line).stdout
    assert "500 playings, seed 1, many together (--fast)" in text
    assert "first" not in text and "--playing" not in text
    told = json.loads(CliRunner().invoke(main, [*line, "-f", "json"]).stdout)
    schema = json.loads((ROOT / "schemas" / "play.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(told)
    assert told["together"] is True and "first" not in json.dumps(told)
    rows = list(csv.DictReader(StringIO(CliRunner().invoke(main, [*line, "-f", "csv"]).stdout)))
    assert "first" not in rows[0] and sum(int(row["times"]) for row in rows if row["what"] == "end") == 500
