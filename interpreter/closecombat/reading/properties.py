"""Properties: claims that a ruleset makes about itself, one line each.

    more-firepower: {about: unit, with: more firepower, never: less strength-lost of enemy of side, says: ..}

is read *with more firepower, never less strength lost of the enemy*. What stands beside these keys are columns, as in a
row of a table: the claim is only made of those of whom they are so. What is claimed, and of whom, are tables under
names that no sentence can say; whether it holds is looked for by `asking/claims/properties`.
"""

from __future__ import annotations

import re

from closecombat.reading.charts import read_row
from closecombat.reading.fields import Fields, cell_of, list_of, name_of, text_of
from closecombat.reading.model import Named, Origin, Property, PropertyStep, Table
from closecombat.reading.syntax import Cell
from closecombat.text.faults import Faults, Faulty
from closecombat.text.nodes import Mapping, Node, Text
from closecombat.text.source import Source, Span

MORE, LESS, YES, NO, BECOMES = "more", "less", "yes", "no", "becomes"
OWN = ("about", "with", "never", "says", "scale", "fails")
REMARKS = ("cites", "assumed", "note", "title")
NAME = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
WORD = r"\S+"  # of a list, as it is printed
STEPS = (
    (MORE, re.compile(rf"more ({NAME})(?: for ({WORD}))?")),
    (LESS, re.compile(rf"less ({NAME})(?: for ({WORD}))?")),
    (NO, re.compile(rf"not ({NAME})()")),
    (BECOMES, re.compile(rf"({NAME}) is ({WORD})")),
    (YES, re.compile(rf"({NAME})()")),
)
NEVER = re.compile(r"\s*(more|less)(\s+often)?\s+(?=\S)")
_HOW_STEPS = "write `with: broken`, `with: not broken`, `with: more firepower`, or `with: terrain is woods`"
_HOW_NEVER = "write `never: more ..` or `never: less ..`; of what is so or not, `never: more often ..`"


def read_property(key: Text, node: Node, faults: Faults) -> tuple[Property, dict[str, Table]]:
    """A claim, and the tables that say what it is about: whether it is made of somebody, and what never changes."""
    name = name_of(key, "the name of a property")
    fields = Fields(node, f"property `{name}`", faults)
    kind = name_of(fields.need("about"), "a kind")
    steps = _steps(fields.need("with"))
    wanted = fields.need("never")
    text = text_of(wanted, "a claim such as `less strength-lost of side`")
    said = NEVER.match(wanted.literal) if isinstance(wanted, Text) else None
    if said is None or not isinstance(wanted, Text):
        raise Faulty.one("wrong-shape", f"`{text}` does not say what never happens", wanted.span, help=_HOW_NEVER)
    says = text_of(fields.need("says"), "the claim in a sentence")
    listed = fields.get("scale")
    scale = tuple(tuple(_words(item)) for item in list_of(listed)) if listed else ()
    where = fields.origin()
    value, case = f"value of {name}", f"case of {name}"
    tables = {value: _table(value, kind, _rest(wanted, said.end()), where.place)}
    if of_whom := _columns(fields.node):
        row = read_row(key, of_whom, "first-of", faults)
        no = cell_of(_word("no", key.span), "value")
        tables[case] = Table(case, "", (kind,), "first-of", (row,), None, no, (), None, None, None, "", row.where)
    claim = Property(
        name,
        says,
        Named(kind, fields.need("about").span),
        steps,
        said[1] == MORE,
        bool(said[2]),
        value,
        case if case in tables else "",
        scale,
        listed.span if listed else where.place,
        fields.text("fails"),
        where,
    )
    return claim, tables


def _steps(node: Node) -> tuple[PropertyStep, ...]:
    steps = tuple(map(_step, list_of(node)))
    if not steps:
        raise Faulty.one("missing-key", "nothing says what is stepped", node.span, help=_HOW_STEPS)
    told: set[tuple[str, str]] = set()
    for step in steps:
        key = step.fact.name, step.word if step.how in (MORE, LESS) else ""
        if key in told:
            said = f"`{step.fact.name}` is stepped twice"
            raise Faulty.one("duplicate-id", said, step.fact.place, help="one step of a fact is enough for a claim")
        told.add(key)
    return steps


def _step(node: Node) -> PropertyStep:
    text = text_of(node, "what is stepped, such as `more firepower`")
    for how, pattern in STEPS:
        if found := pattern.fullmatch(text):
            return PropertyStep(Named(found[1], node.span), how, found[2] or "")
    raise Faulty.one("wrong-shape", f"`{text}` does not say what is stepped", node.span, help=_HOW_STEPS)


def _words(node: Node) -> list[str]:
    """The words of one step of a scale, which are as good as each other."""
    return [word.strip() for word in text_of(node, "a word, or several joined by `or`").split(" or ")]


def _table(name: str, kind: str, value: Cell, place: Span) -> Table:
    return Table(name, "", (kind,), "is", (), value, None, (), None, None, None, "", Origin(place))


def _rest(node: Text, start: int) -> Cell:
    """The sentence in a text from a place on."""
    content = Span(node.content.source, node.content.start + start, node.content.end)
    return cell_of(Text(content.text, content, node.plain, content, node.escaped), "value")


def _columns(node: Mapping) -> Mapping | None:
    """Whatever is asked of those whom a claim is about, as a row that says yes."""
    asked = tuple(entry for entry in node.entries if entry[0].value not in (*OWN, *REMARKS))
    if not asked:
        return None
    at = asked[0][0].span
    return Mapping((*asked, (_word("is", at), _word("yes", at))), node.span)


def _word(text: str, at: Span) -> Text:
    """What is meant where nobody writes it."""
    return Text(text, at, True, Span(Source("<left out>", text), 0, len(text)))
