"""What a ruleset could do without: what nobody asks for, what hides behind another, words never given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from closecombat.binding.bound import changed
from closecombat.binding.charts import Bound
from closecombat.binding.names import Item
from closecombat.binding.vocabulary import ENDS
from closecombat.checking.soundness import played
from closecombat.reading import syntax as s
from closecombat.reading.fields import child, entries, list_of
from closecombat.reading.model import Fact, Grid, Ruleset, Table, roles_of
from closecombat.reading.syntax import Cell
from closecombat.reading.types import AThing, Per, Roll, Things, Word
from closecombat.text.faults import Faults
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

SORTS = (
    ("tables", "chart", "table"),
    ("groups", "group", "group"),
    ("dice", "dice", "line of dice"),
    ("decks", "deck", "deck"),
    ("options", "option", "option"),
    ("sequences", "sequence", "sequence"),
)

GIVEN = ("given", "printed")


def check_leftovers(bound: Bound, document: Node, faults: Faults, elsewhere: Set[str] = frozenset()) -> None:
    """Adds warnings of what could be taken out; `bound` must be without faults, and bound as a whole. Names that are
    said `elsewhere`, in what has not been bound, may be asked for."""
    _check_unused(bound, document, faults, elsewhere)
    _check_unread(bound, document, faults, elsewhere)
    _check_hidden(bound.ruleset, document, faults)
    _check_words(bound, document, faults)


def _check_unused(bound: Bound, document: Node, faults: Faults, elsewhere: Set[str]) -> None:
    ruleset = bound.ruleset
    asked = {
        item for user, items in bound.uses.found.items() for item in items if item != user and item.sort != "sequence"
    }
    asked |= {Item("chart", name) for name in ENDS} | {Item("sequence", name) for name in played(bound)}
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            if isinstance(fact.type, Roll):
                asked.add(Item("dice", fact.type.dice))
            if fact.deck:
                asked.add(Item("deck", fact.deck))
    for section, sort, what in SORTS:
        for key, _ in entries(document, section):
            if Item(sort, key.value) not in asked and key.value not in elsewhere:
                _unused(faults, what, key)
    named = {word for _, node in entries(document, "dice") for word in _words_in(node)}
    for key, _ in entries(document, "dies"):
        if key.value not in named:
            _unused(faults, "die", key)
    owed = child(document, "obligations")
    for item in () if owed is None else list_of(owed):
        if isinstance(item, Text) and Item("obligation", item.value) not in asked:
            _unused(faults, "obligation", item)


def _check_unread(bound: Bound, document: Node, faults: Faults, elsewhere: Set[str]) -> None:
    """Warns of facts that are given and that nothing reads, and of lists of words that nothing has."""
    read = {*elsewhere}.union(*bound.uses.state.values())
    kinds, lists = bound.ruleset.kinds, set[tuple[str, ...]]()
    acts = [act for name in bound.ruleset.sequences for act in bound.sequence(name).acts]
    written = {(fact.kind, fact.name) for act in acts for one in act.effects if (fact := changed(one)) is not None}
    begins = {fact.like for kind in kinds.values() for fact in kind.facts.values()}  # with what others begin
    for kind in kinds.values():
        for fact in kind.facts.values():
            if isinstance(fact.type, Word | Per):
                lists.add(fact.type.words)
            is_looked_through = isinstance(fact.type, Things | AThing)
            is_asked = fact.name in read | begins or fact.where.note
            if not (is_asked or is_looked_through) and fact.origin not in GIVEN:
                _settled_for_nobody(fact, written, faults)
            if fact.origin in GIVEN and not (is_asked or is_looked_through):
                faults.add(
                    "unused",
                    f"nothing asks for `{fact.name}` of {kind.name}, which each situation gives",
                    fact.where.place,
                    severity="warning",
                    help="use it, take it out, or say in its `note:` why it is there",
                )
    charts: list[Table | Grid] = [*bound.ruleset.tables.values(), *bound.ruleset.grids.values()]
    lists.update(chart.words for chart in charts)
    named = {name for chart in charts for name in chart.about}
    for _, node in entries(document, "tables"):  # the headings of a grid
        headings = [node.get(by) for by in ("columns", "rows")] if isinstance(node, Mapping) else []
        named |= {one.value for one in headings if isinstance(one, Text)}
    named |= {
        word
        for section in ("dice", "dies", "decks")
        for _, node in entries(document, section)
        for word in _words_in(node)
    }
    for key, _ in entries(document, "words"):
        words = bound.ruleset.words.get(key.value, ())
        if words not in lists and named.isdisjoint((key.value, *words)):
            _unused(faults, "list of words", key)


def _settled_for_nobody(fact: Fact, written: Set[tuple[str, str]], faults: Faults) -> None:
    """Warns of dice that are thrown for nothing, and of what is noted by nobody. What is chosen may be an outcome, such
    as where to retreat to."""
    if fact.origin == "noted" and (fact.kind, fact.name) not in written:
        said = f"nothing asks for `{fact.name}` of {fact.kind}, and no row writes it"
    elif fact.origin == "rolled":
        said = f"nothing asks for `{fact.name}` of {fact.kind}, which is rolled"
    else:
        return
    help = "use it, take it out, or say in its `note:` why it is there"
    faults.add("unused", said, fact.where.place, severity="warning", help=help)


def _unused(faults: Faults, what: str, key: Text) -> None:
    faults.add(
        "unused",
        {
            "sequence": f"no row that is reached plays the sequence `{key.value}`",
            "list of words": f"no fact or table has the words of `{key.value}`",
        }.get(what, f"no sentence asks for the {what} `{key.value}`"),
        key.span,
        severity="warning",
        help="use it, or take it out",
    )


def _words_in(node: Node) -> Iterator[str]:
    match node:
        case Text(value):
            yield value
        case Mapping(lines):
            for key, line in lines:
                yield key.value
                yield from _words_in(line)
        case Listing(items):
            for item in items:
                yield from _words_in(item)


# ---- names that hide each other ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a name can mean: a fact or a table, and whose; nobody's for a table without subjects."""

    what: str
    owners: frozenset[str]
    place: Span


