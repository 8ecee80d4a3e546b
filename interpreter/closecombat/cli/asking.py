"""Playing with real dice and real players: asks on stderr, reads the answers from standard input.

What has been answered is kept. When an answer turns out to be against the rules, which only shows after it
has been taken, the fight is played again up to that question, with the answers already given, and it is asked
once more.
"""

from __future__ import annotations

import re
import sys
from collections import abc
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from getpass import getpass
from io import TextIOWrapper
from itertools import islice
from textwrap import dedent
from typing import Any, TypeAlias

from closecombat.asking.choices.allowed import who_may
from closecombat.asking.played.resolution import Resolution, resolve
from closecombat.binding.bound import BoundAct, BoundAsking, BoundChoose, BoundDeclare
from closecombat.binding.terms import SetTerm, Term
from closecombat.checking.secrets import leaks
from closecombat.cli.common import say, tell
from closecombat.playing.answers import Answer, Declared
from closecombat.playing.choices import could_be, in_hand
from closecombat.playing.fight import Fight
from closecombat.playing.run import Run
from closecombat.proving.values.symbolic import Sym, Value
from closecombat.reading.model import Asking, Clause, Fact
from closecombat.reading.situation import read_value
from closecombat.reading.slots import FactOf
from closecombat.reading.types import ACounter, AThing, Face, Flag, Thing, Things, Word, shown
from closecombat.text.faults import Faulty, suggest
from closecombat.text.nodes import Listing, Mapping, Node, Text, flow
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

LISTED = 12
MOST_OFFERED = 40  # answers that are held against the rules before anybody is asked
UNTOLD = "as the ruleset has it"
_UNKNOWN = object()

Clauses: TypeAlias = Callable[[], abc.Mapping[str, Clause]]  # read once somebody asks for them
Rule: TypeAlias = Callable[[], str]


@dataclass(slots=True)
class Sitting:
    """What has been said at the table: the dice, with those `known` before it began, and each answer as it is written,
    by row and who is asked, but for those that were left to the ruleset without a word of what that is."""

    known: tuple[Face, ...] = ()
    dice: list[Face] = field(default_factory=list)
    answers: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    untold: set[tuple[str, str]] = field(default_factory=set)
    heard_of: dict[tuple[str, str], int] = field(default_factory=dict)  # at which row whose answer, and how many

    @property
    def all_dice(self) -> tuple[Face, ...]:
        """Those thrown, and those known before that have not been come to."""
        return (*self.dice, *self.known[len(self.dice) :])

    def begin(self) -> None:
        self.dice, self.answers, self.untold, self.heard_of = [], {}, set(), {}

    def hears_of(self, row: str, who: str, turn: int) -> None:
        """Counts how often somebody was asked, whoever answered."""
        self.heard_of[row, who] = max(self.heard_of.get((row, who), 0), turn + 1)

    def heard(self, row: str, who: str, said: str) -> None:
        """Keeps an answer; nothing where there are no words for it, and then none of his at that row."""
        if not said:
            self.untold.add((row, who))
            self.answers.pop((row, who), None)
        elif (row, who) not in self.untold:
            self.answers.setdefault((row, who), []).append(said)


class TakenBack(Exception):
    """The last answer was taken back, and the fight is played again up to it."""


def play_by_asking(
    fight: Fight, until_resolved: bool = False, sitting: Sitting | None = None, clauses: Clauses = dict
) -> Resolution:
    """Plays a fight with answers from standard input, and tells what the `clauses` of a row that asks say. Raises
    Faulty when the answers end before it does."""
    sitting = sitting or Sitting()
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are an answer that is asked again
    script = Script()
    telling = {(leak.act.act.id, leak.key) for leak in leaks(fight.bound)}
    while True:
        script.rewind()
        sitting.begin()
        try:
            dice = AskedDice(script, sitting)
            out = resolve(fight, dice, until_resolved, AskedPlayers(fight, script, telling, sitting, clauses, dice))
            dice.end()
            return out
        except TakenBack:
            continue
        except Faulty as fault:
            if not (
                script.has_choices and fault.diagnostics[0].code in ("illegal-declaration", "no-value", "out-of-range")
            ):
                raise
            tell(*fault.diagnostics)
            row, who, _ = script.forget_last_choice().rsplit(" ", 2)
            say(f"  so all that {who} says at `{row}` is asked again")


