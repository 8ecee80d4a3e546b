"""The smallest situation that two rulesets tell apart.

Looked for from below, in order of size: bare situations, made of the base's own fights by taking out whatever may be
left out, then those with one fact more, then with two. Said are the facts that the changed rows read, by themselves or
through the charts and the noted facts that they ask (their *cone*): whatever else a situation could say they never
read. Where that ends without a find, or its budget does, a fight that is known to differ is taken apart until nothing
more can be left out. Which of the two it was, and how many situations were tried, is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from closecombat.asking.changes.differing import ASKED, DIFFERS, Differing, Pair, compared
from closecombat.asking.changes.rule_changes import RuleChange
from closecombat.asking.claims.near import WORD, marks
from closecombat.asking.claims.skeletons import (
    Setting,
    bare_ones,
    counters_apart,
    node_at,
    parts,
    scene_of,
    settings_of,
    size,
    taken_apart,
    with_settings,
)
from closecombat.asking.exact.answers import Shift
from closecombat.asking.examples.examples import run_example
from closecombat.asking.examples.fights_of import Known, alone
from closecombat.asking.fights.fight_files import Scene
from closecombat.asking.printed.shows import Line
from closecombat.binding.charts import Bound
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Word
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source

MOST_TRIED = 60  # situations from below, and as many while one is taken apart
MOST_FACTS = 2  # that are added to a bare one
DEEP = 4  # how often it is asked what a noted fact or a chart rests on


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


@dataclass(frozen=True, slots=True)
class Sought:
    """What came of the search: the situation, none if it ended without one; `tried` were held against the rules."""

    least: Smallest | None
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
            found = compared(self.pair, scene_of(document)).found
            self.known[text] = found if found.fate == DIFFERS else None
        return self.known[text]


def smallest(
    pair: Pair, known: Sequence[Known], differing: Iterable[Known], changes: Sequence[RuleChange], rules: Sequence[Line]
) -> Sought:
    """The smallest situation in which anything differs, as far as it was looked for; `differing` are known fights that
    do, asked for only if none is found from below."""
    cone = _cone(pair.base, pair.other, changes, rules)
    named = marks(f"{each.old} {each.new}" for each in changes if each.counts)
    below = Trials(pair, MOST_TRIED)
    for number, made in _from_below(pair.base, known, cone, named):
        if below.is_over:
            break
        if found := below.differs(made):
            return Sought(Smallest(scene_of(made), found, True, number, cone, below.tried), cone, below.tried)
    apart = Trials(pair, MOST_TRIED)
    whole = min(differing, key=lambda one: size(one.scene.document), default=None)
    document = alone(whole.scene.document) if whole is not None else None
    if document is None or not (found := apart.differs(document)):
        return Sought(None, cone, below.tried + apart.tried)
    document = taken_apart(document, lambda less: not apart.is_over and apart.differs(less) is not None)
    best, tried = apart.differs(document) or found, below.tried + apart.tried
    return Sought(Smallest(scene_of(document), best, False, 0, cone, tried), cone, tried)


def as_example(found: Smallest, pair: Pair, named: str) -> str:
    """The situation as an example of the second ruleset: ready to be kept, if what it says can be asked for there."""
    head = f"example: smallest\nruleset: {named}\nabout: The smallest fight found that this ruleset changes.\n"
    text = head + "".join(f"{key.value}: {flow(node)}\n" for key, node in found.scene.document.entries)
    asked = [f"  {_sentences(shift)}: {shift.new}\n" for shift in found.found.shifts]
    for line in asked:
        whole = f"{text}chances:\n{line}"
        try:
            if not run_example(pair.other, as_mapping(parse(Source("<example>", whole)))).faults:
                return whole
        except Faulty:
            continue
    return text


def _sentences(shift: Shift) -> str:
    return " and ".join(_sentence(*one) for one in shift.together or ((shift.whom, shift.what),))


def _sentence(whom: str, what: str) -> str:
    if whom == ASKED:
        return what
    name, _, value = what.partition(" ")
    if what == "gone":
        return f"{whom} is not in-play"
    return f"{name} of {whom} is {value}" if value else f"outcomes of {whom} is {what}"


# ---- from below -------------------------------------------------------------------------------------------


def _from_below(
    base: Bound, known: Sequence[Known], cone: Sequence[str], named: Sequence[int]
) -> Iterator[tuple[int, Mapping]]:
    """Situations in order of size, each with how many facts were added; another counter counts as one."""
    bare = bare_ones(base, known)
    settings = [list(dict.fromkeys(_settings(base, document, cone, named))) for document in bare]
    for number in range(MOST_FACTS + 1):
        for document, each in zip(bare, settings, strict=True):
            for some in combinations(each, number):
                if len({path for path, _ in some}) == number:
                    yield number, with_settings(document, some)


def _settings(base: Bound, document: Mapping, cone: Sequence[str], named: Sequence[int]) -> Iterator[Setting]:
    """What else could be said of somebody there: first another counter, where the cone is printed on it, then facts of
    the cone, first with the numbers that the changes name."""
    counters = base.ruleset.counters
    for path in parts(document):
        node = node_at(document, path)
        if path[-1] == "counter" and isinstance(node, Text) and node.value in counters:
            others = counters_apart(base.ruleset, counters[node.value].kind, cone)
            yield from ((path, name) for name in others if name != node.value)
    yield from settings_of(base, document, dict.fromkeys(cone, named))


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
    met: dict[str, None] = {}  # in the order in which they are met
    for _ in range(DEEP):
        words = [word for text in texts for word in WORD.findall(text) if word not in met]
        met.update(dict.fromkeys(words))
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
