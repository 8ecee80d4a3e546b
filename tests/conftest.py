"""How the tests are dealt out to the cores: a long stretch to each, so that what neighbours share is made once.

Python looks for garbage as seldom as in a command, and never among what was collected: thousands of tests and all
examples as they are written.
"""

import gc
from typing import Any

import pytest

from closecombat.cli.main import FEWER_COLLECTIONS


def pytest_collection_finish() -> None:
    gc.set_threshold(FEWER_COLLECTIONS)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Who has done his stretch takes half of what another has left."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None
