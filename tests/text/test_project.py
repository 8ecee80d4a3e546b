"""What a file may have read, and what not: a stranger's rules are looked at by a machine that holds more than rules."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from closecombat.cli.main import main
from closecombat.text.document import read_source
from closecombat.text.faults import Faulty
from closecombat.text.project import WHERE, refuse_outside
from closecombat.text.source import Source, Span

TESTS = Path(__file__).parents[1]
SECRET = "token-of-somebody: hunter2"
AT = Span(Source("v.yaml", "extends: x"), 9, 10)


@pytest.fixture(autouse=True)
def nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WHERE, raising=False)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A project, `house`, and beside it what is no affair of its files."""
    house = tmp_path / "house"
    for folder in ("house/.git", "house/a/deep", "house/b", "beside"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("beside/secret.yaml", "beside/secret", "house/.git/config", "house/notes"):
        (tmp_path / file).write_text(SECRET + "\n")
    (house / "b" / "small.yaml").write_text((TESTS / "cases" / "duel.yaml").read_text("utf-8"))
    return house


OUTSIDE = (
    "../../beside/secret.yaml",
    "../../beside/secret",
    "../../beside/nothing-there",
    "../../beside",
    "/etc/passwd",
    "/etc",
    "..////../..//",
)
NO_RULES = ("../.git/config", "../notes", "../nothing-there")
INSIDE = (
    "../b/small.yaml",
    "../b/",
    "..",
    ".",
    "deep/../../b/small.yaml",
    "../b/not-yet.yaml",
    "../../house/b/small.yaml",
)


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_lies_outside_the_project_is_not_read(desk: Path, name: str) -> None:
    with pytest.raises(Faulty) as caught:
        refuse_outside(name, desk / "a", AT)
    assert caught.value.codes == {"outside-project"}


@pytest.mark.parametrize("name", [*NO_RULES, "x" * 5_000, "a\0b.yaml", "a\x1b[2Jb.yaml"])
def test_what_can_be_no_rules_is_not_read(desk: Path, name: str) -> None:
    with pytest.raises(Faulty) as caught:
        refuse_outside(name, desk / "a", AT)
    assert caught.value.codes == {"wrong-shape"}


@pytest.mark.parametrize("name", INSIDE)
def test_files_of_a_project_name_each_other(desk: Path, name: str) -> None:
    refuse_outside(name, desk / "a", AT)


def test_without_a_project_the_current_folder_and_that_beside_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules" / "mine").mkdir(parents=True)
    (tmp_path / "rules" / "small.yaml").write_text("ruleset: small\n")
    monkeypatch.chdir(tmp_path / "rules" / "mine")
    refuse_outside("../small.yaml", Path(), AT)
    with pytest.raises(Faulty):
        refuse_outside("../../small.yaml", Path(), AT)
    monkeypatch.chdir(tmp_path)
    refuse_outside("../../small.yaml", Path("rules/mine"), AT)


def test_a_wider_project_may_be_named(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WHERE, str(desk.parent))
    refuse_outside("../../beside/secret.yaml", desk / "a", AT)
    with pytest.raises(Faulty):
        refuse_outside("/etc/x.yaml", desk / "a", AT)


LINKS = {"a/link.yaml": "beside/secret.yaml", "a/other.yaml": "beside/secret", "a/same.yaml": "house/notes"}


@pytest.mark.parametrize("link", LINKS)
def test_a_link_counts_as_what_it_leads_to(desk: Path, link: str) -> None:
    (desk / link).symlink_to(desk.parent / LINKS[link])
    with pytest.raises(Faulty) as caught:
        read_source(desk / link)
    assert caught.value.codes == {"outside-project"}


def test_a_linked_folder_counts_as_what_it_leads_to(desk: Path) -> None:
    (desk / "a" / "far").symlink_to(desk.parent / "beside")
    (desk / "a" / "near").symlink_to(desk / "b")
    with pytest.raises(Faulty):
        read_source(desk / "a" / "far" / "secret.yaml")
    with pytest.raises(Faulty):
        refuse_outside("far/secret.yaml", desk / "a", AT)
    assert "ruleset:" in read_source(desk / "a" / "near" / "small.yaml").text


def test_a_pipe_is_no_file(desk: Path) -> None:
    os.mkfifo(desk / "a" / "pipe.yaml")
    with pytest.raises(Faulty) as caught:
        read_source(desk / "a" / "pipe.yaml")
    assert caught.value.codes == {"not-a-file"}


FIGHTS = {
    "variant": "variant: x\nextends: {}\nchanges: {{}}\n",
    "situation": "ruleset: {}\nsituation: {{fight: {{attacker: red}}}}\n",
    "example": "example: x\nruleset: {}\nsituation: {{}}\nexpect: {{}}\n",
    "stack": "ruleset: asl+{}\nsituation: {{}}\n",
    "plan": "sweep: x\nfights: [{}]\nsystems: [asl]\nask: [sides]\nvary: {{}}\n",
    "systems": "sweep: x\nfights: [farmhouse]\nsystems: ['{}']\nask: [sides]\nvary: {{}}\n",
    "engagement": "engagement: x\ntitle: x\nstory: x\nsystems: {{asl: {{ruleset: '{}', situation: {{}}}}}}\n",
}


@pytest.mark.parametrize("sort", FIGHTS)
@pytest.mark.parametrize("name", ["../../beside/secret.yaml", "../../beside/secret", "../.git/config", "./link.yaml"])
def test_no_command_tells_what_a_strange_file_holds(
    desk: Path, sort: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(desk)
    (desk / "a" / "link.yaml").symlink_to(desk.parent / "beside" / "secret.yaml")
    (desk / "a" / "x.yaml").write_text(FIGHTS[sort].format(name))
    for command in (("check", "."), ("check", "a/x.yaml"), ("test", "a/x.yaml"), ("resolve", "a/x.yaml"), ("chances", "a/x.yaml"),
                    ("chances", "farmhouse", "-r", "a/x.yaml"), ("show", "a/x.yaml"), ("sweep", "a/x.yaml"), ("sweep", "a/x.yaml", "--row", "1")):  # fmt: skip
        result = CliRunner().invoke(main, list(command))
        assert result.exit_code != 0 or command[0] == "check", command  # it does not look for the fights of a plan
        assert "hunter2" not in result.output
        assert "token-of" not in result.output
        assert "fault of closecombat" not in result.output
