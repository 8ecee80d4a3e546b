"""The browser in which pages are looked at, and what finds fault with them there, where there are such."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser") or ""
in_chromium = pytest.mark.skipif(
    not CHROMIUM or find_spec("playwright") is None, reason="pip install playwright, and a Chromium"
)


def axe_script() -> str:
    """The text of axe, from the package or the file that AXE names; empty if there is none."""
    found = find_spec("axe_playwright_python")
    path = os.environ.get("AXE") or ""
    if not path and found is not None and found.origin is not None:
        path = str(next(Path(found.origin).parent.rglob("axe.min.js"), ""))
    return Path(path).read_text("utf-8") if path else ""


def serious(page: Any, axe: str) -> list[tuple[str, list[Any], str]]:
    """What axe finds in a page that keeps somebody from it: the rule, where, and what would mend it."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        (one["id"], [node["target"] for node in one["nodes"]][:4], one["nodes"][0]["failureSummary"])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
