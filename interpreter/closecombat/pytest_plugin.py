"""Rulesets' examples as pytest items.

Loaded in every pytest run of an environment that has closecombat installed, so it imports nothing heavy
until an example file is collected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

FIRST_LINES = 20  # of a file, in which it says what it is
GO_ON = "--closecombat-yes"  # what `closecombat test` calls --yes


def pytest_addoption(parser: pytest.Parser) -> None:
    help = "go on where an example of a ruleset takes more than some ten seconds"
    parser.getgroup("closecombat").addoption(GO_ON, action="store_true", help=help)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """YAML files below the folder `examples/` of a ruleset or beside a variant."""
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    for folder in file_path.parents:
        if folder.name == "examples" and _holds_rules(folder.parent):
            return Examples.from_parent(parent, path=file_path)
    return None


def _holds_rules(folder: Path) -> bool:
    """Whether a folder is a ruleset, or holds a variant."""
    if (folder / "ruleset.yaml").is_file():
        return True
    for file in folder.glob("*.yaml"):
        try:
            with file.open(encoding="utf-8") as stream:
                if any(line.startswith("variant:") for line in islice(stream, FIRST_LINES)):
                    return True
        except (OSError, UnicodeDecodeError):
            continue
    return False


class Examples(pytest.File):
    """One file of examples."""

    def collect(self) -> Iterator[pytest.Item]:
        from closecombat.asking.examples.collection import Bench, example_files, examples_of, read
        from closecombat.proving.values.budget import UNASKED
        from closecombat.text.faults import Faulty

        bench = Bench("", None if self.config.getoption(GO_ON) else UNASKED)
        (file,) = example_files([str(self.path)])
        try:
            document = read(file)
            named = list(examples_of(file, document))
        except Faulty as fault:
            raise self.CollectError(_text(fault.diagnostics)) from None
        for name, example in named:
            run = partial(bench.run_one, file, document, name, example)
            yield Example.from_parent(self, name=name, run=run)


class Example(pytest.Item):
    """One example; it fails with the findings that `closecombat test` prints."""

    def __init__(self, run: Callable[[], Any], **more: Any) -> None:
        super().__init__(**more)
        self.run = run

    def runtest(self) -> None:
        tested = self.run()
        if not tested.passed:
            raise Failed(_text(_as_here(fault) for fault in tested.result.faults))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return str(excinfo.value) if isinstance(excinfo.value, Failed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, f"example {self.name}"


class Failed(Exception):
    """An example that did not come out as expected."""


def _as_here(fault: Any) -> Any:
    """A finding whose help names options, as they are called here."""
    return replace(fault, help=re.sub(r"--yes\b", GO_ON, fault.help))


def _text(faults: Any) -> str:
    from closecombat.telling.findings import diagnostics_text

    return diagnostics_text(faults)
