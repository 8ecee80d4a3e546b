"""The smallest situation that two rulesets tell apart.

Looked for from below, in order of size: bare situations, made of the base's own fights by taking out whatever may be
left out, then those with one fact more, then with two. Said are the facts that the changed rows read, by themselves or
through the charts and the noted facts that they ask (their *cone*): whatever else a situation could say they never
read. Where that ends without a find, or its budget does, a fight that is known to differ is taken apart until nothing
more can be left out. Which of the two it was, and how many situations were tried, is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from closecombat.asking.differing import DIFFERS, Differing, Pair, compared
from closecombat.asking.examples import run_example
from closecombat.asking.fight_files import Scene, staged
from closecombat.asking.fights_of import Known
from closecombat.asking.mutants import Path, changed
from closecombat.asking.rule_changes import RuleChange
from closecombat.asking.shows import Line
from closecombat.binding.charts import Bound
from closecombat.playing.fight import begin
from closecombat.reading.model import Fact
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Flag, Number, Thing, Word
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source

MOST_TRIED = 60  # situations from below, and as many while one is taken apart
BARE = 3  # bare situations that are begun with
MOST_LOOKED_AT = 12  # fights of which a bare one is made
MOST_FACTS = 2  # that are added to a bare one
DEEP = 4  # how often it is asked what a noted fact or a chart rests on
WORD = re.compile(r"[a-z][a-z0-9-]*")
Setting = tuple[Path, str]  # where in a situation a fact is said, and its value


@dataclass(frozen=True, slots=True)
class Smallest:
    """A situation that differs, as a document. `searched` says that it was found from below, with how many facts more
    than a bare one; else a known fight was taken apart. `tried` are the situations that were held against the rules."""

    scene: Scene
    found: Differing
    searched: bool
    facts: int
    cone: tuple[str, ...]
    tried: int


class Trials:
    """Situations held against both rulesets, as many as there may be."""

    def __init__(self, pair: Pair, most: int) -> None:
        self.pair, self.most, self.tried = pair, most, 0
        self.known: dict[str, Differing | None] = {}

    @property
    def is_over(self) -> bool:
        return self.tried >= self.most

    def differs(self, document: Mapping) -> Differing | None:
        """What a situation differs in; nothing if it does not, or cannot be read."""
        text = flow(document)
        if text not in self.known:
            self.tried += 1
            found = compared(self.pair, _scene(document)).found
            self.known[text] = found if found.fate == DIFFERS else None
        return self.known[text]


def smallest(
    pair: Pair, known: Sequence[Known], differing: Sequence[Known], changes: Sequence[RuleChange], rules: Sequence[Line]
) -> Smallest | None:
    """The smallest situation in which anything differs, as far as it was looked for."""
    cone = _cone(pair.base, pair.other, changes, rules)
    below = Trials(pair, MOST_TRIED)
    for number, document in _from_below(pair.base, known, cone):
        if below.is_over:
            break
        if found := below.differs(document):
            return Smallest(_scene(document), found, True, number, cone, below.tried)
    apart = Trials(pair, MOST_TRIED)
    least = min(differing, key=lambda one: _size(one.scene.document), default=None)
    if least is None:
        return None
    document = _alone(least.scene.document)
    found = apart.differs(document)
    if found is None:
        return None
    document = _taken_apart(document, lambda one: not apart.is_over and apart.differs(one) is not None)
    best = apart.differs(document) or found
    return Smallest(_scene(document), best, False, 0, cone, below.tried + apart.tried)


def as_example(found: Smallest, pair: Pair, named: str) -> str:
    """The situation as an example of the second ruleset: ready to be kept, if what it says can be asked for there."""
    head = f"example: smallest\nruleset: {named}\nabout: The smallest fight found that this ruleset changes.\n"
    text = head + "".join(f"{key.value}: {flow(node)}\n" for key, node in found.scene.document.entries)
    asked = [f"  {_sentence(shift.whom, shift.what)}: {shift.new}\n" for shift in found.found.shifts]
    for line in asked:
        whole = f"{text}chances:\n{line}"
        try:
            if not run_example(pair.other, as_mapping(parse(Source("<example>", whole)))).faults:
                return whole
        except Faulty:
            continue
    return text


def _sentence(whom: str, what: str) -> str:
    name, _, value = what.partition(" ")
    if what == "gone":
        return f"{whom} is not in-play"
    return f"{name} of {whom} is {value}" if value else f"outcomes of {whom} is {what}"


def _scene(document: Mapping) -> Scene:
    return Scene("smallest", document, "", document.span, None)


def _alone(document: Mapping) -> Mapping:
    """A fight without what is said of it."""
    keys = ("options", "situation", "choices", "combats")
    return replace(document, entries=tuple(entry for entry in document.entries if entry[0].value in keys))


def _size(node: Node | None) -> int:
    match node:
        case Mapping(entries):
            return 1 + sum(_size(value) for _, value in entries)
        case Listing(items):
            return 1 + sum(map(_size, items))
    return 0 if node is None else 1


# ---- taking apart -----------------------------------------------------------------------------------------


def _taken_apart(document: Mapping, holds: Callable[[Mapping], bool]) -> Mapping:
    """A document from which nothing more can be left out without something no longer holding: large parts first."""
    again = True
    while again:
        again = False
        for path in sorted(_parts(document), key=lambda one: -_size(_at(document, one))):
            if _at(document, path) is None:
                continue
            less = changed(document, path, None)
            if isinstance(less, Mapping) and _has_its_things(less) and holds(less):
                document, again = less, True
    return document


def _parts(node: Node, path: Path = ()) -> Iterator[Path]:
    """What may be left out: every entry but the situation itself."""
    match node:
        case Mapping(entries):
            for key, value in entries:
                here = (*path, key.value)
                if here != ("situation",):
                    yield here
                yield from _parts(value, here)
        case Listing(items):
            for at, item in enumerate(items):
                yield (*path, at)
                yield from _parts(item, (*path, at))


def _at(node: Node, path: Path) -> Node | None:
    for key in path:
        match node:
            case Mapping() if isinstance(key, str) and (inner := node.get(key)) is not None:
                node = inner
            case Listing(items) if isinstance(key, int) and key < len(items):
                node = items[key]
            case _:
                return None
    return node


def _has_its_things(document: Mapping) -> bool:
    """Whether each set of things that is written has at least one."""
    situation = document.get("situation")
    return isinstance(situation, Mapping) and all(
        not isinstance(value, Mapping) or value.entries for _, value in situation.entries
    )


# ---- from below -------------------------------------------------------------------------------------------


def _from_below(base: Bound, known: Sequence[Known], cone: Sequence[str]) -> Iterator[tuple[int, Mapping]]:
    """Situations in order of size, each with how many facts were added."""
    bare = _bare(base, known)
    settings = [list(_settings(base, document, cone)) for document in bare]
    for number in range(MOST_FACTS + 1):
        for document, each in zip(bare, settings, strict=True):
            for some in combinations(each, number):
                if len({path for path, _ in some}) == number:
                    yield number, _with(document, some)


def _bare(base: Bound, known: Sequence[Known]) -> list[Mapping]:
    """The smallest situations that some fights leave, if all that may be left out is: the same sides, and whoever has
    things of his own keeps one of each sort."""
    found: dict[str, Mapping] = {}
    for one in sorted(known, key=lambda each: _size(each.scene.document.get("situation")))[:MOST_LOOKED_AT]:
        entry = one.scene.document.entry("situation")
        if entry is None or (there := _things(base, document := Mapping((entry,), entry[1].span))) is None:
            continue
        places = [path for thing in there if (path := _place(base, document, thing)) is not None]
        owned = {path[:-1] for path in places if len(path) > 2}
        bare = _taken_apart(document, partial(_is_still, base, owned, _judged(base, there)))
        found.setdefault(flow(bare), bare)
    return sorted(found.values(), key=_size)[:BARE]


def _is_still(base: Bound, owned: Collection[Path], judged: Collection[str], less: Mapping) -> bool:
    there = _things(base, less)
    if there is None or _judged(base, there) != judged:
        return False
    kept = [(_at(less, path[:-1]), _at(less, path)) for path in owned]
    return all(owner is None or (isinstance(those, Mapping) and those.entries) for owner, those in kept)


def _things(base: Bound, document: Mapping) -> tuple[Thing, ...] | None:
    """Who is there, if the situation can be read."""
    try:
        return tuple(begin(staged(_scene(document), base), None).state.things.values())
    except Faulty:
        return None


def _judged(base: Bound, things: Iterable[Thing]) -> set[str]:
    """Those whom the ruleset's judgement is about."""
    table = base.ruleset.tables.get("outcomes")
    return {thing.name for thing in things if table is not None and thing.kind in table.about}


