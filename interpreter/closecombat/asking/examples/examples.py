"""Running the examples of a ruleset: situations with dice or chances, and what must come out.

Which files hold examples, and which ruleset each is for, is found by `collection`; whether an example could be run at
all is looked at without dice by `checking/rehearsal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Mapping_
from contextlib import suppress
from dataclasses import field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from closecombat.asking.exact.ends import fate_of
from closecombat.asking.examples.deciding import Deciding, rows_behind, rows_that_wrote
from closecombat.binding.charts import Bound
from closecombat.binding.trace import Recorder
from closecombat.checking.rehearsal import EXPECTED
from closecombat.playing import fight as f
from closecombat.playing.choices import Illegal
from closecombat.playing.run import Run
from closecombat.proving.throws.dice import Group, Other, ScriptedDice, Thrown
from closecombat.proving.values.budget import TAKES_LONG, UNASKED
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.fields import (
    Fields,
    chance_of,
    expected,
    list_of,
    mapping_of,
    says_nothing,
    text_of,
    whole,
    yes_no,
)
from closecombat.reading.model import Fact
from closecombat.reading.situation import no_fact, read_value
from closecombat.reading.slots import CounterOf, Owed
from closecombat.reading.stack import as_mapping
from closecombat.reading.types import Face, Flag, Number, Per, Roll, Thing, Things, Type, Word, a, shown
from closecombat.text.document import parse, read_source
from closecombat.text.faults import Diagnostic, Faults, Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span


def scripted(node: Node) -> ScriptedDice:
    """The single faces in rolling order; `{6: 2, other: 3}` is two sixes and three dice that show no six. What stands
    together in brackets, or as a tally, is one roll."""
    out: list[tuple[Face | Other, Span | None]] = []
    groups: list[Group] = []
    if not isinstance(node, Listing):
        raise expected("a list of rolls", node)
    for roll in node.items:
        begin = len(out)
        if isinstance(roll, Mapping):
            shown = tuple(_face(key) for key, _ in roll.entries if key.value != "other")
            for key, number in roll.entries:
                face: Face | Other = Other(shown) if key.value == "other" else _face(key)
                count = whole(number, "a number of dice")
                if not 0 <= count <= 400:
                    raise Faulty.one("out-of-range", "0 to 400 dice", number.span)
                out += [(face, key.span)] * count
        else:
            out += [(_face(item), item.span) for item in list_of(roll)]
        if not isinstance(roll, Text):
            groups.append(Group(begin, len(out), roll.span))
    return ScriptedDice(out, groups)


def typed(text: str) -> list[tuple[Face, Span | None]]:
    """Dice from the command line: `4,2,5` or `4 2 5`."""
    return [(_shown(part), None) for part in re.split(r"[,\s]+", text) if part]


def _face(node: Node) -> Face:
    return _shown(text_of(node, "what a die shows"))


def _shown(text: str) -> Face:
    return int(text) if re.fullmatch(r"[+-]?\d{1,6}", text) else text


NOT_COUNTED = "not counted"


@dataclass(frozen=True, slots=True)
class Miss:
    """An expectation that was missed: its finding, both values as they are written, and the rows that decided.
    `wanted` is where the value stands that would have to be another, `instead` what would have to stand there; nothing
    where no text says it."""

    fault: Diagnostic
    expected: str
    got: str
    wanted: Node | None
    instead: str
    rows: tuple[Deciding, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One example: it passed if there are no faults, and `misses` are those of them that are expectations. `reached` is
    where the rows stand that its playing came to."""

    id: str
    place: Span
    exercises: tuple[str, ...]
    faults: tuple[Diagnostic, ...]
    reached: frozenset[Span] = frozenset()
    misses: tuple[Miss, ...] = ()
    has_dice: bool = False
    shown: bool = True  # in the rulebook


@dataclass(slots=True)
class Findings:
    """What is found wrong with an example; `written` are misses whose rows only the story of the playing tells, with
    the thing and the fact."""

    faults: Faults = field(default_factory=Faults)
    misses: list[Miss] = field(default_factory=list)
    written: dict[int, tuple[str, str]] = field(default_factory=dict)

    def miss(
        self,
        message: str,
        key: Text | None,
        wanted: Node,
        expected: str,
        got: str,
        *,
        instead: str | None = None,
        rows: tuple[Deciding, ...] = (),
        of: tuple[str, str] | None = None,
        help: str = "",
    ) -> None:
        """An expectation that was missed. `of` whom it is and which fact, if a step has written that."""
        place = key.span.to(wanted.span) if key is not None else wanted.span
        fault = Diagnostic("example-fails", "error", message, place, (), help)
        self.faults.extend((fault,))
        if of is not None:
            self.written[len(self.misses)] = of
        self.misses.append(Miss(fault, expected, got, wanted, got if instead is None else instead, rows))


