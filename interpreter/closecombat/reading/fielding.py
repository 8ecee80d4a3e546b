"""What a system fields for the words of the order of battle: a file `fields:`, a row or several for each word.

A row says when it holds, what it puts into the fight, why, and with which clause; or that the system has no such rule,
or no such fight. What it puts there is a piece of a situation as anybody would write it, with names that are not known
yet in angle brackets: `<unit>`, `<side>`, `<enemy>`, and for a class of units the first of it on its side, `<men>`.
A number with a sign adds to what is there. How the pieces become a fight is `reading/told_once`.

A row under `every-fight`, of the ground or of the circumstances is carried out once for each whom it speaks of: for
each unit if it says anything of a unit, else for each side, else for the fight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from dataclasses import field
from pathlib import PurePath

from closecombat.reading.battle_words import ARMY, CARRIED, CIRCUMSTANCE, CONCEPT, GROUND, STATE, UNIT, Words, pieces
from closecombat.reading.fields import Fields, list_of, mapping_of, text_of
from closecombat.reading.model import Named
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

ROLES = ("attacking", "defending")
PLACES = ("first", "second", "further", "alone")
ABOUT = (
    "beside",
    "facing",
    "any",
    "behind",
)  # some other of the side, some enemy, anybody; whoever is first of the side
HERE = ("unit", "body", "first")  # names in angle brackets that only a unit has
EVERY = "every-fight"
PUTS = ("fight", "side", "unit", "situation", "choices", "options")
OF_ENEMY = "enemy "
LONGEST_WORTH = 12
NAMED = re.compile(r"<([a-z-]+)>")
FIGHT, SIDE, ONE = "fight", "side", "unit"
FIELDED = (UNIT, CARRIED, STATE, GROUND, CIRCUMSTANCE)


AnyOf = tuple[tuple[str, bool], ...]  # words of which one must be so, or not so: of the unit itself, or of another


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that a word does. `puts` are pieces of a fight by where they belong; `whose` is for whom it is carried
    out, or it is for each enemy of the class `of_enemies`; `rule` says why there is no such rule, `fight` by which
    clause there is no such fight."""

    word: str
    when: tuple[AnyOf, ...]
    of_enemies: str
    puts: tuple[tuple[str, Node], ...]
    whose: str
    why: str
    cites: tuple[str, ...]
    worth: str
    rule: str
    fight: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fielding:
    """What a system fields. `units` says for each class of units where its facts stand, nothing if nowhere; `concepts`
    what in its rules a concept, or a word beyond what is fielded for it, is called: facts, words, charts, rows."""

    system: str
    every: tuple[Row, ...]
    words: MappingType[str, tuple[Row, ...]]
    units: MappingType[str, str]
    span: Span
    concepts: MappingType[str, tuple[Named, ...]] = field(default_factory=dict)

    def rows(self) -> Iterator[Row]:
        yield from self.every
        for rows in self.words.values():
            yield from rows


def read_fielding(words: Words, documents: Iterable[Mapping], faults: Faults) -> Fielding:
    """The translations of several files, each laid over those before it: the words that it has are said anew."""
    every: list[Row] = []
    known: dict[str, tuple[Row, ...]] = {}
    units: dict[str, str] = {}
    concepts: dict[str, tuple[Named, ...]] = {}
    system, span = "", None
    for document in documents:
        fields = Fields(document, "what a system fields", faults)
        system = system or PurePath(document.span.source.name).stem
        span = span or document.span
        for told in ("fields", "title", "about", "note"):
            fields.get(told)
        for key, node in _entries(fields.get("units"), "where units stand"):
            if key.value not in words.kinds:
                help = suggest(key.value, words.kinds) or "the classes are " + ", ".join(words.kinds)
                faults.add("unknown-word", f"no unit is of the class `{key.value}`", key.span, help=help)
            units[key.value] = text_of(node, "where they stand")
        if (of_all := fields.get(EVERY)) is not None:
            every += _rows(words, "", of_all, faults)
        for key, node in _entries(fields.get("words"), "words and what is fielded for them"):
            name = words.said.get(pieces(key.value), "")
            if not name or words.known[name].sort in (ARMY, CONCEPT):
                _nobody_asks(key, words.of(*FIELDED), faults)
                continue
            known[name] = _rows(words, name, node, faults)
        for key, node in _entries(fields.get("concepts"), "concepts and what they are called in the rules"):
            name = words.said.get(pieces(key.value), "")
            if not name or words.known[name].sort == ARMY:
                _nobody_asks(key, words.of(*FIELDED, CONCEPT), faults)
                continue
            listed = [Named(text_of(one, "a name in the rules"), one.span) for one in list_of(node)]
            concepts[name] = tuple(listed)
        fields.done()
    if span is None:
        raise Faulty.one("missing-key", "nothing says what is fielded")
    return Fielding(system, tuple(every), known, units, span, concepts)