def _settings(base: Bound, document: Mapping, cone: Sequence[str]) -> Iterator[Setting]:
    """Everything that one fact of the cone can be said to be of anybody there, nearest facts first."""
    there = _things(base, document) or ()
    places = {thing: path for thing in there if (path := _place(base, document, thing)) is not None}
    options = base.ruleset.options
    for name in cone:
        if name in options:
            yield from (
                (("options", name), other) for other in options[name].readings if other != options[name].default
            )
        for thing, path in places.items():
            fact = base.ruleset.kinds[thing.kind].facts.get(name)
            if fact is not None and fact.origin in ("given", "printed"):
                yield from (((*path, name), value) for value in _values(fact))


def _place(base: Bound, document: Mapping, thing: Thing) -> Path | None:
    """Where a situation describes a thing."""
    for path in _parts(document):
        node = _at(document, path)
        if isinstance(node, Mapping) and path[-1] == thing.name and len(path) > 2:
            return path
    kind = base.ruleset.kinds[thing.kind]
    return ("situation", kind.name) if kind.one else None


def _values(fact: Fact) -> tuple[str, ...]:
    default = fact.default[0] if fact.default is not None else None
    match fact.type:
        case Flag():
            return ("no",) if default is True else ("yes",)
        case Word(words):
            return tuple(word for word in words if word != default)
        case Number(low, high):
            return tuple(str(value) for value in dict.fromkeys((low, high)) if value is not None and value != default)
    return ()


