"""What each declaration is worth: every one is a fight of its own, and so is what is declared behind it before dice.

Declarations that differ only by units that are alike are one (`alike`). Where all that takes long, a declaration of
which the other's answers have shown that it is worse than the best so far is left there: it is worth at most so much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from fractions import Fraction

from closecombat.asking.choices.aims import aim_of, in_words
from closecombat.asking.choices.alike import Exchange, Form, Things, exchanges_of, form_of, moved, sorts_of
from closecombat.asking.choices.allowed import Choice as Listed
from closecombat.asking.choices.allowed import come_to
from closecombat.asking.choices.allowed import listed as listed_next
from closecombat.asking.choices.best_chances import hidden
from closecombat.asking.choices.declarations import usual_things
from closecombat.asking.choices.worths import (
    Answered,
    Planned,
    Question,
    Worth,
    nobodys,
    note_what_is_left,
    offered,
    ordered,
    sharing,
)
from closecombat.binding.bound import BoundDeclare
from closecombat.playing.fight import verdicts_are_about
from closecombat.playing.notes import without_notes
from closecombat.playing.offers import Offers, player_of
from closecombat.proving.best_play.best import mean, play_best
from closecombat.proving.programs.choice import Choice
from closecombat.proving.values.budget import SECOND, UNASKED, Budget
from closecombat.text.faults import Bug, Faulty
from closecombat.text.slotted import dataclass

A_FIGHT = SECOND * 2 // 5  # of work, to write one fight whose declarations are known


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
    hides: Callable[[Choice, Choice], bool]
    looks_ahead: bool = True
    ahead: dict[tuple[str, str], Ahead] = field(default_factory=dict)
    first_worths: dict[tuple[tuple[str, str], Form], Fraction] = field(default_factory=dict)
    fights: int = 0

    def fight_is_worth(self, planned: Planned) -> Fraction:
        """What a fight is worth in which all that is planned is declared, and the rest is answered best."""
        self.fights += 1
        self.question.tell_fights(self.fights)
        run, offers = offered(self.question, self.root, planned)
        me = next(side for side in verdicts_are_about(run) if side.name == self.me)
        aim = aim_of(run, self.question.aims, me)
        steps = without_notes(run.draft.steps)
        played = play_best(run.shop, steps, offers.choices, aim, spend=sharing(run, self.question), hides=self.hides)
        run.may_spend(None)
        offers.left.pop(self.root, None)
        note_what_is_left(self.question, offers, played)
        return mean(run.shop, played.steps, aim.parts)

    def worth(self, planned: Planned, at_least: Fraction | None = None) -> tuple[Fraction, bool]:
        """The same, and later declarations are tried too: exact, or at most so much, which is less than `at_least`."""
        ahead = self.next_after(planned) if self.looks_ahead else None
        if ahead is None:
            return self.fight_is_worth(planned), True
        mine = ahead.player == self.me
        fixing = [one for one in self.exchanges if all(moved(each, one) == form_of(each) for each in planned.values())]
        found: Fraction | None = None
        for things in self.in_order(ahead, [sort[0] for sort in sorts_of(ahead.sets, fixing)], mine):
            worth, _ = self.worth({**planned, ahead.root: things})
            for one in self.exchanges:
                self.first_worths.setdefault((ahead.root, moved(things, one)), worth)
            if found is None or (worth > found if mine else worth < found):
                found = worth
            if not mine and at_least is not None and found < at_least:
                return found, False
        return (found, True) if found is not None else (self.fight_is_worth(planned), True)

    def in_order(self, ahead: Ahead, sets: list[Things], mine: bool) -> list[Things]:
        """What was best when it was first tried comes first."""
        sign = -1 if mine else 1
        return sorted(sets, key=lambda one: sign * self.first_worths.get((ahead.root, form_of(one)), Fraction(0)))

    def next_after(self, planned: Planned) -> Ahead | None:
        """What is declared next, if that is before any dice."""
        offers = Offers(self.root, planned=dict(planned))
        try:
            met = come_to(self.question.fight, self.question.dice(), lambda act, who: offers.begins_at is None, offers)
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
            said = f"what {root[1]} may declare at `{root[0]}` is taken to be the same whatever was declared before"
            self.question.notes[said] = None
        return self.ahead[root]


def worth_of_declarations(question: Question, listed: Listed) -> Answered:
    root = (listed.row, listed.who.name)
    sets = [tuple(one.value for one in some) for some in listed.together or ()]
    met = come_to(question.fight, question.dice(), lambda act, who: act.act.id == listed.row)
    if met is None:
        raise Bug("a choice that was listed is not come to")
    run, found = met
    player = player_of(run, found.verb.by, found.env, found.who)
    if player is None:
        raise nobodys(question, root)
    tree = _Tree(question, root, player.name, exchanges_of(run), hidden(run.bound))
    usual = usual_things(run, found)
    sorts = sorts_of(sets, tree.exchanges)
    is_long = _looks_ahead(question, tree, root, sets, len(sorts))
    worths: list[Worth] = []
    best: Fraction | None = None
    first = next(
        (sort for sort in sorts if usual is not None and form_of(usual) in {form_of(one) for one in sort}), None
    )
    for sort in sorted(sorts, key=lambda one: one is not first):
        worth, exact = tree.worth({root: sort[0]}, best if is_long else None)
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
    return Answered(listed, player.name, words, ordered(worths), best, default, None, tuple(question.notes))


def _looks_ahead(question: Question, tree: _Tree, root: tuple[str, str], sets: Sequence[Things], sorts: int) -> bool:
    """Finds out whether later declarations can be tried too, and says whether that takes long."""
    most = question.most_work
    try:
        ahead = tree.next_after({root: sets[0]})
        fights = sorts * (len(sorts_of(ahead.sets, tree.exchanges)) if ahead is not None else 1)
    except Faulty as error:
        if error.codes != {"takes-long"}:
            raise
        fights = UNASKED
    if most is not None and fights * A_FIGHT > most:
        tree.looks_ahead = False
        if sorts * A_FIGHT > most:
            said = f"{sorts:,} declarations to try, each a fight of its own: about {sorts * A_FIGHT // SECOND} s"
            raise Faulty.one("takes-long", said, None, help="go on with --yes, or ask for less: fewer units")
        question.notes["what is declared later is left to the ruleset: to try it all takes longer (--yes)"] = None
    return fights * A_FIGHT > UNASKED


def _held_against_another(
    tree: _Tree, root: tuple[str, str], sorts: Sequence[Sequence[Things]], worths: Sequence[Worth]
) -> None:
    """What is best is worth as much for units that are alike, or else they are not."""
    for sort in sorts:
        if len(sort) > 1:
            forms = {form_of(one) for one in sort}
            known = next(one for one in worths if isinstance(one.answer, tuple) and form_of(one.answer) in forms)
            if known.is_best and tree.worth({root: sort[-1]}) != (known.worth, True):
                raise Faulty.one(
                    "no-value",
                    f"units that are alike are worth more or less by their place in the situation, at `{root[0]}`",
                    None,
                    help="let the rules not go by the order of the units: `lots`, or a choice, instead of the first",
                )
            return
