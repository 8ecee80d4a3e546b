"""The workbench as a folder: rules and a fight to change in a browser, with the chances beside them, and no server."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from closecombat.cli.common import at_work, emit, formats, keep, on_the_page, output_option, say

if TYPE_CHECKING:
    from closecombat.telling.workbench_folder import Part

ASK_ALL = """
import json, sys
from io import BytesIO
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from {module} import {answer}
asked = json.load(sys.stdin)
told = [json.loads({answer}(json.dumps(one), Path(sys.argv[2]), lambda said: None)) for one in asked]
sys.stdout.write(json.dumps(told))
"""
OPENS = "open {page} in a browser: a double click is enough"


@click.command()
@click.argument("folder", required=False, default="", metavar="DIR")
@click.option(
    "--parts",
    "given",
    type=click.Path(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Take the parts that are not ours from this folder, and fetch nothing.",
)
@click.option("--list", "listing", is_flag=True, help="Say what the parts are, and where each comes from.")
@formats("json")
@output_option
def workbench(folder: str, given: str | None, listing: bool, form: str, output: str | None) -> None:
    """Make a folder with a page to try out rules and fights.

    DIR is new, or has been made so before. The page runs this program in the browser: it opens from a disk, a stick or
    any server of files, and needs no network. What is not ours, Python for browsers and an editor, is fetched once.
    """
    from closecombat.telling.workbench_folder import PAGE, listed_parts

    parts = listed_parts()
    if listing == bool(folder):
        raise click.UsageError("name a folder to be made, or ask for the --list of parts")
    if listing:
        from closecombat.telling.workbench_folder import parts_json, parts_text

        emit(parts_json(parts) if form == "json" else on_the_page(parts_text(parts), output), output)
        return
    files = _made(Path(folder), parts, Path(given) if given else None)
    page = (Path(folder) / PAGE).as_posix()
    if form == "json":
        from closecombat.telling.workbench_folder import made_json

        emit(made_json(page, files), output)
    else:
        emit(f"{page}\n", output)
        say(OPENS.format(page=page))


def _made(place: Path, parts: tuple[Part, ...], given: Path | None) -> dict[str, int]:
    """Makes the folder, or makes it anew; its files with their sizes. Raises Faulty rather than touch another's."""
    from closecombat.cli.fetching import gathered
    from closecombat.telling.workbench_folder import MARK, PAGE, folder_of, site_of
    from closecombat.text.faults import Faulty

    old = place / PAGE
    if place.exists() and (
        not place.is_dir()
        or (any(place.iterdir()) and not (old.is_file() and MARK in old.read_text("utf-8", "replace")))
    ):
        said = f"`{place.as_posix()}` is already there and no workbench, and nothing is overwritten"
        raise Faulty.one("cannot-read", said, None, help="choose another name")
    progress = at_work("fetching the parts", keeps=True)
    archives = gathered(parts, given, progress.show)
    progress.then("packing them")
    site, answers = tried(site_of(parts, archives), first_questions())
    files = folder_of(parts, archives, site, first_page(answers))
    is_new, was_there = not old.is_file(), place.exists()
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name in sorted(files, key=lambda name: name == PAGE):  # the page last: what is half there does not open
            keep(str(place / name), files[name])
    except KeyboardInterrupt:
        if is_new:  # a folder without its page is no workbench, and would not be made anew
            for name in files:
                (place / name).unlink(missing_ok=True)
            if not was_there:
                place.rmdir()
        raise
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        raise Faulty.one("cannot-read", f"`{place.as_posix()}` cannot be written: {reason}", None) from None
    progress.done()
    return {name: len(text.encode()) for name, text in sorted(files.items())}


def first_questions() -> list[dict[str, Any]]:
    """What the page would ask first of each ruleset: how a fight is told there, its form, its chances, and whether
    anything is wrong."""
    from closecombat.cli.desk import HOUSE_RULE, shelf
    from closecombat.telling.workbench_folder import opening

    wanted, questions = opening(), list[dict[str, Any]]()
    for one in shelf():
        name, starts = one["name"], [each["name"] for each in one["starts"]]
        start = wanted["fight"] if wanted["fight"] in starts else starts[0]
        rules = [each["text"] for each in one["variants"] if each["name"] == wanted["variant"]]
        texts = {HOUSE_RULE: rules[0]} if rules and name == wanted["ruleset"] else {}
        questions += [
            {"ask": ask, "ruleset": name, "texts": {} if ask == "before" else texts, "fight": {"engagement": start}}
            for ask in ("told", "form", "odds", "before", "rest", "findings", "changes")
        ]
    return questions


def tried(site: dict[str, bytes], questions: list[dict[str, Any]]) -> tuple[dict[str, bytes], list[Any]]:
    """The packed program, alone with its libraries, asked for the first time before anybody opens the page: it comes
    back with what it has read, so that in a browser it need not be read again, and with the answers."""
    import json
    import os
    import subprocess
    import sys
    from tempfile import TemporaryDirectory
    from zipfile import ZipFile

    from closecombat.cli.desk import answer
    from closecombat.telling.workbench_folder import KEPT, zipped
    from closecombat.text.cache import WHERE
    from closecombat.text.faults import Bug

    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    ask_all = ASK_ALL.format(module=answer.__module__, answer=answer.__name__)
    with TemporaryDirectory() as made:
        here, desk = Path(made) / "site", Path(made) / "desk"
        desk.mkdir()
        with ZipFile(BytesIO(zipped(site))) as archive:
            archive.extractall(here)
        found = subprocess.run(
            [sys.executable, "-P", "-s", "-S", "-c", ask_all, str(here), str(desk)],
            input=json.dumps(questions),
            capture_output=True,
            encoding="utf-8",
            env={**alone, WHERE: str(here / KEPT), "PYTHONHASHSEED": "0"},  # nothing in the order of a set
            cwd=desk,
        )
        if found.returncode:
            raise Bug(f"the packed program does not run: {found.stderr.strip()[-300:]}")
        kept = {f"{KEPT}/{file.name}": file.read_bytes() for file in sorted((here / KEPT).glob("*.json"))}
    return {**site, **kept}, json.loads(found.stdout)


def first_page(said: list[Any]) -> dict[str, Any]:
    """What the page shows before anything runs: what there is, and the answers to its first questions."""
    import json

    from closecombat.cli.desk import shelf
    from closecombat.telling.workbench_folder import opening

    first, there = opening()["ruleset"], shelf()
    begins, forms, known = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    for question, answer in zip(first_questions(), said, strict=True):
        name, start = question["ruleset"], question["fight"]["engagement"]
        match question["ask"]:
            case "told":
                begins[name] = {
                    "ruleset": name,
                    "texts": question["texts"],
                    "fight": answer["fight"],
                    "until": False,
                    "start": f"engagement {start}",
                }
            case "form":
                forms[name] = answer
            case "odds" | "before" | "rest" if name == first:
                known[question["ask"]] = answer
    asked_of = [begins[first][key] for key in ("ruleset", "texts", "fight", "until")]
    key = json.dumps(asked_of, separators=(",", ":"), ensure_ascii=False)  # as a browser writes it
    return {"first": first, "rulesets": there, "opening": begins, "forms": forms, "answer": {"key": key, **known}}