def _check_hidden(ruleset: Ruleset, document: Node, faults: Faults) -> None:
    """Warns where one of two things of the same name can never be asked for without saying whose it is."""
    only = frozenset(kind.name for kind in ruleset.kinds.values() if kind.one)
    meanings: dict[str, list[_Meaning]] = {}
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            meaning = _Meaning(f"a fact of {kind.name}", frozenset((kind.name,)), fact.where.place)
            meanings.setdefault(fact.name, []).append(meaning)
    keys = {key.value: key.span for key, _ in entries(document, "tables")}
    charts: list[Table | Grid] = [*ruleset.tables.values(), *ruleset.grids.values()]
    for chart in charts:
        about = frozenset(_kind_meant(ruleset, name) for name in chart.about)
        whose = " about " + " and ".join(chart.about) if chart.about else ""
        meanings.setdefault(chart.name, []).append(
            _Meaning(f"a table{whose}", about or only, keys.get(chart.name, chart.where.place))
        )
    for name, found in meanings.items():
        for i, one in enumerate(found):
            for other in found[:i]:
                if one.owners & other.owners or (one.owners <= only) != (other.owners <= only):
                    faults.add(
                        "ambiguous-name",
                        f"`{name}` is {one.what}, and also {other.what}",
                        one.place,
                        labels=((other.place, "the other"),),
                        severity="warning",
                        help="rename one of them: a bare name means only one",
                    )


def _kind_meant(ruleset: Ruleset, name: str) -> str:
    """The kind that a subject's name stands for."""
    for kind in ruleset.kinds.values():
        for fact in kind.facts.values():
            if isinstance(fact.type, Things) and fact.type.each == name:
                return fact.type.kind
    return next((kind.name for role, kind in roles_of(ruleset) if role == name), name)


# ---- words that are never given ------------------------------------------------------------------------


def _check_words(bound: Bound, document: Node, faults: Faults) -> None:
    """Warns of a table's own words that none of its rows gives; a named list may be longer."""
    for key, node in entries(document, "tables"):
        words = node.get("words") if isinstance(node, Mapping) else None
        if not isinstance(words, Listing):
            continue
        table = bound.ruleset.tables.get(key.value)
        given = _given(bound, table) if table is not None else _printed(bound, bound.ruleset.grids[key.value])
        for word in words.items:
            if isinstance(word, Text) and word.value not in given:
                faults.add(
                    "word-never-given",
                    f"no row of `{key.value}` gives `{word.value}`",
                    word.span,
                    severity="warning",
                    help="add the row, or take the word out",
                )


def _printed(bound: Bound, grid: Grid) -> set[str]:
    """What stands in the cells of a grid, and what its footnotes and its `otherwise` say."""
    given = {str(cell) for line in grid.cells for cell in line}
    for note in grid.footnotes:
        given |= _given(bound, bound.ruleset.tables[note.table])
    return given | ({_word_said(grid.otherwise, grid.words)} if grid.otherwise is not None else set())


def _given(bound: Bound, table: Table) -> set[str]:
    read = bound.table(table.name)
    terms = [(row.row.verdict, row.verdict) for row in read.rows]
    terms += [(table.otherwise, read.otherwise), (table.value, read.value)]
    given: set[str] = set()
    for cell, term in terms:
        if cell is None or term is None:
            continue
        word = _word_said(cell, table.words)
        given |= {word} if word else set(term.type.words if isinstance(term.type, Word) else ())
    return given


def _word_said(cell: Cell, words: Iterable[str]) -> str:
    match cell.node:
        case s.Reading(path, None) if len(path.names) == 1 and path.names[0] in words:
            return path.names[0]
        case s.Literal(str(value)):
            return value
    return ""
