"""Rows that say whose somebody is from now on, and leave him among those of whom he was before.

`set side to enemy of side` writes a fact, as any other effect does. In whose `units` somebody stands is a set, and
whoever is counted there is counted where he stood: he has to be removed from one and put into the other. Whoever is
only put into another stands in both.
"""

from __future__ import annotations

from contextlib import suppress

from closecombat.binding.bound import BoundAct, BoundMember, BoundSet
from closecombat.binding.charts import Bound
from closecombat.reading.model import Create, Fact
from closecombat.reading.types import AThing, Things
from closecombat.text.faults import Faults, Faulty


def check_moves(bound: Bound, faults: Faults) -> None:
    """Adds a warning of each row that sets whose somebody is, where its sequence moves nobody between the sets, and of
    each that puts somebody into such a set, where no row removes anybody from one, or brings anybody in."""
    acts_of: list[tuple[BoundAct, ...]] = []
    for name in bound.ruleset.sequences:
        with suppress(Faulty):  # said where it is bound
            acts_of.append(bound.sequence(name).acts)
    members = [one for acts in acts_of for act in acts for one in act.effects if isinstance(one, BoundMember)]
    taken = {_named(one.fact) for one in members if not one.there}
    comes = any(isinstance(act.act.verb, Create) for acts in acts_of for act in acts)
    for acts in acts_of:
        moved = {_named(one.fact) for act in acts for one in act.effects if isinstance(one, BoundMember)}
        for act in acts:
            for effect, cell in zip(act.effects, act.act.effects, strict=True):
                if isinstance(effect, BoundSet):
                    sets = _stands_in(bound, effect.fact)
                    if sets and not any(_named(one) in moved for one in sets):
                        where = " or ".join(f"`{one.name}`" for one in sets)
                        said = f"`{cell.text}` leaves him in {where} of the {sets[0].kind} that he stood with"
                        him, there = effect.fact.kind, f"{sets[0].name} of {effect.fact.name}"
                        help = f"move him too: `do: [remove {him} from {there}, {cell.text}, put {him} into {there}]`"
                        faults.add("stays-behind", said, cell.place, severity="warning", help=help)
                elif isinstance(effect, BoundMember) and effect.there and not comes:
                    one = effect.fact
                    if _named(one) not in taken and (him := _described_in(bound, one)):
                        said = f"`{cell.text}` leaves him in `{one.name}` of the {one.kind} that he stood with, too"
                        help = f"remove him there before: `do: [remove {him} from {one.name} of .., {cell.text}]`"
                        faults.add("stays-behind", said, cell.place, severity="warning", help=help)


def _named(fact: Fact) -> tuple[str, str]:
    return fact.kind, fact.name


def _described_in(bound: Bound, home: Fact) -> str:
    """The kind of those whom a situation describes in a set, so that it follows from there whose they are."""
    if not isinstance(home.type, Things):
        return ""
    facts = bound.ruleset.kinds[home.type.kind].facts.values()
    return home.type.kind if any(home in _stands_in(bound, fact) for fact in facts) else ""


def _stands_in(bound: Bound, fact: Fact) -> list[Fact]:
    """The sets in which a situation describes those whose fact this is: it is what follows from there."""
    if fact.origin != "given" or not isinstance(fact.type, AThing) or fact.type.kind == fact.kind:
        return []
    owner = bound.ruleset.kinds[fact.type.kind]
    return [
        one
        for one in owner.facts.values()
        if one.origin == "given" and isinstance(one.type, Things) and one.type.kind == fact.kind
    ]
