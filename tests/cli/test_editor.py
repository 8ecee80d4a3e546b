"""The language server as an editor has it: a process that is written to and read from, message by message."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from closecombat.text.files import root

pytest.importorskip("pygls")

PATIENCE = 120  # seconds, for a machine that has much else to do
RULES = """\
ruleset: small
title: "Two \U0001f5e1 fighters"
kinds:
  fight: {one: yes, given: {red: a fighter, blue: a fighter}}
  fighter:
    given: {brave: {is: flag, cites: R1}, strength: 0 to 9}
    rolled: {throw: d6}
    noted: {hit: flag}
tables:
  needed:
    title: What must be thrown
    about: fighter
    adds-up:
      own:   {when: brave or strength is at least 3, add: 1, cites: R1}
      other: {brave: yes, add: 2, cites: R2}
sequences:
  round:
    in-order:
      throw: {each: fighter, roll: throw}
      judge: {each: fighter, when: throw is at most needed, do: gain hit}
start: round
clauses:
  R1: {scope: core, rule: "The brave fight better."}
  R2: {scope: core, rule: "The strong fight better still."}
"""
VARIANT = """\
variant: braver
title: Courage counts double
extends: ..
about: Whoever is brave is so twice.
changes:
  twice:
    at: tables.needed.other
    set: {add: 4}
    was: {add: 2}
    why: The text says so.
"""
EXAMPLES = """\
examples:
  - example: both-throw
    about: Whoever is brave needs little.
    cites: [R1, R2]
    situation:
      fighters:
        x: {brave: yes, strength: 4}
        y: {strength: 1}
      fight: {red: x, blue: y}
    dice: [3, 6]
    expect: {fighters: {x: {hit: yes}, y: {hit: no}}}
