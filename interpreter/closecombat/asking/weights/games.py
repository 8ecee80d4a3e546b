"""What the rules of one sort do together in a fight, and what of it is the doing of each (`shares`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias

from closecombat.asking.exact.settings import Asked, Found, by_itself, of_every_setting
from closecombat.asking.weights.changeable import Candidate
from closecombat.asking.weights.outcomes import Ends
from closecombat.asking.weights.shares import Shares, There, Worth, drawn_shares, exact_shares
from closecombat.asking.weights.weights import CHANGE, Outcome, Together, Weight
from closecombat.playing.fight import Fight
from closecombat.playing.run import Run
from closecombat.playing.unknowns import Setting, Unknown
from closecombat.proving.values.budget import SECOND, Budget
from closecombat.proving.values.symbolic import Value
from closecombat.text.faults import Faulty
from closecombat.text.slotted import dataclass

MOST_EXACT = 4_096  # settings whose shares are reckoned exactly
MOST_CHANGES = 6  # of variants, of which every choice is put together
MOST_PAIRS, FEWEST_PAIRS = 100, 5  # of orders that are drawn
MOST_WORK = 4 * SECOND  # for the shares of one sort, which nobody minds

Alone: TypeAlias = Sequence[tuple[Candidate, Weight, Found]]  # what each does by itself


@dataclass(frozen=True, slots=True)
class Game:
    """What fair shares are worked out with; one setting takes about so much work."""

    asked_of: Callable[[tuple[Unknown, ...]], Asked]
    ends: Ends
    of_one: int
    most_work: int | None


def players_of(sort: str, alone: Alone) -> list[Candidate]:
    """Who takes part of a sort, the heaviest first: of an option with several readings the one that does most."""
    return [one for one, _ in _players(sort, alone).values()]


def _players(sort: str, alone: Alone) -> dict[str, tuple[Candidate, Found]]:
    known: dict[str, tuple[Candidate, Found]] = {}
    for one, weight, found in sorted(alone, key=lambda each: each[1].by, reverse=True):
        if one.sort == sort and not weight.fault:
            known.setdefault(one.name, (one, found))
    return known


def together(game: Game, sort: str, alone: Alone) -> Iterator[Together]:
    """The shares of all of a sort."""
    left_out = dict.fromkeys(one.name for one, weight, _ in alone if one.sort == sort and weight.fault)
    players = list(_players(sort, alone).values())
    while len(players) > 1:
        found_shares = _shares(game, players)
        if found_shares is not None:
            whole, shares, orders = found_shares
            message = "" if shares else f"{len(players)} of them take longer: --yes"
            names = tuple(one.name for one, _ in players)
            without = tuple(name for name in left_out if name not in names)
            yield Together(sort, names, whole, shares, orders, without, message)
            return
        left_out[players.pop(0)[0].name] = None  # the heaviest: without it there is mostly no fight left


def _shares(
    game: Game, players: Sequence[tuple[Candidate, Found]]
) -> tuple[Mapping[Outcome, Fraction], Shares, int] | None:
    """What all do together, the share of each, and of how many orders; None where some of them cannot be changed at
    once."""
    many = len(players)
    asked_of = game.asked_of(tuple(one.unknown for one, _ in players))
    known = {_setting(players, [at != i for i in range(many)]): found for at, (_, found) in enumerate(players)}
    by_setting = by_itself(asked_of, known)

    def worth(there: There) -> Worth:
        found = by_setting(_setting(players, there))
        if isinstance(found, Faulty):
            raise _NoSuchFight
        return game.ends.outcomes(found)

    try:
        nothing, everything = worth((False,) * many), worth((True,) * many)
        zero = Fraction(0)
        whole = {key: everything.get(key, zero) - nothing.get(key, zero) for key in {**everything, **nothing}}
        if 2**many <= MOST_EXACT:
            try:
                most = MOST_WORK if game.most_work is not None else None
                table = of_every_setting(replace(asked_of, total=Budget(most)), None, known)
            except Faulty:
                pass  # it takes too long
            else:
                return whole, exact_shares(_by_who_is_there(game, players, table)), 0
        pairs = MOST_PAIRS if game.most_work is None else min(MOST_WORK // (2 * many * game.of_one), MOST_PAIRS)
        shares = drawn_shares(many, worth, pairs) if pairs >= FEWEST_PAIRS else ()
        return whole, shares, 2 * pairs if shares else 0
    except _NoSuchFight:
        return None


def _setting(players: Sequence[tuple[Candidate, Found]], there: Sequence[bool]) -> Setting:
    """What each unknown is, by whether it is as it is."""
    return tuple(one.unknown.values[0 if here else 1] for (one, _), here in zip(players, there, strict=True))


def _by_who_is_there(
    game: Game, players: Sequence[tuple[Candidate, Found]], table: Mapping[Setting, Found]
) -> dict[There, Worth]:
    out: dict[There, Worth] = {}
    for setting, found in table.items():
        if isinstance(found, Faulty):
            raise _NoSuchFight
        there = tuple(value == one.unknown.values[0] for (one, _), value in zip(players, setting, strict=True))
        out[there] = game.ends.outcomes(found)
    return out


def changes_together(
    game: Game, alone: Alone, unmet: Mapping[str, str], fight: Callable[[tuple[str, ...]], Fight | Faulty]
) -> Iterator[Together]:
    """The share of each change of a stack; `fight` is the fight without some of them. Of what is `unmet` as long as all
    are there, each with its chart, those take part whose charts are asked once others are left out."""
    names = tuple(one.name for one, _, _ in alone if one.sort == CHANGE)
    known: dict[tuple[str, ...], Worth] = {}
    looked_into: set[str] = set()

    def ask(run: Run) -> Sequence[Value]:
        answers = list(game.ends.ask(run))
        looked_into.update(run.looked_into)
        return answers

    def worth(names: tuple[str, ...], there: There) -> Worth:
        gone = tuple(name for name, here in zip(names, there, strict=True) if not here)
        if gone not in known:
            other = fight(gone)
            asked = replace(game.asked_of(()), ask=ask)
            found = other if isinstance(other, Faulty) else by_itself(replace(asked, fight=other))(())
            if isinstance(found, Faulty):
                raise _NoSuchFight
            known[gone] = game.ends.outcomes(found)
        return known[gone]

    found: Together | None = None
    woken: tuple[str, ...] = names
    while woken and len(names) + len(unmet) > 1:
        try:
            found = _of_changes(names, partial(worth, names))
        except _NoSuchFight:
            found = Together(CHANGE, names, {}, (), 0, (), "some of them rest on others")
            break
        woken = tuple(name for name, chart in unmet.items() if chart in looked_into and name not in names)
        names = (*names, *woken)
    if found is not None and len(found.names) > 1:
        yield found


def _of_changes(names: tuple[str, ...], worth: Callable[[There], Worth]) -> Together:
    many, zero = len(names), Fraction(0)
    nothing, everything = worth((False,) * many), worth((True,) * many)
    whole = {key: everything.get(key, zero) - nothing.get(key, zero) for key in {**everything, **nothing}}
    if many <= MOST_CHANGES:
        shares = exact_shares({there: worth(there) for there in product((False, True), repeat=many)})
        return Together(CHANGE, names, whole, shares, 0, ())
    return Together(CHANGE, names, whole, drawn_shares(many, worth, FEWEST_PAIRS), 2 * FEWEST_PAIRS, ())


class _NoSuchFight(Exception):
    """With some changes at once there is no fight that could be worked out."""