class Script:
    """The answers so far, in the order they were asked for, and how many of them this playing has used.

    Answers that make up one choice share its name; a die has none.
    """

    def __init__(self) -> None:
        self._answers: list[tuple[str, str]] = []  # what was typed, and the choice it belongs to
        self._used = 0
        self._hidden = False  # whether only one player may see what is typed

    @contextmanager
    def hidden(self, wanted: bool, who: str) -> Iterator[None]:
        """What is typed meanwhile is for the eyes of one player: it is not shown while he types it."""
        if wanted and self.asks and not self._hidden:
            say(f"only {who} looks")
        before, self._hidden = self._hidden, wanted
        try:
            yield
        finally:
            self._hidden = before

    def _line(self, question: str) -> str:
        """A line of what is typed, empty if there is none; without echo where it is hidden and somebody types it."""
        if self._hidden and sys.stdin is not None and sys.stdin.isatty():
            try:
                return getpass(f"{question} ") + "\n"
            except EOFError:
                return ""
        say(f"{question} ", nl=False)
        return sys.stdin.readline() if sys.stdin is not None else ""

    def rewind(self) -> None:
        self._used = 0

    @property
    def has_choices(self) -> bool:
        return any(choice for _, choice in self._answers)

    def forget_last_choice(self) -> str:
        """Drops the last choice, all its parts, and whatever was answered after it; says which one."""
        last = next(choice for _, choice in reversed(self._answers) if choice)
        first = next(place for place, (_, choice) in enumerate(self._answers) if choice == last)
        del self._answers[first:]
        return last

    @property
    def is_hidden(self) -> bool:
        """Whether only one player may see what is said."""
        return self._hidden

    @property
    def asks(self) -> bool:
        """Whether the next question will really be asked."""
        return self._used >= len(self._answers)

    def ask(self, question: str, choice: str, wrong: Callable[[str], str], rule: Rule | None = None) -> str:
        """An answer that `wrong` says nothing against; else that is shown, and it is asked again. `?` is answered with
        the rule that asks, `undo` takes the last answer back."""
        if not self.asks:
            self._used += 1
            return self._answers[self._used - 1][0]
        while True:
            line = self._line(question)
            if not line:
                say("")
                raise Faulty.one(
                    "dice-missing", "the answers end before the fight does", None, help=f"the question was: {question}"
                )
            typed = line.strip()
            if typed == "?":
                say(f"  {rule()}" if rule is not None else "  nothing more is said of it")
                continue
            against = wrong(typed)
            if against and typed == "undo":
                if not self._answers:
                    say("  there is nothing to take back")
                    continue
                self._answers.pop()
                raise TakenBack
            if not against:
                self._answers.append((typed, choice))
                self._used += 1
                return typed
            say(f"  {against}")

    def take(self, typed: str) -> str:
        """An answer that was given along with the one before."""
        if not self.asks:
            self._used += 1
            return self._answers[self._used - 1][0]
        self._answers.append((typed, ""))
        self._used += 1
        return typed

    def shorten(self, typed: str) -> None:
        """Keeps only this of the last answer, since the rest of it answers what comes next."""
        self._answers[self._used - 1] = (typed, self._answers[self._used - 1][1])


# ---- dice -------------------------------------------------------------------------------------------------


