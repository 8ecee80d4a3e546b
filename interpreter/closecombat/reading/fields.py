"""Reading one mapping key by key, so that every wrong or left-over key is reported at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeVar

from closecombat.reading.model import Origin
from closecombat.reading.sentences import parse
from closecombat.reading.spellings import for_key, for_name
from closecombat.reading.syntax import Cell
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.source import Span

T = TypeVar("T")
MOST_DIGITS = 4_000  # of a fraction: as many as the program prints
FRACTION = re.compile(rf"([+-]?[0-9]{{1,{MOST_DIGITS}}})(?:/([0-9]{{1,{MOST_DIGITS}}}))?")
NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
PRINTED = re.compile(r"(?![-+]?[a-z][^A-Z0-9]*\Z)(?:[^\W_]|[-*+/.!?%&#()†‡']){1,24}\Z")  # A1/D2, 2k, *


def expected(what: str, node: Node, help: str = "") -> Faulty:
    """The fault that a place holds another shape than `what`."""
    return Faulty.one("wrong-shape", f"{form_of(node)} stands where {what} should", node.span, help=help)


def form_of(node: Node) -> str:
    """What stands somewhere, as those say it who write it."""
    match node:
        case Mapping():
            return "a line of braces"
        case Listing():
            return "a list"
    return "one text" if node.value.strip() else "nothing"


def text_of(node: Node, what: str) -> str:
    if isinstance(node, Listing) and len(node.items) == 1 and isinstance(node.items[0], Text):
        raise expected(what, node, f"write it without brackets: `{node.items[0].value.strip()}`")
    if not isinstance(node, Text):
        raise expected(what, node, "write one text or name, without brackets or braces")
    return node.value.strip()


def name_of(node: Node, what: str) -> str:
    """A lower-case hyphenated name."""
    value = text_of(node, what)
    if not NAME.match(value):
        raise Faulty.one("wrong-shape", f"`{value}` cannot be {what}", node.span, help=for_name(value, what))
    return value


def word_of(node: Node, what: str) -> str:
    """A name, or what a chart prints in its place: `DE`, `A1/D2`, `2k`, `-`, `*`; capitals are kept."""
    value = text_of(node, what)
    return value if PRINTED.match(value) else name_of(node, what)


def list_of(node: Node) -> tuple[Node, ...]:
    """The items of a list; a single value counts as a list of one."""
    return node.items if isinstance(node, Listing) else (node,)


def mapping_of(node: Node, what: str) -> Mapping:
    if isinstance(node, Mapping):
        return node
    if isinstance(node, Text) and not node.value.strip():
        return Mapping((), node.span)
    if isinstance(node, Listing):
        first = f"`name: {flow(node.items[0])}`" if node.items else "`name: ..`"
        said = (
            "each begins with a name, not with `-`"
            if node.span.text[:1] == "-"
            else f"a list stands where {what} should"
        )
        raise Faulty.one("wrong-shape", f"{said}", node.span, help=f"write {first}, and so each of them")
    help = "write `name: ..`, a line for each, or all in braces, `{name: .., name: ..}`"
    raise expected(f"{what}, written as `name: ..`,", node, help)


def says_nothing(node: Node | None) -> bool:
    """Whether nothing stands there, or only names of which nothing is said. `causes: {..: {}}` says there are none."""
    if isinstance(node, Mapping):
        return all(
            isinstance(value, Mapping) and not value.entries if key.value == "causes" else says_nothing(value)
            for key, value in node.entries
        )
    return node is None or (isinstance(node, Text) and node.plain and not node.value)


def child(node: Node | None, key: str) -> Node | None:
    """What stands under a key, if the node is a mapping that has it."""
    return node.get(key) if isinstance(node, Mapping) else None


def entries(node: Node | None, key: str) -> tuple[tuple[Text, Node], ...]:
    """The entries of the mapping under a key; none if there is no such mapping."""
    found = child(node, key)
    return found.entries if isinstance(found, Mapping) else ()


def place_of(node: Node | None, key: str) -> Span | None:
    """Where the value of a key stands."""
    found = child(node, key)
    return found.span if found is not None else None


def yes_no(node: Node) -> bool:
    value = text_of(node, "yes or no")
    if value not in ("yes", "no"):
        raise Faulty.one("wrong-type", f"`{value}` is neither yes nor no", node.span, help="write `yes` or `no`")
    return value == "yes"


def are_yes_and_no(node: Node) -> bool:
    """Whether a list is `[yes, no]`, which is no list of words."""
    words = {one.value.lower() for one in node.items if isinstance(one, Text)} if isinstance(node, Listing) else set()
    return words == {"yes", "no"}


def whole(node: Node, what: str) -> int:
    value = text_of(node, what)
    if not re.fullmatch(r"[+-]?\d{1,6}", value):
        help = "write it in figures, such as `2`"
        raise Faulty.one("wrong-type", f"`{value}` is not {what}", node.span, help=help)
    return int(value)


class Fields:
    """One mapping and which of its keys have been read. `done()` reports the rest.

    A value that cannot be read is reported and counts as left out; only `need` raises.
    """

    def __init__(self, node: Node, what: str, faults: Faults) -> None:
        self.node = mapping_of(node, what)
        self.what, self.faults = what, faults
        self.span: Span = node.span
        self._known: dict[str, None] = {}

    def get(self, key: str) -> Node | None:
        self._known[key] = None
        return self.node.get(key)

    def need(self, key: str) -> Node:
        found = self.get(key)
        if found is None:
            for other, _ in self.node.entries:
                if help := for_key(other.value, (key,)):
                    raise Faulty.one("unknown-key", f"{self.what} has no `{other.value}:`", other.span, help=help)
            raise Faulty.one("missing-key", f"{self.what} needs `{key}:`", self.span, help=f"add `{key}: ..`")
        return found

    def text(self, key: str, default: str = "") -> str:
        return self._read(key, default, lambda node: text_of(node, f"text for `{key}`"))

    def name(self, key: str, default: str = "") -> str:
        return self._read(key, default, lambda node: name_of(node, f"a name for `{key}`"))

    def texts(self, key: str) -> tuple[str, ...]:
        return self._read(key, (), lambda node: tuple(text_of(item, f"text in `{key}`") for item in list_of(node)))

    def names(self, key: str) -> tuple[str, ...]:
        node = self.get(key)
        if isinstance(node, Text):
            return tuple(part.strip() for part in node.value.split(",") if part.strip())
        return self.texts(key)

    def flag(self, key: str) -> bool:
        return self._read(key, False, yes_no)

    def cell(self, key: str, start: str) -> Cell | None:
        return self._read(key, None, lambda node: cell_of(node, start))

    def _read(self, key: str, silent: T, read: Callable[[Node], T]) -> T:
        node = self.get(key)
        found = None if node is None else self.faults.attempt(read, node)
        return silent if found is None else found

    def origin(self) -> Origin:
        self.get("title")
        return Origin(self.span, self.texts("cites"), self.texts("assumed"), self.text("note"))

    def rest(self) -> Iterator[tuple[Text, Node]]:
        """The entries whose keys nobody has asked for yet."""
        return ((key, node) for key, node in self.node.entries if key.value not in self._known)

    def done(self) -> None:
        for key, node in self.rest():
            value = node.value if isinstance(node, Text) else ""
            hint = for_key(key.value, self._known, value) or suggest(key.value, self._known)
            if found := re.fullmatch(r"([\w-]+) ?\{.*", key.value):
                hint = f"a colon and a space stand between them: `{found[1]}: {{`"
            hint = hint or "known here: " + ", ".join(sorted(self._known))
            self.faults.add("unknown-key", f"{self.what} has no `{key.value}:`", key.span, help=hint)


def as_one_text(node: Node, start: str) -> Faulty:
    """The fault that a list, or braces, stand where a sentence should, by what the sentence is for."""
    words = [item.value.strip() for item in node.items if isinstance(item, Text)] if isinstance(node, Listing) else []
    if len(words) < 2:
        return expected("a sentence", node, "write one sentence")
    said, help = {
        "test": ("the words that it may be are joined by `or`", f"write `{' or '.join(words)}`"),
        "condition": ("conditions are joined by `and`", f"write `{' and '.join(words)}`"),
        "throw": (
            "each throw is a row of its own",
            f"write `roll: {words[0]}` in this row, and `roll: {words[1]}` in one below it",
        ),
        "value": (
            "a value is one thing",
            f"write `{' + '.join(words)}`, `the higher of {words[0]} and {words[1]}`, or a table for each",
        ),
    }.get(start, ("one sentence stands here", f"write `{words[0]}`, and the others in rows of their own"))
    return Faulty.one("wrong-shape", said, node.span, help=help)


def cell_of(node: Node, start: str) -> Cell:
    if not isinstance(node, Text):
        raise as_one_text(node, start)
    return parse(node, start)


def fraction_of(text: str) -> Fraction | None:
    """An exact number as the program prints it, `-7` or `5/36`; None if it is none."""
    found = FRACTION.fullmatch(text)
    below = int(found[2] or 1) if found else 0
    return Fraction(int(found[1]), below) if found and below else None


def chance_of(node: Node) -> tuple[Fraction, Fraction]:
    """The least and the most that a chance may be to be the one written: `5/36` is just that, `17.92%` is that to
    so many digits; `0%` is never and `100%` always. Raises Faulty for what is no chance."""
    text = text_of(node, "a chance")
    stated, half = fraction_of(text), Fraction(0)
    if found := re.fullmatch(r"([+-]?\d{1,9}(?:\.(\d{1,30}))?)%", text):
        stated = Fraction(found[1]) / 100
        if found[2] or stated not in (0, 1):
            half = Fraction(1, 200 * 10 ** len(found[2] or ""))
    if stated is None:
        help = "write a fraction such as `5/36`, or `13.89%`"
        raise Faulty.one("wrong-type", f"`{text}` is not a chance", node.span, help=help)
    if not 0 <= stated <= 1:
        help = "a chance is a fraction between 0 and 1, or 0% to 100%"
        raise Faulty.one("out-of-range", f"`{text}` is not a chance", node.span, help=help)
    return stated - half, stated + half
