"""Work done in batches by whoever there is: this process, others beside it, or a cluster.

Whatever the executor (any of `concurrent.futures`), work is handed out in batches that are as large as what has been
measured says, so that handing out costs nothing beside it. A batch that was lost with the process that did it is tried
again, alone and one piece after the other, until it is known which piece ends its process: that one is given back as
lost, and no other. What the pieces are is `playings` and `sweep`.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Protocol, TypeVar

from closecombat.text.frames import with_room
from closecombat.text.slotted import dataclass

BATCH_NS = 300_000_000  # a batch takes about so long: long beside handing it out, short beside waiting for the last one
MOST_IN_A_BATCH = 5_000
GROWTH = 4  # times that a batch may be longer than the one before
AHEAD = 2  # batches handed out for each worker
TRIES = 3  # that a piece is alone with the process that it ends

T = TypeVar("T")
R = TypeVar("R")


class Crew(Protocol):
    """Who does the work: an executor, how many batches it can have at once, and another one when it is broken."""

    @property
    def executor(self) -> Executor: ...

    @property
    def hands(self) -> int: ...

    def has_lost(self, error: BaseException) -> bool:
        """Whether an error says that a batch was lost with whoever did it."""
        ...

    def renew(self) -> None: ...


class _Here(Executor):
    """Does what it is given in this process, at once."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Alone:
    """This process, by itself."""

    def __init__(self) -> None:
        self.executor: Executor = _Here()
        self.hands = 0  # none beside the one that hands out

    def has_lost(self, error: BaseException) -> bool:
        return False

    def renew(self) -> None:
        pass


class Processes:
    """So many processes beside this one. They are begun afresh on every system, since what a copy of a process has
    taken over is not the same everywhere; but as `copies`, where that is safe, if this one has read what all need."""

    def __init__(self, number: int, copies: bool = False) -> None:
        self.hands = number
        self._copies = copies
        self._executor: ProcessPoolExecutor | None = None

    @property
    def executor(self) -> Executor:
        if self._executor is None:
            are_copies = self._copies and sys.platform == "linux" and threading.active_count() == 1
            if hasattr(signal, "pthread_sigmask") and not are_copies:
                from multiprocessing import resource_tracker

                resource_tracker.ensure_running()  # which makes Python hear of interruptions again, once
            context = multiprocessing.get_context("fork" if are_copies else "spawn")
            self._executor = ProcessPoolExecutor(self.hands, mp_context=context, initializer=_begin)
        return self._executor

    def has_lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor)

    def renew(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends them, whatever they are at."""
        if self._executor is not None:
            for each in multiprocessing.active_children():
                each.terminate()
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            self.stop()
        elif self._executor is not None:
            self._executor.shutdown()
            self._executor = None


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A process that is begun here is never interrupted, not even before it can say that it leaves that to this one;
    whoever interrupts this one is heard a moment later."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """What a process does first: it leaves interruptions to the one that began it, and ends when that one has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def stays() -> None:
    """What has been read by now stays as long as the process: who looks for what is no longer needed need not go
    through it again and again, a tenth of all that is done after it."""
    gc.freeze()


# ---- handing out ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Pace:
    """How long a piece takes, so how many a batch holds."""

    most: int
    size: int = 1

    def note(self, pieces: int, took: int) -> None:
        fitting = pieces * BATCH_NS // max(took, 1)
        self.size = max(1, min(fitting, self.size * GROWTH, self.most))


def carried_out(
    crew: Crew, work: Callable[[tuple[T, ...]], R], pieces: Iterator[T], most: int = MOST_IN_A_BATCH
) -> Iterator[tuple[tuple[T, ...], R | None]]:
    """The result of each batch of pieces, in whatever order they come; None for a piece whose process it has ended.

    `pieces` are asked for as there are hands for them, `most` of them at once: few where those to come may be longer
    than those before. Raises what `work` raises.
    """
    pace, suspects = _Pace(most), list[T]()
    handed_out: dict[Future[tuple[int, R]], tuple[T, ...]] = {}
    try:
        while True:
            broken = False
            while len(handed_out) < max(crew.hands * AHEAD, 1) and not suspects:
                batch = tuple(islice(pieces, pace.size))
                if not batch:
                    break
                try:
                    executor = crew.executor
                    with _undisturbed():
                        handed_out[executor.submit(_timed, work, batch)] = batch
                except BrokenExecutor:  # by what was handed out before, and that is known only now
                    suspects.extend(batch)
                    broken = True
            if not handed_out and not suspects:
                return
            for future in wait(handed_out, return_when=FIRST_COMPLETED).done if handed_out else ():
                batch = handed_out.pop(future)
                error = future.exception()
                if error is None:
                    took, result = future.result()
                    pace.note(len(batch), took)
                    yield batch, result
                elif crew.has_lost(error):
                    suspects.extend(batch)
                    broken |= isinstance(error, BrokenExecutor)
                else:
                    raise error
            if broken:  # and with it whatever else it was to do
                suspects.extend(piece for batch in handed_out.values() for piece in batch)
                handed_out.clear()
                crew.renew()
            if suspects and not handed_out:
                for piece in suspects:
                    yield (piece,), _by_itself(crew, work, piece)
                suspects.clear()
    finally:
        begun = [future for future in handed_out if not future.cancel()]
        if begun:  # somebody is still at what nobody waits for
            crew.renew()


def _by_itself(crew: Crew, work: Callable[[tuple[T, ...]], R], piece: T) -> R | None:
    """The result of a piece that may have ended a process, with nothing done beside it; None if it ends each."""
    for _ in range(TRIES):
        executor = crew.executor
        with _undisturbed():
            future = executor.submit(_timed, work, (piece,))
        error = future.exception()
        if error is None:
            result: R = future.result()[1]
            return result
        if not crew.has_lost(error):
            raise error
        if isinstance(error, BrokenExecutor):
            crew.renew()
    return None


def _timed(work: Callable[[tuple[T, ...]], R], batch: tuple[T, ...]) -> tuple[int, R]:
    begun = time.monotonic_ns()
    result = with_room(partial(work, batch))
    return time.monotonic_ns() - begun, result