class AskedDice:
    """Real dice, typed in one by one."""

    def __init__(self, script: Script, sitting: Sitting) -> None:
        self._script, self._sitting = script, sitting
        self._rule: Rule | None = None
        self._more: list[str] = []  # typed with the die before
        self._number = self._first = 0  # how many dice this roll has, and how many were thrown before it

    def begin(self, number: int, what: str, place: Span) -> None:
        self.end()
        self._rule = partial(_told, place)
        self._number, self._first = number, len(self._sitting.dice)
        if number > 1 and self._script.asks and len(self._sitting.dice) >= len(self._sitting.known):
            say(f"roll {number} dice for {what}; several may be typed at once, with commas")

    def end(self) -> None:
        """Says which dice were typed beyond those of a roll."""
        if self._more:
            say(f"  more dice than are rolled here; not taken: {', '.join(self._more)}")
        self._more = []

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        face = self._face(faces, what)
        self._sitting.dice.append(face)
        return face

    def _face(self, faces: tuple[Face, ...], what: str) -> Face:
        known = {str(face): face for face in faces}
        at, given = len(self._sitting.dice), self._sitting.known
        if at < len(given) and str(given[at]) in known:
            return known[str(given[at])]
        numbers = all(isinstance(face, int) for face in faces)
        may = f"{faces[0]} to {faces[-1]}" if numbers and len(known) == len(faces) > 2 else ", ".join(known)

        def parts(text: str) -> list[str]:
            return [text] if text in known else [part for part in re.split(r"[,\s]+", text) if part] or [""]

        def wrong(text: str) -> str:
            bad = next((part for part in parts(text) if part not in known), None)
            if bad is None:
                return ""
            of_several = f"`{bad}` is none of its faces, and nothing of the line is taken; " * (len(parts(text)) > 1)
            return of_several + (suggest(bad, known) or f"it shows {may}")

        if self._more and self._more[0] in known:
            return known[self._script.take(self._more.pop(0))]
        which = at - self._first + 1
        what += f", die {which} of {self._number}" if 1 < which <= self._number else ""
        typed = self._script.ask(f"{what} ({may}):", "", wrong, self._rule)
        first, *self._more = parts(typed)
        if self._more:
            self._script.shorten(first)
        return known[first]

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(self.face(tuple(word for word, number in cards if number), what))


# ---- players ----------------------------------------------------------------------------------------------


