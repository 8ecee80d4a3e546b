"""Reading tables, grids and sequences: one row shape for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Any, TypeVar

from closecombat.reading import model as m
from closecombat.reading.fields import (
    NAME,
    Fields,
    as_one_text,
    cell_of,
    expected,
    fraction_of,
    list_of,
    mapping_of,
    name_of,
    text_of,
    whole,
    word_of,
)
from closecombat.reading.model import (
    FATES,
    Act,
    Asked,
    End,
    Footnote,
    Grid,
    Heading,
    Origin,
    Row,
    Sequence,
    Table,
    fall,
    follows,
)
from closecombat.reading.phrases import listed
from closecombat.reading.sentences import parse
from closecombat.reading.spellings import CELLS, EVERY, HEADINGS, KEYS, for_deed, for_key, for_line
from closecombat.reading.syntax import Arithmetic, Bracketed, Cell, Negation, Path, Reading
from closecombat.reading.types import exact
from closecombat.text.faults import Bug, Faults, Faulty, suggest, suggested
from closecombat.text.nodes import Listing, Node, Text
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

T = TypeVar("T")
VERDICTS = ("is", "add", "times", "says")
POLICIES = ("is", "one-of", "first-of", "highest-of", "lowest-of", "adds-up", "forbidden-if")
NUMBERS = POLICIES[:-1]
OF_ITS_SORT: Mapping[str, tuple[tuple[str, ...], Mapping[str, str]]] = MappingProxyType(
    {
        "start": (("adds-up",), {"": "a sum begins with it: the rows of `adds-up:` are added to it"}),
        "otherwise": (
            POLICIES[1:5],
            {
                "adds-up": "where no row is so the sum is what `start:` says, or 0",
                "forbidden-if": "what no row forbids is allowed",
                "is": "what stands after `is:` always holds; for cases put rows under `first-of:`",
            },
        ),
        "at-least": (NUMBERS, {"": "it is forbidden or not, and no number"}),
        "at-most": (NUMBERS, {"": "it is forbidden or not, and no number"}),
    }
)  # which keys a table of one sort has and another not, and what to do where it has not
ANSWERED = ("open", "secret", "at-once", "elsewhere")
ORDERS = ("in-order", "at-once", "first-of")
LEFT_OUT = "<left out>"  # the file of what nobody has written
VERBS: Mapping[str, tuple[str, ...]] = {  # verb -> the keys that go with it
    "roll": (),
    "shuffle": (),
    "play": (),
    "deal": ("number",),
    "choose": ("by", "among", "legal", "otherwise", "from", "answered"),
    "declare": ("legal", "at-most", "otherwise", "by", "answered"),
    "single-out": ("from", "ties"),
    "create": ("into", "as"),
}


WordLists = Mapping[str, tuple[str, ...]]


def read_tables(node: Node | None, faults: Faults, words: WordLists) -> tuple[dict[str, Table], dict[str, Grid]]:
    """Every chart under `tables`; a faulty one is reported and left out."""
    tables: dict[str, Table] = {}
    grids: dict[str, Grid] = {}
    if node is None:
        return tables, grids
    for key, chart in mapping_of(node, "tables").entries:
        try:
            name = name_of(key, "a table")
            if isinstance(chart, MappingNode) and "columns" in chart:
                grids[name], footnotes = _grid(name, chart, faults, words)
                tables |= footnotes
            else:
                tables[name] = _table(name, chart, faults, words)
        except Faulty as error:
            faults.extend(error.diagnostics)
    return tables, grids


def _words(fields: Fields, words: WordLists) -> tuple[str, ...]:
    """The words listed, or those of the list that is named."""
    given = fields.texts("words")
    if len(given) != 1 or given[0] not in words:
        return given
    if not words[given[0]]:
        raise Faulty.told()
    return words[given[0]]


def _table(name: str, node: Node, faults: Faults, words: WordLists) -> Table:
    if isinstance(node, Text) and node.value.strip():
        help = f"write `{{about: unit, is: {node.value.strip()}}}`, with the kind of which it is asked after `about:`"
        raise Faulty.one("wrong-shape", "a table says of whom it is asked", node.span, help=help)
    fields = Fields(node, f"table `{name}`", faults)
    policies = [p for p in POLICIES if p in fields.node]
    if not policies:
        for key, _ in fields.node.entries:
            if help := for_key(key.value, POLICIES) or suggest(key.value, POLICIES):
                raise Faulty.one("unknown-key", f"a table has no `{key.value}:`", key.span, help=help)
    if len(policies) != 1:
        raise Faulty.one(
            "missing-key" if not policies else "wrong-shape",
            f"table `{name}` needs one key that says how its rows combine",
            fields.span,
            help="write a value after `is:`, or put the rows under `first-of:` (the first that holds), `adds-up:`, "
            "`one-of:`, `highest-of:`, `lowest-of:` or `forbidden-if:`",
        )
    policy = policies[0]
    _not_of_its_sort(policy, fields)
    rows: list[Row] = []
    value = None
    if policy == "is":
        value = fields.cell("is", "value")
    else:
        lines = mapping_of(fields.need(policy), f"the rows of `{name}`")
        if not lines.entries and "otherwise" not in fields.node:
            faults.add("missing-key", f"table `{name}` has no rows", fields.span)
        ids = frozenset(lines.keys())
        for key, line in lines.entries:
            row = faults.attempt(read_row, key, line, policy, faults)
            if row is not None:
                rows.append(row)
                _replaced(name, key, line, ids, faults)
        _in_a_circle(rows, faults)
    table = Table(
        name,
        fields.text("title"),
        _about(fields),
        policy,
        tuple(rows),
        value,
        fields.cell("otherwise", "value"),
        _words(fields, words),
        fields.cell("start", "value"),
        fields.cell("at-least", "value"),
        fields.cell("at-most", "value"),
        fields.text("unit"),
        fields.origin(),
        roles_in(fields),
        fields.text("says"),
    )
    fields.done()
    return table


def _not_of_its_sort(policy: str, fields: Fields) -> None:
    """Keys that would be read over in a table whose rows are combined so."""
    for key, (those, help) in OF_ITS_SORT.items():
        entry = fields.node.entry(key)
        if entry is not None and policy not in those:
            rows = "a table of `is:`" if policy == "is" else f"a table of `{policy}:` rows"
            told = help.get(policy) or help.get("", "")
            fields.faults.add("unknown-key", f"{rows} has no `{key}:`", entry[0].span, help=told)


def read_end(key: Text, node: Node, faults: Faults) -> tuple[End, dict[str, Table]]:
    """What becomes of a kind: its fates as a table of its own, and what a thing of it is worth."""
    kind = name_of(key, "a kind")
    fields = Fields(node, f"the end of a {kind}", faults)
    where = fields.origin()
    fields.need("strength")
    worth, place = fields.cell("strength", "value"), fields.cell("in-the-place", "condition")
    end = End(
        kind,
        f"fate of {kind}",
        f"strength of {kind}",
        f"place of {kind}" if place is not None else "",
        fields.text("counted-in"),
        where,
    )
    rows = []
    lines = fields.get("first-of")
    for id, line in () if lines is None else mapping_of(lines, f"the fates of a {kind}").entries:
        row = faults.attempt(read_row, id, line, "first-of", faults)
        if row is not None:
            rows.append(row)
    otherwise = fields.cell("otherwise", "value") or _named(FATES[0])
    fields.done()
    fate = Table(end.fate, "", (kind,), "first-of", tuple(rows), None, otherwise, FATES, None, None, None, "", where)
    tables = {end.fate: fate}
    for name, value in ((end.strength, worth), (end.place, place)):
        if value is not None:
            tables[name] = Table(name, "", (kind,), "is", (), value, None, (), None, None, None, "", where)
    return end, tables


def _said(text: str) -> Cell:
    """What is meant where nobody writes it."""
    span = Span(Source(LEFT_OUT, text), 0, len(text))
    return parse(Text(text, span, True, span), "value")


def _named(name: str) -> Cell:
    """A name where nobody writes it: it needs no grammar."""
    at = (0, len(name))
    return Cell(Reading(Path((name,), at), None, at), name, Span(Source(LEFT_OUT, name), *at), "value")


def roles_in(fields: Fields) -> m.Roles:
    """Names of a chart's own for whom it is about: `{striker: unit, victim: unit}`."""
    node = fields.get("about")
    if not isinstance(node, MappingNode):
        return {}
    roles = {}
    for key, kind in node.entries:
        name = name_of(key, "a name")
        roles[name] = m.Named(name_of(kind, "the name of a kind"), kind.span)
    return roles


