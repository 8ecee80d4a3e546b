"""Choices that rest on what another has answered in secret, before anything has shown it.

What is answered in secret counts at once, so that whatever is asked afterwards can read it: what another may then
answer, or what he answers if he says nothing, tells him what he should not know. A secret is open as soon as a row that
is no choice goes by it, or a choice that everybody sees is only asked where it is so. The rows are gone through in the
order of play, a repetition twice; what is open on one way that the play can take counts as open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import TypeAlias

from closecombat.binding.bound import BoundAct, BoundAsking, BoundDeclare, BoundPlay, BoundSequence, changed, settled
from closecombat.binding.charts import Bound
from closecombat.checking.whose import FactKey, Party, Read, Readings
from closecombat.text.faults import Faults
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

Secrets: TypeAlias = Mapping[FactKey, BoundAct]  # what is still secret, and the row that asked for it


@dataclass(frozen=True, slots=True)
class Leak:
    """What a choice rests on that another has answered in secret: under which key of the row, `` for its tests."""

    act: BoundAct
    key: str
    read: Read
    asked: BoundAct


def check_secrets(bound: Bound, faults: Faults) -> None:
    """Warns of each place where a choice reads what another has answered in secret."""
    for leak in leaks(bound):
        row, asked, fact = leak.act.act, leak.asked.act, leak.read.fact[1]
        if row is asked:
            help = "write `answered: at-once`: then no answer counts before all have been given"
        else:
            help = (
                f"ask it of his own side alone; or let `{asked.id}` be answered `at-once`, which all see when all have "
                f"answered; or put `{row.id}` before it, or behind a row that goes by it"
            )
        said = f"`{fact}` of another is read here for the choice at `{row.id}`, and was answered in secret"
        labels = [(asked.where.place, "answered in secret here")]
        if row is not asked:
            labels.append((row.where.place, "the choice"))
        faults.add("tells-a-secret", said, leak.read.place, severity="warning", labels=tuple(labels), help=help)


def leaks(bound: Bound) -> tuple[Leak, ...]:
    """Every choice that tells a secret. The ruleset must be without faults."""
    acts = (act for sequence in bound.ruleset.sequences.values() for act in sequence.acts)
    if not any(getattr(act.verb, "answered", "") == "secret" for act in acts):
        return ()
    return tuple(_walked(bound).found.values())


def _walked(bound: Bound) -> _Walk:
    """The order of play, gone through."""
    for name in bound.ruleset.sequences:
        bound.sequence(name)
    walk = _Walk(bound, Readings(bound))
    known: Secrets = {}
    again = 2 if bound.ruleset.until is not None or bound.ruleset.between else 1
    for name in (bound.ruleset.start, bound.ruleset.between) * again:
        if name in bound.ruleset.sequences:
            known = walk.sequence(name, known)
    return walk


def secrets_when_asked(bound: Bound) -> Mapping[Span, frozenset[FactKey]]:
    """What is still secret where a row asks a player, by the row's place."""
    return {place: frozenset(facts) for place, facts in _walked(bound).asked.items()}


@dataclass(slots=True)
class _Walk:
    """What has been followed of the sentences that a choice rests on."""

    bound: Bound
    readings: Readings
    found: dict[tuple[Span, str, Read, Span], Leak] = field(default_factory=dict)  # by the places of both rows
    asked: dict[Span, set[FactKey]] = field(default_factory=dict)  # what is secret where a row asks somebody
    done: dict[tuple[str, tuple[tuple[FactKey, Span], ...]], Secrets] = field(default_factory=dict)

    def sequence(self, name: str, known: Secrets) -> Secrets:
        """Goes through a sequence, and says what is secret behind it."""
        key = (name, tuple((fact, act.act.where.place) for fact, act in known.items()))
        if key not in self.done:
            bound = self.bound.sequence(name)
            self.done[key] = known  # until it is known
            for _ in range(2 if bound.until is not None else 1):
                known = _opened(self._rows(bound, known), self.readings.until(bound))
            self.done[key] = known
        return self.done[key]

    def _rows(self, bound: BoundSequence, known: Secrets) -> Secrets:
        order = bound.sequence.order
        if order == "in-order":
            for act in bound.acts:
                known = self._row(act, bound, known, False)
            return known
        before, shut, opened = known, dict(known), set[FactKey]()
        for act in bound.acts:
            after = self._row(act, bound, before, order == "at-once")
            shut |= after
            opened |= before.keys() - after.keys()
            if order == "first-of":
                before = _opened(before, [] if isinstance(act.verb, BoundAsking) else self.readings.tests(act, Party()))
        return {fact: row for fact, row in shut.items() if fact not in opened}

    def _row(self, act: BoundAct, bound: BoundSequence, known: Secrets, together: bool) -> Secrets:
        """What is secret behind a row, whose leaks are noted."""
        verb, read = act.verb, self.readings
        if isinstance(verb, BoundAsking):
            party, secret = read.party(act, bound.sequence), verb.answered == "secret"
            self.asked.setdefault(act.act.where.place, set()).update(known)
            hidden = dict.fromkeys(_answered(verb), act) if secret else {}
            tests = list(read.tests(act, party))
            self._note(act, (("", one) for one in tests), known)
            self._note(act, read.asking(act, party), known if together else {**known, **hidden})
            known = _without(known, _answered(verb)) | hidden
            known = known if secret else _opened(known, tests)
        else:
            known = _opened(known, read.tests(act, Party()))
            if isinstance(verb, BoundPlay):
                known = self.sequence(verb.sequence, known)
            known = _opened(known, read.done(act))
        written = [changed(effect) for effect in act.effects] + [
            None if isinstance(verb, BoundAsking) else settled(verb)
        ]
        return _without(known, ((fact.kind, fact.name) for fact in written if fact is not None))

    def _note(self, act: BoundAct, reads: Iterable[tuple[str, Read]], known: Secrets) -> None:
        for key, read in reads:
            if not read.mine and read.fact in known:
                asked = known[read.fact]
                self.found[act.act.where.place, key, read, asked.act.where.place] = Leak(act, key, read, asked)


def _answered(verb: BoundAsking) -> Iterator[FactKey]:
    """What a player settles: a fact, or whatever is chosen of the things that he declares."""
    yield verb.fact.kind, verb.fact.name
    if isinstance(verb, BoundDeclare):
        yield from ((verb.kind.name, fact.name) for fact in verb.kind.facts.values() if fact.origin == "chosen")


def _opened(known: Secrets, reads: Iterable[Read]) -> Secrets:
    return _without(known, (read.fact for read in reads)) if known else known


def _without(known: Secrets, facts: Iterable[FactKey]) -> dict[FactKey, BoundAct]:
    gone = set(facts)
    return {fact: act for fact, act in known.items() if fact not in gone}