def read_examples(path: str | Path) -> Iterator[Mapping]:
    """The examples of a file: one, or a list of them under `examples:`."""
    yield from examples_in(as_mapping(parse(read_source(path))))


def examples_in(document: Mapping) -> Iterator[Mapping]:
    if "examples" in document:
        for item in list_of(document.get("examples") or document):
            yield as_mapping(item)
    else:
        yield document


def run_example(bound: Bound, example: Mapping, most_work: int | None = UNASKED, named: str = "?") -> Result:
    """What comes of an example; one without a name goes by what it is `named`. What is more than `most_work` is
    foretold and not done: that is a fault, too. Whoever has not been told to go on for as long as it takes (None)
    bounds it so, since a stranger may have written it."""
    out = Findings()
    faults = out.faults
    fields = Fields(example, "an example", faults)
    id = fields.text("example")
    exercises, said = fields.texts("exercises"), fields.get("shown")
    shown = said is None or faults.attempt(yes_no, said) is not False
    for key in ("ruleset", "about", "note", "situation", "options", "choices", "combats", "dice", "cites"):
        fields.get(key)
    expect, chances = fields.get("expect"), fields.get("chances")
    runs: list[Run] = []
    fight, dice = None, example.get("dice")
    try:
        if not id and expect is None and chances is None and example.get("situation") is not None:
            raise _unfinished(example)
        if not id:
            raise Faulty.one("missing-key", "an example needs `example:`, its name", example.span)
        if says_nothing(expect) and says_nothing(chances):
            raise Faulty.one("missing-key", "an example needs `expect:` or `chances:`", example.span)
        fight = f.fight(bound, example)
        if expect is not None:
            answers = None if dice is None else scripted(dice)
            runs.append(_bounded(f.begin(fight, answers), most_work))
            _expectations(runs[-1], mapping_of(expect, "expectations"), out)
        if chances is not None:
            runs.append(_bounded(f.begin(fight, None), most_work))
            _chances(runs[-1], mapping_of(chances, "chances"), out)
    except Faulty as error:
        faults.extend(error.diagnostics)
    fields.done()
    reached = frozenset(where.place for run in runs for where in f.reached(run))
    misses = tuple(_with_story(out, fight, dice)) if out.misses and fight is not None else ()
    found = tuple(_told_once(faults.diagnostics, example.span if chances is None else chances.span))
    return Result(id or named, example.span, exercises, found, reached, misses, dice is not None and bool(id), shown)


def _unfinished(example: Mapping) -> Faulty:
    """That a fight is no example: somebody has left it before its end, or has only set it up."""
    file = example.span.source.name
    return Faulty.one(
        "missing-key",
        "this is a fight, and no example yet: it says nothing of what comes out",
        example.span.part(0, 1),
        help=f"play it to its end, and that is written: closecombat resolve {file} --ask --save {file}",
    )


def _bounded(run: Run, most_work: int | None) -> Run:
    run.may_spend(most_work)
    return run


def _told_once(faults: Iterable[Diagnostic], place: Span) -> Iterator[Diagnostic]:
    """What takes long is told of the example, however many of its expectations come to it."""
    long = False
    for fault in faults:
        if fault.code != TAKES_LONG:
            yield fault
        elif not long:
            long = True
            yield replace(fault, span=fault.span or place, help="go on with --yes, or let the example hold less")


def _with_story(out: Findings, fight: f.Fight, dice: Node | None) -> Iterator[Miss]:
    """The misses, each of what a step has written with that step: the example is played once more to be told."""
    recorder = Recorder()
    if out.written and dice is not None:
        with suppress(Faulty):
            f.go(f.begin(fight, scripted(dice), recorder))
    for place, miss in enumerate(out.misses):
        known = out.written.get(place)
        yield miss if known is None else replace(miss, rows=rows_that_wrote(recorder.events, *known))