def subjects_in(fields: Fields) -> tuple[str, ...]:
    """By which names it is about somebody: kinds and members, or names of its own."""
    return tuple(roles_in(fields)) if isinstance(fields.get("about"), MappingNode) else fields.names("about")


def _about(fields: Fields) -> tuple[str, ...]:
    about = subjects_in(fields)
    if wrong := [name for name in about if not NAME.match(name)]:
        names = re.findall(NAME.pattern.removesuffix(r"\Z"), " ".join(about).replace(" and ", " ").replace(" or ", " "))
        help = f"write a list of names: `about: [{', '.join(names)}]`"
        raise Faulty.one("wrong-shape", f"`{wrong[0]}` is no name", fields.need("about").span, help=help)
    if len(about) > 2 or len(set(about)) < len(about):
        fields.faults.add(
            "wrong-shape",
            f"{fields.what} is about {', '.join(about)}",
            fields.need("about").span,
            help="a chart is about one thing, or two of different names",
        )
    return about[:2]


def _replaced(table: str, key: Text, line: Node, ids: frozenset[str], faults: Faults) -> None:
    """Every row that a row counts instead of must be another row of the table."""
    node = line.get("instead-of") if isinstance(line, MappingNode) else None
    for item in () if node is None else list_of(node):
        if isinstance(item, Text) and (item.value not in ids or item.value == key.value):
            faults.add(
                "unknown-name", f"`{table}` has no other row `{item.value}`", item.span, help=suggest(item.value, ids)
            )


def _in_a_circle(rows: list[Row], faults: Faults) -> None:
    """No row may count in the place of one that counts, by way of others too, in its own: where all of them hold none
    would be left."""
    others = {row.id: row.instead_of for row in rows}
    told: set[str] = set()
    for row in rows:
        behind = {row.id: ""}  # a row that is not to count, and whose place it is in
        queue = [row.id]
        while queue and row.id not in told:
            one = queue.pop(0)
            for other in others.get(one, ()):
                if other == row.id:
                    circle = [one]
                    while behind[circle[-1]]:
                        circle.append(behind[circle[-1]])
                    told.update(circle)
                    names = listed([f"`{name}`" for name in reversed(circle)], "and")
                    help = "take `instead-of` out of one of them: the one that is to count where all hold keeps it"
                    faults.add(
                        "circular",
                        f"{names} count in the place of each other: where all hold none is left",
                        row.where.place,
                        help=help,
                    )
                elif other not in behind:
                    behind[other] = one
                    queue.append(other)


