"""The JSON Schema of what is written for a ruleset, held by another program against all that is shipped for it."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from closecombat.cli.main import main
from closecombat.text.files import root

ROOT = Path(__file__).parents[2]
SYSTEMS = sorted(path.parent for path in (ROOT / "tests" / "systems").glob("*/ruleset.yaml"))
RULESETS = ["asl", "squad-leader", "assault", "skirmish", *map(str, SYSTEMS)]


def schema(kind: str, ruleset: str) -> Draft202012Validator:
    told = CliRunner().invoke(main, ["schema", kind, "-r", ruleset])
    assert told.exit_code == 0, told.stderr
    out = json.loads(told.stdout)
    Draft202012Validator.check_schema(out)
    return Draft202012Validator(out)


def read(file: Path) -> Any:
    return YAML(typ="safe", pure=True).load(file.read_text("utf-8"))


def files_of(ruleset: str) -> Iterator[Path]:
    home = root("rulesets") / ruleset if "/" not in ruleset else Path(ruleset)
    yield from sorted((home / "examples").glob("*.yaml"))


@pytest.mark.parametrize("ruleset", RULESETS, ids=[Path(one).name for one in RULESETS])
def test_what_is_written_for_a_ruleset_is_as_its_schema_says(ruleset: str) -> None:
    judge = schema("example", ruleset)
    tried = 0
    for file in files_of(ruleset):
        tried += 1
        assert not [f"{file}: {error.json_path}: {error.message}" for error in judge.iter_errors(read(file))]
    assert tried


FIGHT: dict[str, Any] = {
    "situation": {
        "fight": {"attacker": "german", "defender": "russian"},
        "sides": {
            "german": {"units": {"g1": {"counter": "german-4-6-7", "broken": "yes"}}},
            "russian": {"units": {"r1": {"counter": "russian-4-4-7", "withdrawing": True}}},
        },
    }
}
SLIPS = {
    "a kind": (("situation", "side"), {}),
    "a fact": (("situation", "sides", "german", "units", "g1", "brokn"), "yes"),
    "neither yes nor no": (("situation", "sides", "german", "units", "g1", "broken"), "maybe"),
    "a counter": (("situation", "sides", "german", "units", "g1", "counter"), "german-4-6-8"),
    "nothing that must be said": (("situation", "fight", "attacker"), None),
    "nothing of one without a counter": (("situation", "sides", "german", "units", "g1", "counter"), None),
    "a throw": (("situation", "sides", "german", "ambush-dr"), 3),
    "an option": (("options",), {"covering-unit": "any-standing"}),
    "a reading": (("options",), {"covering-units": "some"}),
    "a row that asks": (("choices",), {"withdrawal": {"g1": "yes"}}),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_what_the_rules_do_not_know_is_refused(slip: str, tmp_path: Path) -> None:
    judge, one = schema("situation", "asl"), deepcopy(FIGHT)
    assert judge.is_valid(one)
    (*path, last), value = SLIPS[slip]
    at = one
    for key in path:
        at = at[key]
    if value is None:
        del at[last]
    else:
        at[last] = value
    assert not judge.is_valid(one)
    (tmp_path / "fight.yaml").write_text(json.dumps({"ruleset": "asl", **one}), "utf-8")
    assert CliRunner().invoke(main, ["check", str(tmp_path / "fight.yaml")]).exit_code == 1


def test_of_a_variant_there_is_what_it_adds_and_of_other_kinds_none() -> None:
    assert "hand-to-hand" in json.dumps(schema("situation", "asl+hand-to-hand").schema)
    refused = CliRunner().invoke(main, ["schema", "variant", "-r", "asl"])
    assert refused.exit_code == 2 and "`variant` is the same for all rules: leave -r out" in refused.stderr