def _expectations(run: Run, expect: Mapping, out: Findings) -> None:
    illegal = expect.get("illegal")
    before = expect.get("before")
    waiting: list[str] = []
    for row, figures in mapping_of(before, "rows").entries if before is not None else ():
        if isinstance(figures, Listing) and run.answers is None:
            said = "which time a row is done depends on the dice, and the example gives none"
            raise Faulty.one("example-fails", said, figures.span, help="add `dice:`")
        waiting.append(row.value)
        for wanted in list_of(figures):
            run.ask_before(row.value, _asking(run, mapping_of(wanted, "figures"), out))
    try:
        f.go(run)
    except Illegal as error:
        if illegal is None:
            raise
        want = {text_of(item, "a clause") for item in list_of(illegal)}
        if want != set(error.clauses):
            broken = ", ".join(error.clauses)
            out.miss(
                f"the choice breaks {broken}, not {', '.join(sorted(want))}",
                None,
                illegal,
                ", ".join(sorted(want)),
                broken,
                instead=f"[{broken}]" if isinstance(illegal, Listing) or len(error.clauses) > 1 else broken,
                help=error.diagnostics[0].message,
            )
        return
    if illegal is not None:
        said = "the choice is allowed, but should be illegal"
        out.miss(said, None, illegal, f"it breaks {flow(illegal)}", "it is allowed", instead="")
    if isinstance(run.answers, ScriptedDice):
        run.answers.finish()
    out.faults.attempt(f.check_answers, run)
    for waited in waiting:
        if waited in run.before:
            out.faults.add(
                "example-fails",
                f"the row `{waited}` was not done " + ("as often" if waited in run.done else "at all"),
                _place_of(waited, expect),
                help=suggest(waited, {a.id for s in run.ruleset.sequences.values() for a in s.acts} - {waited}),
            )
    _figures(run, expect.get("figures"), out)
    _causes(run, expect.get("causes"), out)
    _sides(run, expect.get("sides"), out)
    _ends(run, expect.get("ends"), out)
    _owes(run, expect.get("owes"), out)
    _asked(run, expect.get("asked"), out)
    plurals = {kind.plural: kind.name for kind in run.ruleset.kinds.values()}
    for key, node in expect.entries:
        if key.value in EXPECTED:
            continue
        if key.value not in plurals:
            out.faults.add(
                "unknown-key",
                f"nothing called `{key.value}` can be expected",
                key.span,
                help=_expected_of(run, key.value) or suggest(key.value, [*EXPECTED, *plurals]),
            )
            continue
        for name, facts in mapping_of(node, key.value).entries:
            _thing(run, name, facts, out)


def _asking(run: Run, wanted: Mapping, out: Findings) -> Callable[[], None]:
    causes = wanted.get("causes")
    figures = Mapping(tuple(one for one in wanted.entries if one[0].value != "causes"), wanted.span)

    def ask() -> None:
        _figures(run, figures, out)
        _causes(run, causes, out)

    return ask


def _certain(run: Run, value: Value, place: Span) -> Value:
    """A value that is the same however the dice fall."""
    if type(value) is not Sym:
        return value
    found = f.distribution(run, [value])
    if len(found) > 1:
        raise Faulty.one(
            "example-fails",
            "this depends on the dice, and the example gives none",
            place,
            help="add `dice:`, or expect its chances under `chances:`",
        )
    return next(iter(found))[0]


def _expected_of(run: Run, name: str) -> str:
    """How something is expected of one who is named."""
    thing = run.state.things.get(name)
    return f"write `{run.ruleset.kinds[thing.kind].plural}: {{{name}: ..}}`" if thing is not None else ""


def _place_of(row: str, expect: Mapping) -> Span:
    """Where an example speaks of a row before which something is expected."""
    before = expect.get("before")
    found = before.entry(row) if isinstance(before, Mapping) else None
    return found[0].span if found is not None else expect.span


def _figures(run: Run, node: Node | None, out: Findings) -> None:
    for key, wanted in mapping_of(node, "figures").entries if node is not None else ():
        try:
            value, type_ = f.asked(run, key)
            found = _certain(run, value, key.span)
            want = _value(run, type_, wanted)
            if found != want:
                rows = rows_behind(run, partial(f.asked, run, key))
                said = f"`{key.value}` is {shown(found)}, not {shown(want)}"
                instead = _signed(wanted, shown(found))
                out.miss(said, key, wanted, shown(want), shown(found), instead=instead, rows=rows)
        except Faulty as error:
            out.faults.extend(error.diagnostics)


