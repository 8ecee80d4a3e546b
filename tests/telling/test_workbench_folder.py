"""The folder of the workbench: everything is in it, nothing is fetched, and the same parts make the same bytes."""

import gzip
import io
import json
import re
import tarfile
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest

from closecombat.telling.workbench_folder import MARK, Part, folder_of, listed_parts, site_of

ROOT = Path(__file__).parents[2]
FIRST = {"zebra": "</script><b>&'\"", "ant": [1, {"b": None}]}


def tarball(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            one = tarfile.TarInfo(name)
            one.size = len(data)
            archive.addfile(one, io.BytesIO(data))
    return out.getvalue()


def wheel(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def part(name: str, data: bytes, end: str, takes: dict[str, str], licence: str, use: str) -> Part:
    return Part(
        name,
        "1.2",
        "MIT",
        use,
        f"https://example.invalid/{name}{end}",
        f"{name}{end}",
        sha256(data).hexdigest(),
        len(data),
        takes,
        licence,
    )


@pytest.fixture(scope="module")
def folder() -> dict[str, str]:
    editor = tarball(
        {"package/dist/index.js": b"export const a = 1;", "package/LICENSE": b"Leave this in.", "package/x": b"no"}
    )
    library = wheel(
        {
            "lib/__init__.py": b"x = 1\n",
            "lib/tests/big.py": b"",
            "lib-1.2.dist-info/METADATA": b"m",
            "lib-1.2.dist-info/COPYING": b"Free.",
        }
    )
    parts = (
        part("@a/editor", editor, ".tgz", {"package/dist/index.js": "@a/editor"}, "package/LICENSE", "editor"),
        part("lib", library, ".whl", {}, "lib-1.2.dist-info/COPYING", "library"),
    )
    archives = {"@a/editor": editor, "lib": library}
    return folder_of(parts, archives, site_of(parts, archives), FIRST)


def unpacked(folder: dict[str, str]) -> dict[str, bytes]:
    found = json.loads(folder["parts.js"].removeprefix("self.PARTS = ").rstrip().removesuffix(";"))
    return {name: gzip.decompress(b64decode(text)) for name, text in found.items()}


def test_a_script_holds_every_part(folder: dict[str, str]) -> None:
    parts = unpacked(folder)
    assert parts["@a/editor"] == b"export const a = 1;"
    assert set(parts) == {"@a/editor", "site.zip", "worker.js", "editor.js"}
    with ZipFile(io.BytesIO(parts["site.zip"])) as site:
        names = set(site.namelist())
        assert site.read("lib/__init__.py") == b"x = 1\n"
        assert site.read("closecombat/cli/desk.py") == (ROOT / "interpreter/closecombat/cli/desk.py").read_bytes()
        assert (
            site.read("closecombat/_data/rulesets/asl/ruleset.yaml")
            == (ROOT / "rulesets/asl/ruleset.yaml").read_bytes()
        )
    assert {
        "closecombat/_data/grammar/sentence.lark",
        "closecombat/_data/schemas/ruleset.schema.json",
        "lib-1.2.dist-info/METADATA",
    } <= names
    assert not [
        name
        for name in names
        if "tests/" in name or "__pycache__" in name or "workbench/parts" in name or name.endswith(".md")
    ]


def test_licences_are_told(folder: dict[str, str]) -> None:
    told = folder["LICENSES.txt"]
    assert "Leave this in." in told and "Free." in told and "lib 1.2" in told
    assert "Mozilla Public License Version 2.0" in told and "PYTHON SOFTWARE FOUNDATION LICENSE" in told
    assert "https://github.com/pyodide/pyodide" in told
    own = (ROOT / "interpreter/closecombat/telling/workbench/LICENSE.txt").read_text("utf-8")
    assert own == (ROOT / "LICENSE").read_text("utf-8")


def test_the_page_fetches_nothing_and_runs_no_text(folder: dict[str, str]) -> None:
    page = folder["index.html"]
    assert MARK in page
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(one.split(maxsplit=1) for one in policy.split("; "))
    assert rules["default-src"] == "'none'" and rules["connect-src"] == "blob:" and rules["worker-src"] == "blob:"
    assert (
        "unsafe-eval'" not in rules["script-src"].replace("'wasm-unsafe-eval'", "")
        and "unsafe-inline" not in rules["script-src"]
    )
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == [
        "data:,",
        "#odds-title",
        "LICENSES.txt",
        "parts.js",
        "page.js",
    ]
    assert not re.search(r"\son\w+=", page)  # no script in an attribute
    ours = (
        "page.js",
        *(ROOT / "interpreter/closecombat/telling/workbench" / name for name in ("worker.js", "editor.js")),
    )
    for text in (folder[one] if isinstance(one, str) else one.read_text("utf-8") for one in ours):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://(?!nowhere\.invalid)",
            text,
        )


def test_what_the_page_begins_with_is_data(folder: dict[str, str]) -> None:
    (said,) = re.findall(r'<script type="application/json" id="first">(.*?)</script>', folder["index.html"])
    assert json.loads(said) == FIRST and said.index("zebra") < said.index("ant")


def test_the_same_makes_the_same(folder: dict[str, str]) -> None:
    again = folder_of((), {}, site_of((), {}), FIRST)
    assert again["index.html"] == folder["index.html"] and again["parts.js"] == folder_of((), {}, site_of((), {}), FIRST)["parts.js"]


def test_every_part_is_pinned() -> None:
    parts = listed_parts()
    assert {one.name for one in parts} >= {"pyodide", "@codemirror/view", "lark", "jsonschema", "ruamel-yaml"}
    for one in parts:
        assert (
            re.fullmatch(r"[0-9a-f]{64}", one.sha256)
            and one.version in one.address
            and one.licence in ("MIT", "MPL-2.0", "BSD-3-Clause")
        )
        assert one.address.startswith(
            ("https://registry.npmjs.org/", "https://files.pythonhosted.org/")
        ) and one.address.endswith(one.file.rpartition("-")[2])
        assert one.use in ("python", "editor", "library") and (one.licence_file or one.name == "pyodide")
    assert len({one.file for one in parts}) == len(parts)
