"""What `check --fix` writes: the findings that have one right mend and no other, tried before anybody sees it.

A finding brings its own mend (`Diagnostic.mend`), or it names the one word that was meant. That one is certain only if
a single slip of the fingers lies between the two, and if it cannot be the other way round: a name that is defined once
and said nowhere else may be the one that is misspelt. What comes out is checked as a whole: where a mend does not take
its finding away, or another comes up in its line, it is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from closecombat.checking.check import OfPlans, by_themselves, check_paths
from closecombat.reading.stack import shipped
from closecombat.text.document import MOST_BYTES, file_of, unsaved
from closecombat.text.editing import Edit, as_read, edited, lines_after, overlap
from closecombat.text.faults import Diagnostic, Faulty, Mend, is_slip, suggested
from closecombat.text.files import YAML, is_installed, root
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source

MOST_ROUNDS = 8  # a mend may bring to light what could not be looked at before
MOST_FILES = 200  # of a folder, in which a word is looked for
TOKEN = re.compile(r"[^\W_](?:[\w.-]*\w)?")
SHORT = re.compile(r"write `([^`:]+)`")  # the one form of what is said in two

Chosen = Callable[[list[Diagnostic]], list[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Mended:
    """What files would say, what of their findings is mended by it, and what is left."""

    texts: Mapping[Path, str]
    findings: tuple[tuple[Diagnostic, Mend], ...]
    left: list[Diagnostic]


def mended(paths: Sequence[str], chosen: Chosen, of_plans: OfPlans = by_themselves) -> Mended:
    """Mends the chosen findings in the files under some paths, as far as that is certain; writes nothing.

    Raises Faulty as `check_paths` does."""
    bench = _Bench(paths, chosen, tuple(_roots(paths)), of_plans)
    found = bench.check({})
    for _ in range(MOST_ROUNDS):
        candidates = bench.candidates(found)
        if not candidates:
            break
        found = bench.attempt(found, candidates)
    return Mended(dict(bench.texts), tuple(bench.done), found)


@dataclass(slots=True)
class _Bench:
    """What is mended so far: `texts` of files, which nobody has written yet."""

    paths: Sequence[str]
    chosen: Chosen
    roots: tuple[Path, ...]
    of_plans: OfPlans
    texts: dict[Path, str] = field(default_factory=dict)
    done: list[tuple[Diagnostic, Mend]] = field(default_factory=list)
    refused: set[tuple[str, str, str]] = field(default_factory=set)

    def check(self, more: Mapping[Path, str]) -> list[Diagnostic]:
        with unsaved({**self.texts, **more}):
            return self.chosen(check_paths(self.paths, self.of_plans))

    def candidates(self, found: Iterable[Diagnostic]) -> list[tuple[Diagnostic, Mend]]:
        """Findings and their mends that do not touch each other."""
        misspelt = [(one, mend) for one in found if not one.mend and (mend := self.spelling(one))]
        often = Counter((one.code, span.text) for one, mend in misspelt for span, _ in mend)
        out: list[tuple[Diagnostic, Mend]] = []
        for one in found:
            mend = one.mend or next((mend for other, mend in misspelt if other is one), ())
            if not mend or _key(one) in self.refused or any(self.file(span.source) is None for span, _ in mend):
                continue
            if not one.mend and any(often[one.code, span.text] > 1 for span, _ in mend):
                continue  # said so throughout: it may be the other that is misspelt
            if not any(overlap(a, b) for _, taken in out for a, _ in taken for b, _ in mend):
                out.append((one, mend))
        return out

    def file(self, source: Source) -> Path | None:
        """The file of a text, if it was given and may be written."""
        file = file_of(source)
        file = file.resolve() if file is not None else None
        if file is None or not any(file == each or file.is_relative_to(each) for each in self.roots):
            return None
        raw = self.raw(file)
        return file if raw is not None and as_read(raw) == source.text else None

    def raw(self, file: Path) -> str | None:
        if file in self.texts:
            return self.texts[file]
        try:
            data = file.read_bytes() if file.stat().st_size <= MOST_BYTES else b""
            return data.decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    # ---- trying ----------------------------------------------------------------------------------------
    def attempt(self, found: list[Diagnostic], mends: Sequence[tuple[Diagnostic, Mend]]) -> list[Diagnostic]:
        """Keeps those mends that are right, all at once or by halves; gives what is left to be found."""
        edits = [edit for _, mend in mends for edit in mend]
        texts = self.with_edits(edits)
        try:
            after = self.check(texts)
        except Faulty:
            after = None
        if after is not None and self.is_better(found, after, mends, edits):
            self.texts |= texts
            self.done += mends
            return after
        if len(mends) == 1:
            self.refused.add(_key(mends[0][0]))
            return found
        half = len(mends) // 2
        found = self.attempt(found, mends[:half])
        rest = [each for each in self.candidates(found) if _key(each[0]) in {_key(one) for one, _ in mends[half:]}]
        return self.attempt(found, rest) if rest else found

    def with_edits(self, edits: Iterable[Edit]) -> dict[Path, str]:
        by_file: dict[Path, list[Edit]] = {}
        for edit in edits:
            file = self.file(edit[0].source)
            if file is not None:
                by_file.setdefault(file, []).append(edit)
        return {file: edited(self.raw(file) or "", own) for file, own in by_file.items()}

    def is_better(
        self,
        before: Iterable[Diagnostic],
        after: Iterable[Diagnostic],
        mends: Iterable[tuple[Diagnostic, Mend]],
        edits: Sequence[Edit],
    ) -> bool:
        """Whether what was mended is gone, and nothing new has come up where something was written."""
        left = Counter(map(_key, after))
        mine = Counter(_key(one) for one, _ in mends)
        was = Counter(map(_key, before))
        if any(left[key] > was[key] - number for key, number in mine.items()):
            return False
        hid_others = any(one.severity == "error" for one, _ in mends)
        lines = {span.source.name: lines_after(span.source, edits) for span, _ in edits}
        for one in after:
            if _key(one) in was:
                continue
            there = one.span is not None and one.span.source.position(one.span.start)[0] in lines.get(
                one.span.source.name, ()
            )
            if there or (one.severity == "error" and not hid_others):
                return False
        return True

    # ---- misspelt names --------------------------------------------------------------------------------
    def spelling(self, one: Diagnostic) -> Mend:
        """The word that was meant in the place of the one that stands there, if that is certain."""
        if one.span is None:
            return ()
        if one.code == "two-spellings" and (short := SHORT.fullmatch(one.help)):
            return ((one.span, short[1]),)
        if not (right := suggested(one.help)):
            return ()
        tokens = [found for found in TOKEN.finditer(one.span.text) if is_slip(found[0], right)]
        if len(tokens) != 1:
            return ()
        span = one.span.part(*tokens[0].span())
        if one.code != "unknown-key" and self.times(span.source, right) == 1:
            return ()
        return ((span, right),)

    def times(self, source: Source, name: str) -> int:
        """How often a name is said in the folder of a file."""
        file = file_of(source)
        near = sorted(file.parent.iterdir())[:MOST_FILES] if file is not None else []
        texts = (self.raw(each.resolve()) or "" for each in near if each.name.endswith(YAML) and each.is_file())
        word = re.compile(rf"(?<![\w-]){re.escape(name.rpartition('.')[2])}(?![\w-])")
        return sum(len(word.findall(text)) for text in texts)


def _key(one: Diagnostic) -> tuple[str, str, str]:
    """What a finding is known by, wherever it moves."""
    return one.code, one.span.source.name if one.span else "", one.message


def _roots(paths: Sequence[str]) -> Iterable[Path]:
    """What was given, as files and folders that may be written."""
    known = {**shipped("engagements"), **shipped("variants"), **shipped()}
    ours = root("rulesets")
    for path in paths:
        for part in (path, *path.split("+")):
            place = known[part] if part in known and not ("/" in part and Path(part).exists()) else Path(part)
            if place.exists() and not (is_installed(ours) and place.resolve().is_relative_to(ours)):
                yield place.resolve()