def _nobody_asks(key: Text, known: Iterable[str], faults: Faults) -> None:
    faults.add(
        "unused-translation",
        f"`{key.value}` is no word of the order of battle, so nobody asks for it",
        key.span,
        help=suggest(key.value, known) or "list it in an order of battle, or take it out",
        severity="warning",
    )


def _entries(node: Node | None, what: str) -> tuple[tuple[Text, Node], ...]:
    return () if node is None else mapping_of(node, what).entries


def _rows(words: Words, word: str, node: Node, faults: Faults) -> tuple[Row, ...]:
    if isinstance(node, Text) and node.value.strip() == "nothing":
        return (Row(word, (), "", (), FIGHT, "", (), "nothing", "", "", node.span),)
    found = [faults.attempt(_row, words, word, item, faults) for item in list_of(node)]
    return tuple(row for row in found if row is not None)


def _row(words: Words, word: str, node: Node, faults: Faults) -> Row:
    fields = Fields(node, f"what is fielded for `{word}`" if word else "a row of every fight", faults)
    when = _when(words, fields.get("when"), faults)
    of_whom, why, worth = fields.text("of"), fields.text("why"), fields.text("worth")
    rule, fight, cites = fields.text("no-such-rule"), fields.text("no-such-fight"), fields.texts("cites")
    puts = tuple((key, found) for key in PUTS if (found := fields.get(key)) is not None)
    fields.done()
    span = fields.span
    if of_whom and of_whom.removeprefix(OF_ENEMY) not in words.kinds:
        enemies = [f"{OF_ENEMY}{kind}" for kind in words.kinds]
        help = suggest(of_whom, enemies) or "write " + " or ".join(f"`of: {each}`" for each in enemies)
        faults.add("unknown-word", f"`{of_whom}` is nobody here", fields.need("of").span, help=help)
    if len(worth) > LONGEST_WORTH:
        faults.add(
            "out-of-range",
            f"`{worth}` has more than {LONGEST_WORTH} letters",
            fields.need("worth").span,
            help="say it in a word or two; `why` says more",
        )
    if fight and not why:
        faults.add("missing-key", "nothing says why there is no such fight", span.part(0, 1), help="add `why: ..`")
    for name, place in _named(puts):
        known = (*HERE, *ROLES_NAMED, *words.kinds)
        if name not in known:
            help = suggest(name, known) or "there are " + ", ".join(f"`<{each}>`" for each in known)
            faults.add("unknown-name", f"nobody is called `<{name}>`", place, help=help)
    _contradicts(words, when, fields, faults)
    return Row(
        word,
        when,
        of_whom.removeprefix(OF_ENEMY),
        puts,
        _whose(words, when, puts),
        why,
        cites,
        worth,
        rule,
        fight,
        span,
    )


ROLES_NAMED = ("side", "enemy", "attacker", "defender")