class AskedPlayers(Declared):
    """Choices as the situation declares them; whatever it leaves open is asked. `telling` are the rows, with a key of
    theirs, whose offers would tell what another has answered in secret: these are not made."""

    def __init__(
        self,
        fight: Fight,
        script: Script,
        telling: Collection[tuple[str, str]],
        sitting: Sitting,
        clauses: Clauses,
        dice: AskedDice,
    ) -> None:
        super().__init__(fight.choices)
        self._sitting, self._clauses, self._dice = sitting, clauses, dice
        self._bound, self._script, self._telling = fight.bound, script, telling
        self._turns: dict[tuple[str, str], int] = {}

    def answer(self, row: str, who: str, turn: int, run: Run) -> Answer | None:
        self._dice.end()
        given = super().answer(row, who, turn, run)
        self._sitting.hears_of(row, who, turn)
        act, verb = self._asked_at(row, run.state.things[who], run)
        if given is not None or act is None or not isinstance(verb, BoundChoose):
            return given
        fact = verb.fact
        default = self._default(act, verb, run.state.things[who], run)
        may = self._may(act, verb, run.state.things[who], run)
        legal = self._legal(act, verb, run.state.things[who], run)
        if legal is not None and len(legal) == 1:
            return self._only(act, fact, who, legal[0], default)
        if legal is not None:
            may = f"({', '.join(map(shown, legal))})"
            default = default if default == UNTOLD or default in map(shown, legal) else ""
        player = self._player(act, verb, run.state.things[who], run)
        asks = row if player == who else f"{row}, {player}"
        question = f"{asks}: {fact.name} of {who}? {may}" + (f" [Enter: {default}]" if default else "")
        with self._script.hidden(verb.answered != "open", player):
            wrong = partial(_not_legal, fact, legal, optional=bool(default), run=run, may=may)
            typed = self._script.ask(question, self._turn(row, who), wrong, partial(_rule, act, self._clauses))
        answer = Answer(_node(fact, typed)) if typed else None
        known = "" if default == UNTOLD else default
        self._sitting.heard(row, who, flow(answer.node) if answer else known)
        return answer

    def declared(self, row: str, who: str, at_most: int | None, turn: int, run: Run) -> dict[str, Answer] | None:
        self._dice.end()
        given = super().declared(row, who, at_most, turn, run)
        self._sitting.hears_of(row, who, turn)
        act, verb = self._asked_at(row, run.state.things[who], run)
        if given is not None or act is None or not isinstance(verb, BoundDeclare):
            return given
        with self._script.hidden(verb.answered != "open", self._player(act, verb, run.state.things[who], run)):
            made = self._things(verb, row, who, at_most, run, partial(_rule, act, self._clauses))
        each = None if made is None else ", ".join(f"{name}: {flow(one.node)}" for name, one in made.items())
        self._sitting.heard(row, who, "" if each is None else f"{{{each}}}")
        return made

    def _things(
        self, verb: BoundDeclare, row: str, who: str, at_most: int | None, run: Run, rule: Rule
    ) -> dict[str, Answer] | None:
        """The things that somebody declares at a row, asked for one after the other."""
        kind = verb.kind
        facts = {each.name: each for each in kind.facts.values() if each.origin == "chosen"}
        usual = {name for line in (verb.otherwise or {}).values() for name in line} & facts.keys()
        main = [each for name, each in facts.items() if name in usual or not usual]
        others = {name: each for name, each in facts.items() if each not in main}
        default = UNTOLD if verb.otherwise is not None else ""
        lines: dict[str, Answer] = {}
        choice = self._turn(row, who)
        who_can = self._who_can(row, who, verb, run)
        while at_most is None or len(lines) < at_most:
            end = "Enter: no more" if lines else f"Enter: {default}, none: none" if default else "Enter: none"
            lead = f"{row}: {who} names {'another' if lines else 'the first'} {kind.name}; "
            first = self._part(lead, main[0], end, choice, True, run, rule, who_can)
            if not first:
                return lines if lines or not default else None
            if first == "none":
                return lines
            said: list[tuple[Text, Node]] = [(_text(main[0].name), _node(main[0], first))]
            for each in main[1:]:
                if who_can.get(each.name) == [None]:
                    continue
                if typed := self._part("  ", each, "Enter: none", choice, False, run, rule, who_can):
                    said.append((_text(each.name), _node(each, typed)))
            said += self._more(others, choice, run)
            name = f"{who}-{row}-{self._turns[row, who] + len(lines)}"
            lines[name] = Answer(Mapping(tuple(said), said[0][1].span))
        return lines

    def _who_can(self, row: str, who: str, verb: BoundDeclare, run: Run) -> dict[str, list[Thing | None]]:
        """Whom the rules do not keep out of each fact of a declared thing; nothing where that would tell what another
        has answered in secret."""
        act, _ = self._asked_at(row, run.state.things[who], run)
        if act is None or not verb.legal or verb.answered == "secret":
            return {}
        if (row, "legal") in self._telling:
            return {}
        try:
            return who_may(run, act, verb, _speaking(act, run.state.things[who]), run.state.things[who])
        except Faulty:
            return {}

    def _part(
        self,
        lead: str,
        fact: Fact,
        end: str,
        turn: str,
        or_none: bool,
        run: Run,
        rule: Rule,
        who_can: dict[str, list[Thing | None]],
    ) -> str:
        """One fact of something declared; the first one also says whether there is one at all."""

        def wrong(text: str) -> str:
            return "" if or_none and text == "none" else _wrong(fact, text, True, run, may)

        may = _values(fact, run)
        if fact.name in who_can:
            may = f"({_listing([shown(one) for one in who_can[fact.name]]) or 'nobody may'})"
        return self._script.ask(f"{lead}{fact.name}? {may} [{end}]", turn, wrong, rule)

    def _more(self, others: dict[str, Fact], turn: str, run: Run) -> list[tuple[Text, Node]]:
        """What is seldom said of something declared, asked for all together: a name and its value each time."""
        said: dict[str, Node] = {}

        def wrong(text: str) -> str:
            name, _, value = text.partition(" ")
            if text and name not in others:
                return suggest(name, others) or f"one of {', '.join(others)}, and its value"
            if text and not value.strip():
                return f"and its value: {name} {_values(others[name], run)}"
            return _wrong(others[name], value.strip(), True, run, _values(others[name], run)) if text else ""

        while left := [name for name in others if name not in said]:
            typed = self._script.ask(f"  more? a name and its value ({', '.join(left)}) [Enter: no]", turn, wrong)
            if not typed:
                break
            name, _, value = typed.partition(" ")
            said[name] = _node(others[name], value.strip())
        return [(_text(name), node) for name, node in said.items()]

    def _turn(self, row: str, who: str) -> str:
        """The name of a choice: where, by whom, and which one it is."""
        self._turns[row, who] = self._turns.get((row, who), 0) + 1
        return f"{row} {who} {self._turns[row, who]}"

    def _asked_at(self, row: str, who: Thing, run: Run) -> tuple[BoundAct | None, BoundAsking | None]:
        """The row of that name that asks a thing of this kind, and what it asks."""
        for sequence in run.ruleset.sequences.values():
            if any(act.id == row and isinstance(act.verb, Asking) for act in sequence.acts):
                for bound in self._bound.sequence(sequence.name).acts:
                    verb = bound.verb
                    if bound.act.id == row and isinstance(verb, BoundAsking) and verb.fact.kind == who.kind:
                        return bound, verb
        return None, None

    def _player(self, act: BoundAct, verb: BoundAsking, who: Thing, run: Run) -> str:
        """Who answers: somebody else than whose fact it is where the row says so."""
        by = who if verb.by is None else self._asking(verb.by, act, who, run)
        return by.name if isinstance(by, Thing) else who.name

    def _default(self, act: BoundAct, verb: BoundChoose, who: Thing, run: Run) -> str:
        """What is chosen when nobody answers."""
        if verb.otherwise is None:
            return ""
        if verb.answered == "secret" or (act.act.id, "otherwise") in self._telling:
            return UNTOLD  # which may hang on what another has answered in secret
        value = self._asking(verb.otherwise, act, who, run)
        return UNTOLD if value is _UNKNOWN else shown(value)

    def _only(self, act: BoundAct, fact: Fact, who: str, value: Value, default: str) -> Answer | None:
        """The one answer that the rules allow: nobody is asked, and it is said so once."""
        if self._script.asks and not self._script.is_hidden:
            say(f"{act.act.id}: {fact.name} of {who} is {shown(value)}: no other answer is legal")
        self._sitting.heard(act.act.id, who, shown(value))
        return None if shown(value) == default else Answer(_node(fact, shown(value)))

    def _legal(self, act: BoundAct, verb: BoundChoose, who: Thing, run: Run) -> list[Value] | None:
        """What the rules of the row allow of all that may be answered; None where they do not say, or where it would
        tell what another has answered in secret, or where nothing is allowed."""
        if not verb.legal or verb.hand is not None or (act.act.id, "legal") in self._telling or self._hides(act, verb):
            return None
        values = list(islice(could_be(run, verb, _speaking(act, who)), MOST_OFFERED + 1))
        if not values or len(values) > MOST_OFFERED:
            return None
        legal: list[Value] = []
        for value in values:
            with run.supposing(FactOf(who, verb.fact.name), value):
                try:
                    is_forbidden = run.table(verb.legal, (who,))
                except Faulty:
                    return None
            if type(is_forbidden) is Sym:
                return None
            if not is_forbidden:
                legal.append(value)
        return legal or None

    def _hides(self, act: BoundAct, verb: BoundChoose) -> bool:
        return verb.answered == "secret" or (act.act.id, "among") in self._telling

    def _may(self, act: BoundAct, verb: BoundChoose, who: Thing, run: Run) -> str:
        """What may be answered: whoever the row allows, else whatever the fact can hold."""
        if verb.hand is not None:
            cards = in_hand(run, verb, _speaking(act, who))
            return f"({', '.join(word for word, there in cards if there is not False)})"
        tells = (act.act.id, "among") in self._telling
        among = _UNKNOWN if verb.among is None or tells else self._asking(verb.among, act, who, run)
        if not isinstance(among, list):
            return _values(verb.fact, run)
        return f"({_listing([member.name for member, guard in among if guard is not False])})"

    def _asking(self, term: Term | SetTerm, act: BoundAct, who: Thing, run: Run) -> Any:
        """The value of a cell for the one who is asked; unknown if it speaks of others too."""
        try:
            return term.run(run, _speaking(act, who))
        except (Faulty, KeyError):
            return _UNKNOWN