def _value(run: Run, type_: Type, node: Node) -> Value:
    text = text_of(node, "a value")
    if text == "nobody":
        return None
    if isinstance(type_, Number | Roll):
        return read_value(Number(), node, run.ruleset, run.state)
    return read_value(type_, node, run.ruleset, run.state)


def _causes(run: Run, node: Node | None, out: Findings) -> None:
    """`modifier of b for l1: {tired: -2}`: exactly the rows that counted for something."""
    for key, wanted in mapping_of(node, "causes").entries if node is not None else ():
        try:
            name, args = _table_asked(run, key)
            f.asked(run, key)  # all whom it names are there
            found: dict[str, Value] = {}
            for cause in run.table_and_causes(name, args)[1]:
                value = True if cause.verb == "says" else cause.value
                value = _certain(run, run.shop.if_(cause.guard, value, NOT_COUNTED), key.span)
                if value != NOT_COUNTED:
                    found[cause.row.id] = found.get(cause.row.id, 0) + value if cause.verb == "add" else value
            want = {
                k.value: _value(run, _type_of(found.get(k.value)), v)
                for k, v in mapping_of(wanted, "rows and what they give").entries
            }
            if any(found.get(k) != v for k, v in want.items()) or any(
                v != 0 and k not in want for k, v in found.items()
            ):
                got = ", ".join(f"{k}: {shown(v)}" for k, v in found.items() if v != 0) or "nothing"
                rows = rows_behind(run, partial(f.asked, run, key))
                instead = "{" + ", ".join(_rows_as_written(mapping_of(wanted, "rows"), found, want)) + "}"
                out.miss(f"`{key.value}` comes from {got}", key, wanted, flow(wanted), got, instead=instead, rows=rows)
        except Faulty as error:
            out.faults.extend(error.diagnostics)


def _rows_as_written(wanted: Mapping, found: Mapping_[str, Value], want: Mapping_[str, Value]) -> Iterator[str]:
    """The rows that counted, those that come out as expected as they are written."""
    nodes = {key.value: node for key, node in wanted.entries}
    for row, value in found.items():
        if value != 0 or want.get(row) == 0:
            is_so = row in want and value == want[row]
            like = nodes.get(row) or next(iter(nodes.values()), wanted)
            yield f"{row}: {flow(nodes[row]) if is_so else _signed(like, shown(value))}"


def _type_of(value: Value) -> Type:
    return Flag() if isinstance(value, bool) else Word((value,)) if isinstance(value, str) else Number()


def _table_asked(run: Run, key: Text) -> tuple[str, tuple[Value, ...]]:
    """The table and the subjects that a sentence such as `modifier of b for l1` names."""
    from closecombat.reading.sentences import parse as parse_sentence
    from closecombat.reading.syntax import Reading

    node = parse_sentence(key, "value").node
    if not isinstance(node, Reading) or node.path.names[0] not in run.ruleset.tables:
        raise Faulty.one(
            "wrong-type",
            f"`{key.value}` names no table",
            key.span,
            help=suggest(key.value.split()[0], run.ruleset.tables),
        )
    names = [*node.path.names[1:2], *(node.other.names[:1] if node.other else ())]
    subjects = run.ruleset.tables[node.path.names[0]].about
    return node.path.names[0], tuple(run.state.things.get(name, name) for name in names[: len(subjects)])


def _sides(run: Run, node: Node | None, out: Findings) -> None:
    ends = {thing.name: value for thing, value in f.verdicts(run).items()} if node is not None else {}
    for key, wanted in mapping_of(node, "sides").entries if node is not None else ():
        if isinstance(wanted, Mapping):
            _thing(run, key, wanted, out)
        elif not ends:
            message = "nothing says how a side ends"
            out.faults.add(
                "unknown-thing", message, key.span, help="write `outcomes:` into the ruleset, or ask for facts"
            )
        elif key.value not in ends:
            out.faults.add("unknown-thing", f"no side is called `{key.value}`", key.span, help=suggest(key.value, ends))
        else:
            try:
                found = _certain(run, ends[key.value], key.span)
                if found != text_of(wanted, "a verdict"):
                    want = text_of(wanted, "a verdict")
                    side = run.state.things[key.value]
                    rows = rows_behind(run, partial(run.table, "outcomes", (side,)))
                    out.miss(f"{key.value} is {found}, not {want}", key, wanted, want, str(found), rows=rows)
            except Faulty as error:
                out.faults.extend(error.diagnostics)