def _named(puts: Iterable[tuple[str, Node]]) -> Iterator[tuple[str, Span]]:
    """Every name in angle brackets, with its place."""
    for _, node in puts:
        yield from _names_in(node)


def _names_in(node: Node) -> Iterator[tuple[str, Span]]:
    match node:
        case Text():
            yield from ((name, node.span) for name in NAMED.findall(node.value))
        case Listing(items):
            for item in items:
                yield from _names_in(item)
        case Mapping(entries):
            for key, value in entries:
                yield from ((name, key.span) for name in NAMED.findall(key.value))
                yield from _names_in(value)


def _whose(words: Words, when: Iterable[AnyOf], puts: tuple[tuple[str, Node], ...]) -> str:
    """For whom a row is carried out that no unit brings with it."""
    names = {name for name, _ in _named(puts)}
    asked = {word for any_of in when for word, _ in any_of}
    own = set(words.of(ARMY, UNIT, CARRIED, STATE)) | set(words.kinds) | set(PLACES)
    is_behind = any(each.startswith("behind ") for each in asked)
    if names & set(HERE) or any(key == ONE for key, _ in puts) or asked & own or is_behind:
        return ONE
    if names & {"side", "enemy", *words.kinds} or any(key == SIDE for key, _ in puts) or asked & set(ROLES):
        return SIDE
    if any(each.split(" ")[0] in ABOUT[:2] for each in asked):
        return SIDE
    return FIGHT


# ---- when a row holds ------------------------------------------------------------------------------------


def _when(words: Words, node: Node | None, faults: Faults) -> tuple[AnyOf, ...]:
    """`attacking and archer or slinger and not tired`: all that stands between the `and`, and of each one of what
    stands between the `or`; `not` goes before one word."""
    found: list[AnyOf] = []
    for part in text_of(node, "when it holds").split(" and ") if node is not None else ():
        said = [each.strip() for each in part.split(" or ")]
        found.append(
            tuple(
                (_literal(words, each.removeprefix("not ").strip(), node, faults), not each.startswith("not "))
                for each in said
                if node is not None
            )
        )
    return tuple(found)


def _literal(words: Words, said: str, node: Node, faults: Faults) -> str:
    about, _, rest = said.partition(" ")
    if about in ABOUT and rest:
        return f"{about} {_known(words, rest, node, faults, (*words.kinds, *words.of(ARMY, UNIT, CARRIED, STATE)))}"
    return _known(words, said, node, faults, (*ROLES, *PLACES, *words.kinds, *words.known))


def _known(words: Words, said: str, node: Node, faults: Faults, known: tuple[str, ...]) -> str:
    name = said if said in known else words.said.get(pieces(said), "")
    if name not in known:
        help = suggest(said, known) or "ask for a word of the order of battle, or " + ", ".join((*ROLES, *PLACES))
        faults.add("unknown-word", f"`{said}` is nothing that a row can ask for", node.span, help=help)
    return name or said


def _contradicts(words: Words, when: tuple[AnyOf, ...], fields: Fields, faults: Faults) -> None:
    """A row that never holds is fielded for nobody."""
    alone = [any_of[0] for any_of in when if len(any_of) == 1]
    so, not_so = ({word for word, wanted in alone if wanted is which} for which in (True, False))
    apart = (ROLES, words.of(ARMY), words.of(UNIT), words.kinds)
    found = [tuple(each for each in names if each in so) for names in apart]
    both = next((names[:2] for names in found if len(names) > 1), None) or tuple(sorted(so & not_so))
    if both:
        said = f"nobody is `{both[0]}` and {f'`{both[1]}`' if len(both) > 1 else 'not'}"
        faults.add(
            "unused-translation",
            f"this row never holds: {said}",
            fields.need("when").span,
            help="take one of them out",
            severity="warning",
        )


def holds(row: Row, true: frozenset[str]) -> bool:
    """Whether a row holds where these words are so."""
    return all(any((word in true) is wanted for word, wanted in any_of) for any_of in row.when)