def _with(document: Mapping, settings: Iterable[Setting]) -> Mapping:
    for path, value in settings:
        document = _put(document, path, value)
    return document


def _put(node: Mapping, path: Path, value: str) -> Mapping:
    key, rest = str(path[0]), path[1:]
    inner = node.get(key)
    if rest:
        below = inner if isinstance(inner, Mapping) else Mapping((), node.span)
        made: Node = _put(below, rest, value)
    else:
        made = _text(value)
    if inner is not None:
        return replace(node, entries=tuple((k, made if k.value == key else v) for k, v in node.entries))
    return replace(node, entries=(*node.entries, (_text(key), made)))


def _text(value: str) -> Text:
    node = parse(Source("<situation>", value + "\n"))
    if not isinstance(node, Text):
        raise Faulty.told()
    return node


# ---- the cone ---------------------------------------------------------------------------------------------


def _cone(base: Bound, other: Bound, changes: Sequence[RuleChange], rules: Sequence[Line]) -> tuple[str, ...]:
    """The facts and options that the changed rows read, those they name themselves first: then those of the charts they
    ask, and of the rows that write what they read."""
    kinds = [kind for bound in (base, other) for kind in bound.ruleset.kinds.values()]
    facts = {name: fact for kind in kinds for name, fact in kind.facts.items()}
    by_chart: dict[str, list[Line]] = {}
    writing: dict[str, list[Line]] = {}
    for line in rules:
        by_chart.setdefault(line.chart or line.section, []).append(line)
        if line.section == "sequences":
            for word in set(WORD.findall(line.text)):
                writing.setdefault(word, []).append(line)
    texts = [f"{change.row or change.chart} {change.old} {change.new}" for change in changes if change.counts]
    cone: dict[str, None] = {}
    met: set[str] = set()
    for _ in range(DEEP):
        words = [word for text in texts for word in WORD.findall(text) if word not in met]
        met.update(words)
        texts = []
        for word in dict.fromkeys(words):
            fact = facts.get(word)
            if word in base.ruleset.options or (fact is not None and fact.origin in ("given", "printed")):
                cone[word] = None
            elif fact is not None:
                texts += [line.text for line in writing.get(word, ())]
            texts += [line.text for line in by_chart.get(word, ())]
    values = {word: fact.name for fact in facts.values() if isinstance(fact.type, Word) for word in fact.type.words}
    return tuple(dict.fromkeys((*cone, *(values[word] for word in met if word in values))))
