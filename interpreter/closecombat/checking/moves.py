"""Rows that say whose somebody is from now on, and leave him among those of whom he was before.

`set side to enemy of side` writes a fact, as any other effect does. In whose `units` somebody stands is a set, and
whoever is counted there is counted where he stood: he has to be removed from one and put into the other.
"""

from __future__ import annotations

from closecombat.binding.bound import BoundMember, BoundSet
from closecombat.binding.charts import Bound
from closecombat.reading.model import Fact
from closecombat.reading.types import AThing, Things
from closecombat.text.faults import Faults, Faulty


def check_moves(bound: Bound, faults: Faults) -> None:
    """Adds a warning of each row that sets whose somebody is, where its sequence moves nobody between the sets."""
    for name in bound.ruleset.sequences:
        try:
            acts = bound.sequence(name).acts
        except Faulty:  # said where it is bound
            continue
        moved = {
            (effect.fact.kind, effect.fact.name)
            for act in acts
            for effect in act.effects
            if isinstance(effect, BoundMember)
        }
        for act in acts:
            for effect, cell in zip(act.effects, act.act.effects, strict=True):
                if not isinstance(effect, BoundSet):
                    continue
                sets = _stands_in(bound, effect.fact)
                if sets and not any((one.kind, one.name) in moved for one in sets):
                    where = " or ".join(f"`{one.name}`" for one in sets)
                    said = f"`{cell.text}` leaves him in {where} of the {sets[0].kind} that he stood with"
                    him, there = effect.fact.kind, f"{sets[0].name} of {effect.fact.name}"
                    help = f"move him too: `do: [remove {him} from {there}, {cell.text}, put {him} into {there}]`"
                    faults.add("stays-behind", said, cell.place, severity="warning", help=help)


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
