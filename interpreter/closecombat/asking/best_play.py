"""Best play: what each answer to the next choice is worth, where all that is answered later is answered best as well.

A choice (`choose`) is worked out in one go, with all those behind it (`proving/best`). A declaration makes new things,
others by each answer: each is tried by itself, and so is what is declared behind it before dice fall. Declarations that
differ only by units that are alike are one. Where all that takes too long, later declarations are left to the ruleset;
where a later choice takes too long, that one is. Both are said.

Which answers there are is `allowed`, what is played for `aims`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from types import MappingProxyType
from typing import Any, TypeAlias

from closecombat.asking.aims import Wanted, aim_of, in_words
from closecombat.asking.allowed import Choice as Listed
from closecombat.asking.allowed import Given, Open, come_to
from closecombat.asking.allowed import listed as listed_next
from closecombat.binding.bound import BoundDeclare
from closecombat.playing.fight import Fight, begin, go, verdicts_are_about
from closecombat.playing.notes import without_notes
from closecombat.playing.offers import Offers, player_of
from closecombat.playing.run import Run
from closecombat.proving.best import Played, answered_by_default, mean, play_best, worth_of_each
from closecombat.proving.budget import SECOND, Budget
from closecombat.proving.choice import Choice
from closecombat.proving.dice import Answers
from closecombat.proving.symbolic import Value
from closecombat.reading.types import Thing
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass

A_FIGHT = SECOND * 2 // 5  # of work, to write one fight whose declarations are known
MOST_ALIKE = 5_000  # ways to exchange units that are alike

Things: TypeAlias = tuple[Given, ...]
Planned: TypeAlias = dict[tuple[str, str], Things]  # what is declared at which row by whom
Exchange: TypeAlias = Mapping[Thing, Thing]
Form: TypeAlias = frozenset[Any]
NOBODY: Exchange = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Worth:
    """One answer, or the things that are declared together; what it is worth, or at most (for whoever answers) where
    it was not worth going on. `share` is how often it is played, where the answers are mixed; `alike` how many
    declarations it stands for, which differ only by units that are alike."""

    answer: Value | Things
    worth: Fraction
    is_best: bool
    is_default: bool
    exact: bool = True
    share: Fraction | None = None
    alike: int = 1


@dataclass(frozen=True, slots=True)
class Answered:
    """The next choice, each legal answer with its worth for its `player`, the best first. `default` is what the
    ruleset's own answer is worth. Where who sees whose answer counts, best play lies between `between`."""

    listed: Listed
    player: str
    aims: tuple[str, ...]
    worths: tuple[Worth, ...]
    best: Fraction
    default: Fraction | None
    between: tuple[Fraction, Fraction] | None
    notes: tuple[str, ...]


@dataclass(slots=True)
class Question:
    """What is asked: a fight from its next choice on, and the dice before that; what is played for, and how much work
    may be done."""

    fight: Fight
    dice: Callable[[], Answers]
    aims: tuple[Wanted, ...]
    most_work: int | None = None
    tell: Callable[[int, int], None] = lambda done, left: None
    notes: dict[str, None] = field(default_factory=dict)
    spent: int = 0


def best_answers(question: Question, listed: Listed) -> Answered:
    """What each legal answer to a choice is worth."""
    found = _of_a_declaration(question, listed) if listed.together is not None else _of_a_choice(question, listed)
    return found


# ---- a choice -----------------------------------------------------------------------------------------------


