"""Many playings counted: against the exact chances, shared out in every way, interrupted, and what they refuse."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.asking.crews.batches import Alone, Processes, carried_out
from closecombat.asking.fights.fight_files import Scene, read_scene
from closecombat.asking.played.playings import Order, Share, Statistics, play_often, seed_of
from closecombat.cli.main import main
from closecombat.proving.values.budget import SECOND
from closecombat.text.faults import Faulty

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "benchmarks"))
from chi import chi_squared  # noqa: E402

LEAST_P = 0.0001

# Each draws, until a side is hit: red hits with 5 or 6, blue with 6.
DUEL = """\
ruleset: duel
start: exchange
rounds: {until: any side where (hit)}
kinds:
  fight: {one: yes}
  side:
    given: {needs: 1 to 7, enemy: the other side}
    rolled: {shot: one-die}
    noted: {hit: flag}
dice: {one-die: d6}
tables:
  sure: {about: side, one-of: {low: {needs: at most 6, is: shot}}}
sequences:
  exchange:
    in-order:
      fire: {each: side, roll: shot}
      told: {play: told}
  told:
    at-once:
      struck: {each: side, when: "sure of enemy is at least needs of enemy", do: gain hit}
outcomes: {about: side, words: [whole, struck], first-of: {hit: {hit: yes, is: struck}}, otherwise: whole}
strength-lost: {about: side, unit: blood, is: number of sides where (hit)}
"""
FIGHT = "ruleset: ./duel.yaml\nsituation: {sides: {red: {needs: 5}, blue: {needs: 6}}}\n"


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "duel.yaml").write_text(DUEL, "utf-8")
    (tmp_path / "fight.yaml").write_text(FIGHT, "utf-8")
    (tmp_path / "cannot.yaml").write_text(FIGHT.replace("blue: {needs: 6", "blue: {needs: 7"), "utf-8")
    return _scene("fight.yaml")


def _scene(name: str) -> Scene:
    found = read_scene(name)
    assert isinstance(found, Scene)
    return found


def counts(found: Statistics) -> dict[tuple[str, ...], int]:
    return {tuple(one.sides.values()): one.share.times for one in found.ends}


def test_the_counts_fit_the_chances(scene: Scene) -> None:
    """Reckoned by hand: of 36 ways red alone hits in 10, blue alone in 4, both in 2, nobody in 20."""
    found = play_often(Order(scene, "", (), 5, False), 1500, Alone())
    chances = {
        ("whole", "struck"): Fraction(10, 36),
        ("struck", "whole"): Fraction(4, 36),
        ("struck", "struck"): Fraction(2, 36),
        ("whole", "whole"): Fraction(20, 36),
    }
    assert chi_squared(counts(found), chances)[2] > LEAST_P
    assert found.played == found.ended == sum(counts(found).values()) == 1500
    assert {word: one.times for word, one in found.verdicts["red"].items()} == {
        "whole": counts(found)["whole", "struck"] + counts(found)["whole", "whole"],
        "struck": counts(found)["struck", "whole"] + counts(found)["struck", "struck"],
    }
    assert found.combats is None


def test_rounds_until_it_is_resolved(scene: Scene) -> None:
    """Each exchange ends it with 16/36; the number of exchanges is geometric, 9/4 on average."""
    order = Order(scene, "", (), 6, True, questions=("hit of red", "number of sides where (hit)"))
    found = play_often(order, 1500, Alone(), exactly=True)
    assert found.combats is not None and found.combats.mean is not None and found.combats.about is not None
    end = Fraction(16, 36)
    rounds = {number: share.times for number, share in found.combats.found}
    assert chi_squared(rounds, {n: end * (1 - end) ** (n - 1) for n in range(1, 80)})[2] > LEAST_P
    assert abs(found.combats.mean - Fraction(9, 4)) < 3 * found.combats.about
    ends = {tuple(one.sides.values()): one.share.chance for one in found.ends}
    assert ends == {
        ("whole", "struck"): Fraction(10, 16),
        ("struck", "whole"): Fraction(4, 16),
        ("struck",) * 2: Fraction(1, 8),
    }
    hit = found.answers["hit of red"]
    assert [(value, share.chance) for value, share in hit.found] == [(True, Fraction(3, 8)), (False, Fraction(5, 8))]
    assert (hit.mean, found.answers["number of sides where (hit)"].exact) == (None, Fraction(9, 8))
    assert found.losses["red"].exact == Fraction(9, 8)


def test_the_same_however_it_is_shared_out(scene: Scene) -> None:
    class Threads:
        hands = 3

        def __init__(self) -> None:
            self.executor: Executor = ThreadPoolExecutor(3)

        def has_lost(self, error: BaseException) -> bool:
            return False

        def renew(self) -> None:
            raise AssertionError

    order = Order(scene, "", (), 7, True, "units")
    alone = play_often(order, 200, Alone())
    assert play_often(order, 200, Threads()) == alone
    with Processes(2) as crew:
        assert play_often(order, 200, crew) == alone


def test_a_playing_can_be_told(scene: Scene) -> None:
    found = play_often(Order(scene, "", (), 8, True), 200, Alone())
    for one in found.ends:
        line = f"resolve fight.yaml --until resolved --seed 8 --playing {one.share.first} -f json"
        told = json.loads(CliRunner().invoke(main, line.split()).stdout)
        assert told["sides"] == one.sides
    assert len({seed_of(8, number) for number in range(1, 1000)} | {seed_of(80, 1), seed_of(1, 80)}) == 1001


@pytest.mark.parametrize(
    ("times", "of", "low", "high"),
    [(0, 10, "0", "0.2775"), (10, 10, "0.7225", "1"), (5, 10, "0.2366", "0.7634"), (81, 263, "0.2553", "0.3662")],
)
def test_the_bounds_are_wilsons(times: int, of: int, low: str, high: str) -> None:
    """As printed by Newcombe, Statistics in Medicine 17 (1998), of 81 in 263; the others by the formula in decimals."""
    found = Share(times, of, 1).between
    assert [round(bound, 4) for bound in found] == [Fraction(low), Fraction(high)]
    assert 0 <= found[0] <= Fraction(times, of) <= found[1] <= 1


def test_playings_without_an_end_are_counted(scene: Scene) -> None:
    """Blue cannot say what it hits with: nothing but red's fault is told, and there is no end to tell."""
    with pytest.raises(Faulty) as refused:
        play_often(Order(_scene("cannot.yaml"), "", (), 1, False), 20, Alone())
    assert refused.value.codes == {"no-row-applies"}


