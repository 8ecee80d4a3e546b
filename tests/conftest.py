"""How the tests are dealt out to the cores: a long stretch to each, so that what neighbours share is made once.

What is kept for the next time goes into a folder of this run, so that none rests on an earlier one, and what one test
has kept is read by another. What a test writes into a folder of its own may name what lies here. Python looks for
garbage as seldom as in a command, and never among what was collected: thousands of tests and all examples as they are
written. A shell that starts the tests behind a prompt hands on that Ctrl-C is not heard; the commands that tests break
off do hear it.
"""

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from typing import Any

import pytest

from chromium import CHROMIUM
from closecombat.cli import FEWER_COLLECTIONS
from closecombat.text import project
from closecombat.text.cache import WHERE

collect_ignore = ["cases/bad"]  # faulty on purpose, examples beside rulesets too

_AMONG_OTHERS = "PYTEST_XDIST_WORKER"  # set for a process that another has started, with its surroundings


def pytest_configure() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if _AMONG_OTHERS not in os.environ:
        os.environ[WHERE] = tempfile.mkdtemp(prefix="closecombat-")
        os.environ[project.WHERE] = "/"  # variants that tests write elsewhere are for rulesets that lie here


def pytest_unconfigure() -> None:
    if _AMONG_OTHERS not in os.environ:
        shutil.rmtree(os.environ[WHERE], ignore_errors=True)


@pytest.fixture(autouse=True)
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, nothing says how far it is."""
    monkeypatch.setattr("closecombat.telling.progress.PATIENCE", float("inf"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """For tests that are `in_chromium`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def pytest_collection_finish() -> None:
    gc.set_threshold(FEWER_COLLECTIONS)
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Who has done his stretch takes half of what another has left."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None