def _of_a_choice(question: Question, listed: Listed) -> Answered:
    root = (listed.row, listed.who.name)
    run, offers = _offered(question, root, {})
    me = _player(question, run, offers, root)
    aim = aim_of(run, question.aims, me)
    steps = without_notes(run.steps)
    first = offers.choices[0] if offers.choices and (offers.choices[0].row, offers.choices[0].who) == root else None
    played = play_best(run.shop, steps, offers.choices, aim, question.tell, _sharing(run, question))
    if first is not None and first in played.left:
        later = [choice for choice in offers.choices if choice is not first]
        run.may_spend(None)
        played = play_best(run.shop, answered_by_default(run.shop, steps, later), [first], aim, question.tell)
        question.notes["all later choices are answered as the ruleset does: best takes longer (--yes)"] = None
    run.may_spend(None)
    _note(question, offers, played)
    words = in_words(run, question.aims, me.name)
    decided = next((one for one in played.decided if first in one.choices), None)
    if first is None or decided is None or not decided.states:
        whole = mean(run.shop, played.steps, aim.parts)
        usual = _usual(listed, first)
        worths = [Worth(one.value, whole, True, _same(one.value, usual)) for one in listed.answers if one.legal]
        return Answered(listed, me.name, words, tuple(worths), whole, whole, None, tuple(question.notes))
    (state,) = decided.states.values()
    fixed = mean(run.shop, played.steps, [part for part in aim.parts if part not in decided.parts])
    each = worth_of_each(state, decided.choices, first, me.name)
    at = decided.choices.index(first)
    best = state.worth + fixed
    usual = (state.default[at],) if state.default else ()
    shares: dict[Value, Fraction] = {}
    for row, share in state.plays.items():
        shares[row[at]] = shares.get(row[at], Fraction(0)) + share
    mixed = len(shares) > 1
    worths = [
        Worth(
            answer,
            worth + fixed,
            worth + fixed == best,
            _same(answer, usual),
            True,
            shares.get(answer, Fraction(0)) if mixed else None,
        )
        for answer, worth in each.items()
    ]
    default = next((one.worth for one in worths if one.is_default), None)
    between = (state.low + fixed, state.high + fixed) if state.low != state.high else None
    return Answered(listed, me.name, words, _ordered(worths), best, default, between, tuple(question.notes))


def _usual(listed: Listed, first: Choice | None) -> tuple[Value, ...]:
    return (first.default,) if first is not None and first.has_default else ()


def _same(answer: Value, usual: Sequence[Value]) -> bool:
    return any(type(one) is type(answer) and one == answer for one in usual)


def _ordered(worths: Iterable[Worth]) -> tuple[Worth, ...]:
    return tuple(sorted(worths, key=lambda one: -one.worth))


def _offered(question: Question, root: tuple[str, str], planned: Planned) -> tuple[Run, Offers]:
    """The run of a fight in which all is offered from a choice on."""
    run = begin(question.fight, None)
    run.foreknown = question.dice()
    offers = Offers(root, planned)
    run.offering = offers
    go(run)
    return run, offers


def _player(question: Question, run: Run, offers: Offers, root: tuple[str, str]) -> Thing:
    """The side that answers the choice that is asked about."""
    for side in verdicts_are_about(run):
        if side.name == offers.asked:
            return side
    raise _nobodys(question, root)


def _nobodys(question: Question, root: tuple[str, str]) -> Faulty:
    return Faulty.one(
        "no-value",
        f"nobody can tell which side answers `{root[0]}` of {root[1]}",
        question.fight.bound.ruleset.place,
        help="write `by: side` beside the choice, so that it is known whose it is",
    )


