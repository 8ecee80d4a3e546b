"""The plan of a sweep: which fights, under which systems, what varies in them, and what is asked of each.

A plan is read aloud: `broken of g1: [no, yes]`, `number of s1: 1 to 3`, `with hand-to-hand: [no, yes]`. What varies is
a place in a fight, said as in a sentence, with the values that it takes; or a heading with settings of its own words,
each of which sets several places, in every system in that system's way. Whether a fight has such a place only the
fight knows (`asking/sweeps/grid`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingType
from collections.abc import Sequence
from math import prod

from closecombat.reading.fields import Fields, list_of, mapping_of, text_of
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_VALUES = 10_000  # of one axis
NOTHING, NO_SUCH_FIGHT = "nothing", "no-such-fight"

FACT, NUMBER, ADD, CHOICE, OPTION, WITH = "fact", "number", "add", "choice", "option", "with"
FORCES, GROUND, STATE = IN_WORDS = ("forces", "ground", "state")  # of a fight told once
PLACE, LOST, FATES, VERDICTS, LOSSES = "place", "strength-lost", "fates", "verdicts", "losses"
ASKED = (PLACE, LOST, FATES, VERDICTS, LOSSES)
BY_ENDS = frozenset((PLACE, LOST, FATES))  # what a ruleset tells that has `ends:`

NAME = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_PLACES = (  # the first that fits: the others are facts
    (NUMBER, re.compile(rf"number of (?P<of>{NAME})")),
    (ADD, re.compile(rf"add to (?P<what>{NAME}) of (?P<of>{NAME})")),
    (CHOICE, re.compile(rf"choice (?P<what>{NAME}) of (?P<of>{NAME})")),
    (OPTION, re.compile(rf"option (?P<what>{NAME})")),
    (WITH, re.compile(r"with (?P<what>[^\s+]+)")),
    (FORCES, re.compile(rf"forces of (?P<of>{NAME})")),
    (GROUND, re.compile(r"(?P<what>ground)")),
    (STATE, re.compile(r"(?P<what>state)")),
    (FACT, re.compile(rf"(?P<what>{NAME})(?: of (?P<of>{NAME}))?")),
)
_RANGE = re.compile(r"(\d{1,6}) to (\d{1,6})")
_SEVERAL = re.compile(r"(\d{1,3}) to (\d{1,3}) (.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Change:
    """One place of a fight and what stands there: a FACT `what` of the thing `of` (of the fight, if that is empty), the
    NUMBER of things like `of`, what to ADD to its set `what`, its CHOICE at the row `what`, how the OPTION `what` is
    read, whether it is played WITH the variant `what`; of a fight told once the FORCES of a side, the GROUND, the
    STATE."""

    sort: str
    what: str
    of: str
    value: Node
    span: Span

    @property
    def says(self) -> str:
        """The same for changes that do the same."""
        return f"{self.sort} {self.what} {self.of} {flow(self.value)}"


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of an axis: what it changes in every system, and in each by its name; None where a system has no such
    fight. `systems` are the names as written."""

    name: str
    changes: tuple[Change, ...]
    by_system: MappingType[str, tuple[Change, ...] | None]
    span: Span
    systems: tuple[Text, ...] = ()

    def in_system(self, system: str) -> tuple[Change, ...] | None:
        own = self.by_system.get(system, ())
        return None if own is None else (*self.changes, *own)