"""


class Client:
    """An editor: what it asks is answered, what it is told in between is kept until somebody waits for it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.numbers = count(1)
        self.told: list[dict[str, Any]] = []
        self.versions: dict[Path, int] = {}

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while (line := stream.readline().strip()) or not length:
            assert line, "the server has gone"
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        message: dict[str, Any] = json.loads(stream.read(length))
        return message

    def tell(self, method: str, params: dict[str, Any]) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer; raises `Refused` with the words of an error."""
        number = next(self.numbers)
        self.send({"id": number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == number:
                if "error" in message:
                    raise Refused(message["error"]["message"])
                return message["result"]
            self.told.append(message)

    def findings(self, file: Path, version: int | None = None) -> list[dict[str, Any]]:
        """What the server finds in a file, of a version of its text at least."""
        while True:
            while self.told:
                params = self.told.pop(0).get("params", {})
                is_of_it = "diagnostics" in params and params["uri"] == file.as_uri()
                if is_of_it and (version is None or (params.get("version") or 0) >= version):
                    found: list[dict[str, Any]] = params["diagnostics"]
                    return found
            self.told.append(self.receive())

    def open(self, file: Path) -> list[dict[str, Any]]:
        self.versions[file] = 1
        document = {"uri": file.as_uri(), "languageId": "yaml", "version": 1, "text": file.read_text("utf-8")}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.findings(file)

    def change(self, file: Path, text: str) -> list[dict[str, Any]]:
        """Types a whole text, and does not save it."""
        self.versions[file] += 1
        about = {"uri": file.as_uri(), "version": self.versions[file]}
        self.tell("textDocument/didChange", {"textDocument": about, "contentChanges": [{"text": text}]})
        return self.findings(file, self.versions[file])

    def at(self, method: str, file: Path, line: int, character: int, **more: Any) -> Any:
        where = {"textDocument": {"uri": file.as_uri()}, "position": {"line": line, "character": character}}
        return self.ask(f"textDocument/{method}", {**where, **more})


class Refused(Exception):
    """The server answers with an error."""


@contextmanager
def editor(folder: Path) -> Iterator[Client]:
    command = [sys.executable, "-m", "closecombat", "lsp"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    try:
        client = Client(process)
        root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": {}}
        client.ask("initialize", root)
        client.tell("initialized", {})
        yield client
        client.ask("shutdown", {})
        client.tell("exit", {})
        assert process.wait(PATIENCE) == 0
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small" / "examples").mkdir(parents=True)
    (tmp_path / "small" / "variants").mkdir()
    (tmp_path / "small" / "ruleset.yaml").write_text(RULES, "utf-8")
    (tmp_path / "small" / "examples" / "throws.yaml").write_text(EXAMPLES, "utf-8")
    (tmp_path / "small" / "variants" / "braver.yaml").write_text(VARIANT, "utf-8")
    return tmp_path


def at(text: str, words: str, into: int = 0) -> tuple[int, int]:
    """The line and the character of the first place where some words stand, in units of UTF-16."""
    start = text.index(words) + into
    line = text[:start].rpartition("\n")[2]
    return text.count("\n", 0, start), len(line.encode("utf-16-le")) // 2


def underlined(text: str, found: dict[str, Any]) -> str:
    """The text of a range on one line."""
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"]
    line = text.split("\n")[start["line"]].encode("utf-16-le")
    return line[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")


def test_a_fault_is_told_while_it_is_typed_and_taken_back_when_it_is_mended(folder: Path) -> None:
    file = folder / "small" / "ruleset.yaml"
    with editor(folder) as client:
        assert client.open(file) == []
        wrong = RULES.replace("brave or strength", "brav or strength")
        (found,) = client.change(file, wrong)
        assert (found["code"], found["severity"], found["source"]) == ("unknown-name", 1, "closecombat")
        assert underlined(wrong, found["range"]) == "brav"
        assert found["range"]["start"]["line"] == at(RULES, "own:")[0]
        assert "did you mean `brave`?" in found["message"]
        assert client.change(file, RULES) == []


def test_places_count_as_editors_count(folder: Path) -> None:
    """In UTF-16 a sword is two."""
    file = folder / "small" / "ruleset.yaml"
    with editor(folder) as client:
        client.open(file)
        wrong = RULES.replace('title: "Two', 'titel: "Two').replace("cites: R2", 'note: "\U0001f5e1", cites: R3')
        found = {each["code"]: each for each in client.change(file, wrong)}
        assert underlined(wrong, found["unknown-clause"]["range"]) == "R3"


def test_an_example_is_judged_by_the_rules_as_they_are_edited(folder: Path) -> None:
    rules, examples = folder / "small" / "ruleset.yaml", folder / "small" / "examples" / "throws.yaml"
    with editor(folder) as client:
        assert client.open(rules) == []
        assert client.open(examples) == []
        client.change(rules, RULES.replace("strength", "vigour"))
        found = client.findings(examples)
        assert [(each["code"], underlined(EXAMPLES, each["range"])) for each in found] == [
            ("missing-fact", "x"),
            ("unknown-fact", "strength"),
            ("missing-fact", "y"),
            ("unknown-fact", "strength"),
        ]
        assert found[0]["relatedInformation"][0]["location"]["uri"] == rules.as_uri()
        client.change(rules, RULES)
        assert client.findings(examples) == []


def test_what_is_half_typed_stops_nothing(folder: Path) -> None:
    file = folder / "small" / "ruleset.yaml"
    with editor(folder) as client:
        client.open(file)
        for end in range(0, len(RULES), 97):
            client.change(file, RULES[:end])
        assert client.change(file, RULES) == []


def test_names_that_could_stand_in_a_cell_are_offered(folder: Path) -> None:
    file = folder / "small" / "ruleset.yaml"
    with editor(folder) as client:
        client.open(file)
        found = {each["label"]: each for each in client.at("completion", file, *at(RULES, "when: brave", 6))}
        assert found["strength"]["detail"] == "fact of fighter"
        assert {"brave", "hit", "needed", "red", "is", "at", "least"} <= found.keys()
        assert found["strength"]["sortText"] < found["least"]["sortText"]
        client.change(file, RULES.replace("brave or strength is at least 3", ""))  # nothing is written there yet
        found = {each["label"]: each for each in client.at("completion", file, *at(RULES, "when: brave", 6))}
        assert {"brave", "strength"} <= found.keys()
        client.change(file, RULES)
        cited = {each["label"] for each in client.at("completion", file, *at(RULES, "cites: R2", 8))}
        assert cited == {"R1", "R2"}


def test_a_cited_row_says_what_the_clause_says(folder: Path) -> None:
    file, examples = folder / "small" / "ruleset.yaml", folder / "small" / "examples" / "throws.yaml"
    with editor(folder) as client:
        client.open(file)
        said = client.at("hover", file, *at(RULES, "brave or", 1))["contents"]["value"]
        assert "**brave**, fact of fighter" in said and "`R1` The brave fight better." in said
        said = client.at("hover", file, *at(RULES, "needed, do", 1))["contents"]["value"]
        assert "table: What must be thrown" in said
        client.open(examples)
        said = client.at("hover", examples, *at(EXAMPLES, "needs little"))["contents"]["value"]
        assert "The strong fight better still." in said
        assert client.at("hover", file, 0, 0) is None


def test_a_name_leads_to_its_definition(folder: Path) -> None:
    file, variant = folder / "small" / "ruleset.yaml", folder / "small" / "variants" / "braver.yaml"
    with editor(folder) as client:
        client.open(file)
        client.open(variant)
        for asked, words, defined in (
            (file, "strength is", "strength: 0 to 9"),
            (file, "needed, do", "needed:"),
            (file, "R2}", "R2: {scope"),
            (file, "round\nclauses", "round:"),
        ):
            (found,) = client.at("definition", asked, *at(RULES, words, 1))
            assert found["uri"] == file.as_uri()
            start = found["range"]["start"]
            assert (start["line"], start["character"]) == at(RULES, defined), words
        (found,) = client.at("definition", variant, *at(VARIANT, "tables.needed.other", 3))
        assert (found["uri"], underlined(RULES, found["range"])) == (file.as_uri(), "other")


def test_a_name_of_a_shipped_ruleset_leads_into_it(folder: Path) -> None:
    text = VARIANT.replace("extends: ..", "extends: asl").replace("needed.other", "cc-drm.broken")
    file = folder / "small" / "variants" / "braver.yaml"
    file.write_text(text, "utf-8")
    (folder / "asl").mkdir()
    (folder / "asl" / "attack.yaml").write_text("one's own of that name\n", "utf-8")
    with editor(folder) as client:
        client.open(file)
        (found,) = client.at("definition", file, *at(text, "cc-drm.broken", 8))
    assert found["uri"].endswith("/rulesets/asl/attack.yaml")  # of the program that serves, wherever it is installed
    shipped = root("rulesets") / "asl" / "attack.yaml"
    assert underlined(shipped.read_text("utf-8"), found["range"]) == "broken"


def rewritten(texts: dict[str, str], edit: dict[str, Any]) -> dict[str, str]:
    """Some texts, by address, after an edit."""
    after = dict(texts)
    for uri, edits in edit["changes"].items():
        lines = after[uri].split("\n")
        for each in sorted(edits, key=lambda one: -one["range"]["start"]["character"]):
            start, end = each["range"]["start"], each["range"]["end"]
            units = lines[start["line"]].encode("utf-16-le")
            new = each["newText"].encode("utf-16-le")
            whole = units[: 2 * start["character"]] + new + units[2 * end["character"] :]
            lines[start["line"]] = whole.decode("utf-16-le")
        after[uri] = "\n".join(lines)
    return after


def test_a_name_is_changed_wherever_it_stands(folder: Path) -> None:
    file = folder / "small" / "ruleset.yaml"
    examples, variant = folder / "small" / "examples" / "throws.yaml", folder / "small" / "variants" / "braver.yaml"
    texts = {file.as_uri(): RULES, examples.as_uri(): EXAMPLES, variant.as_uri(): VARIANT}
    with editor(folder) as client:
        client.open(file)
        for old, words in (("strength", "strength is"), ("needed", "needed, do")):
            found = client.at("prepareRename", file, *at(RULES, words, 1))
            assert found["placeholder"] == old and underlined(RULES, found["range"]) == old
            edit = client.at("rename", file, *at(RULES, words, 1), newName="might")
            expected = {uri: text.replace(old, "might") for uri, text in texts.items()}
            assert rewritten(texts, edit) == expected


def test_what_only_has_the_same_letters_keeps_its_name(folder: Path) -> None:
    """A variant, a row and a unit that are called like a fact."""
    file, examples = folder / "small" / "ruleset.yaml", folder / "small" / "examples" / "throws.yaml"
    variant = folder / "small" / "variants" / "braver.yaml"
    rules = RULES.replace("own:  ", "brave:")
    file.write_text(rules, "utf-8")
    examples.write_text(EXAMPLES.replace("y:", "strength:").replace("blue: y", "blue: strength"), "utf-8")
    variant.write_text(VARIANT.replace("variant: braver", "variant: brave"), "utf-8")
    with editor(folder) as client:
        client.open(file)
        edit = client.at("rename", file, *at(rules, "brave or", 1), newName="bold")
        after = rewritten({file.as_uri(): rules, examples.as_uri(): examples.read_text("utf-8")}, edit)
        assert after[file.as_uri()] == RULES.replace("brave", "bold").replace("The bold", "The brave").replace(
            "own:  ", "brave:"
        )
        assert variant.as_uri() not in edit["changes"]
        assert "{bold: yes, strength: 4}" in after[examples.as_uri()] and "Whoever is brave" in after[examples.as_uri()]


def test_what_could_mean_two_things_is_not_renamed(folder: Path) -> None:
    file = folder / "small" / "ruleset.yaml"
    rules = RULES.replace("throw: d6", "throw: d6, luck: d6").replace(
        "noted: {hit: flag}", "noted: {hit: flag, mood: [brave, meek]}"
    )
    file.write_text(rules, "utf-8")
    with editor(folder) as client:
        client.open(file)
        with pytest.raises(Refused, match="`brave` is a fact of fighter and also a word of mood"):
            client.at("prepareRename", file, *at(rules, "brave or", 1))
        with pytest.raises(Refused, match="is already said"):
            client.at("rename", file, *at(rules, "strength is", 1), newName="hit")
        with pytest.raises(Refused, match="cannot be a name"):
            client.at("rename", file, *at(rules, "strength is", 1), newName="at least")


def test_a_file_has_an_outline(folder: Path) -> None:
    file = folder / "small" / "ruleset.yaml"
    with editor(folder) as client:
        client.open(file)
        found = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": file.as_uri()}})
        tables = next(each for each in found if each["name"] == "tables")
        assert [each["name"] for each in tables["children"]] == ["needed"]
        assert [each["name"] for each in tables["children"][0]["children"]] == ["own", "other"]
        kinds = next(each for each in found if each["name"] == "kinds")
        facts = [each["name"] for each in kinds["children"][1]["children"]]
        assert facts == ["brave", "strength", "throw", "hit"]


def test_a_file_of_somebody_else_is_left_alone(folder: Path) -> None:
    other, file = folder / "compose.yaml", folder / "small" / "ruleset.yaml"
    other.write_text("services: [a, a]\nservices: b\n", "utf-8")
    with editor(folder) as client:
        document = {"uri": other.as_uri(), "languageId": "yaml", "version": 1, "text": other.read_text("utf-8")}
        client.tell("textDocument/didOpen", {"textDocument": document})
        assert client.open(file) == []
        assert other.as_uri() not in {each.get("params", {}).get("uri") for each in client.told}


def test_without_the_library_it_is_said_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ImportError('not here')\n", "utf-8")
    code = "import sys; sys.path.insert(0, sys.argv.pop()); from closecombat.cli.main import main; main(['lsp'])"
    command = [sys.executable, "-c", code, str(tmp_path)]
    result = subprocess.run(command, input="", capture_output=True, text=True)
    assert result.returncode == 2 and "pip install 'closecombat[editor]'" in result.stderr
    assert result.stdout == "" and "Traceback" not in result.stderr
