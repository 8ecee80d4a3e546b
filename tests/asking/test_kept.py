"""What fights came to is kept: it says the same, nothing is worked out twice, and what cannot be read is not there."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from brawl import FIGHTS, VARIANTS, Rules, chances, laid_down
from closecombat.asking.changes.diff import Diff, Side, diff
from closecombat.asking.crews.batches import Alone
from closecombat.asking.exact.weighing import Gone
from closecombat.asking.keeping import came_to
from closecombat.asking.keeping.came_to import Begun, CameTo, Reached, Told
from closecombat.asking.keeping.kept import read_book, write_book
from closecombat.playing.run import Run
from closecombat.text.cache import WHERE
from closecombat.text.source import Source

RULES = (Source("game/ruleset.yaml", "one: 1"), Source("game/tables.yaml", "two: 2"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game with its variants, and a cache of its own."""
    monkeypatch.chdir(laid_down(tmp_path / "game"))
    monkeypatch.setenv(WHERE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, ...]]]:
    """The variants by which a fight is worked out, one after the other."""
    found: list[tuple[str, ...]] = []
    real = came_to.gone_through

    def noted(run: Run, *args: Any, **more: Any) -> Gone:
        found.append(run.ruleset.variants)
        return real(run, *args, **more)

    monkeypatch.setattr(came_to, "gone_through", noted)
    yield found


def differ(name: str) -> Diff:
    return diff(Side("."), Side(f"v/{name}.yaml"), (), None, Alone(), lambda done, of: None)


def as_reckoned(found: Diff, rules: Rules) -> bool:
    for one in found.fights:
        was, now = chances(Rules(), *FIGHTS[one.name]), chances(rules, *FIGHTS[one.name])
        moved = {key: (was.get(key, 0), now.get(key, 0)) for key in was | now if was.get(key, 0) != now.get(key, 0)}
        if {(each.whom, each.what): (each.old, each.new) for each in one.shifts} != moved:
            return False
    return len(found.fights) == len(FIGHTS)


def test_whatever_was_asked_before_the_answers_are_those_of_plain_python() -> None:
    for _ in range(2):
        for name, (_, rules) in VARIANTS.items():
            assert as_reckoned(differ(name), rules), name


def test_no_fight_is_worked_out_twice(worked_out: list[tuple[str, ...]]) -> None:
    found = differ("numbers")
    first = len(worked_out)
    again = differ("numbers")
    assert again == found
    # what is looked for beside the fights, the smallest one that differs, is not kept
    looked_for = len(worked_out) - first
    worked_out.clear()
    differ("numbers")
    assert len(worked_out) == looked_for < first


def test_an_edited_variant_leaves_the_base_as_it_is_known(worked_out: list[tuple[str, ...]]) -> None:
    differ("gone")
    worked_out.clear()
    differ("gone")
    looked_for = worked_out.count(())
    file = Path("v/gone.yaml")
    file.write_text(file.read_text("utf-8") + "# another text\n", "utf-8")
    worked_out.clear()
    found = differ("gone")
    assert as_reckoned(found, VARIANTS["gone"][1]) and ("gone",) in worked_out
    assert worked_out.count(()) == looked_for


def test_other_rules_are_another_book() -> None:
    one = CameTo(Begun("start", {}, {}))
    write_book(read_book(RULES, "5"), [("a", one)])
    assert read_book(RULES, "5").known == {"a": one}
    assert not read_book(RULES, "6").known  # asked otherwise
    assert not read_book((RULES[0], Source("game/tables.yaml", "two: 3")), "5").known
    assert not read_book((RULES[0], Source("game/grids.yaml", "two: 2")), "5").known
    elsewhere = tuple(Source(f"elsewhere/{each.name}", each.text) for each in RULES)
    assert read_book(elsewhere, "5").known == {"a": one}  # the same rules in another folder


CAME_TO = [
    CameTo(Begun("x", {"reading": "narrow"}, {"a": "the attacker"})),
    CameTo(
        Begun("x", {}, {}),
        Reached(frozenset({"o"}), {"t": True, "u": False}, frozenset({("game/tables.yaml", 7)}), frozenset({"unit"})),
    ),
    CameTo(Begun("x", {}, {}), None, Told(code="illegal-declaration", message="nobody may")),
    CameTo(
        Begun("x", {}, {}),
        Reached(frozenset(), {}, frozenset(), frozenset()),
        Told(
            {("a", "won"): Fraction(1)},
            {("a", "hits 2"): Fraction(13, 18), ("b", "down"): Fraction(1)},
            {"a": {0: Fraction(1, 3), Fraction(1, 2): Fraction(2, 3)}},
            "men",
            False,
        ),
        7,
        11,
    ),
]


@pytest.mark.parametrize("one", CAME_TO)
def test_what_is_kept_is_read_as_it_was(one: CameTo) -> None:
    book = read_book(RULES, "")
    write_book(book, [("fight", one)])
    write_book(read_book(RULES, ""), [("another", CAME_TO[0])])
    assert read_book(RULES, "").known == {"fight": one, "another": CAME_TO[0]}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"fight": [1, 2]}',
        '{"fight": [["x", {}, {}], null, [[["a", "b", "1/0"]], [], {}, "", true, "", ""]]}',
    ],
)
def test_a_book_that_cannot_be_read_is_empty(cache: Path, text: str) -> None:
    from hashlib import sha256

    write_book(read_book(RULES, ""), [("fight", CAME_TO[0])])
    (file,) = cache.glob("*.json")
    file.write_bytes(sha256(text.encode()).hexdigest().encode() + b"\n" + text.encode())
    assert not read_book(RULES, "").known


def test_what_was_done_before_an_interruption_is_kept(
    monkeypatch: pytest.MonkeyPatch, worked_out: list[tuple[str, ...]]
) -> None:
    def stop(done: int, of: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        diff(Side("."), Side("v/gone.yaml"), (), None, Alone(), stop)
    interrupted = len(worked_out)
    worked_out.clear()
    differ("gone")
    monkeypatch.setenv(WHERE, "no")
    went_on = len(worked_out)
    worked_out.clear()
    differ("gone")
    assert interrupted and went_on == len(worked_out) - interrupted