def _tests(fields: Fields) -> tuple[int, tuple[Asked, ...]]:
    """What must be so for a row, in the order of writing: `when:`, `unless:`, and whatever keys are left, which are
    columns. And how many of these stand before whom the row looks at."""
    found = [(key.value, fields.faults.attempt(_test, key, node)) for key, node in fields.rest()]
    keys = list(fields.node.keys())
    looks = next((keys.index(whom) for whom in ("each", "for") if whom in keys), 0)
    before = sum(test is not None and keys.index(key) < looks for key, test in found)
    return before, tuple(test for _, test in found if test is not None)


def _test(key: Text, node: Node) -> Asked:
    """A whole sentence, or a column: its heading is a subject, its cell a test."""
    if key.value == "when":
        return None, cell_of(node, "condition")
    if key.value == "unless":
        return None, _denied(cell_of(node, "condition"))
    if isinstance(node, MappingNode):
        help = "a cell is one sentence; what is done next is a row of its own, below this one"
        raise Faulty.one("wrong-shape", f"braces stand where `{key.value}:` has one sentence", node.span, help=help)
    if not isinstance(node, Text):
        raise as_one_text(node, "test")
    try:
        subject = parse(key, "subject")
    except Faulty as error:
        raise _no_such_key(key, error) from error
    try:
        return subject, parse(node, "test")
    except Faulty as error:
        is_mended = all(fault.help.startswith("write `") for fault in error.diagnostics)
        raise error if is_mended else _slipped(key, node) or _no_such_key(key, error) from error


def _no_such_key(key: Text, error: Faulty) -> Faulty:
    """The fault that a key of a row, which would be a column, means something else; else what is wrong with it."""
    help = for_key(key.value)
    return Faulty.one("unknown-key", f"a row has no `{key.value}:` here", key.span, help=help) if help else error


def _slipped(key: Text, node: Text) -> Faulty | None:
    """The fault that a key is nearly that of a condition, and what it has is one; else none."""
    help = suggest(key.value, ("when", "unless"))
    if not suggested(help):
        return None
    try:
        parse(node, "condition")
    except Faulty:
        return None
    return Faulty.one("unknown-key", f"a row has no `{key.value}:`", key.span, help=help)


def _denied(cell: Cell) -> Cell:
    """What stands under `unless:` must not be so."""
    if isinstance(cell.node, Negation):
        help = f"write `when: {cell.text.removeprefix('not ').strip()}`"
        raise Faulty.one("two-spellings", f"`unless: {cell.text}` denies what is denied", cell.place, help=help)
    return replace(cell, node=Negation(Bracketed(cell.node, cell.node.at), cell.node.at))


def read_row(key: Text, node: Node, policy: str, faults: Faults) -> Row:
    if isinstance(node, Text) and node.value.strip():
        raise expected("the columns of a row", node, f"write `{key.value}: {{add: {node.value.strip()}}}` or the like")
    if isinstance(node, Listing):
        raise expected("the columns of a row", node, "write each column with its name: `{broken: yes, add: -1}`")
    id = name_of(key, "a row") if not re.fullmatch(r"\d{1,3}", key.value) else key.value
    fields = Fields(node, f"row `{id}`", faults)
    where = fields.origin()
    where = type(where)(key.span.to(node.span), where.cites, where.assumed, where.note)
    each = fields.cell("each", "members")
    verbs = {"adds-up": ("add", "times"), "forbidden-if": ("says",)}.get(policy, ("is",))
    given = [verb for verb in verbs if fields.get(verb) is not None]
    if len(given) != 1:
        if given:
            both = " and ".join(f"`{verb}:`" for verb in given)
            raise Faulty.one("wrong-shape", f"row `{id}` has both {both}", fields.span, help="keep one of them")
        wanted = " or ".join(f"`{verb}:`" for verb in verbs)
        raise _verdict_missing(id, fields, verbs, wanted)
    for other, _ in fields.rest():
        if policy == "adds-up" and KEYS.get(other.value, other.value) == "otherwise":
            help = "leave it out: a row that does not hold adds nothing"
            raise Faulty.one("unknown-key", f"a row has no `{other.value}:` here", other.span, help=help)
    verb = given[0]
    verdict = None if verb == "says" else fields.cell(verb, "value")
    says = fields.text("says")
    rounded = fields.text("rounded") if verb == "times" else ""
    if rounded not in ("", "down", "up", "to nearest"):
        help = "write `rounded: down`, `rounded: up` or `rounded: to nearest`"
        raise Faulty.one("wrong-type", f"`{rounded}` is no way to round", fields.need("rounded").span, help=help)
    rounded = rounded.removeprefix("to ")
    instead_of = fields.texts("instead-of")
    return Row(id, each, *_tests(fields), verb, verdict, says, rounded, instead_of, where)


