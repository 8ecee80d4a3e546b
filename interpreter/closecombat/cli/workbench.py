"""The workbench as a folder: rules and a fight to change in a browser, with the chances beside them, and no server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from closecombat.cli.common import at_work, emit, formats, keep, on_the_page, output_option, say

if TYPE_CHECKING:
    from closecombat.telling.workbench_folder import Part

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
    """Make a folder with a page on which rules and fights are tried out.

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
    from closecombat.telling.workbench_folder import MARK, PAGE, folder_of
    from closecombat.text.faults import Faulty

    old = place / PAGE
    if place.exists() and (
        not place.is_dir()
        or (any(place.iterdir()) and not (old.is_file() and MARK in old.read_text("utf-8", "replace")))
    ):
        said = f"`{place.as_posix()}` is already there and no workbench, and nothing is overwritten"
        raise Faulty.one("cannot-read", said, None, help="choose another name")
    progress = at_work("fetching the parts")
    archives = gathered(parts, given, progress.show)
    progress.then("packing them")
    files = folder_of(parts, archives, first_page())
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name in sorted(files, key=lambda name: name == PAGE):  # the page last: what is half there does not open
            keep(str(place / name), files[name])
    except OSError as trouble:
        reason = (trouble.strerror or str(trouble)).lower()
        raise Faulty.one("cannot-read", f"`{place.as_posix()}` cannot be written: {reason}", None) from None
    progress.done()
    return {name: len(text.encode()) for name, text in sorted(files.items())}


def first_page() -> dict[str, Any]:
    """What the page shows before anything runs: what there is, and the answers to its first questions."""
    import json
    from tempfile import TemporaryDirectory

    from closecombat.cli.desk import HOUSE_RULE, answer, shelf
    from closecombat.telling.workbench_folder import opening

    def asked(folder: str, **question: Any) -> Any:
        return json.loads(answer(json.dumps(question), Path(folder), lambda said: None))

    wanted, there = opening(), shelf()
    begins, forms = dict[str, Any](), dict[str, Any]()
    with TemporaryDirectory() as folder:
        for one in there:
            name, starts = one["name"], [each["name"] for each in one["starts"]]
            start = wanted["fight"] if wanted["fight"] in starts else starts[0]
            told = asked(folder, ask="told", ruleset=name, fight={"engagement": start})
            begins[name] = {
                "ruleset": name,
                "texts": {},
                "fight": told["fight"],
                "until": False,
                "start": f"engagement {start}",
            }
            forms[name] = asked(folder, ask="form", ruleset=name)
            for each in one["variants"]:
                if (name, each["name"]) == (wanted["ruleset"], wanted["variant"]):
                    begins[name]["texts"][HOUSE_RULE] = each["text"]
        first = begins[wanted["ruleset"]]
        odds = asked(folder, ask="odds", **{key: first[key] for key in ("ruleset", "texts", "fight")})
    asked_of = [first[key] for key in ("ruleset", "texts", "fight", "until")]
    key = json.dumps(asked_of, separators=(",", ":"), ensure_ascii=False)  # as a browser writes it
    return {
        "first": wanted["ruleset"],
        "rulesets": there,
        "opening": begins,
        "forms": forms,
        "answer": {"key": key, "odds": odds},
    }
