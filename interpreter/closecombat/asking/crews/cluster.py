"""A Dask cluster as the crew of a sweep: a scheduler at an address, and workers that have this program too.

The scheduler itself hands on what a worker has lost; only a batch that has ended several workers comes back as lost. If
the scheduler goes, that is told, and what has been done until then stands.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import CancelledError, Executor
from contextlib import suppress
from types import TracebackType
from typing import Any

from closecombat.text.faults import Faulty

PATIENCE = "20 s"  # until a scheduler answers
COUNTED_FOR = 10_000_000_000  # nanoseconds until the workers are counted again


class Cluster:
    """The workers of a scheduler, each thread of each a hand."""

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise Faulty.one(
                "cannot-read",
                "a cluster is reached through distributed, which is not installed",
                None,
                help="`pip install 'closecombat[cluster]'`, here and where the workers are",
            ) from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told in our own words
        try:
            self._client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError):
            raise Faulty.one(
                "cannot-read",
                f"no scheduler answers at `{address}`",
                None,
                help="begin one with `dask scheduler`, and say its address, `tcp://localhost:8786`",
            ) from None
        self._address, self._hands, self._counted = address, 1, -COUNTED_FOR
        self.executor: Executor = self._client.get_executor()

    @property
    def hands(self) -> int:
        """How many there are, now and then counted anew: workers may come and go."""
        if time.monotonic_ns() - self._counted > COUNTED_FOR:
            with suppress(OSError):
                threads: dict[str, int] = self._client.nthreads()
                self._hands = max(sum(threads.values()), 1)
            self._counted = time.monotonic_ns()
        return self._hands

    def has_lost(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        return isinstance(error, KilledWorker)

    def renew(self) -> None:
        pass

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        from distributed.comm import CommClosedError

        gone = isinstance(error, CommClosedError | CancelledError | asyncio.CancelledError)
        with suppress(OSError, RuntimeError, asyncio.CancelledError):
            self.executor.shutdown(wait=False)
            self._client.close(**({"timeout": 1} if gone else {}))
        if gone:
            raise Faulty.one(
                "cannot-read",
                f"the scheduler at `{self._address}` is gone",
                None,
                help="begin another one; the same command goes on where the rows end",
            ) from None