def _sharing(run: Run, question: Question) -> Callable[[int], None]:
    """Lets each choice have its share of the work that is left."""

    def spend(left: int) -> None:
        if question.most_work is not None:
            budget = run.shop.budget
            run.may_spend(budget.spent + max(question.most_work - budget.spent, 0) // left + SECOND // 2)

    return spend


def _note(question: Question, offers: Offers, played: Played) -> None:
    for (row, who), why in offers.left.items():
        question.notes[f"`{row}` of {who} is left to the ruleset: {why}"] = None
    for choice, why in played.left.items():
        question.notes[f"`{choice.row}` of {choice.who} is answered as the ruleset does: {why}"] = None
    for decided in played.decided:
        if decided.seen:
            rows = ", ".join(dict.fromkeys(f"`{choice.row}`" for choice in decided.choices))
            question.notes[f"{rows}: answered in secret, and worked out as if it were seen"] = None


# ---- a declaration ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ahead:
    """Who declares next, at which row, and what he may declare."""

    root: tuple[str, str]
    player: str
    sets: tuple[Things, ...]


@dataclass(slots=True)
class _Tree:
    """What is tried, declaration after declaration; `looks_ahead` as long as later ones are tried too. What may be
    declared later is listed once for each row and player: `ahead`."""

    question: Question
    root: tuple[str, str]
    me: str
    exchanges: tuple[Exchange, ...]
    looks_ahead: bool = True
    ahead: dict[tuple[str, str], Ahead] = field(default_factory=dict)
    first_worths: dict[tuple[tuple[str, str], Form], Fraction] = field(default_factory=dict)
    fights: int = 0

    def fight_is_worth(self, planned: Planned) -> Fraction:
        """What a fight is worth in which all that is planned is declared, and the rest is answered best."""
        self.fights += 1
        self.question.tell(self.fights, 0)
        run, offers = _offered(self.question, self.root, planned)
        me = next(side for side in verdicts_are_about(run) if side.name == self.me)
        aim = aim_of(run, self.question.aims, me)
        steps = without_notes(run.steps)
        played = play_best(run.shop, steps, offers.choices, aim, spend=_sharing(run, self.question))
        run.may_spend(None)
        offers.left.pop(self.root, None)
        _note(self.question, offers, played)
        return mean(run.shop, played.steps, aim.parts)

    def worth(self, planned: Planned, at_least: Fraction | None = None) -> tuple[Fraction, bool]:
        """The same, and later declarations are tried too: exact, or at most so much, which is less than `at_least`."""
        ahead = self.next_after(planned) if self.looks_ahead else None
        if ahead is None:
            return self.fight_is_worth(planned), True
        mine = ahead.player == self.me
        fixing = [one for one in self.exchanges if all(_moved(things, one) == _form(things) for things in planned.values())]
        found: Fraction | None = None
        for things in self.in_order(ahead, [sort[0] for sort in _sorts(ahead.sets, fixing)], mine):
            worth, _ = self.worth({**planned, ahead.root: things})
            for one in self.exchanges:
                self.first_worths.setdefault((ahead.root, _moved(things, one)), worth)
            if found is None or (worth > found if mine else worth < found):
                found = worth
            if not mine and at_least is not None and found < at_least:
                return found, False
        return (found, True) if found is not None else (self.fight_is_worth(planned), True)

    def in_order(self, ahead: Ahead, sets: list[Things], mine: bool) -> list[Things]:
        """What was best when it was first tried comes first."""
        sign = -1 if mine else 1
        return sorted(sets, key=lambda one: sign * self.first_worths.get((ahead.root, _form(one)), Fraction(0)))

    def next_after(self, planned: Planned) -> Ahead | None:
        """What is declared next, if that is before any dice."""
        offers = Offers(self.root, dict(planned))
        try:
            met = come_to(self.question.fight, self.question.dice(), lambda act: offers.begins_at is None, offers)
        except Faulty as error:
            if error.codes != {"dice-missing"}:
                raise
            return None
        if met is None:
            return None
        run, found = met
        root = (found.act.act.id, found.who.name)
        if not isinstance(found.verb, BoundDeclare) or root in planned:
            return None
        if root not in self.ahead:
            player = player_of(run, found.verb.by, found.env, found.who)
            if player is None:
                return None
            found.budget = Budget(None if self.question.most_work is None else self.question.most_work // 3)
            sets = tuple(tuple(one.value for one in some) for some in listed_next(run, found).together or ())
            self.ahead[root] = Ahead(root, player.name, sets)
        return self.ahead[root]


def _of_a_declaration(question: Question, listed: Listed) -> Answered:
    root = (listed.row, listed.who.name)
    sets = [tuple(one.value for one in some) for some in listed.together or ()]
    met = come_to(question.fight, question.dice(), lambda act: act.act.id == listed.row)
    if met is None:
        raise Bug("a choice that was listed is not come to")
    run, found = met
    player = player_of(run, found.verb.by, found.env, found.who)
    if player is None:
        raise _nobodys(question, root)
    tree = _Tree(question, root, player.name, _exchanges(run))
    usual = _usual_things(run, found)
    sorts = _sorts(sets, tree.exchanges)
    if question.most_work is not None:
        try:
            ahead = tree.next_after({root: sets[0]})
            fights = len(sorts) * (len(_sorts(ahead.sets, tree.exchanges)) if ahead is not None else 1)
        except Faulty as error:
            if error.codes != {"takes-long"}:
                raise
            fights = 0
        if not fights or fights * A_FIGHT > question.most_work:
            tree.looks_ahead = False
            if len(sorts) * A_FIGHT > question.most_work:
                raise Faulty.one(
                    "takes-long",
                    f"{len(sorts):,} declarations to try, each a fight of its own: about "
                    f"{len(sorts) * A_FIGHT // SECOND} s",
                    None,
                    help="go on with --yes, or ask for less: fewer units",
                )
            question.notes["what is declared later is left to the ruleset: to try it all takes longer (--yes)"] = None
    worths: list[Worth] = []
    best: Fraction | None = None
    first = next((sort for sort in sorts if usual is not None and _form(usual) in {_form(one) for one in sort}), None)
    for sort in sorted(sorts, key=lambda one: one is not first):
        worth, exact = tree.worth({root: sort[0]}, best)
        is_default = sort is first
        answer = usual if is_default and usual is not None else sort[0]
        worths.append(Worth(answer, worth, False, is_default, exact, None, len(sort)))
        best = worth if best is None or (exact and worth > best) else best
    if best is None:
        raise Bug("nothing can be declared")
    worths = [replace(one, is_best=one.exact and one.worth == best) for one in worths]
    _held_against_another(tree, root, sorts, worths)
    default = next((one.worth for one in worths if one.is_default and one.exact), None)
    if default is None:
        default = tree.worth({})[0]
    words = in_words(run, question.aims, player.name)
    return Answered(listed, player.name, words, _ordered(worths), best, default, None, tuple(question.notes))


def _held_against_another(tree: _Tree, root: tuple[str, str], sorts: Sequence[Sequence[Things]], worths: Sequence[Worth]) -> None:
    """What is best is worth as much for units that are alike, or else they are not."""
    for sort in sorts:
        if len(sort) > 1:
            known = next(one for one in worths if isinstance(one.answer, tuple) and _form(one.answer) in map(_form, sort))
            if known.is_best and tree.worth({root: sort[-1]}) != (known.worth, True):
                raise Faulty.one(
                    "no-value",
                    f"units that are alike are worth more or less by their place in the situation, at `{root[0]}`",
                    None,
                    help="let the rules not go by the order of the units: `lots`, or a choice, instead of the first",
                )
            return


def _usual_things(run: Run, found: Open) -> Things | None:
    """What the ruleset declares where nobody says anything; None where that is nothing that can be listed."""
    if not isinstance(found.verb, BoundDeclare):
        return None
    out: list[Given] = []
    for facts in (found.verb.otherwise or {}).values():
        given: Given = {}
        for name, term in facts.items():
            value = term.run(run, found.env)
            given[name] = tuple(one for one, guard in value if guard is True) if isinstance(value, list) else value
        if () not in given.values():
            out.append(given)
    return tuple(out)


# ---- units that are alike -----------------------------------------------------------------------------------


def _exchanges(run: Run) -> tuple[Exchange, ...]:
    """Every way to exchange things that are alike: the state is the same then. Only the first few are tried."""
    sorts: list[list[Thing]] = []
    for thing in run.state.things.values():
        for sort in sorts:
            if sort[0].kind == thing.kind and _is_same(run, {sort[0]: thing, thing: sort[0]}):
                sort.append(thing)
                break
        else:
            sorts.append([thing])
    several = [sort for sort in sorts if len(sort) > 1]
    ways = 1
    for sort in several:
        ways *= factorial(len(sort))
    if ways > MOST_ALIKE:
        return (NOBODY,)
    return tuple(
        {one: other for sort, way in zip(several, orders, strict=True) for one, other in zip(sort, way, strict=True)}
        for orders in product(*(permutations(sort) for sort in several))
    )


def _is_same(run: Run, exchange: Exchange) -> bool:
    slots = run.held
    if any(run.state.counters.get(one) != run.state.counters.get(other) for one, other in exchange.items()):
        return False
    for slot, value in slots.items():
        other = slots.get(_exchanged(slot, exchange), slots)
        if other is slots or _exchanged(value, exchange) != other:
            return False
    return True


def _exchanged(value: Any, exchange: Exchange) -> Any:
    """A value, or a place in the state, in which things are exchanged for others."""
    if isinstance(value, Thing):
        return exchange.get(value, value)
    if isinstance(value, tuple):
        return tuple(_exchanged(one, exchange) for one in value)
    if is_dataclass(value):
        names = [one.name for one in fields(value)]
        held = [getattr(value, name) for name in names]
        if any(isinstance(one, Thing | tuple) for one in held):
            return type(value)(*(_exchanged(one, exchange) for one in held))
    return value


def _form(things: Things) -> Form:
    """What is declared, in whatever order."""
    return frozenset(Counter(_line(one) for one in things).items())


def _line(one: Given) -> frozenset[Any]:
    return frozenset((name, frozenset(value) if isinstance(value, tuple) else value) for name, value in one.items() if value not in ((), None))


def _moved(things: Things, exchange: Exchange) -> Form:
    return _form(tuple({name: _exchanged(value, exchange) for name, value in one.items()} for one in things))


def _sorts(sets: Iterable[Things], exchanges: Sequence[Exchange]) -> list[list[Things]]:
    """Declarations that differ only by an exchange, together."""
    found: dict[Form, list[Things]] = {}
    for things in sets:
        form = _form(things)
        if form not in found:
            sort: list[Things] = []
            for exchange in exchanges:
                found[_moved(things, exchange)] = sort
        found[form].append(things)
    out: dict[int, list[Things]] = {id(sort): sort for sort in found.values() if sort}
    return list(out.values())