def _ends(run: Run, node: Node | None, out: Findings) -> None:
    """What becomes of those who came, in the words that all rulesets share."""
    for key, wanted in mapping_of(node, "fates").entries if node is not None else ():
        thing = run.state.things.get(key.value)
        if thing is None or thing.kind not in run.ruleset.ends:
            message = f"`ends` says nothing of `{key.value}`"
            out.faults.add("unknown-thing", message, key.span, help=suggest(key.value, run.state.things))
            continue
        try:
            want, found = text_of(wanted, "a fate"), _certain(run, fate_of(run, thing), key.span)
            if found != want:
                rows = rows_behind(run, partial(run.table, run.ruleset.ends[thing.kind].fate, (thing,)))
                out.miss(f"{thing} ends {found}, not {want}", key, wanted, want, str(found), rows=rows)
        except Faulty as error:
            out.faults.extend(error.diagnostics)


def _owes(run: Run, node: Node | None, out: Findings) -> None:
    for key, wanted in mapping_of(node, "who owes what").entries if node is not None else ():
        thing = run.state.things.get(key.value)
        if thing is None:
            out.faults.add("unknown-thing", f"nobody is called `{key.value}`", key.span)
            continue
        owed = {
            slot.word
            for slot, value in run.slots.items()
            if isinstance(slot, Owed) and slot.thing is thing and _certain(run, value, key.span)
        }
        want = {text_of(item, "an obligation") for item in list_of(wanted)}
        if owed != want:
            got = ", ".join(sorted(owed))
            said = f"{thing} owes {got or 'nothing'}"
            expected = ", ".join(sorted(want)) or "nothing"
            out.miss(said, key, wanted, expected, got or "nothing", instead=f"[{got}]", of=(thing.name, "owe"))


def _asked(run: Run, node: Node | None, out: Findings) -> None:
    """Whom a row asks for an answer: exactly these; nobody, if none is named."""
    rows = f.asking(run.bound) if node is not None else {}
    for row, wanted in mapping_of(node, "rows and whom they ask").entries if node is not None else ():
        if row.value not in rows:
            said = f"no row that asks a player is called `{row.value}`"
            out.faults.add("unknown-name", said, row.span, help=suggest(row.value, rows))
            continue
        try:
            found, want = f.asked_of(run, row.value), {text_of(item, "a name") for item in list_of(wanted)}
            if found != want:
                said = f"`{row.value}` asks {_named(found)}, not {_named(want)}"
                out.miss(said, row, wanted, _named(want), _named(found), instead=f"[{', '.join(sorted(found))}]")
        except Faulty as error:
            out.faults.extend(error.diagnostics)


def _thing(run: Run, key: Text, node: Node, out: Findings) -> None:
    thing = run.state.things.get(key.value)
    if thing is None:
        out.faults.add(
            "unknown-thing", f"nobody is called `{key.value}`", key.span, help=suggest(key.value, run.state.things)
        )
        return
    gone = not _certain(run, run.in_play(thing), key.span)
    if isinstance(node, Text):
        if node.value not in ("gone", "here"):
            help = "write `gone`, `here`, or what is so in the end: `{broken: yes}`"
            said = f"`{node.value}` is neither `gone` nor `here`, nor facts in braces"
            out.faults.add("wrong-shape", said, node.span, help=help)
        elif gone != (node.value == "gone"):
            got = "gone" if gone else "here"
            out.miss(f"{thing} is {got}, not {node.value}", key, node, node.value, got, of=(thing.name, "leave"))
        return
    facts = mapping_of(node, "facts").entries
    if gone and facts and not any(fact.value == "gone" for fact, _ in facts):
        help = f"expect `{thing}: gone`, or write `gone: yes` beside what is still to be told of it"
        out.miss(f"{thing} is gone", key, node, flow(node), "gone", of=(thing.name, "leave"), help=help)
        return
    for fact_key, wanted in facts:
        try:
            if fact_key.value == "gone":
                found: Value = gone
                want: Value = yes_no(wanted)
            else:
                found, want = _fact(run, thing, fact_key, wanted)
            if found != want:
                said = f"{fact_key.value} of {thing} is {shown(found)}, not {shown(want)}"
                of = (thing.name, "leave" if fact_key.value == "gone" else fact_key.value)
                out.miss(said, fact_key, wanted, shown(want), shown(found), instead=_written(wanted, found), of=of)
        except Faulty as error:
            out.faults.extend(error.diagnostics)


