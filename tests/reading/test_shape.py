"""The schemas, and what is said of a file that is not as they want."""

import json
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from closecombat.reading.shape import check_shape
from closecombat.text.document import parse
from closecombat.text.files import schemas
from closecombat.text.source import Source

SITUATION = "situation: {fight: {}}\n"


def shape(text: str, kind: str = "ruleset") -> list[tuple[str, str, str]]:
    """Code, underlined text and message of everything found."""
    found = check_shape(parse(Source("x.yaml", text)), kind)
    return [(fault.code, fault.span.text if fault.span else "", fault.message) for fault in found]


@pytest.mark.parametrize("kind", schemas())
def test_a_schema_is_one(kind: str) -> None:
    schema = json.loads(schemas()[kind].read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["title"] and schema["description"]
    assert "oneOf" not in json.dumps(schema)


@pytest.mark.parametrize("kind", ["ruleset", "variant", "situation", "example", "engagement"])
def test_every_key_of_a_file_has_a_hover_text(kind: str) -> None:
    schema = json.loads(schemas()[kind].read_text("utf-8"))
    definitions = schema["$defs"]
    for place in [schema, *definitions.values()]:
        for name, value in place.get("properties", {}).items():
            target = definitions[value["$ref"].rpartition("/")[2]] if "$ref" in value else value
            assert value.get("title") or value.get("description") or target.get("title"), name


@pytest.mark.parametrize(("text", "code", "underlined", "message"), [
    ("tabels: {}", "unknown-key", "tabels", "a ruleset has no `tabels:`"),
    ("tables: [a]", "wrong-shape", "[a]", "a list stands where tables, written as `name: ..`, should"),
    ("start: [a]", "wrong-shape", "[a]", "a list stands where a name should"),
    ("start: A b", "wrong-shape", "A b", "`A b` is not a name"),
    ("language: 2", "wrong-shape", "2", "`2` is not `1`"),
    ("kinds: {Unit: {}}", "wrong-shape", "Unit", "`Unit` is not a name"),
    ("kinds: {unit: {one: true-ish}}", "wrong-shape", "true-ish", "`true-ish` is not `yes` or `no`"),
    ("kinds: {unit: {given: {a: {are: units, eahc: b}}}}", "unknown-key", "eahc", "a fact in full has no `eahc:`"),
    ("tables: {a: {about: unit, first-of: {b: {unit: broken}}}}", "missing-key", "{unit: broken}",
     "a row with `is` needs `is:`"),
    ("tables: {a: {columns: [1], cells: [1]}}", "missing-key", "{columns: [1], cells: [1]}", "a grid needs `across:`"),
    ("tables: {a: {about: unit, first-of: {b: {unit: [broken], is: 1}}}}", "wrong-shape", "[broken]",
     "a list stands where what one would say after `is` should"),
    ("sequences: {a: {in-order: {b: {do: {c: d}}}}}", "wrong-shape", "{c: d}",
     "a line of braces stands where an effect or a list of effects should"),
    ("words: {mood: []}", "wrong-shape", "[]", "a list of words cannot be empty"),
])  # fmt: skip
def test_what_is_said(text: str, code: str, underlined: str, message: str) -> None:
    assert shape(f"{text}\n") == [(code, underlined, message)]


def test_numbers_and_flags_are_text() -> None:
    assert not shape("options: {a: {readings: [yes, no], default: no}}\ndecks: {pack: {low: 2}}\nlanguage: 1\n")


def test_a_key_without_a_value_is_an_empty_mapping() -> None:
    assert not shape("tables:\nsequences:\n")


@pytest.mark.parametrize(("kind", "text", "codes"), [
    ("situation", SITUATION, []),
    ("situation", "choices: {}\n", ["missing-key"]),
    ("situation", SITUATION + "dice: 4\n", ["wrong-shape"]),
    ("situation", SITUATION + "dice: [4, [2, 1], {6: 2, other: 1}]\n", []),
    ("situation", SITUATION + "dice: [{6: many}]\n", ["wrong-shape"]),
    ("example", "example: a\n" + SITUATION + "chances: {a: 1/6}\n", []),
    ("example", "example: a\n" + SITUATION + "chances: {a: sixth}\n", ["wrong-shape"]),
    ("example", "example: a\n" + SITUATION + "chances: {a: 1234567890123/9876543210123, b: 17.92%, c: 0%}\n", []),
    ("example", "examples: []\n", ["wrong-shape"]),
    ("example", "examples: [{example: a, situation: {}}, {example: b}]\n", ["missing-key"]),
    ("variant", "variant: a\nextends: b\nchanges: {c: {at: tables.d, remove: yes, why: e}}\n", []),
    ("variant", "variant: a\nextends: b\nchanges: {c: {at: tables.d, remove: no, why: e}}\n", ["wrong-shape"]),
    ("variant", "variant: a\nchanges: {}\n", ["missing-key", "wrong-shape"]),
    ("engagement", "engagement: a\nsystems: {b: {situation: {}}, c: {no-such-fight: d, why: e}}\n", []),
    ("engagement", "engagement: a\nsystems: {c: {no-such-fight: d}}\n", ["missing-key"]),
])  # fmt: skip
def test_other_files(kind: str, text: str, codes: list[str]) -> None:
    assert [code for code, _, _ in shape(text, kind)] == codes


def test_a_large_file_takes_no_longer_than_it_should() -> None:
    rows = "".join(f"      r{number}: {{unit: broken, add: [1]}}\n" for number in range(5_000))
    document = parse(Source("x.yaml", f"tables:\n  t:\n    adds-up:\n{rows}"))
    began = time.process_time()
    assert 100 <= len(check_shape(document, "ruleset")) <= 200
    assert time.process_time() - began < 5


def test_what_commands_print_has_a_schema() -> None:
    shown = {"chances", "compare", "test", "check", "resolve", "play", "show", "list", "choices"}
    assert shown <= set(schemas())
    for name in shown:
        schema = json.loads(schemas()[name].read_text("utf-8"))
        for part in [schema["$defs"][key] for key in ("comparison", "curve")] if name == "compare" else [schema]:
            assert part["properties"]["command"]["const"] == name
            assert part["properties"]["format_version"]["const"] == 1
            assert part["additionalProperties"] is False


def test_no_schema_lies_beside_the_others() -> None:
    assert {file.name for file in Path(str(schemas()["ruleset"])).parent.iterdir()} == {
        "README.md",
        *(f"{kind}.schema.json" for kind in schemas()),
    }
