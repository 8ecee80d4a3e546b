"""The words in which a fight is told once for all systems, and a force said in them: `3 archers, captain, tired`.

The words stand in a file, `order-of-battle:`, and not here: units, what they carry, how they are, where and when it is.
A force is read aloud: parts with commas between them, each a number, a unit, and whatever is said of it; a part without
a unit is said of the whole force, but a thing that is carried is given to those who were named last. A project may have
words of its own, which are laid over those that come with the package.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as MappingType
from dataclasses import replace

from closecombat.reading.fields import Fields, mapping_of, text_of
from closecombat.text.faults import Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

SORTS = ("armies", "units", "carried", "states", "grounds", "circumstances", "concepts")
ARMY, UNIT, CARRIED, STATE, GROUND, CIRCUMSTANCE, CONCEPT = SORTS  # a concept is not said of a fight
OF_MEN = (ARMY, UNIT, CARRIED, STATE)  # what is said in a force
MOST_UNITS = 100  # of a side
JOINTS = ("with", "and", "a", "an", "the", "of", "in", "at", "on", "under")  # say nothing by themselves
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SHAPE = re.compile(r"[a-z][a-z0-9]*(?:[ -][a-z0-9]+)*")
TOKEN = re.compile(r"[^\s-]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the order of battle. `shown` is what it is called where there is little room; of a unit, `kind` is the
    class that it is of and `letter` what its names begin with. Who `counts` is first or second of his side; whoever is
    a word of another sort is said of does not count if the word does not."""

    name: str
    sort: str
    means: str
    shown: str
    kind: str
    letter: str
    counts: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Words:
    """Every word, and how each may be said: the pieces of a phrase -> the word."""

    known: MappingType[str, Word]
    said: MappingType[tuple[str, ...], str]
    longest: int

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes that units are of."""
        return tuple(dict.fromkeys(word.kind for word in self.known.values() if word.kind))

    def of(self, *sorts: str) -> tuple[str, ...]:
        return tuple(name for name, word in self.known.items() if word.sort in sorts)


@dataclass(frozen=True, slots=True)
class One:
    """Somebody of a force: his name in the fight, and every word that is said of him beside what he is."""

    name: str
    word: Word
    army: str
    says: tuple[str, ...]
    counts: bool
    span: Span
    is_guessed: bool = False  # the army, since nobody says it: the first that there is


@dataclass(frozen=True, slots=True)
class Part:
    """So many alike, as they were said. `said` is where each word stands."""

    number: int
    unit: Word | None
    says: tuple[Word, ...]
    span: Span


# ---- the words -------------------------------------------------------------------------------------------


def read_words(documents: Iterable[Mapping], faults: Faults) -> Words:
    """The words of several files, each laid over those before it."""
    known: dict[str, Word] = {}
    said: dict[tuple[str, ...], str] = {}
    for document in documents:
        fields = Fields(document, "an order of battle", faults)
        for told in ("order-of-battle", "title", "about", "note", "systems"):
            fields.get(told)
        for sort in SORTS:
            node = fields.get(sort)
            for key, line in mapping_of(node, sort).entries if node is not None else ():
                if (found := faults.attempt(_word, key, line, sort, faults)) is not None:
                    word, phrases = found
                    known[word.name] = word
                    for phrase in phrases:
                        other = said.setdefault(pieces(phrase), word.name)
                        if other != word.name:
                            faults.add(
                                "duplicate-id", f"`{phrase}` is `{other}` too", key.span, help="take one of them out"
                            )
        fields.done()
    return Words(known, said, max((len(each) for each in said), default=1))


def _word(key: Text, node: Node, sort: str, faults: Faults) -> tuple[Word, tuple[str, ...]]:
    name = " ".join(key.value.lower().split())
    if not SHAPE.fullmatch(name):
        help = "write small words, such as `light archer`"
        raise Faulty.one("wrong-shape", f"`{key.value}` cannot be a word of it", key.span, help=help)
    if isinstance(node, Text):
        return Word(name, sort, text_of(node, "what it is"), name, "", "", True, key.span), _phrases(name, sort)
    fields = Fields(node, f"`{name}`", faults)
    means, shown, kind, letter = (fields.text(each) for each in ("is", "shown", "class", "letter"))
    also, is_apart = fields.texts("also"), fields.flag("apart")
    fields.done()
    if letter and not re.fullmatch(r"[a-z]{1,8}", letter):
        raise Faulty.one("wrong-shape", f"`{letter}` begins no name", key.span, help="write a letter: `letter: c`")
    word = Word(name, sort, means, shown or name, kind, letter, not is_apart, key.span)
    return word, tuple(phrase for each in (name, *also) for phrase in _phrases(" ".join(each.lower().split()), sort))


def _phrases(name: str, sort: str) -> tuple[str, ...]:
    """A word as it is said of one and of several."""
    if sort not in (UNIT, CARRIED):
        return (name,)
    end = "es" if name.endswith(("s", "x", "ch", "sh")) else "s"
    return (name, name + end) if not name.endswith("f") else (name, name + end, name[:-1] + "ves")


def pieces(text: str) -> tuple[str, ...]:
    """What a phrase is made of: whether a hyphen or a blank stands between does not matter."""
    return tuple(TOKEN.findall(text.lower()))


# ---- a force ---------------------------------------------------------------------------------------------


def read_force(words: Words, node: Node) -> tuple[Part, ...]:
    """The parts of a force: one text with commas, or a list. Raises Faulty with the first that is wrong."""
    parts: list[Part] = []
    for item in node.items if isinstance(node, Listing) else (node,):
        whole = text_of(item, "a force")
        place = 0
        for text in whole.split(","):
            at = _place(item, whole, place, text)
            place += len(text) + 1
            if text.strip():
                parts.append(_part(words, text.strip(), at))
    if not any(part.unit is not None for part in parts):
        raise Faulty.one(
            "wrong-shape",
            "nobody is named here",
            node.span,
            help="say who they are: " + ", ".join(f"`{each}`" for each in words.of(UNIT)[:6]),
        )
    return tuple(parts)


def read_said(words: Words, node: Node | None, sort: str, what: str) -> tuple[Word, ...]:
    """The words of one sort that are said together, of the ground or of the circumstances."""
    found: dict[Word, None] = {}
    for item in () if node is None else node.items if isinstance(node, Listing) else (node,):
        whole, place = text_of(item, what), 0
        for text in whole.split(","):
            at = _place(item, whole, place, text)
            place += len(text) + 1
            for word, _ in _heard(words, pieces(text), (sort,), at, what):
                found[word] = None
    return tuple(found)


def _place(node: Node, whole: str, start: int, text: str) -> Span:
    """Where a piece of a text stands: in the file, if it is written there as it is read."""
    if not isinstance(node, Text) or node.escaped or node.literal.strip() != whole:
        return node.span
    begin = len(node.literal) - len(node.literal.lstrip()) + start + len(text) - len(text.lstrip())
    return node.content.part(begin, begin + max(len(text.strip()), 1))


def _part(words: Words, text: str, span: Span) -> Part:
    said = pieces(text)
    number, rest = _number(said[0]), said[1:]
    is_counted = number is not None or said[0] in ("a", "an")
    if number is None:
        number, rest = 1, said[1:] if is_counted else said
    if number > MOST_UNITS:
        raise Faulty.one("budget-exceeded", f"a side has at most {MOST_UNITS} units", span, help="make it smaller")
    phrases = list(_heard(words, rest, OF_MEN, span, "a force"))
    heard = [word for word, _ in phrases]
    for word, phrase in phrases:
        if word.sort == UNIT and not is_counted and _are_several(words, word, phrase):
            several, one = " ".join(phrase), word.name
            help = f"say how many: `2 {several}`, or `{one}` of one"
            raise Faulty.one("wrong-shape", f"it is not said how many `{several}` there are", span, help=help)
    units = [word for word in heard if word.sort == UNIT]
    if len(units) > 1:
        help = f"put a comma between them: `.. {units[0].name}, {units[1].name}`"
        raise Faulty.one(
            "wrong-shape", f"`{units[0].name}` and `{units[1].name}` are two sorts of units", span, help=help
        )
    others = tuple(dict.fromkeys(word for word in heard if word.sort != UNIT))
    if not units and (said[0] != rest[0] if rest else True) and not any(word.sort == CARRIED for word in others):
        help = "say who they are: " + ", ".join(f"`{each}`" for each in words.of(UNIT)[:6])
        raise Faulty.one("wrong-shape", f"`{text}` counts nobody", span, help=help)
    return Part(number, units[0] if units else None, others, span)


def _are_several(words: Words, word: Word, phrase: tuple[str, ...]) -> bool:
    """Whether a unit is said of several: so is another of its phrases, and this one is made of it."""
    return any(
        " ".join(phrase) in _phrases(" ".join(other), UNIT)[1:]
        for other, name in words.said.items()
        if name == word.name
    )


def _number(said: str) -> int | None:
    if re.fullmatch(r"\d{1,6}", said):
        return int(said)
    return COUNTS.index(said) if said in COUNTS else None


def _heard(
    words: Words, said: Sequence[str], sorts: Sequence[str], span: Span, what: str
) -> Iterator[tuple[Word, tuple[str, ...]]]:
    """The words that a phrase is made of, the longest first; each must be of one of some sorts."""
    place = 0
    while place < len(said):
        for length in range(min(words.longest, len(said) - place), 0, -1):
            phrase = tuple(said[place : place + length])
            if phrase in words.said:
                word = words.known[words.said[phrase]]
                if word.sort not in sorts:
                    raise Faulty.one(
                        "unknown-word", f"`{' '.join(phrase)}` is not said of {what}", span, help=_where(word.sort)
                    )
                yield word, phrase
                place += length
                break
        else:
            if said[place] in JOINTS:
                place += 1
                continue
            raise _unknown(words, said, place, sorts, span)


def _where(sort: str) -> str:
    """Where a word of some sort is said."""
    match sort:
        case "grounds":
            return "say where it is under `ground:`, or with --ground"
        case "circumstances":
            return "say how it is under `state:`, or with --state"
        case "states":
            return "say it of a force, before a unit or behind a comma: `forces:`"
        case "concepts":
            return "it is what rules are about (`closecombat crosswalk`), and nothing that a fight can be told in"
    return "say it of a force: `forces:`"


def _unknown(words: Words, said: Sequence[str], place: int, sorts: Sequence[str], span: Span) -> Faulty:
    """A word that there is not: with those that are near, else with those that there are."""
    known = [" ".join(phrase) for phrase, name in words.said.items() if words.known[name].sort in sorts]
    rest = [" ".join(said[place : place + length]) for length in range(min(words.longest, len(said) - place), 0, -1)]
    near = {each: help for each in rest if (help := suggest(each, known))}
    meant = next(iter(near), said[place])
    listed = ", ".join(name for sort in sorts if sort != ARMY for name in words.of(sort))
    return Faulty.one(
        "unknown-word",
        f"`{meant}` is no word of the order of battle",
        span,
        help=near.get(meant, f"there are {listed}"),
    )


def raised(words: Words, side: str, prefix: str, parts: Sequence[Part], faults: Faults) -> tuple[One, ...]:
    """Everybody of a side, by name. What is said by itself is said of all; what is carried goes to whoever was named
    last, one each."""
    out: list[One] = []
    numbers: dict[str, int] = {}
    last = range(0)
    for part in parts:
        if part.unit is None:
            continue
        army = next((word.name for word in part.says if word.sort == ARMY), "")
        says = tuple(word.name for word in part.says if word.sort != ARMY)
        for _ in range(part.number):
            letter = part.unit.letter
            number = numbers[letter] = numbers.get(letter, 0) + 1
            name = f"{prefix}{letter}{'' if letter and number == 1 else number}"
            out.append(One(name, part.unit, army, says, True, part.span))
    if len(out) > MOST_UNITS:
        faults.add("budget-exceeded", f"a side has at most {MOST_UNITS} units", parts[0].span, help="make it smaller")
        return ()
    seen = 0
    for part in parts:
        if part.unit is not None:
            last = range(seen, seen + part.number)
            seen += part.number
            continue
        for word in part.says:
            whom: Sequence[int] = range(len(out))
            if word.sort == CARRIED:
                whom = [place for place in last if word.name not in out[place].says][: part.number]
                if len(whom) < part.number:
                    help = f"name who has it: `3 .. with {word.name}`, or put it behind them"
                    faults.add("wrong-shape", f"nobody is there to carry `{word.name}`", part.span, help=help)
            for place in whom:
                out[place] = _with(out[place], word)
    armies = words.of(ARMY)
    named = next((one.army for one in out if one.army), side if side in armies else "")
    return tuple(
        replace(
            one,
            army=one.army or named or next(iter(armies), ""),
            counts=all(words.known[each].counts for each in (one.word.name, *one.says)),
            is_guessed=not (one.army or named),
        )
        for one in out
    )


def _with(one: One, word: Word) -> One:
    if word.sort == ARMY:
        return replace(one, army=one.army or word.name)
    return one if word.name in one.says else replace(one, says=(*one.says, word.name))
