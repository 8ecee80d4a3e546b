"""What `check` calls always or never so is so in every playing: made-up rulesets, each condition watched while dice fall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from closecombat.binding.charts import Bound
from closecombat.binding.sentences import Binder
from closecombat.binding.terms import Env, Term, World
from closecombat.checking.tables import always_comes_to, typed
from closecombat.playing import fight as fights
from closecombat.proving.throws.dice import SeededDice
from closecombat.proving.values.symbolic import Value
from closecombat.reading.ruleset import read_ruleset
from closecombat.text.faults import Faults, Faulty
from random_rules import FAMILIES, Rules, written
from two_readings import mapping

PLAYINGS = 12
Seen = dict[int, tuple[Term, set[bool]]]  # of each condition what it has come to


def watched(bind: Callable[..., Term], seen: Seen) -> Callable[..., Term]:
    def bound(*args: Any) -> Term:
        term = bind(*args)
        found: set[bool] = set()

        def run(world: World, env: Env) -> Value:
            value = term.run(world, env)
            found.add(value is True)
            return value

        new = replace(term, run=run)
        seen[id(new)] = new, found
        return new

    return bound


@pytest.mark.parametrize("seed", [*range(12), 42, 103, 189, 257])
def test_what_is_never_so_never_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Seen = {}
    for way in ("flag", "test"):
        monkeypatch.setattr(Binder, way, watched(getattr(Binder, way), seen))
    made, faults = Rules(seed, FAMILIES), Faults()
    bound = Bound(read_ruleset(mapping(written(made.rules)), faults, ()))
    bound.bind_all(faults)
    faults.raise_if_any()
    fight = fights.fight(bound, mapping(written({"situation": made.situation} | made.choices)))
    for dice in range(PLAYINGS):
        try:
            fights.go(fights.begin(fight, SeededDice(dice)))
        except Faulty:  # what goes wrong in play does so behind what was looked at
            continue
    for one in bound.binder.inner:
        claimed, found = always_comes_to(typed(bound), one), seen[id(one.term)][1]
        assert claimed is None or found <= {claimed}, one.cell.text[slice(*one.node.at)]