def _signed(wanted: Node, text: str) -> str:
    """A number with its plus, where one stood before it."""
    has_sign = isinstance(wanted, Text) and wanted.value.startswith("+")
    return f"+{text}" if has_sign and re.fullmatch("[1-9][0-9]*", text) else text


def _written(wanted: Node, found: Value) -> str:
    """A value as an expectation of its kind says it: a list, or words with their numbers, is told with commas."""
    text = shown(found)
    if isinstance(wanted, Mapping):
        return "{" + ", ".join(": ".join(one.rsplit(" ", 1)) for one in text.split(", ")) + "}"
    return f"[{text}]" if isinstance(wanted, Listing) or ", " in text else _signed(wanted, text)


def _fact(run: Run, thing: Thing, key: Text, wanted: Node) -> tuple[Value, Value]:
    fact = run.ruleset.kinds[thing.kind].facts.get(key.value)
    if key.value == "counter":
        now = run.slots.get(CounterOf(thing), run.state.counters.get(thing))
        return _certain(run, now, key.span), text_of(wanted, "a counter")
    if fact is None:
        raise Faulty.one(
            "unknown-fact",
            f"{a(thing.kind)} has no fact `{key.value}`",
            key.span,
            help=no_fact(key.value, run.ruleset.kinds[thing.kind]),
        )
    if isinstance(fact.type, Things):
        if isinstance(wanted, Mapping):
            raise expected("a list of names", wanted)
        members = {m.name for m, guard in run.members(thing, fact.name, False) if _certain(run, guard, key.span)}
        return _named(members), _named({text_of(item, "a name") for item in list_of(wanted)} - {"nobody"})
    if isinstance(fact.type, Per):
        return _word_by_word(run, thing, fact, fact.type, wanted)
    now = _certain(run, run.fact(thing, fact.name), key.span)
    return (
        "thrown" if isinstance(now, Thrown) else now,
        read_value(fact.type, wanted, run.ruleset, run.state) if text_of(wanted, "a value") != "nobody" else None,
    )


def _named(members: set[str]) -> str:
    return ", ".join(sorted(members)) or "nobody"


def _word_by_word(run: Run, thing: Thing, fact: Fact, type_: Per, wanted: Node) -> tuple[str, str]:
    """The numbers of the words that are named, as they are and as they should be."""
    found, want = [], []
    for word, node in mapping_of(wanted, "words and their numbers").entries:
        if word.value not in type_.words:
            message = f"`{word.value}` is not one of {', '.join(type_.words)}"
            raise Faulty.one("unknown-word", message, word.span, help=suggest(word.value, type_.words))
        number = _certain(run, run.fact(thing, fact.name, word.value), word.span)
        found.append(f"{word.value} {shown(number)}")
        want.append(f"{word.value} {shown(read_value(Number(), node, run.ruleset, run.state))}")
    return ", ".join(found), ", ".join(want)


def _chances(run: Run, chances: Mapping, out: Findings) -> None:
    f.go(run)
    out.faults.attempt(f.check_answers, run)
    for key, wanted in chances.entries:
        try:
            value, type_ = f.asked(run, key)
            if not isinstance(type_, Flag):
                raise Faulty.one(
                    "wrong-type", f"`{key.value}` is {type_}, not yes or no", key.span, help="say what it `is`"
                )
            found = f.distribution(run, [value])
            chance = sum((w for (is_so,), w in found.items() if is_so), Fraction(0))
            low, high = chance_of(wanted)
            if not low <= chance <= high:
                stated = text_of(wanted, "a chance")
                points, hundredths = divmod(round(chance * 10_000), 100)
                about = f", about {points}.{hundredths:02}%" if stated.endswith("%") else ""
                said = f"the chance that `{key.value}` is {chance}{about}, not {stated}"
                instead = f"{points}.{hundredths:02}%" if stated.endswith("%") else str(chance)
                out.miss(said, key, wanted, stated, f"{chance}{about}", instead=instead)
        except Faulty as error:
            out.faults.extend(error.diagnostics)
