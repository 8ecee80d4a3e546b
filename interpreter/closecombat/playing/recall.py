"""What playings of a fight have come to, and come to again: a fight that is played often is mostly recalled.

A playing is decided by its dice. A piece of one, some rows of a sequence, a row for somebody, its tests, is decided by
the dice that it throws and by what it reads of the state, and mostly reads little: the row that says whether a unit has
fallen asks for one roll, whatever else was rolled before. So each piece that has been gone through is kept as a path
(`paths`): what it asked, how that was answered, and what it wrote. If the next playing comes to the piece with the
same answers, what it wrote is written, and that is all. Pieces lie inside each other: of a whole sequence that has
never come about like this, mostly all but a few rows have.

Dice that were thrown on the way along a path that then ends nowhere are given back, and thrown again the same.

What is recalled is what was come to, so a playing cannot differ from one that is not: a piece is kept only where it
asked for nothing that no path can hold, and was not broken off by a fault. Nothing is recalled where somebody sits at
the table.

Playings that are told, every event of them, have pieces of their own, which are kept with what is told in them: the
events of a playing are those of its pieces, one after the other. What is told hangs on more. A chart that was read for
somebody is not told again until something is written, so such a piece also asks which charts were read before it
(`memory`), and whether what it writes is something else than what was there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from closecombat.binding.terms import Env
from closecombat.playing.paths import Asked, Card, Die, Paths, Question, Step, asked
from closecombat.playing.run import Run
from closecombat.playing.watching import Came
from closecombat.proving.throws.dice import Answers, Thrown
from closecombat.proving.values.symbolic import Value
from closecombat.reading.situation import Course
from closecombat.reading.types import Face
from closecombat.text.source import Span

MOST_KEPT = 1_500_000  # questions and slots, of all paths of a fight
TRIED = (
    100,
    1_000,
)  # ways through a piece, after which it should have come to the same now and then: at first, and when
REST = 2_000  # it has been left alone so often, since a fight that is played so often is played for long
SELDOM = 4  # one of so many is too few


class Draws:
    """Dice of which it is known what they showed, and that can be given back."""

    __slots__ = ("_answers", "_back", "path", "thrown")

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._back: list[Face] = []
        self.thrown: list[Asked] = []
        self.path: list[Asked] | None = None  # of the piece that is being gone through

    def begin(self, number: int, what: str, place: Span) -> None:
        if not self._back:
            self._answers.begin(number, what, place)

    def face(self, faces: tuple[Face, ...], what: str) -> Face:
        return self._noted(Die(faces, what))

    def card(self, cards: Sequence[tuple[str, int]], what: str) -> str:
        return str(self._noted(Card(tuple(cards), what)))

    def _noted(self, question: Question) -> Face:
        face = self.put(question)
        if self.path is not None:
            self.path.append((question, face))
        return face

    def put(self, question: Question) -> Face:
        """The answer to a question that is asked again."""
        face = self._back.pop() if self._back else question.put_to(self._answers)
        self.thrown.append((question, face))
        return face

    def give_back(self, since: int) -> None:
        """Whatever was thrown since so many had been is thrown again."""
        self._back.extend(face for _, face in reversed(self.thrown[since:]))
        del self.thrown[since:]


class Recall:
    """What is known of a fight, and the dice of the playing that is going on."""

    def __init__(self) -> None:
        self.course = Course()
        self.draws: Draws | None = None
        self._pieces: dict[Hashable, Paths[Came]] = {}
        self._rolls: dict[Hashable, Thrown] = {}
        self._slots: dict[Any, Any] = {}  # each slot once
        self._kept = 0

    def one_roll(self, thrown: Thrown) -> Thrown:
        return self._rolls.setdefault((thrown.parts, thrown.faces, thrown.plus), thrown)

    def piece(self, run: Run, what: Hashable, env: Env, body: Callable[[], Value]) -> Value:
        """What a piece gives; it is done as it was done before if it was."""
        course, draws = run.state.course, self.draws
        if course is None or draws is None:
            return body()
        key = what, course, *env, *env.values()
        paths = self._pieces.get(key)
        if paths is None:
            paths = self._pieces[key] = Paths()
        if paths.given_up and not paths.tries_again(REST, len(TRIED)):
            return body()
        since = len(draws.thrown)
        way: list[Step] | None = [] if run.watching is not None else None
        came = paths.gone(run.held, draws.put, way, run.remembered)
        if came is not None:
            run.comes_to(came, asked(way or ()))
            return came.value
        draws.give_back(since)
        if paths.missed >= TRIED[paths.rested] and paths.found * SELDOM < paths.missed:
            paths.give_up()
        if paths.given_up or self._kept > MOST_KEPT:
            return body()
        return self._gone_through(run, draws, paths, body)

    def _gone_through(self, run: Run, draws: Draws, paths: Paths[Came], body: Callable[[], Value]) -> Value:
        """Carries a piece out, and keeps its path, unless no path can hold what it asks."""
        outer = draws.path
        try:
            with run.piece() as piece:
                draws.path = piece.path
                value = body()
        finally:
            draws.path = outer
        if not piece.is_vague:
            same = self._slots.setdefault
            path = [(same(slot, slot), held) for slot, held in piece.path]
            written = {same(slot, slot): run.held[slot] for slot in piece.written}
            for read in tuple(piece.read):
                piece.read[same(read, read)] = piece.read.pop(read)
            self._kept += paths.keep(path, piece.came(value, written)) + len(written)
        return value
