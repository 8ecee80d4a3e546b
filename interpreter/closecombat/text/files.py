"""Where the grammar, the schemas and the shipped rulesets lie, and how the name of a YAML file ends.

In a wheel they are inside the package, in a checkout beside it; nobody else needs to know.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

YAML = (".yaml", ".yml")
PACKAGED = "_data"


@cache
def root(kind: str) -> Path:
    """The folder of a kind of data: `grammar`, `schemas` or `rulesets`.

    Raises FileNotFoundError if the installation lacks it.
    """
    packaged = Path(__file__).resolve().parents[1] / PACKAGED / kind
    if packaged.is_dir():
        return packaged
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").is_file() and (checkout / kind).is_dir():
        return checkout / kind
    raise FileNotFoundError(f"this installation of closecombat has no {kind!r} folder")


def is_installed(folder: Path) -> bool:
    """Whether a folder of `root` is part of an installation, where nobody edits it."""
    return folder.parent.name == PACKAGED


def schemas() -> dict[str, Path]:
    """The schemas by what they describe."""
    folder, end = root("schemas"), ".schema.json"
    return {
        file.name.removesuffix(end): file
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        if file.name.endswith(end)
    }