def _rule(act: BoundAct, read: Clauses) -> str:
    """What the row that asks says, what its clauses are in our own words, and the row as it is written."""
    row, clauses = act.act, read()
    said = [f"{row.says}  [{', '.join(row.where.cites)}]" if row.where.cites else row.says] if row.says else []
    said += [f"{name}: {clauses[name].rule}" for name in row.where.cites if name in clauses and clauses[name].rule]
    return "\n  ".join([*said, _told(row.where.place)])


def _told(place: Span) -> str:
    """A row as it stands in its file, and where that is."""
    line, column = place.source.position(place.start)
    first, *more = place.text.split("\n")
    rest = dedent("\n".join([" " * (column - 1) + first, *more])).split("\n")
    return "\n  ".join([f"{place.source.name}:{line}", *(f"  {one}" for one in rest)])


def _speaking(act: BoundAct, who: Thing) -> dict[str, Any]:
    """The one who is asked, under every name that he may have in his row."""
    return {
        name: who
        for layer in act.scope.layers
        for name, type in layer.names.items()
        if isinstance(type, AThing) and type.kind == who.kind
    }


def _wrong(fact: Fact, text: str, optional: bool, run: Run, may: str) -> str:
    """What is wrong with an answer, or nothing. Of a name that nobody has it is told again who `may` be answered."""
    if not text:
        return "" if optional else "the ruleset has no answer of its own here"
    try:
        if isinstance(fact.type, Things):
            for item in _listed(text).items:
                read_value(AThing(fact.type.kind), item, run.ruleset, run.state)
        else:
            read_value(fact.type, _text(_spelt(fact, text)), run.ruleset, run.state)
    except Faulty as fault:
        first = fault.diagnostics[0]
        help = first.help
        if first.code == "unknown-thing":
            name = first.span.text if first.span is not None else ""
            offered = re.findall(r"[\w-]+", may)
            help = suggest(name, offered) or f"it may be one of {may.strip('()')}"
        return f"{first.message}; {help}" if help else first.message
    return ""


