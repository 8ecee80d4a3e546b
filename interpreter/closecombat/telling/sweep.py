"""What a plan asks for, told before it is worked out; and one of its situations as a file. Its rows are `row_files`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.console import RenderableType

from closecombat.asking.fights.fight_files import NoSuchFight, heard_alone
from closecombat.asking.sweeps.grid import Grid, Rules
from closecombat.reading.stack import as_said
from closecombat.telling.page import Page, clean, heading, paragraph, rendered, table
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Node, flow

MOST_SHOWN = 12  # values of an axis
WIDEST = 100  # of a line of a situation, if it can be broken
KEPT = ("options", "choices", "combats", "situation")


def grid_text(grid: Grid, page: Page) -> str:
    return rendered(_on_page(grid, page), page)


def _on_page(grid: Grid, page: Page) -> Iterable[RenderableType]:
    yield heading(grid.plan.title)
    yield ""
    out = table("varies", "values", "", right=["values"])
    fights = list(dict.fromkeys(told.fight for told in grid.told))
    systems = list(dict.fromkeys(told.called for told in grid.told))
    for name, values in (
        ("fight", fights),
        ("system", systems),
        *((axis.name, [setting.name for setting in axis.settings]) for axis in grid.plan.axes),
    ):
        shown = ", ".join(values[:MOST_SHOWN]) + (", .." if len(values) > MOST_SHOWN else "")
        out.add_row(clean(name), f"{len(values):,}", clean(shown))
    yield out
    yield ""
    distinct = sum(group.distinct for group in grid.groups())
    yield f"{grid.rows:,} situations, of which at most {distinct:,} are not said alike"
    yield paragraph("asked: " + ", ".join(column.name for column in grid.columns), page.width, "    ")
    yield "add -o FILE.csv to have them worked out, or --row 1 to see the first"


def situation_text(grid: Grid, row: int) -> str:
    """The fight of a row as a file, to be looked at with any other command."""
    cell = grid.cell(row)
    found = Rules(grid.near).told(cell)
    if found is None:
        none = Rules(grid.near).scene(cell)
        why = f": {none.said}" if isinstance(none, NoSuchFight) else ""
        raise Faulty.one("no-such-fight", f"{cell.told.called} has no such fight{why}", cell.told.place)
    stack, bound, scene = found
    document = heard_alone(scene, bound)
    near = cell.told.near
    first, *variants = stack.split("+")
    base = (near / first) if near is not None and "/" in first else Path(first)
    said = [
        as_said(each).as_posix() if each.is_absolute() else each.as_posix() for each in (base, *map(Path, variants))
    ]
    settings = (f"{axis.name}: {setting.name}" for axis, setting in zip(grid.plan.axes, cell.settings, strict=True))
    lines = [
        f"# row {row} of {grid.plan.name}: {cell.told.fight} in {cell.told.called}",
        *(f"# {one}" for one in settings),
    ]
    lines.append(f"ruleset: {'+'.join(said)}")
    for key in KEPT:
        if (node := document.get(key)) is not None:
            lines += _lines(key, node, "")
    return "".join(f"{line}\n" for line in lines)


def _lines(key: str, node: Node, indent: str) -> list[str]:
    """A key and what stands under it, on one line if that is short."""
    line = f"{indent}{key}: {flow(node)}"
    if not isinstance(node, Mapping) or not node.entries or len(line) <= WIDEST:
        return [line]
    return [
        f"{indent}{key}:",
        *(line for name, inner in node.entries for line in _lines(name.value, inner, indent + "  ")),
    ]
