"""Whether a chart may hand on nobody: what it says may be a fact that somebody has or has not, or nobody in words."""

from __future__ import annotations

from collections.abc import Callable

from closecombat.binding import trees as w
from closecombat.binding.bound import BoundGrid, BoundTable
from closecombat.binding.charts import Bound
from closecombat.checking.axes import may_be_nobody
from closecombat.text.faults import Faulty


def handing_on_nobody(bound: Bound) -> Callable[[str], bool]:
    """Of each chart of a ruleset, whether it may."""
    known: dict[str, bool] = {}

    def may(tree: w.Tree) -> bool:
        return (isinstance(tree, w.Const) and tree.value is None) or may_be_nobody(tree, of_chart)

    def of_chart(name: str) -> bool:
        if name not in known:
            known[name] = False  # what is worked out from itself is told elsewhere
            try:
                known[name] = any(map(may, _says(bound, name)))
            except Faulty:  # said where it is bound
                known[name] = True
        return known[name]

    return of_chart


def _says(bound: Bound, name: str) -> list[w.Tree]:
    """What a chart says, each thing that it may be; of what adds up it is a number in any case."""
    if name in bound.ruleset.grids:
        grid: BoundGrid = bound.grid(name)
        return [note.tree for note in grid.notes]
    table: BoundTable = bound.table(name)
    if table.table.policy == "adds-up":
        return []
    terms = (*(row.verdict for row in table.rows), table.value, table.otherwise)
    return [term.tree for term in terms if term is not None]
