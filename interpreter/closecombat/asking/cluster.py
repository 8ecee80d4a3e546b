"""A Dask cluster as the crew of a sweep: a scheduler at an address, and workers that have this program too.

The scheduler itself hands on what a worker has lost; only a batch that has ended several workers comes back as lost.
"""

from __future__ import annotations

from concurrent.futures import Executor
from types import TracebackType
from typing import Any

from closecombat.text.faults import Faulty

PATIENCE = "20 s"  # until a scheduler answers


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
        try:
            self._client: Any = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError):
            raise Faulty.one(
                "cannot-read",
                f"no scheduler answers at `{address}`",
                None,
                help="begin one with `dask scheduler`, and say its address, `tcp://localhost:8786`",
            ) from None
        self.executor: Executor = self._client.get_executor()

    @property
    def hands(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(sum(threads.values()), 1)

    def has_lost(self, error: BaseException) -> bool:
        from distributed import KilledWorker

        return isinstance(error, KilledWorker)

    def renew(self) -> None:
        pass

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.executor.shutdown(wait=False)
        self._client.close()
