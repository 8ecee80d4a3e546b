"""What is printed for players: whether the charts and clauses of its pages are there, and can be read aloud.

Only what stands on a page is looked at, with the sequences that it plays: whoever prints no sheet owes nobody a
sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from closecombat.reading.aloud import Chart, Speaker
from closecombat.reading.model import Act, Grid, Play, Row, Ruleset, Table
from closecombat.reading.model import Sequence as Chain
from closecombat.reading.steps import is_seen, step
from closecombat.text.faults import Faults, suggest


def check_pages(ruleset: Ruleset, faults: Faults) -> None:
    """Adds an error for every chart and clause on a page that there is not, and for every look-up in a chart that has
    no number."""
    charts = {*ruleset.tables, *ruleset.grids, *ruleset.sequences}
    for page in ruleset.sheet.values():
        for what, named, known in (("chart", page.charts, charts), ("clause", page.clauses, ruleset.clauses)):
            for one in named:
                if one.name not in known:
                    message = f"the page `{page.name}` has a {what} `{one.name}`, and the ruleset has none"
                    faults.add("unknown-name", message, one.place, help=suggest(one.name, known))
        for look_up in page.chances:
            name = look_up.chart.name
            if look_up.numbers is not None:
                continue
            if name in ruleset.grids or name in ruleset.tables:
                if name in ruleset.tables and ruleset.tables[name].policy == "adds-up":
                    message = f"the rows of `{name}` add up: a throw is held against their sum, which stands in no row"
                    help = "write the sums that come up, such as `3 to 13`"
                    faults.add("wrong-shape", message, look_up.chart.place, help=help)
                elif not numbers_in(ruleset, name):
                    message = f"`{name}` has no whole number that a throw could be held against"
                    help = "name a chart whose cells or rows are numbers"
                    faults.add("wrong-shape", message, look_up.chart.place, help=help)
            else:
                message = f"the look-up `{look_up.name}` is in a chart `{name}`, and the ruleset has none"
                help = suggest(name, {*ruleset.grids, *ruleset.tables}) or "name a table or a grid, or write `3 to 13`"
                faults.add("unknown-name", message, look_up.chart.place, help=help)


def numbers_in(ruleset: Ruleset, chart: str) -> dict[int, str]:
    """The whole numbers that a grid or a table says, each with the id of the row that says it first: of a grid those of
    its own reading, rising; of `otherwise` the id is empty."""
    found: dict[int, str] = {}
    if chart in ruleset.grids:
        grid = ruleset.grids[chart]
        option = ruleset.options.get(grid.down.text) if grid.down is not None else None
        heads = [line.text for line in grid.lines] or [""]
        for head, cells in zip(heads, grid.cells, strict=True):
            if option is None or head == option.default:
                found |= {cell: "" for cell in cells if type(cell) is int}
        return dict(sorted(found.items()))
    table = ruleset.tables[chart]
    for row in table.rows:
        if row.verdict is not None and (number := _whole(row.verdict.text)) is not None:
            found.setdefault(number, row.id)
    if table.otherwise is not None and (number := _whole(table.otherwise.text)) is not None:
        found.setdefault(number, "")
    return found


def _whole(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?\d{1,6}", text) else None


def check_said(ruleset: Ruleset, faults: Faults) -> None:
    """Adds a warning for every row on a page that no player would say so."""
    speaker = Speaker(ruleset)
    for chart in _printed(ruleset):
        if isinstance(chart, Grid):
            continue
        for row in chart.acts if isinstance(chart, Chain) else chart.rows:
            if row.says:
                continue
            speaker.of(chart)
            text = _said(speaker, ruleset, chart, row)
            if speaker.unsaid:
                _told(faults, row, text, speaker.unsaid[0])


def _said(speaker: Speaker, ruleset: Ruleset, chart: Chain | Table, row: Row | Act) -> str:
    skip = [asked for asked in row.tests if speaker.option(asked) is not None]
    if isinstance(row, Act):
        return step(speaker, row, skip) if is_seen(speaker, row) else ""
    text = speaker.row(row, skip)
    words = chart.words if isinstance(chart, Table) else ()
    if row.verdict is None or row.verdict.text in words:
        return text
    return ": ".join(part for part in (speaker.value(row.verdict.node), text) if part)


def _told(faults: Faults, row: Row | Act, text: str, what: str) -> None:
    why = "a bracket stands in a bracket" if what == "(" else f"nobody says `{what}`"
    help = "say it yourself: `says: ..` on the row" + ("" if what == "(" else f", or on the fact or table `{what}`")
    faults.add("unsaid", f"players would read `{text}`: {why}", row.where.place, severity="warning", help=help)


def _printed(ruleset: Ruleset) -> Iterator[Chart]:
    """The charts of all pages, and the sequences that these play, each once."""
    found: dict[str, Chart] = {}
    names = [chart.name for page in ruleset.sheet.values() for chart in page.charts]
    while names:
        name = names.pop(0)
        chart = ruleset.sequences.get(name) or ruleset.tables.get(name) or ruleset.grids.get(name)
        if chart is None or name in found:
            continue
        found[name] = chart
        if isinstance(chart, Chain):
            names += [act.verb.sequence.name for act in chart.acts if isinstance(act.verb, Play)]
    yield from found.values()