@dataclass(frozen=True, slots=True)
class Axis:
    """Something that varies."""

    name: str
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Question:
    """A sentence asked of every end, under a name; in some systems another sentence, or none."""

    name: Text
    sentence: Text | None
    by_system: MappingType[str, Text | None]

    def in_system(self, system: str) -> Text | None:
        return self.by_system.get(system, self.sentence)


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan as written. `systems` may be empty: all that the fights are told for. `ask` are of ASKED, perhaps none;
    `ratio` the two sides whose strength is set against each other."""

    name: str
    title: str
    fights: tuple[Text, ...]
    systems: tuple[Text, ...]
    until_resolved: bool
    axes: tuple[Axis, ...]
    ask: tuple[str, ...]
    questions: tuple[Question, ...]
    ratio: tuple[Text, Text] | None
    span: Span

    @property
    def settings(self) -> int:
        """How many there are of all axes together, for each fight in each system."""
        return prod(len(axis.settings) for axis in self.axes)


def read_plan(document: Mapping, faults: Faults) -> Plan:
    """The plan that a file describes; whatever is wrong is added to `faults`."""
    fields = Fields(document, "a plan", faults)
    name, title = fields.name("sweep"), fields.text("title")
    for key in ("about", "note"):
        fields.get(key)
    fights = faults.attempt(lambda: _texts(fields.need("fights"), "the name of a fight"))
    if fights == ():
        help = "name one: `fights: farmhouse`, or a file"
        faults.add("wrong-shape", "a plan needs a fight to start from", fields.need("fights").span, help=help)
    systems = faults.attempt(lambda: _texts(fields.get("systems"), "the name of a system"))
    until = fields.text("until")
    if until not in ("", "resolved"):
        node = fields.need("until")
        faults.add("wrong-shape", f"`{until}` is no end of a fight", node.span, help="write `until: resolved`")
    varied = fields.get("vary")
    axes = [
        axis
        for key, node in (mapping_of(varied, "what varies").entries if varied is not None else ())
        if (axis := faults.attempt(_axis, key, node, faults)) is not None
    ]
    _check_places(axes, faults)
    ask, questions = _asked(fields.get("ask"), faults)
    ratio = faults.attempt(_ratio, fields.get("ratio"))
    fields.done()
    return Plan(
        name,
        title or name,
        fights or (),
        systems or (),
        until == "resolved",
        tuple(axes),
        ask,
        questions,
        ratio,
        document.span,
    )


def _check_places(axes: Sequence[Axis], faults: Faults) -> None:
    """Adds a place that is set under two headings: one would be undone by the other, and named in its rows all the
    same. What is added to a set, and variants, stand beside each other."""
    known: dict[tuple[str, str, str], list[tuple[str, Axis]]] = {}
    for axis in axes:
        changes = [("", each) for one in axis.settings for each in one.changes]
        changes += [(its, each) for one in axis.settings for its, own in one.by_system.items() for each in own or ()]
        for system, each in changes:
            if each.sort in (ADD, WITH):
                continue
            there = known.setdefault((each.sort, each.what, each.of), [])
            first = next((other for its, other in there if not (system and its and system != its)), axis)
            there.append((system, axis))
            if first is not axis:
                said = f"`{axis.name}` sets what `{first.name}` sets too"
                help = "vary each place under one heading"
                faults.add("duplicate-id", said, each.span, labels=((first.span, "here"),), help=help)


def _texts(node: Node | None, what: str) -> tuple[Text, ...]:
    found: list[Text] = []
    for item in () if node is None else list_of(node):
        text = text_of(item, what)
        if not isinstance(item, Text) or not text:
            raise Faulty.one("wrong-shape", f"nothing stands where {what} should", item.span, help="write its name")
        if any(text == other.value for other in found):
            raise Faulty.one("duplicate-id", f"`{text}` is named twice", item.span, help="take one of them out")
        found.append(item)
    return tuple(found)


# ---- what varies ------------------------------------------------------------------------------------------


def _axis(key: Text, node: Node, faults: Faults) -> Axis:
    if isinstance(node, Mapping) and not key.value.strip().startswith("add to "):
        settings = tuple(
            setting
            for name, told in node.entries
            if (setting := faults.attempt(_setting, name, told, faults)) is not None
        )
    else:
        is_force = key.value.strip().startswith("forces of ")
        settings = tuple(
            Setting(_said(value), (_change(key, value),), {}, value.span)
            for value in (_forces(node) if is_force else _values(node))
        )
    if not settings and not faults.has_errors:
        raise Faulty.one("wrong-shape", f"`{key.value}` takes no values", key.span, help="list them: `[no, yes]`")
    seen: dict[str, Span] = {}
    for one in settings:
        if one.name in seen:
            faults.add("duplicate-id", f"`{key.value}` is `{one.name}` twice", one.span, help="take one of them out")
        seen[one.name] = one.span
    return Axis(" ".join(key.value.split()), settings, key.span)


def _values(node: Node) -> tuple[Node, ...]:
    """The values in a list, each range of whole numbers written out."""
    out: list[Node] = []
    for item in list_of(node):
        found = _RANGE.fullmatch(item.value.strip()) if isinstance(item, Text) else None
        if found is None or not isinstance(item, Text):
            out.append(item)
            continue
        low, high = int(found[1]), int(found[2])
        if low > high:
            help = f"write `{high} to {low}`"
            raise Faulty.one("out-of-range", f"`{item.value}` holds no number", item.span, help=help)
        if len(out) + high - low >= MOST_VALUES:
            raise Faulty.one(
                "budget-exceeded",
                f"more than {MOST_VALUES:,} values vary in one place",
                item.span,
                help="make steps: `[10, 20, 30]`",
            )
        out += (Text(str(number), item.span, True, item.span) for number in range(low, high + 1))
    return tuple(out)


def _said(value: Node) -> str:
    """A value as it is called in the rows."""
    return " ".join((value.value if isinstance(value, Text) else flow(value)).split())


def _forces(node: Node) -> tuple[Node, ...]:
    """The forces in a list, `1 to 3 archers, captain` written out."""
    out: list[Node] = []
    for item in list_of(node):
        found = _SEVERAL.fullmatch(item.value.strip()) if isinstance(item, Text) else None
        if found is None or not isinstance(item, Text):
            out.append(item)
            continue
        low, high = int(found[1]), int(found[2])
        if low > high:
            help = f"write `{high} to {low} {found[3]}`"
            raise Faulty.one("out-of-range", f"`{item.value}` holds no number", item.span, help=help)
        out += (Text(f"{number} {found[3]}", item.span, True, item.span) for number in range(low, high + 1))
    return tuple(out)


def _setting(name: Text, node: Node, faults: Faults) -> Setting:
    """What stands under a name of its own: places and what they become, or systems and of each its places."""
    changes: list[Change] = []
    by_system: dict[str, tuple[Change, ...] | None] = {}
    systems: list[Text] = []
    for key, value in _entries(node, name):
        said = value.value.strip() if isinstance(value, Text) else ""
        if re.fullmatch(NAME, key.value.strip()) and (isinstance(value, Mapping) or said in (NOTHING, NO_SUCH_FIGHT)):
            told = () if said else tuple(_changes(value, key, faults))
            systems.append(key)
            by_system[key.value.strip()] = None if said == NO_SUCH_FIGHT else told
        elif (change := faults.attempt(_change, key, value)) is not None:
            changes.append(change)
    return Setting(" ".join(name.value.split()), tuple(changes), by_system, name.span, tuple(systems))


def _changes(node: Node, name: Text, faults: Faults) -> list[Change]:
    return [
        change for key, value in _entries(node, name) if (change := faults.attempt(_change, key, value)) is not None
    ]


def _entries(node: Node, name: Text) -> tuple[tuple[Text, Node], ...]:
    if isinstance(node, Text) and node.value.strip() in ("", NOTHING):
        return ()
    if not isinstance(node, Mapping):
        raise Faulty.one(
            "wrong-shape",
            f"nothing says what `{name.value}` changes",
            node.span,
            help="write places and what they become, `{broken of g1: yes}`, or `nothing`",
        )
    return node.entries


def _change(key: Text, value: Node) -> Change:
    said = " ".join(key.value.split())
    for sort, pattern in _PLACES:
        if found := pattern.fullmatch(said):
            names = found.groupdict()
            return Change(sort, names.get("what") or "", names.get("of") or "", value, key.span)
    raise Faulty.one(
        "sentence-syntax",
        f"`{said}` is no place of a fight",
        key.span,
        help="write `FACT of NAME`, `FACT` of the fight, `number of NAME`, `choice ROW of NAME`, `option NAME`, "
        "`add to FACT of NAME` or `with VARIANT`; of a fight told once `forces of SIDE`, `ground` or `state`",
    )


# ---- what is asked ----------------------------------------------------------------------------------------


def _asked(node: Node | None, faults: Faults) -> tuple[tuple[str, ...], tuple[Question, ...]]:
    ask: dict[str, None] = {}
    questions: dict[str, Question] = {}
    for item in () if node is None or (isinstance(node, Text) and not node.value.strip()) else list_of(node):
        if isinstance(item, Text):
            said = item.value.strip()
            if said in ASKED:
                ask[said] = None
            elif (near := suggest(said, ASKED)) and " " not in said:
                faults.add("unknown-word", f"`{said}` cannot be asked", item.span, help=near)
            else:
                questions[said] = Question(item, item, {})
        elif isinstance(item, Mapping):
            for name, told in item.entries:
                if (question := faults.attempt(_question, name, told)) is not None:
                    if name.value in questions:
                        faults.add("duplicate-id", f"`{name.value}` is asked twice", name.span, help="rename one")
                    questions[name.value] = question
        else:
            faults.add("wrong-shape", "a list stands where a question should", item.span, help="write each by itself")
    return tuple(ask), tuple(questions.values())


def _question(name: Text, told: Node) -> Question:
    if isinstance(told, Listing):
        raise Faulty.one("wrong-shape", "a list stands where a sentence should", told.span, help="ask one thing")
    if isinstance(told, Text):
        return Question(name, told, {})
    by_system: dict[str, Text | None] = {}
    for system, sentence in told.entries:
        text = text_of(sentence, "a sentence")
        by_system[system.value] = sentence if isinstance(sentence, Text) and text != NOTHING else None
    return Question(name, None, by_system)


def _ratio(node: Node | None) -> tuple[Text, Text] | None:
    """`soviet to german`: whose strength stands before, and whose behind."""
    if node is None:
        return None
    said = text_of(node, "two sides")
    if not isinstance(node, Text) or not (found := re.fullmatch(rf"({NAME}) +to +({NAME})", said)):
        raise Faulty.one(
            "wrong-shape", f"`{said}` does not say who is set against whom", node.span, help="write `red to blue`"
        )
    return Text(found[1], node.span, True, node.span), Text(found[2], node.span, True, node.span)


def is_rows(name: str) -> bool:
    """Whether a name is that of a file of rows, as a sweep writes it and a curve is read from, and not of a fight."""
    return name.lower().endswith((".csv", ".jsonl"))