def _verdict_missing(row: str, fields: Fields, verbs: tuple[str, ...], wanted: str) -> Faulty:
    """The fault that a row has no verdict: what is written in its place, or what the chart does with its rows."""
    for key, node in fields.rest():
        if key.value in (*VERDICTS[:-1], "then", "do") or KEYS.get(key.value) in VERDICTS:
            verb = next((verb for verb in verbs if verb == KEYS.get(key.value)), verbs[0])
            help = f"write `{verb}: {node.value}`" if isinstance(node, Text) else f"write `{verb}:`"
            return Faulty.one("missing-key", f"a row has no `{key.value}:` here", fields.span, help=help)
    for key, node in fields.rest():
        if "add" in verbs and isinstance(node, Text) and re.fullmatch(r"[+-]\d+", node.value):
            help = f"write `add: {node.value}`"
            return Faulty.one("missing-key", f"a row has no `{key.value}:` here", fields.span, help=help)
    help = f"add {wanted}, with what the row is worth"
    for key, node in fields.rest():
        if isinstance(node, Text) and (verb := suggested(suggest(key.value, verbs))):
            help = f"write `{verb}: {node.value}`, if `{key.value}:` was meant to be that"
    if verbs == ("says",):
        help = "add `says:`, with the rule that is broken: `says: no broken unit attacks`"
    return Faulty.one("missing-key", f"row `{row}` needs {wanted}", fields.span, help=help)


# ---- grids ----------------------------------------------------------------------------------------------

_DICE_ALONE = re.compile(r"\d*[dD]\d+(?:\s*[-+*x]\s*\d+)?(?:\s.*)?|(?:\d+|an?|one|the) (?:die|dice)")
_BOUNDED = re.compile(r"(below|above|at most|at least) (\S+)")
_BAND = re.compile(r"(\S+) to (\S+)")
_SPOKEN = re.compile(f"{_BOUNDED.pattern}|{_BAND.pattern}")


def _heading(node: Node) -> Heading:
    text = text_of(node, "a heading")
    if found := _BOUNDED.fullmatch(text):
        side, end = found[1], _quantity(found[2], node)
        if side in ("below", "at most"):
            return Heading(text, high=end, below=side == "below")
        return Heading(text, low=end, above=side == "above")
    if found := _BAND.fullmatch(text):
        low, high = sorted((_quantity(found[1], node), _quantity(found[2], node)))
        return Heading(text, low, high)
    if re.match(r"[+-]?\d+(?![A-Za-z\d])", text):
        return Heading(text, number := _quantity(text, node), number)
    return Heading(word_of(node, "a heading"), word=True)


def _headings(
    nodes: Iterable[Node], grid: str, faults: Faults, between: str, odds: bool = False
) -> tuple[Heading, ...]:
    """Headings in the order of the chart, lowest or highest first: none begins before the one before it ends, and
    none comes twice."""
    read = [(_heading(node), node.span) for node in nodes]
    lows = [heading.low for heading, _ in read[:2] if heading.low is not None]
    falling = fall(tuple(heading for heading, _ in read)) or lows != sorted(lows)
    for i, (heading, place) in enumerate(read):
        before = read[i - 1][0] if i else None
        if any(heading.text == other.text for other, _ in read[:i]):
            faults.add("duplicate-id", f"`{grid}` has two headings `{heading.text}`", place)
        elif not falling and _is_band(heading) and _begins_high(heading):
            help = "write the lower end of a band first, as the headings rise"
            faults.add("wrong-shape", f"`{heading.text}` begins above its end", place, help=help)
        elif before is not None and not (
            heading.word or before.word or (follows(heading, before) if falling else follows(before, heading))
        ):
            said = f"`{heading.text}` does not come after `{before.text}`"
            help = "write the headings lowest first, or highest first, without overlaps"
            if not odds and (band := re.fullmatch(r"(\d+)-(\d+)", heading.text)):
                said, help = f"`{heading.text}` would be read as odds", f"write `{band[1]} to {band[2]}`"
            faults.add("wrong-shape", said, place, help=help)
    if not odds:
        _refuse_bands_as_odds([heading.text for heading, _ in read], [place for _, place in read], faults)
        rising = read[::-1] if falling else read
        _check_gaps([heading for heading, _ in rising], [place for _, place in rising], grid, between, faults)
    return tuple(heading for heading, _ in read)


