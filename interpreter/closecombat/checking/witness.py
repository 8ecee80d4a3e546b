"""A situation that a finding is about, ready to be pasted as an example: as small as the ruleset lets one be.

What the finding does not ask is whatever comes first, a word of its list, the least number. Where no such situation can
be written, since it hangs on dice or on who is there, there is none; what is written has been read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from string import ascii_lowercase

from closecombat.binding import trees as w
from closecombat.checking.axes import SOMEBODY, Axes, uncounted
from closecombat.checking.boxes import Box
from closecombat.proving.values.symbolic import Value
from closecombat.reading.fields import child
from closecombat.reading.model import Fact, Kind, Ruleset
from closecombat.reading.situation import read_state
from closecombat.reading.types import AThing, Number, Things, Word, shown
from closecombat.text.document import parse
from closecombat.text.faults import Faults
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

NOWHERE = Span(Source("<example>", ""), 0, 0)
PAIR = ("red", "blue")
MEMBERS = tuple(ascii_lowercase)
DEEPEST = 4  # sets within sets
LONGEST = 74  # letters of a line: it is told with an indent, on a page of 80


@dataclass(slots=True)
class _Written:
    """Things with their facts, each in its place: `names` are the kinds of those that stand anywhere."""

    top: dict[str, dict[str, object]]
    facts: dict[str, dict[str, object]]  # of each thing, the same dicts
    kinds: dict[str, str]


def situation_of(ruleset: Ruleset, about: Mapping[str, str], axes: Axes, point: Box) -> str:
    """The situation as YAML; empty if there is none to be written. `about` are the kinds of the subjects."""
    written = _things(ruleset, about)
    if written is None:
        return ""
    who = _cast(about, written)
    options: dict[str, object] = {}
    for at, one in point.items():
        axis = axes.axes[at]
        if who is None or not _put(axis.tree, axis.values[one], who, written, options):
            return ""
    lines = [f"options: {_flow(options)}"] if options else []
    lines.append("situation:")
    for name, body in written.top.items():
        kind = ruleset.kinds.get(name)
        if kind is not None and kind.one:
            lines += _lines(name, body, "  ") if body else []
        else:
            lines += [f"  {name}:", *(line for each, facts in body.items() for line in _lines(each, facts, "    "))]
    text = "\n".join(lines) + "\n"
    faults = Faults()
    document = faults.attempt(parse, Source("<example>", text))
    situation = child(document, "situation")
    read_state(ruleset, situation if isinstance(situation, MappingNode) else MappingNode((), NOWHERE), faults)
    return "" if faults.has_errors else text


# ---- who is there --------------------------------------------------------------------------------------


def _things(ruleset: Ruleset, about: Mapping[str, str]) -> _Written | None:
    """As few things as those need whom something is about."""
    written = _Written({}, {}, {})
    number = {kind: list(about.values()).count(kind) for kind in about.values()}
    for kind in ruleset.kinds.values():
        if kind.one:
            written.top[kind.name] = written.facts[kind.name] = {}
            written.kinds[kind.name] = kind.name
    wanted = [kind for kind in number if not ruleset.kinds[kind].one]
    roots = {path[0] for kind in wanted if (path := _path(ruleset, kind)) is not None}
    roots |= {kind.name for kind in ruleset.kinds.values() if is_one_of_two(kind)}
    for name in sorted(roots):
        kind = ruleset.kinds[name]
        many = 2 if is_one_of_two(kind) else max(number.get(name, 1), 1)
        is_free = many <= len(PAIR) and not any(each in written.kinds for each in PAIR)
        names = PAIR[:many] if is_free else tuple(f"{name}-{n + 1}" for n in range(many))
        written.top[kind.plural] = {each: _thing(written, each, name) for each in names}
    left = [*MEMBERS]
    for name in wanted:
        path = _path(ruleset, name)
        if path is None or number[name] > len(left):
            return None
        if name in roots:
            continue
        for n in range(number[name]):
            owners = [each for each, kind in written.kinds.items() if kind == path[0]]
            owner = owners[n % len(owners)]
            for kind_name in path[1:]:
                fact = _set_of(ruleset.kinds[written.kinds[owner]], kind_name)
                if fact is None or not left:
                    return None
                member = left.pop(0)
                inside = written.facts[owner].setdefault(fact.name, {})
                if isinstance(inside, dict):
                    inside[member] = _thing(written, member, kind_name)
                owner = member
    _fill(ruleset, written)
    return written


def _thing(written: _Written, name: str, kind: str) -> dict[str, object]:
    written.kinds[name] = kind
    written.facts[name] = {}
    return written.facts[name]


def is_one_of_two(kind: Kind) -> bool:
    """Whether there are always two of a kind: each has the other."""
    return any(isinstance(fact.type, AThing) and fact.type.other for fact in kind.facts.values())


def _set_of(kind: Kind, member: str) -> Fact | None:
    """The set in which members of a kind are written."""
    for fact in kind.facts.values():
        if isinstance(fact.type, Things) and fact.type.kind == member and fact.origin == "given":
            return fact
    return None


def _path(ruleset: Ruleset, name: str) -> list[str] | None:
    """From a kind that nobody has, to this one."""
    path = [name]
    for _ in range(DEEPEST):
        owner = next((kind for kind in ruleset.kinds.values() if _set_of(kind, path[0]) and kind.name != path[0]), None)
        if owner is None or owner.one:
            return path
        path.insert(0, owner.name)
    return None


def _fill(ruleset: Ruleset, written: _Written) -> None:
    """What a situation must say."""
    for name, kind in written.kinds.items():
        for fact in ruleset.kinds[kind].facts.values():
            if fact.origin not in ("given", "printed") or fact.default is not None or fact.like:
                continue
            match fact.type:
                case Number(low, nobody=False):
                    written.facts[name][fact.name] = low or 0
                case Word(words):
                    written.facts[name][fact.name] = words[0]
                case AThing(other, nobody=False, other=False) if not _set_of(ruleset.kinds[other], kind):
                    found = [each for each, its in written.kinds.items() if its == other]
                    free = [each for each in found if each not in (name, *written.facts[name].values())]
                    if found:  # an attacker and a defender are two
                        written.facts[name][fact.name] = (free or found)[0]


def _cast(about: Mapping[str, str], written: _Written) -> dict[str, str] | None:
    """Who stands for each subject."""
    free = {kind: [name for name, its in written.kinds.items() if its == kind] for kind in about.values()}
    out = {}
    for subject, kind in about.items():
        if not free[kind]:
            return None
        out[subject] = free[kind].pop(0)
    return out


# ---- what is so ----------------------------------------------------------------------------------------


def _put(tree: w.Tree, value: Value, who: Mapping[str, str], written: _Written, options: dict[str, object]) -> bool:
    """Writes a value where it is asked; whether it can be."""
    match tree:
        case w.Counted(inner):
            return _put(inner, value, who, written, options)
        case w.Reading(option):
            options[option] = value
            return True
        case w.Signed():
            shares = _shares(tree, value)
            return bool(shares) and all(_put(part, share, who, written, options) for part, share in shares.items())
        case w.OfFact(owner=w.Name(name), fact=fact, word=word, type=type) if name in who:
            facts = written.facts[who[name]]
        case w.OfFact(owner=w.Only(name), fact=fact, word=word, type=type) if name in written.facts:
            facts = written.facts[name]
        case w.OfFact(
            owner=w.OfFact(owner=w.Name(name), fact=whose, type=AThing() as other), fact=fact, word=word, type=type
        ):
            owner = _had_by(who.get(name, ""), whose, other, written)
            if owner is None:
                return False
            facts = written.facts[owner]
        case _:
            return False
    if value is SOMEBODY:
        return isinstance(type, AThing) and fact in facts
    if isinstance(word, w.Const):
        inside = facts.setdefault(fact, {})
        if isinstance(inside, dict):
            inside[str(word.value)] = value
        return True
    facts[fact] = value
    return word is None


def _shares(tree: w.Signed, whole: Value) -> dict[w.Tree, int]:
    """What each fact in a sum of facts is, so that they come to it; nothing where that cannot be told."""
    shares: dict[w.Tree, int] = {}
    room: dict[w.Tree, int] = {}  # how much more of the sum each can bring, begun with the least of it
    left = whole if type(whole) is int else None
    for part, way in _ways(tree, 1):
        if left is None or not isinstance(part, w.OfFact):
            return {}
        match part.type:
            case Number(int() as low, int() as high):
                shares[part], room[part] = low if way > 0 else high, way * (high - low)
                left -= way * shares[part]
            case _:
                return {}
    for part, more in room.items():
        step = min(left or 0, abs(more))
        shares[part] += step if more > 0 else -step
        left = (left or 0) - step
    return {} if left else shares


def _ways(tree: w.Tree, way: int) -> Iterator[tuple[w.Tree, int]]:
    """What is in a sum, and whether it is added or taken away."""
    if isinstance(tree, w.Signed) and tree.sign in ("+", "-"):
        yield from _ways(tree.left, way)
        yield from _ways(tree.right, way if tree.sign == "+" else -way)
    else:
        yield uncounted(tree), way


def _had_by(name: str, fact: str, other: AThing, written: _Written) -> str | None:
    """Whom somebody has: as is said of him, the other of two, or in whose set he stands."""
    alike = [one for one, kind in written.kinds.items() if kind == other.kind]
    if other.other:
        return next((one for one in alike if one != name), None) if name in alike else None
    said = written.facts.get(name, {}).get(fact)
    if isinstance(said, str):
        return said if said in alike else None
    inside = (one for one in alike for held in written.facts[one].values() if isinstance(held, dict) and name in held)
    return next(inside, None)


def _lines(key: str, value: object, indent: str) -> list[str]:
    """A line, or where that is longer than a page several."""
    line = f"{indent}{key}: {_flow(value)}"
    if len(line) <= LONGEST or not isinstance(value, dict) or not value:
        return [line]
    return [f"{indent}{key}:", *(line for inner, each in value.items() for line in _lines(inner, each, indent + "  "))]


def _flow(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(each)}" for key, each in value.items()) + "}"
    return value if isinstance(value, str) else shown(value)
