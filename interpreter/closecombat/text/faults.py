"""What is wrong, where, and what mends it: one type for every fault of every stage.

Wording belongs to the stage that finds a fault, rendering to `telling/findings`, explanations to `codes`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

from closecombat.text.codes import CODES as CODES
from closecombat.text.slotted import dataclass
from closecombat.text.source import Span

MOST_FAULTS = 100
MOST_CANDIDATES = 2_000
NEAR_ENOUGH = 65  # of 100 letters of two spellings: below, what is near is another word
AS_NEAR = 5  # of 100 letters by which two candidates may differ and both be told
SHORTEST = 4  # letters of a name of which one may be wrong

Labels = tuple[tuple[Span, str], ...]
Mend = tuple[tuple[Span, str], ...]  # what to write in the place of what
P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    `code` is a key of `CODES`, `severity` one of error, warning, note. `message` says what is and what
    would do: lower case, no full stop, the user's words between backticks. `labels` are further places
    with a caption each; a label on the main span captions that one. `help` can be followed, or is empty.
    `mend` is there where one mend is right and no other: what `check --fix` writes. `example` is a situation in which
    it is so, as YAML. `more` is how many others are not shown, of the one finding that says so.
    """

    code: str
    severity: str
    message: str
    span: Span | None
    labels: Labels = ()
    help: str = ""
    mend: Mend = ()
    example: str = ""
    more: int = 0


class Bug(Exception):
    """A fault of ours, not of what was written: what holds everywhere in the program does not hold. It is never taken
    for a designer's fault, and the command line asks that it be reported."""


class Faulty(Exception):
    """The job cannot be done; carries every diagnostic found so far."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    @property
    def codes(self) -> set[str]:
        return {fault.code for fault in self.diagnostics}

    def __str__(self) -> str:
        return "; ".join(f"{fault.code}: {fault.message}" for fault in self.diagnostics)

    @classmethod
    def told(cls) -> Faulty:
        """The job cannot be done for a fault that has been told already, where it lies: a name whose own line is faulty
        is known but failed, and its uses give no further finding."""
        return cls(())

    @classmethod
    def one(cls, code: str, message: str, span: Span | None = None, *, help: str = "", labels: Labels = ()) -> Faulty:
        """A single error, ready to be raised."""
        return cls([Diagnostic(code, "error", message, span, labels, help)])


class Faults:
    """Collects findings, so that one run reports all of them; keeps the first hundred. What fails for a fault that has
    been told elsewhere adds none, and still fails."""

    __slots__ = ("_errors", "_failed", "_found", "_left_off")

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []
        self._errors = 0
        self._failed = False
        self._left_off = 0

    def __len__(self) -> int:
        return len(self._found) + self._left_off

    def add(
        self,
        code: str,
        message: str,
        span: Span | None = None,
        *,
        help: str = "",
        labels: Labels = (),
        severity: str = "error",
        mend: Mend = (),
        example: str = "",
    ) -> None:
        """Notes one finding and goes on."""
        self.extend([Diagnostic(code, severity, message, span, labels, help, mend, example)])

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Takes over what another stage has found. Where there is more than is kept, errors are kept first."""
        for diagnostic in diagnostics:
            is_error = diagnostic.severity == "error"
            self._errors += is_error
            if diagnostic.more:
                self._left_off += diagnostic.more
                continue
            if len(self._found) >= MOST_FAULTS:
                self._left_off += 1
                milder = (at for at in reversed(range(MOST_FAULTS)) if self._found[at].severity != "error")
                at = next(milder, None) if is_error else None
                if at is None:
                    continue
                del self._found[at]
            self._found.append(diagnostic)

    def attempt(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """The result of a call, or nothing after noting what was wrong with it."""
        try:
            return call(*args, **kwargs)
        except Faulty as error:
            self.extend(error.diagnostics)
            self._failed = True
            return None

    @property
    def has_errors(self) -> bool:
        return self._errors > 0

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was found, by file and place; the last says so when there was more."""
        found = tuple(in_order(self._found))
        if not self._left_off:
            return found
        more = self._left_off
        said = f"{more:,} more findings are not shown" if more > 1 else "1 more finding is not shown"
        return (*found, Diagnostic("too-many-faults", "note", said, None, more=more))

    def raise_if_any(self) -> None:
        """Raises `Faulty` with everything found if any of it is an error, or anything attempted has failed."""
        if self._errors or self._failed:
            raise Faulty(self.diagnostics)


def is_slip(written: str, meant: str) -> bool:
    """Whether two words differ by one letter that is wrong, missing, too many or changed places with the next, or by
    capitals and `_` alone. Digits tell names apart and are never a slip."""
    if written == meant or re.sub(r"\D", "", written) != re.sub(r"\D", "", meant):
        return False
    if written.lower().replace("_", "-") == meant:
        return True
    if min(len(written), len(meant)) < SHORTEST:
        return False
    longer, shorter = (written, meant) if len(written) > len(meant) else (meant, written)
    if len(longer) - len(shorter) == 1:
        return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))
    if len(longer) != len(shorter):
        return False
    wrong = [at for at, (a, b) in enumerate(zip(written, meant, strict=True)) if a != b]
    if len(wrong) == 2 and wrong[1] == wrong[0] + 1:
        one, other = wrong
        return written[one] == meant[other] and written[other] == meant[one]
    return len(wrong) == 1


def suggest(name: str, candidates: Iterable[str]) -> str:
    """A help line naming the candidate nearest to a mistyped name, two if both are as near or a slip away, or
    nothing."""
    from difflib import SequenceMatcher, get_close_matches

    known = list(candidates)
    nearest = [one for one in known if one.lower() == name.lower()][:1]
    if not nearest:
        tried = sorted(set(known))[:MOST_CANDIDATES]
        slips = [one for one in tried if is_slip(name, one)]
        of = slips if len(slips) > 1 else tried
        nearest = get_close_matches(name, of, n=2, cutoff=NEAR_ENOUGH / 100)
        ratios = [SequenceMatcher(None, each, name).ratio() for each in nearest]
        if len(nearest) == 2 and of is tried and ratios[0] - ratios[1] > AS_NEAR / 100:
            nearest = nearest[:1]
    return f"did you mean {' or '.join(f'`{each}`' for each in nearest)}?" if nearest else ""


def suggested(help: str) -> str:
    """The one name that a help line of `suggest` names; empty if it names several, or is another line."""
    found = re.fullmatch(r"did you mean `([^`]+)`\?", help)
    return found[1] if found else ""


def in_order(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Findings by file and place; last of all, that there are more."""

    def place(one: Diagnostic) -> tuple[bool, str, int]:
        return (one.code == "too-many-faults", *((one.span.source.name, one.span.start) if one.span else ("", 0)))

    return sorted(found, key=place)
