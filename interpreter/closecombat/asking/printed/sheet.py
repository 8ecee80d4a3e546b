"""What a player has before him: a ruleset's charts, modifiers and steps in words, page by page.

What stands on which page is said by the ruleset (`sheet:`); where it says nothing, each of its files is a page. A row
that holds only under another reading of an option is left out, and the reading is named at the foot with those that
could be taken; so is what is assumed. A row that a variant has changed is marked, and what a ruleset says of a row
(`says:`) is not believed any more where a variant has changed that row without saying it anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from closecombat.asking.printed.look_ups import added, caption, chances_of, in_percent
from closecombat.asking.printed.meant import Glossary
from closecombat.asking.printed.sheet_parts import (
    Also,
    Line,
    Page,
    Part,
    Printed,
    Reading,
    Rests,
    Rows,
    Sheet,
    Step,
    Steps,
    Words,
)
from closecombat.checking.on_paper import check_pages, numbers_in
from closecombat.reading import syntax as s
from closecombat.reading.aloud import Speaker, amount_of, is_yes_or_no
from closecombat.reading.model import (
    Act,
    Asked,
    Change,
    Grid,
    LookUp,
    Named,
    Option,
    Origin,
    Play,
    Row,
    Ruleset,
    SheetPage,
    Table,
    name_of_stack,
)
from closecombat.reading.model import Sequence as Chain
from closecombat.reading.phrases import GAP, HELPERS, has_subject, listed, lowered, sentence
from closecombat.reading.stack import Stack
from closecombat.reading.steps import is_seen, step, title_of
from closecombat.text.faults import Faults
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import flow
from closecombat.text.slotted import dataclass

DEEPEST = 8  # steps within steps
GRID = "grid"
OFTEN = ("until", "times", "rounds", "turns", "again", "once", "twice")
REPLACING = ("in place of", "replaces")  # so a row says itself that others do not count
IN_TURN = "all that apply, from top to bottom"  # of a sum of which a part is multiplied
ALONE = ("adds-up", "forbidden-if")  # what a single row does not say by itself
HOW: Mapping[str, str] = {
    "adds-up": "all that apply, added up",
    "first-of": "the first that applies",
    "one-of": "whichever applies",
    "highest-of": "of all that apply the highest",
    "lowest-of": "of all that apply the lowest",
    "forbidden-if": "what forbids it",
    "is": "",
}


@dataclass(slots=True)
class _Maker:
    """What is known while a page is made."""

    ruleset: Ruleset
    speaker: Speaker
    own: frozenset[str] = frozenset()  # charts that stand on some page by themselves
    changes: dict[tuple[str, ...], Change] = field(default_factory=dict)
    marked: set[tuple[str, ...]] = field(default_factory=set)  # what has been changed, and is printed so
    told: dict[str, str] = field(default_factory=dict)  # sequences whose steps stand somewhere in this part
    left_out: dict[str, None] = field(default_factory=dict)  # options of which a row has another reading

    # ---- charts ----------------------------------------------------------------------------------------
    def chart(self, name: str) -> Part:
        ruleset = self.ruleset
        if name in ruleset.sequences:
            return self.sequence(ruleset.sequences[name])
        if name in ruleset.tables:
            rows = self.table(ruleset.tables[name])
            return replace(rows, lines=tuple(_once(ruleset.tables[name], rows.lines)))
        return self.grid(ruleset.grids[name])

    def table(self, table: Table) -> Rows:
        speaker = self.speaker
        speaker.of(table)
        ids, options = self.ids_of(table.name), tuple[str, ...]()
        lines = [line for row in table.rows for line in self.line(table, row, ids)]
        is_one = len(lines) == 1 and all(row.each is None for row in table.rows) and table.policy not in ALONE
        how = [] if is_one or not table.rows else [HOW[table.policy] + _from_low_to_high(speaker, table)]
        verbs = [row.verb for row in table.rows if self.read(row.tests)[0]]
        if "times" in verbs and "add" in verbs[verbs.index("times") :]:
            how = [IN_TURN]
        if table.start is not None:
            how.append(f"beginning with {speaker.value(table.start.node)}")
        for bound, word in ((table.at_least, "never below"), (table.at_most, "never above")):
            if bound is not None:
                how.append(f"{word} {speaker.value(bound.node)}")
        if table.value is not None:
            said = table.says if table.says and GAP not in table.says else ""
            is_verb = is_yes_or_no(table) or said.split(" ", 1)[0] in HELPERS
            subject = "it" if said and not has_subject(said) and is_verb else ""
            lines = [Line("", "", sentence([subject, said or speaker.value(table.value.node)]), Rests())]
            options = tuple(dict.fromkeys(self.hangs_on(table.value.node)))
        otherwise = self.worth(table, table.otherwise) if table.otherwise is not None else ""
        rests = self.rests(table.where, ids, options)
        return Rows(table.name, self.title(table), "; ".join(how), tuple(lines), otherwise, rests)

    def line(self, table: Table, row: Row, ids: tuple[str, ...]) -> Iterator[Line]:
        holds, skip, options = self.read(row.tests, (row.each, row.verdict))
        if not holds:
            return
        change = self.changes.get((*ids, row.id))
        if change is not None and is_stale(change):
            row = replace(row, says="")
        text, amount = self.speaker.row(row, skip), amount_of(row)
        if row.verdict is not None and table.policy != "adds-up":
            amount = self.worth(table, row.verdict)
        elif row.verdict is not None and not amount:
            sign, said = _worth(self.speaker, row)
            amount = sign
            each = f", {lowered(text)}" if text.startswith("For each") else ""
            text = text if row.says else sentence([said + each])
            if not row.says and (when := self.speaker.row(row, skip)) and not when.startswith("For each"):
                text += f", if {lowered(when)}"
        if row.rounded:
            way = f"rounded {'to ' * (row.rounded == 'nearest')}{row.rounded}"
            text += f" ({way})" if text else way
        if (others := self.stood_for(table, row)) and not any(word in row.says for word in REPLACING):
            text = f"{text or 'Always'}, in place of: {'; '.join(others)}"
        yield Line(row.id, amount, text or "Always", self.rests(row.where, (*ids, row.id), options))

    def stood_for(self, table: Table, row: Row) -> list[str]:
        """The rows that do not count where this one holds, in their own words."""
        found = []
        for one in table.rows:
            holds, skip, _ = self.read(one.tests)
            if one.id in row.instead_of and holds:
                found.append(lowered(self.speaker.row(one, skip)) or self.always(table, one))
        return found

    def always(self, table: Table, row: Row) -> str:
        """A row that asks nothing."""
        return "what always counts" if row.verdict is None else f"{self.worth(table, row.verdict)}, which always counts"

    def worth(self, table: Table, cell: s.Cell) -> str:
        """What a row, or `otherwise`, says that the table is: one of its words, or a value."""
        if cell.text in table.words:
            return self.speaker.word(cell.text)
        return self.speaker.value(cell.node)

    def grid(self, grid: Grid) -> Printed:
        speaker = self.speaker
        speaker.of(grid)
        down = [line.text for line in grid.lines] or [""]
        reading = self.ruleset.options.get(grid.down.text) if grid.down is not None else None
        lines = list(zip(down, grid.cells, strict=True))
        if reading is not None:
            lines = [("", cells) for head, cells in lines if head == reading.default]
        notes = [(note.mark, self.note(note.table)) for note in grid.footnotes]
        speaker.of(grid)
        notes += self.how_read(grid)
        return Printed(
            grid.name,
            self.title(grid),
            "" if grid.across is None else _heading(speaker.value(grid.across.node)),
            "" if grid.down is None or reading is not None else _heading(speaker.value(grid.down.node)),
            tuple(column.text for column in grid.columns),
            tuple((head, tuple(_cell(value) for value in cells)) for head, cells in lines),
            tuple(notes),
            self.rests(grid.where, ("tables", grid.name), (reading.name,) if reading is not None else ()),
        )

    def how_read(self, grid: Grid) -> Iterator[tuple[str, str]]:
        """What is not seen of how a chart is read; a shift that is a chart of its own stands there."""
        if grid.shift is not None:
            yield "shift", f"as many columns to the right as {self.speaker.value(grid.shift.node)}"
        if grid.higher:
            yield "between two headings", "the higher of them"
        elif _has_gaps(grid):
            yield "between two headings", "the lower of them"
        if grid.stay:
            yield "beyond the chart", "its end counts"
        if grid.otherwise is not None:
            is_open = any(value is None for cells in grid.cells for value in cells)
            where = f"where no heading fits{', and where the chart has -' if is_open else ''}"
            yield where, self.speaker.value(grid.otherwise.node)

    def note(self, table: str) -> str:
        """What a footnote of a grid stands for."""
        rows = self.table(self.ruleset.tables[table])
        told = [f"{line.amount} if {lowered(line.text)}" if line.row else lowered(line.text) for line in rows.lines]
        return "; ".join([*told, *([f"otherwise {rows.otherwise}"] if rows.otherwise else [])])

    # ---- sequences -------------------------------------------------------------------------------------
    def sequence(self, sequence: Chain) -> Steps:
        self.told = {sequence.name: ""}
        steps = self.steps(sequence, 1, frozenset())
        rests = self.rests(sequence.where, ("sequences", sequence.name))
        return Steps(sequence.name, self.heading(sequence), _order(sequence, self.speaker), steps, rests)

    def steps(self, sequence: Chain, depth: int, heard: frozenset[str]) -> tuple[Step, ...]:
        """The rows of a sequence; `heard` are the names that stand for somebody in the steps above."""
        found: list[Step] = []
        self.speaker.of(sequence)
        heard |= {*sequence.about, *self.speaker.kinds.values()}
        for act in sequence.acts:
            self.speaker.of(sequence)
            holds, skip, options = self.read(act.tests, (act.each, act.who, act.times, *act.effects))
            if not holds or not is_seen(self.speaker, act):
                continue
            ids = ("sequences", sequence.name, act.id)
            change = self.changes.get(ids)
            if (change is not None and is_stale(change)) or self.plays_otherwise(act, change):
                act = replace(act, says="")
            text = step(self.speaker, act, skip)
            one = self.inside(Step(act.id, text, self.rests(act.where, ids, options)), act, sequence, depth, heard)
            if found and found[-1].text == one.text and act.says and _may_be_one(found[-1], one):
                found[-1] = _merged(found[-1], one)
            else:
                found.append(one)
        return tuple(found)

    def plays_otherwise(self, act: Act, change: Change | None) -> bool:
        """Whether a row says all of a sequence of one row, and a variant has changed that and not what is said."""
        if not act.says or change is not None or not isinstance(act.verb, Play):
            return False
        inner = self.ruleset.sequences.get(act.verb.sequence.name)
        return inner is not None and [("sequences", inner.name, one.id) in self.changes for one in inner.acts] == [True]

    def inside(self, one: Step, act: Act, outer: Chain, depth: int, heard: frozenset[str]) -> Step:
        """A step with the steps of the sequence that it plays, unless these stand elsewhere."""
        if not isinstance(act.verb, Play) or act.verb.sequence.name not in self.ruleset.sequences:
            return one
        name = act.verb.sequence.name
        inner = self.ruleset.sequences[name]
        if name in self.own:
            title = self.heading(inner)
            return one if one.text in (title, *self.told) else replace(one, text=f"{one.text} (see {title})")
        if name in self.told or depth >= DEEPEST:
            return one
        self.told[name] = one.text
        steps = self.steps(inner, depth + 1, heard)
        how = _order(inner, None if act.says and _says_how_often(act) else self.speaker)
        if act.says and len(steps) == 1 and not steps[0].steps:  # nothing is left to be told
            return replace(_merged(one, steps[0]), how=how if inner.until is not None else "")
        self.speaker.of(outer)
        meant = _who_is_meant(self.speaker, inner, act, heard) if steps else ""
        return replace(one, how="; ".join(filter(None, (meant, how))), steps=steps)

    # ---- what all of them share ------------------------------------------------------------------------
    def read(
        self, tests: Iterable[Asked], others: Iterable[s.Cell | None] = ()
    ) -> tuple[bool, list[Asked], tuple[str, ...]]:
        """Whether a row is one of the readings in force; the tests that say so, and the options that they ask for, or
        any other of its sentences."""
        skip: list[Asked] = []
        options = [name for cell in others if cell is not None for name in self.hangs_on(cell.node)]
        for asked in tests:
            option, said = self.speaker.option(asked), asked[1].node
            if option is None or not isinstance(said, s.Test):
                options += self.hangs_on(said)
                continue
            options.append(option.name)
            skip.append(asked)
            if not _takes(said, option.default):
                self.left_out |= dict.fromkeys(options)
                return False, skip, tuple(options)
        return True, skip, tuple(options)

    def resting(self, where: Origin, ids: tuple[str, ...], cell: s.Cell | None = None) -> Rests:
        """What a line rests on that is no row, with the options that its sentence asks for."""
        return self.rests(where, ids, () if cell is None else tuple(dict.fromkeys(self.hangs_on(cell.node))))

    def hangs_on(self, condition: s.Node) -> Iterator[str]:
        """The options that a sentence asks for among other things, so that the row stands there under each reading."""
        left: list[s.Part] = [condition]
        while left:
            node = left.pop()
            if isinstance(node, s.Reading) and node.path.names[0] in self.ruleset.options:
                yield node.path.names[0]
            left += s.parts_of(node)

    def rests(self, where: Origin, ids: tuple[str, ...], options: Sequence[str] = ()) -> Rests:
        change = self.changes.get(ids)
        if change is not None:
            self.marked.add(ids)
        assumed = list(where.assumed)
        for name in options:
            option = self.ruleset.options[name]
            assumed += option.assumed.get(option.default, ())
        cites = tuple(dict.fromkeys(where.cites))
        return Rests(cites, tuple(dict.fromkeys(assumed)), tuple(options), change.variant if change else "")

    def ids_of(self, table: str) -> tuple[str, ...]:
        return (table,) if table in ("outcomes", "strength-lost") else ("tables", table)

    def title(self, chart: Table | Grid) -> str:
        return chart.title or sentence([_spaced(chart.name)])

    def heading(self, sequence: Chain) -> str:
        return sentence([_spaced(title_of(self.speaker, sequence.name))])


def sheet_of(ruleset: Ruleset, stack: Stack) -> Sheet:
    """The sheet of a ruleset; `stack` is what it was read from, clauses and sheet included."""
    pages = tuple(ruleset.sheet.values()) or tuple(_by_file(ruleset))
    own = frozenset(chart.name for page in pages for chart in page.charts)
    if pages and not ruleset.sheet:
        pages = (*pages[:-1], replace(pages[-1], meant=True))
    pages += tuple(_added(ruleset, own))
    faults = Faults()
    check_pages(ruleset, faults)
    faults.raise_if_any()
    ruleset = _believed(ruleset)
    changes = {change.ids: change for change in ruleset.changes if change.new not in (None, change.old)}
    made, marked = [], set[tuple[str, ...]]()
    for page in pages:
        maker = _Maker(ruleset, Speaker(ruleset), own, changes, marked)
        made.append(_page(page, maker))
    also = tuple(
        Also(
            change.path, "taken out" if change.new is None else "changed", change.variant, " ".join(change.why.split())
        )
        for change in ruleset.changes
        if change.new is not change.old and (change.new is None or change.ids not in marked)
    )
    digest, name = digest_of(stack), name_of_stack(ruleset)
    return Sheet(name, ruleset.title, digest, ruleset.sources, ruleset.variants, also, tuple(made))


def _believed(ruleset: Ruleset) -> Ruleset:
    """A ruleset in which of a table that is yes or no it is not said any more when it is, where a variant has changed
    the table and not what is said of it. What a number is called holds whatever it comes to."""
    touched = {ids[1]: change for change in ruleset.changes if (ids := change.ids)[:1] == ("tables",) and len(ids) > 1}
    stale = {
        name: replace(table, says="")
        for name, table in ruleset.tables.items()
        if table.says and name in touched and _is_so_or_not(ruleset, table) and not _says_anew(ruleset.changes, name)
    }
    return replace(ruleset, tables={**ruleset.tables, **stale}) if stale else ruleset


def _is_so_or_not(ruleset: Ruleset, table: Table) -> bool:
    """Whether a table is yes or no, also where it is what another is."""
    node = table.value.node if table.value is not None else None
    if not isinstance(node, s.Reading):
        return is_yes_or_no(table)
    speaker = Speaker(ruleset)
    speaker.of(table)
    known = speaker.known(node.path)
    return known is not None and is_yes_or_no(known)


def _says_anew(changes: Iterable[Change], name: str) -> bool:
    """Whether a change of a table says anew how the table is said, the last of all."""
    last = [change for change in changes if change.ids[:2] == ("tables", name)][-1]
    said = [one.get("says") if isinstance(one, MappingNode) else None for one in (last.old, last.new)]
    return last.ids == ("tables", name) and said[1] is not None and (said[0] is None or flow(said[0]) != flow(said[1]))


def digest_of(stack: Stack) -> str:
    """What stands for all that the files of a ruleset and its variants say."""
    return sha256(flow(stack.document).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Told:
    """A row in words, by itself: where it stands, and how the rows of its chart combine; nothing of a sequence."""

    path: str
    chart: str
    policy: str
    line: Line


def rows_in_words(ruleset: Ruleset) -> Iterator[Told]:
    """Every row of every chart as it is printed, but for those of a reading that is not in force."""
    changes = {change.ids: change for change in ruleset.changes if change.new not in (None, change.old)}
    maker = _Maker(ruleset, Speaker(ruleset), frozenset(), changes)
    for name, table in ruleset.tables.items():
        if " " not in name:
            rows, path = maker.table(table), ".".join(maker.ids_of(name))
            for line in rows.lines:
                told = replace(line, rests=rows.rests) if not line.row else line
                yield Told(f"{path}.{line.row}".rstrip("."), rows.title, table.policy, told)
    for name, grid in ruleset.grids.items():
        printed = maker.grid(grid)
        heads = printed.columns[:1] + printed.columns[-1:]
        cells = [f"{head} is {cell}" for head, cell in zip(printed.columns, printed.lines[0][1], strict=False)]
        over = f"{printed.across}: " if printed.across else ""
        text = f"{over}{', '.join(cells)}" if len(printed.lines) == 1 else f"{over}{' to '.join(dict.fromkeys(heads))}"
        more = f"; {printed.down}: {len(printed.lines)} lines" if printed.down else ""
        yield Told(f"tables.{name}", printed.title, GRID, Line("", "", text + more, printed.rests))
    for name, sequence in ruleset.sequences.items():
        for one in maker.steps(sequence, DEEPEST, frozenset()):
            yield Told(
                f"sequences.{name}.{one.row}", maker.heading(sequence), "", Line(one.row, "", one.text, one.rests)
            )


def _page(page: SheetPage, maker: _Maker) -> Page:
    ruleset = maker.ruleset
    parts: list[Part] = [maker.chart(chart.name) for chart in page.charts]
    parts += [_looked_up(one, maker) for one in page.chances]
    if page.meant:
        parts += Glossary(maker.speaker, maker.own, maker.table, maker.resting).parts()
    if page.clauses:
        parts.append(Words(tuple((one.name, ruleset.clauses[one.name].rule) for one in page.clauses)))
    rests = [rest for part in parts for rest in rests_of(part)]
    options = dict.fromkeys(name for rest in rests for name in rest.options) | maker.left_out
    readings = tuple(_reading(ruleset.options[name]) for name in options)
    ids = dict.fromkeys(id for rest in rests for id in rest.assumed)
    assumed = tuple((id, ruleset.assumptions[id]) for id in ids if id in ruleset.assumptions)
    return Page(page.name, page.title or sentence([_spaced(page.name)]), tuple(parts), readings, assumed)


def _looked_up(one: LookUp, maker: _Maker) -> Printed:
    """The chances of a throw, as a chart is printed."""
    ruleset, name = maker.ruleset, one.chart.name
    rests, down = Rests(one.where.cites, one.where.assumed), ""
    if one.numbers is not None:
        targets = [(str(number), number) for number in range(one.numbers[0], one.numbers[1] + 1)]
    elif name in ruleset.grids:
        rests = _both(rests, maker.grid(ruleset.grids[name]).rests)
        down = maker.title(ruleset.grids[name])
        targets = [(str(number), number) for number in numbers_in(ruleset, name)]
    else:
        down, table = maker.title(ruleset.tables[name]), maker.table(ruleset.tables[name])
        said = {line.row: line.text for line in table.lines} | {"": "otherwise"}
        for rest in rests_of(table):
            rests = _both(rests, rest)
        targets = [
            (f"{number}: {said[row]}", number) for number, row in numbers_in(ruleset, name).items() if row in said
        ]
    lines = tuple((head, tuple(map(in_percent, cells))) for head, cells in chances_of(one, targets))
    columns = tuple(f"{more:+d}" for more in added(one))
    if one.add is None:
        lines, columns = (("chance", tuple(cell for _, (cell,) in lines)),), tuple(head for head, _ in lines)
        down = sentence([one.says or "the number"])
    title = one.title or sentence([_spaced(one.name)])
    return Printed(one.name, title, caption(one), down, columns, lines, (), rests)


def rests_of(part: Part) -> Iterator[Rests]:
    """What every line of a part rests on, from top to bottom."""
    match part:
        case Rows(lines=lines, rests=rests):
            yield rests
            yield from (line.rests for line in lines)
        case Printed(rests=rests):
            yield rests
        case Steps(steps=steps, rests=rests):
            yield rests
            yield from _of_steps(steps)


def _of_steps(steps: Iterable[Step]) -> Iterator[Rests]:
    for one in steps:
        yield one.rests
        yield from _of_steps(one.steps)


def is_stale(change: Change) -> bool:
    """Whether a variant has written a row anew and left what is said of it as it was."""
    if not isinstance(change.old, MappingNode) or not isinstance(change.new, MappingNode):
        return False
    old, new = change.old.get("says"), change.new.get("says")
    if old is None or new is None or flow(old) != flow(new):
        return False
    before, after = ({key.value: flow(value) for key, value in one.entries} for one in (change.old, change.new))
    amounts = [str(each.get("add", "")) for each in (before, after)]
    only = {key for key in before | after if before.get(key) != after.get(key)}
    are_numbers = all(amount.lstrip("+-").isdigit() for amount in amounts)
    return not (only <= {"cites", "assumed", "note", "title"} or (only <= {"add"} and are_numbers))


def _by_file(ruleset: Ruleset) -> Iterator[SheetPage]:
    """Where nothing is said of pages: every file with charts is one, sequences first, then grids and tables."""
    files: dict[str, list[Named]] = {}
    kinds = (ruleset.sequences, ruleset.grids, ruleset.tables)
    played = {
        act.verb.sequence.name
        for sequence in ruleset.sequences.values()
        for act in sequence.acts
        if isinstance(act.verb, Play)
    }
    for charts in kinds:
        for name, chart in charts.items():
            if " " in name or (isinstance(chart, Chain) and name in played):
                continue
            if isinstance(chart, Table) and chart.policy == "is":
                continue
            files.setdefault(chart.where.place.source.name, []).append(Named(name, chart.where.place))
    for file, found in files.items():
        name = Path(file).stem
        title = ruleset.title if name == "ruleset" else sentence([_spaced(name)])
        yield SheetPage(name, title, tuple(found), (), found[0].place)


def _added(ruleset: Ruleset, own: frozenset[str]) -> Iterator[SheetPage]:
    """What variants have added, and no page has."""
    added = [
        Named(change.ids[1], change.span)
        for change in ruleset.changes
        if change.old is None and len(change.ids) == 2 and change.ids[0] in ("tables", "sequences")
    ]
    found = {one.name: one for one in added if one.name not in own}
    known = {*ruleset.tables, *ruleset.grids, *ruleset.sequences}
    left = tuple(one for one in found.values() if one.name in known)
    if left:
        yield SheetPage("added", f"Added by {listed(ruleset.variants, 'and')}", left, (), left[0].place)


def _reading(option: Option) -> Reading:
    others = tuple(_spaced(one) for one in option.readings if one != option.default)
    title = option.title or sentence([_spaced(option.name)])
    return Reading(option.name, title, _spaced(option.default), others, option.why)


def _takes(test: s.Test, reading: str) -> bool:
    """Whether a test of an option holds under a reading."""
    if test.kind == "either":
        return any(_takes(one, reading) for one in test.values if isinstance(one, s.Test)) != test.negated
    value = test.values[0]
    return (isinstance(value, s.Reading) and value.path.names == (reading,)) != test.negated


def _worth(speaker: Speaker, row: Row) -> tuple[str, str]:
    """What a row adds that is no plain number: its sign, and what it is."""
    node = row.verdict.node if row.verdict is not None else s.Literal(0, (0, 0))
    if row.verb == "times":
        return "\u00d7", speaker.value(node)
    match node:
        case s.Arithmetic("-", s.Literal(0), right):
            return "-", speaker.value(right)
    return "+", speaker.value(node)


def _once(table: Table, lines: Iterable[Line]) -> list[Line]:
    """Lines that read the same as one, which rests on what all of them rest on; where rows add up, so that each of them
    counts, only if they say themselves how they are said."""
    said = {row.id for row in table.rows if row.says or table.policy != "adds-up"}
    found: dict[tuple[str, ...], Line] = {}
    for line in lines:
        key = (line.amount, line.text) if line.row in said else (line.amount, line.text, line.row)
        known = found.get(key)
        found[key] = line if known is None else replace(known, rests=_both(known.rests, line.rests))
    return list(found.values())


def _both(one: Rests, other: Rests) -> Rests:
    return Rests(
        tuple(dict.fromkeys((*one.cites, *other.cites))),
        tuple(dict.fromkeys((*one.assumed, *other.assumed))),
        tuple(dict.fromkeys((*one.options, *other.options))),
        one.changed or other.changed,
    )


def _who_is_meant(speaker: Speaker, inner: Chain, act: Act, heard: frozenset[str]) -> str:
    """That a name which the steps above have for somebody stands for another in the steps within: for him whom the row
    looks at, if he is of that kind. Roles are told with the row."""
    looked = act.who or act.each
    if looked is None:
        return ""
    whom = speaker.looking_at(looked.node)
    kind = whom.kinds[whom.about[0]]
    names = [name for name in inner.about if name not in inner.roles and speaker.members.get(name, name) == kind]
    if not names or (act.says and act.who is None):  # what a row says itself tells of whom
        return ""
    if not (act.says or names[0] in heard or len(inner.about) > 1):
        return ""
    if isinstance(looked.node, s.Reading) and looked.node.path.names == (names[0],):
        return ""
    return f"below, the {_spaced(names[0])} is {speaker.value(looked.node) if act.says else 'that one'}"


def _from_low_to_high(speaker: Speaker, table: Table) -> str:
    """In which order the words stand of which the highest or the lowest counts."""
    if table.policy not in ("highest-of", "lowest-of") or not table.words:
        return ""
    return f" (from low to high: {', '.join(speaker.word(word) for word in table.words)})"


def _has_gaps(grid: Grid) -> bool:
    """Whether a number, or odds, can lie between two headings of a chart."""
    if grid.across is None:
        return False
    step = 0 if isinstance(grid.across.node, s.Ratio) else 1
    ends = [(one.low, one.high) for one in grid.columns if one.low is not None and one.high is not None]
    return any(high + step < low for (_, high), (low, _) in pairwise(sorted(ends)))


def _says_how_often(act: Act) -> bool:
    """Whether a row that plays a sequence again and again says that itself."""
    return any(word in act.says.split() for word in OFTEN)


def _may_be_one(one: Step, other: Step) -> bool:
    """Whether two steps that are said alike are so within, too: one of them has been told, or has no steps."""
    return not one.steps or not other.steps or [each.text for each in one.steps] == [each.text for each in other.steps]


def _merged(one: Step, other: Step) -> Step:
    """Two steps that read the same, as for one side and then the other."""
    return replace(one, rests=_both(one.rests, other.rests), steps=one.steps or other.steps, how=one.how or other.how)


def _order(sequence: Chain, speaker: Speaker | None) -> str:
    """How its steps follow each other, where that is not one after the other; how often, if nobody else says it."""
    said = {"first-of": ["the first that applies"], "at-once": ["all at the same moment"]}.get(sequence.order, [])
    if sequence.until is not None and speaker is not None:
        speaker.of(sequence)
        word = "as long as" if sequence.asked_first else "again until"
        said = [*said, f"{word} {speaker.value(sequence.until.node).removeprefix('whether ')}"]
        said += [f"at most {sequence.at_most} times"] if sequence.at_most is not None else []
    return "; ".join(said)


def _cell(value: object) -> str:
    return "-" if value is None else str(value).replace("True", "yes").replace("False", "no")


def _heading(noun: str) -> str:
    return sentence([noun.removeprefix("the ")])


def _spaced(name: str) -> str:
    return name.replace("-", " ") if name.islower() else name


__all__ = [
    "Line",
    "Page",
    "Part",
    "Printed",
    "Rests",
    "Rows",
    "Sheet",
    "Step",
    "Steps",
    "Told",
    "Words",
    "rows_in_words",
    "sheet_of",
]