def test_ends_that_cannot_be_told_are_a_fault_of_the_rules(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_text(DUEL.replace("otherwise: whole", "otherwise: hale"), "utf-8")
    with pytest.raises(Faulty, match="`hale` is not one of whole, struck"):
        play_often(Order(scene, "", (), 1, False), 20, Alone())


def test_some_playings_have_no_end(scene: Scene, tmp_path: Path) -> None:
    """A row that only some dice come to asks for what has no value."""
    text = DUEL.replace(
        "  told:\n", "      odd: {each: side, shot: 6, when: sure of enemy is at least 2 / (6 - shot)}\n  told:\n"
    )
    (tmp_path / "duel.yaml").write_text(
        text.replace("{each: side, shot: 6, when: sure", "{each: side, shot: 6, do: gain hit, when: sure"), "utf-8"
    )
    found = play_often(Order(scene, "", (), 1, False), 400, Alone())
    (refused,) = found.refused
    assert (refused.code, found.played, found.ended) == ("no-value", 400, 400 - refused.times)
    assert (
        chi_squared({True: refused.times, False: found.ended}, {True: Fraction(11, 36), False: Fraction(25, 36)})[2]
        > LEAST_P
    )
    assert sum(one.share.times for one in found.ends) == found.ended


LONG = """
      far:  {each: side, shot: FACE, repeat: 999, play: far}
  far:   {in-order: {on: {repeat: 999, play: on}}}
  on:    {in-order: {on: {each: side, repeat: 999, do: lose hit}}}
  told:
"""


@pytest.mark.parametrize(
    ("face", "said"),
    [("at least 1", "^takes-long: more than about 1 s"), ("2", "^takes-long: playing [2-9]: more than about 1 s")],
)
def test_a_playing_that_takes_long_is_broken_off(face: str, said: str, scene: Scene, tmp_path: Path) -> None:
    """A thousand times a thousand times a thousand: in every playing, or where the dice will have it."""
    (tmp_path / "duel.yaml").write_text(DUEL.replace("\n  told:\n", LONG.replace("FACE", face)), "utf-8")
    with pytest.raises(Faulty, match=said) as stopped:
        play_often(Order(scene, "", (), 1, False, most_work=SECOND // 5), 400, Alone())
    assert stopped.value.codes == {"takes-long"}


def test_an_interrupt_keeps_what_was_played(scene: Scene) -> None:
    class Interrupted(Alone):
        def __init__(self) -> None:
            super().__init__()
            self.executor = _After(3, self.executor)

    order = Order(scene, "", (), 9, False)
    found = play_often(order, 10**6, Interrupted())
    assert 0 < found.played < 10**6
    kept = play_often(order, found.played, Alone())
    assert (counts(kept), kept.losses) == (counts(found), found.losses)


class _After(Executor):
    """Hands on so many batches, then somebody presses Ctrl-C."""

    def __init__(self, left: int, inner: Executor) -> None:
        self.left, self.inner = left, inner

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        return self.inner.submit(fn, *args, **kwargs)


@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C is no signal")
@pytest.mark.parametrize("jobs", [1, 2])
def test_control_c(scene: Scene, jobs: int) -> None:
    line = [sys.executable, "-u", "-m", "closecombat", "play", "fight.yaml", "--times", "100000000", "--seed", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    process = subprocess.Popen(
        [*line, "--jobs", str(jobs), "-f", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    try:
        try:
            process.communicate(timeout=4 if jobs == 1 else 6)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130
    if out:
        found = json.loads(out)
        assert found["played"] == sum(one["times"] for one in found["ends"])
        assert f"interrupted after {found['played']:,} of 100,000,000 playings" in err.decode()
    else:
        assert "interrupted" in err.decode()


# ---- batches ----------------------------------------------------------------------------------------------


def _doubled(batch: tuple[int, ...]) -> list[int]:
    return [2 * piece for piece in batch]


def _deadly(batch: tuple[int, ...]) -> list[int]:
    if 13 in batch:
        os._exit(1)
    return _doubled(batch)


def test_a_piece_that_ends_its_process_is_the_only_one_lost() -> None:
    with Processes(1) as crew:
        found = list(carried_out(crew, _deadly, iter(range(40))))
    assert sorted(piece for batch, _ in found for piece in batch) == list(range(40))
    assert [batch for batch, result in found if result is None] == [(13,)]
    assert all(result == _doubled(batch) for batch, result in found if result is not None)


def test_a_fault_of_the_work_is_no_loss() -> None:
    def wrong(batch: tuple[int, ...]) -> int:
        raise LookupError(batch)

    with pytest.raises(LookupError):
        list(carried_out(Alone(), wrong, iter(range(3))))


def test_a_future_of_any_kind_will_do() -> None:
    class Backwards(Executor):
        """Does everything in the end, the last first."""

        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            future: Future[object] = Future()
            waiting.append((future, fn, args))
            if len(waiting) == 4 or args[-1][-1] == 9:
                for each, work, given in reversed(waiting):
                    each.set_result(work(*given))
                waiting.clear()
            return future

    class Crew(Alone):
        def __init__(self) -> None:
            super().__init__()
            self.executor, self.hands = Backwards(), 2

    waiting: list[tuple[Future[object], object, tuple[object, ...]]] = []
    found = list(carried_out(Crew(), _doubled, iter(range(10))))
    assert sorted(piece for batch, _ in found for piece in batch) == list(range(10))