def _not_legal(fact: Fact, legal: Collection[Value] | None, text: str, optional: bool, run: Run, may: str) -> str:
    """What is wrong with an answer, the rules of its row included, or nothing."""
    wrong = _wrong(fact, text, optional, run, may)
    if wrong and text and legal is not None:
        offered = [*map(shown, legal)]
        near = suggest(text, offered)
        return f"`{text}` is not one of {', '.join(offered)}" + (f"; {near}" if near else "")
    if wrong or not text or legal is None or _spelt(fact, text) in map(shown, legal):
        return wrong
    return f"the rules do not allow `{text}` here: `?` shows them"


def _spelt(fact: Fact, text: str) -> str:
    """What was typed, spelt out: `y` is yes."""
    return {"y": "yes", "n": "no"}.get(text, text) if isinstance(fact.type, Flag) else text


def _values(fact: Fact, run: Run) -> str:
    """What a fact can hold, for the one who is to answer."""
    match fact.type:
        case Flag():
            return "(yes, no)"
        case Word(words):
            return f"({', '.join(words)})"
        case AThing(kind, nobody):
            return _names(kind, run, ["nobody"] if nobody else [])
        case Things(kind):
            return _names(kind, run, [])
        case ACounter():
            return "(a counter)"
    return f"({fact.type})"


def _names(kind: str, run: Run, more: list[str]) -> str:
    here = [thing for thing in run.state.by_kind.get(kind, ()) if _is_here(thing, run)]
    return f"({', '.join(filter(None, (_listing([thing.name for thing in here]), *more)))})"


def _listing(names: Sequence[str]) -> str:
    """As many names as fit a line or two."""
    return ", ".join([*names[:LISTED], *["..."] * (len(names) > LISTED)])


def _is_here(thing: Thing, run: Run) -> bool:
    value = run.in_play(thing)
    return type(value) is Sym or bool(value)


def _text(typed: str) -> Text:
    span = Span(Source("<typed>", typed), 0, len(typed))
    return Text(typed, span, True, span)


def _node(fact: Fact, typed: str) -> Node:
    return _listed(typed) if isinstance(fact.type, Things) else _text(_spelt(fact, typed))


def _listed(typed: str) -> Listing:
    source = Source("<typed>", typed)
    items = []
    for found in re.finditer(r"[^\s,]+", typed):
        span = Span(source, *found.span())
        items.append(Text(found.group(), span, True, span))
    return Listing(tuple(items), Span(source, 0, len(typed)))