def _refuse_bands_as_odds(texts: list[str], places: list[Span], faults: Faults) -> None:
    """`1-2`, `3-4`, each beginning where the one before it ends, are bands: as odds they would be 1/2 and 3/4."""
    found = [re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", one) for one in texts]
    ends = [(int(one[1]), int(one[2] or one[1])) if one else (0, -1) for one in found]
    for i, (low, high) in enumerate(ends):
        beside = [ends[j] for j in (i - 1, i + 1) if 0 <= j < len(ends)]
        if low < high and any(high + 1 == first <= last or first <= last == low - 1 for first, last in beside):
            help = f"write `{low} to {high}`, and so the others"
            faults.add("wrong-shape", f"`{low}-{high}` would be read as odds", places[i], help=help)
            return


def _refuse_odds_of_a_difference(cell: Cell, headings: Iterable[Heading], faults: Faults) -> None:
    """Under `2-1` a difference of 2 would be found, and none that is 2 to 1."""
    one = next((one.text for one in headings if re.fullmatch(r"\d+-\d+", one.text)), "")
    if one and isinstance(cell.node, Arithmetic) and cell.node.sign == "-":
        left, right = (cell.text[slice(*side.at)] for side in (cell.node.left, cell.node.right))
        help = f"write `{left} to {right}` for odds, or headings such as `{one.partition('-')[0]}` for a difference"
        faults.add("wrong-shape", f"`{one}` is read as odds, and `{cell.text}` is a difference", cell.place, help=help)


def _begins_high(band: Heading) -> bool:
    first = _BAND.fullmatch(band.text)
    return first is not None and _fraction(first[1]) != band.low


def _check_gaps(headings: list[Heading], places: list[Span], grid: str, between: str, faults: Faults) -> None:
    """A whole number between two headings is read in the lower (or higher) one. Between plain numbers, and up to
    an open end, that is how charts are printed; a band that says where it ends does not hold what lies beyond."""
    banded = any(_is_band(heading) for heading in headings)
    for before, after, place in zip(headings, headings[1:], places[1:], strict=False):
        if before.high is None or after.low is None:
            continue
        first = ceil(before.high) if before.below else floor(before.high) + 1
        last = floor(after.low) if after.above else ceil(after.low) - 1
        belied = before.low is None if between == "lower" else after.high is None
        if first <= last and (banded or belied):
            missing = f"{first} is" if first == last else f"{first} to {last} are"
            said = f"{missing} missing in `{grid}`, between `{before.text}` and `{after.text}`"
            faults.add("grid-gap", said, place, help="let one of them reach to the other, or add a heading")


def _is_band(heading: Heading) -> bool:
    return heading.low is not None and heading.high is not None and heading.low < heading.high


def _fraction(text: str) -> Fraction | None:
    """A number, or odds; None if it is neither."""
    found = re.fullmatch(r"([+-]?\d{1,6})(?:-(\d{1,6}))?", text)
    return Fraction(int(found[1]), int(found[2] or 1)) if found and int(found[2] or 1) else None


def _quantity(text: str, node: Node) -> Fraction:
    found = _fraction(text)
    if found is None:
        raise Faulty.one(
            "wrong-type",
            f"`{text_of(node, 'a heading')}` cannot be a heading",
            node.span,
            help=for_line(text_of(node, "a heading"), HEADINGS),
        )
    return found


@dataclass(frozen=True, slots=True)
class _Legend:
    """What stands below a grid: the words that its cells may hold, and the marks that are explained there."""

    words: tuple[str, ...] = ()
    marks: frozenset[str] = frozenset()


def _grid(name: str, node: MappingNode, faults: Faults, words: WordLists) -> tuple[Grid, dict[str, Table]]:
    """A grid, and the tables that its footnotes are."""
    fields = Fields(node, f"grid `{name}`", faults)
    across = fields.need("across")
    if not isinstance(across, Text):
        raise expected("what the columns are found by", across)
    start = "ratio" if re.search(r"\bto\b(?!-)", across.value) else "value"
    between, ends = fields.text("between", "lower"), fields.text("ends")
    if between not in ("lower", "higher") or ends not in ("", "stay"):
        help = "write `between: lower` or `between: higher`, and `ends: stay` or no `ends:`"
        raise Faulty.one(
            "wrong-type", f"`{name}` cannot be read so between or beyond its headings", fields.span, help=help
        )
    columns = _headings(_listed_headings(fields.need("columns"), words), name, faults, between, start == "ratio")
    down = fields.cell("down", "value")
    cells = fields.need("cells")
    if down is None:
        lines: tuple[Heading, ...] = ()
        rows = [cells]
    else:
        entries = mapping_of(cells, "one list of cells for each row").entries
        lines = _headings((key for key, _ in entries), name, faults, between)
        rows = [row for _, row in entries]
    about, roles, listed, where = _about(fields), roles_in(fields), _words(fields, words), fields.origin()
    notes = fields.get("footnotes")
    explained = () if notes is None else mapping_of(notes, "the footnotes, each with what its mark stands for").entries
    legend = _Legend(listed, frozenset(word_of(mark, "a mark") for mark, _ in explained))
    values = [faults.attempt(_line, row, len(columns), legend) for row in rows]
    given = [value for line in values if line is not None for value, _ in line]
    said = listed or tuple(dict.fromkeys(v for v in given if isinstance(v, str) and v not in legend.marks))
    footnotes, tables = [], dict[str, Table]()
    for mark, line in explained:
        table = faults.attempt(_footnote, mark, line, name, about, said, where, faults)
        if mark.value in listed:
            said_twice = f"`{mark.value}` is a footnote of `{name}`, and also one of its words"
            faults.add("duplicate-id", said_twice, mark.span)
        elif not any(value == mark.value for value in given if isinstance(value, str)):
            faults.add("unused", f"no cell of `{name}` bears the mark `{mark.value}`", mark.span, severity="warning")
        if table is not None:
            tables[table.name] = replace(table, roles=roles)
            footnotes.append(Footnote(mark.value, table.name, mark.span))
    found = parse(across, start)
    _refuse_odds_of_a_difference(found, columns, faults)
    if down is not None:
        _refuse_odds_of_a_difference(down, lines, faults)
    grid = Grid(
        name,
        fields.text("title"),
        about,
        found,
        columns,
        down,
        lines,
        tuple(tuple(value for value, _ in line) for line in values if line is not None),
        tuple(tuple(place for _, place in line) for line in values if line is not None),
        listed,
        tuple(footnotes),
        fields.cell("otherwise", "value"),
        fields.cell("shift", "value"),
        between == "higher",
        ends == "stay",
        where,
        roles,
        fields.text("says"),
    )
    fields.done()
    return grid, tables


def _listed_headings(node: Node, words: WordLists) -> Iterable[Node]:
    """The headings, or those of the list of words that is named."""
    if isinstance(node, Text) and node.value in words:
        return [Text(word, node.span, True, node.span) for word in words[node.value]]
    return list_of(node)


def _footnote(
    mark: Text, node: Node, grid: str, about: tuple[str, ...], words: tuple[str, ...], where: Origin, faults: Faults
) -> Table:
    """What a mark stands for, as a table: conditions, each with its value, of which the first that holds counts."""
    name = f"{mark.value} of {grid}"
    otherwise: Cell | None = None
    if isinstance(node, Text):
        value = cell_of(node, "value")
        return Table(name, "", about, "is", (), value, None, words, None, None, None, "", where)
    rows = []
    for key, line in mapping_of(node, "what the mark stands for, case by case").entries:
        if key.value == "otherwise":
            otherwise = faults.attempt(cell_of, line, "value")
            continue
        when, worth = faults.attempt(cell_of, key, "condition"), faults.attempt(cell_of, line, "value")
        if when is not None and worth is not None:
            origin = replace(where, place=key.span.to(line.span), note="")
            rows.append(Row(key.value, None, 0, ((None, when),), "is", worth, "", "", (), origin))
    return Table(name, "", about, "first-of", tuple(rows), None, otherwise, words, None, None, None, "", where)


def _line(row: Node, wide: int, legend: _Legend) -> tuple[tuple[Any, Span], ...]:
    """One line of cells, as wide as the heading, and where each stands."""
    if not isinstance(row, Listing) or len(row.items) != wide:
        got = len(row.items) if isinstance(row, Listing) else 1
        help = "write a cell for each heading, `-` where the chart prints nothing"
        if isinstance(row, Text):
            help = f"write the cells as a list: `[{row.value}]`"
        raise Faulty.one("wrong-shape", f"{wide} columns, but {got} cells", row.span, help=help)
    return tuple((_value(item, legend), item.span) for item in row.items)


def _value(node: Node, legend: _Legend) -> Any:
    """What a chart prints: a word of the legend, else a number, yes, no, another word; `-` is an empty cell."""
    text = text_of(node, "a cell")
    if text in legend.words or text in legend.marks:
        return text
    number = fraction_of(text)
    if number is not None:
        if "/" in text and str(number) != text.lstrip("+"):
            said = f"`{text}` would be read as a fraction, {number}"
            one, _, other = text.lstrip("+").partition("/")
            help = (
                f"if it says what either side loses, write `words: {{code: {{columns: [attacker-loss, "
                f"defender-loss], rows: "
                f"{{{text}: [{one}, {other}]}}}}}}` with a row for every cell, and `words: code` in the "
                f"grid; if it is a fraction, `{number}`"
            )
            raise Faulty.one("wrong-shape", said, node.span, help=help)
        return exact(number)
    if text in ("yes", "no", "-"):
        return None if text == "-" else text == "yes"
    if help := for_line(text, CELLS):
        raise Faulty.one("wrong-shape", f"`{text}` cannot be a cell", node.span, help=help)
    return word_of(node, "a cell")


# ---- words with values ----------------------------------------------------------------------------------


def read_words(key: Text, node: Node, faults: Faults) -> tuple[tuple[str, ...], dict[str, Grid]]:
    """A list of words, and the chart that says of each what stands in its columns: a grid for every column, under a
    name that no sentence can say."""
    if not isinstance(node, MappingNode) or not ("columns" in node or "rows" in node):
        return listed_words(node), {}
    fields = Fields(node, f"the list `{key.value}`", faults)
    columns = [(name_of(item, "a column"), item.span) for item in list_of(fields.need("columns"))]
    rows = mapping_of(fields.need("rows"), "a row for each word").entries
    words = listed_words(Listing(tuple(word for word, _ in rows), node.span))
    lines = [faults.attempt(_line, row, len(columns), _Legend()) for _, row in rows]
    where = fields.origin()
    fields.done()
    grids: dict[str, Grid] = {}
    down: Cell | None = _said(key.value) if NAME.match(key.value) else None
    for i, (column, place) in enumerate(columns):
        name = f"{column} of {key.value}"
        if name in grids:
            faults.add("duplicate-id", f"the list `{key.value}` has two columns `{column}`", place)
        if down is None or None in lines:
            continue
        cells = [line[i] for line in lines if line is not None]
        grids[name] = Grid(
            name,
            column,
            (key.value,),
            None,
            (Heading(column, word=True),),
            down,
            tuple(Heading(word, word=True) for word in words),
            tuple((value,) for value, _ in cells),
            tuple((place,) for _, place in cells),
            (),
            (),
            None,
            None,
            False,
            False,
            where,
        )
    return words, grids


def listed_words(node: Node) -> tuple[str, ...]:
    """The words of a list, each of them once: names, what charts print, or headings, lowest first."""
    found: dict[str, Node] = {}
    if isinstance(node, MappingNode):
        help = f"write `[{', '.join(node.keys())}]`"
        if all(isinstance(value, Text) and re.fullmatch(r"[+-]?\d+", value.value) for _, value in node.entries):
            rows = ", ".join(f"{key.value}: [{value.value}]" for key, value in node.entries if isinstance(value, Text))
            help += f"; where each has a number, `{{columns: [worth], rows: {{{rows}}}}}`, read as `worth of ..`"
        raise Faulty.one("wrong-shape", "words stand in a list", node.span, help=help)
    items = list_of(node)
    texts = [item.value.strip() for item in items if isinstance(item, Text)]
    are_printed = any(not NAME.match(text) and not text.lstrip("+-").isdigit() for text in texts)  # then so are numbers
    headings: list[Heading] = []
    for item in items:
        heading = _heading(item) if isinstance(item, Text) and _SPOKEN.fullmatch(item.value.strip()) else None
        word = heading.text if heading else word_of(item, "a word") if are_printed else name_of(item, "a word")
        if word in found:
            raise Faulty.one(
                "duplicate-id", f"`{word}` stands twice in this list", item.span, labels=((found[word].span, "here"),)
            )
        found[word] = item
        if heading or _fraction(word) is not None:
            headings.append(heading or _heading(item))
    if not found:
        raise expected("at least one word", node)
    if len(headings) == len(found) and fall(tuple(headings)):
        help = "write the headings lowest first; a grid may print them in any order"
        raise Faulty.one("wrong-shape", "a list of headings rises", node.span, help=help)
    return tuple(found)


# ---- sequences ------------------------------------------------------------------------------------------


def read_sequence(key: Text, node: Node, faults: Faults) -> Sequence:
    name = name_of(key, "a sequence")
    fields = Fields(node, f"sequence `{name}`", faults)
    orders = [order for order in ORDERS if order in fields.node]
    if len(orders) != 1:
        raise Faulty.one(
            "missing-key" if not orders else "wrong-shape",
            f"sequence `{name}` must say how its rows follow each other",
            fields.span,
            help="put them under `in-order:`, `at-once:` or `first-of:`",
        )
    acts = []
    for id, line in mapping_of(fields.need(orders[0]), f"the rows of `{name}`").entries:
        act = faults.attempt(_act, id, line, faults)
        if act is not None:
            acts.append(act)
    again = fields.get("again")
    repeated = None if again is None else faults.attempt(_again, name, again, faults)
    until, bound, first = repeated or (None, 1, False)
    about, roles, where, title = subjects_in(fields), roles_in(fields), fields.origin(), fields.text("title")
    sequence = Sequence(name, about, orders[0], tuple(acts), until, bound, where, first, roles, title)
    fields.done()
    return sequence


def _again(name: str, node: Node, faults: Faults) -> tuple[Cell | None, int | None, bool]:
    """When a repetition ends, after how many passes at most (None is a fight to the end), and whether that is asked
    before the first pass too."""
    loop = Fields(node, f"`again` of `{name}`", faults)
    first = "while" in loop.node
    if first and "until" in loop.node:
        help = "keep `until:`, asked after each pass, or `while:`, asked before each, the first too"
        raise Faulty.one("wrong-shape", f"`{name}` repeats until and while", loop.span, help=help)
    key = "while" if first else "until"
    loop.need(key)
    until, limit = loop.cell(key, "condition"), loop.get("at-most")
    loop.done()
    if limit is None:
        raise Faulty.one(
            "loop-without-end",
            f"`{name}` repeats without a bound",
            loop.span,
            help="add `at-most: 3`, or `at-most: unbounded` for a fight to the end",
        )
    if text_of(limit, "a number") == "unbounded":
        return until, None, first
    at_most = whole(limit, "a number or `unbounded`")
    if not 1 <= at_most <= 1000:
        raise Faulty.one("out-of-range", "a sequence repeats 1 to 1000 times", limit.span)
    return until, at_most, first


def _act(key: Text, node: Node, faults: Faults) -> Act:
    id = name_of(key, "a row")
    if isinstance(node, Text) and node.value.strip():
        help = f"write who and what, such as `{id}: {{each: side, roll: my-roll}}` or `{id}: {{each: unit, do: leave}}`"
        if re.fullmatch(r"[a-z][a-z0-9-]*", node.value.strip()):
            help += f"; of a sequence `{id}: {{play: {node.value.strip()}}}`"
        raise expected("a row in braces", node, help)
    fields = Fields(node, f"row `{id}`", faults)
    where = fields.origin()
    where = type(where)(key.span.to(node.span), where.cites, where.assumed, where.note)
    verbs = [verb for verb in VERBS if verb in fields.node]
    do = fields.get("do")
    if whom := next((key for key, _ in fields.rest() if key.value in EVERY), None):
        raise _no_such_key(whom, Faulty.told())
    if len(verbs) > 1 or (not verbs and do is None):
        raise Faulty.one(
            "wrong-shape", f"row `{id}` must say what is done, once", fields.span, help=_deed_missing(fields, verbs)
        )
    if verbs and do is not None and (keys := fields.node.keys()).index("do") < keys.index(verbs[0]):
        said = f"row `{id}` would be read as if `do:` came first: it is done when `{verbs[0]}:` is over"
        help = f"write it behind `{verbs[0]}:`, or make a row of each"
        fields.faults.add("wrong-shape", said, fields.need("do").span, help=help)
    verb = _verb(verbs[0], fields) if verbs else None
    each, who = fields.cell("each", "members"), fields.cell("for", "value")
    if (each is None and "each" in fields.node) or (who is None and "for" in fields.node):
        raise Faulty.told()  # nobody knows whom the row looks at
    times, order = fields.cell("repeat", "value"), _order(id, fields, verbs)
    effects = () if do is None else tuple(cell_of(item, "effect") for item in list_of(do))
    says = fields.text("says")
    return Act(id, each, who, *_tests(fields), verb, effects, where, times, *order, says)


def _order(row: str, fields: Fields, verbs: list[str]) -> tuple[tuple[Cell, ...], str]:
    """In what order a row looks at the members of its set, and what those do who are level in that: it must be said."""
    first = fields.get("first")
    if first is None:
        return (), ""
    if "each" not in fields.node or "single-out" in verbs:
        help = "a sequence that this row plays can draw the lots" if "single-out" in verbs else "add `each:`"
        raise Faulty.one("wrong-shape", f"row `{row}` has no members of whom one would be first", first.span, help=help)
    if isinstance(first, Text) and not first.value.startswith(("highest", "lowest")):
        help = "write `highest ..` or `lowest ..`; a fact called so is asked for by whose it is, `first of unit: yes`"
        said = "`first:` says who acts first, by what is highest or lowest"
        raise Faulty.one("wrong-shape", said, first.span, help=help)
    ways = "`as-listed`, `lots`, `at-once`, or `never` if there are none; or what counts next: `[highest skill, lots]`"
    if "ties" not in fields.node:
        message = f"row `{row}` does not say in what order those act who are level"
        raise Faulty.one("missing-key", message, first.span, help=f"add `ties:` with {ways}")
    items = list(list_of(fields.need("ties")))
    last = text_of(items[-1], "what those do who are level") if items else ""
    if last not in m.TIES:
        message = f"row `{row}` does not say in what order those act who are level in all of this"
        raise Faulty.one("missing-key", message, fields.need("ties").span, help=f"end with {ways}")
    out = [cell_of(item, "ordering") for item in (first, *items[:-1])]
    for cell in out:
        if not cell.text.startswith(("highest", "lowest")):
            help = "write `highest ..` or `lowest ..`"
            raise Faulty.one("wrong-shape", "who is first is said by what is highest or lowest", cell.place, help=help)
    return tuple(out), last


def _deed_missing(fields: Fields, verbs: list[str]) -> str:
    if verbs:
        return "make a row of each: " + ", ".join(f"`{verb}:`" for verb in verbs)
    for key, node in fields.node.entries:
        if help := for_deed(key.value, (*VERBS, "do"), node.value if isinstance(node, Text) else ""):
            return help
    return "add `do:` with an effect, or one of " + ", ".join(f"`{verb}:`" for verb in VERBS)


def _verb(verb: str, fields: Fields) -> m.Verb:
    """A verb with the cells that go with it; raises Faulty if one of them cannot be read."""

    def given(key: str, read: Callable[[Node], T]) -> T | None:
        node = fields.get(key)
        return None if node is None else read(node)

    def said(key: str, start: str) -> Cell | None:
        return given(key, lambda node: cell_of(node, start))

    def named(key: str) -> m.Named | None:
        return given(key, lambda node: m.Named(name_of(node, "a name"), node.span))

    match verb:
        case "play":
            return m.Play(_object(verb, fields))
        case "shuffle":
            return m.Shuffle(cell_of(fields.need(verb), "value"))
        case "create":
            counter = _object(verb, fields)
            return m.Create(counter, said("into", "value"), given("as", lambda node: name_of(node, "a name")) or "")
    settled = fields.need(verb)
    if verb == "roll" and isinstance(settled, Text) and _DICE_ALONE.fullmatch(settled.value):
        many = re.match(r"\d*", settled.value)
        dice = settled.value if re.search(r"\d[dD]|[dD]\d", settled.value) else f"{many[0] if many else ''}d6"
        help = f"write `rolled: {{my-roll: {dice}}}` among the facts of whoever throws, and here `roll: my-roll`"
        raise Faulty.one("wrong-shape", "`roll:` names a throw, not dice", settled.span, help=help)
    if verb == "roll" and isinstance(settled, Listing):
        raise as_one_text(settled, "throw")
    fact = cell_of(settled, "value")
    match verb:
        case "roll":
            return m.Roll(fact)
        case "deal":
            return m.Deal(fact, said("number", "value"))
        case "choose":
            return m.Choose(
                fact,
                said("by", "value"),
                said("among", "members"),
                named("legal"),
                said("otherwise", "value"),
                said("from", "value"),
                given("answered", _answered) or ANSWERED[0],
            )
        case "declare":
            legal, at_most = named("legal"), given("at-most", lambda node: whole(node, "a whole number"))
            answered = given("answered", _answered) or ANSWERED[0]
            return m.Declare(fact, legal, at_most, given("otherwise", _declaration), said("by", "value"), answered)
        case "single-out":
            return m.SingleOut(fact, said("from", "members"), given("ties", _drawn_again) or False)
    raise Bug(f"no verb is called {verb}")


def _object(verb: str, fields: Fields) -> m.Named:
    name, node = fields.name(verb), fields.need(verb)
    if not name:
        raise Faulty.told()
    return m.Named(name, node.span)


def _declared(node: Node) -> Cell:
    """`units of side where (..)` is a set, `whoever of ..`, yes and the like a value."""
    text = text_of(node, "who is meant")
    single = text in ("yes", "no", "nobody") or re.match(r"whoever\b|[+\d-]", text)
    return cell_of(node, "value" if single else "members")


def _declaration(node: Node) -> dict[str, dict[str, Cell]]:
    """What is declared where nobody says anything: the facts of each thing, by its name."""
    out: dict[str, dict[str, Cell]] = {}
    for id, thing in mapping_of(node, "a declaration").entries:
        out[name_of(id, "a name")] = {
            fact.value: _declared(cell) for fact, cell in mapping_of(thing, "the facts of a declaration").entries
        }
    return out


def _answered(node: Node) -> str:
    """Whether the others are told of an answer: at once, never, or when all have answered; or if nobody chooses it."""
    text = text_of(node, "how it is answered")
    if text not in ANSWERED:
        help = (
            f"write `answered: {ANSWERED[1]}` or `answered: {ANSWERED[2]}`, or `answered: {ANSWERED[3]}` for what no "
            "player chooses; what all may see needs no word"
        )
        raise Faulty.one("unknown-word", f"nothing is answered `{text}`", node.span, help=help)
    return text


def _drawn_again(node: Node) -> bool:
    """Whether lots that are alike are drawn again."""
    if text_of(node, "all or again") not in ("all", "again"):
        raise Faulty.one("unknown-word", "ties are drawn `again`, or `all` of them count", node.span)
    return text_of(node, "all or again") == "again"
