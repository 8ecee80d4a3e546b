"""Claims of a small game, held against a brute force written apart: every situation, every step, every tail."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

from closecombat.asking.claims.bundles import held_alone
from closecombat.asking.claims.properties import Most, look, rules_of
from closecombat.asking.claims.stepping import Situation, Step, Tail, crossed, step_of, steps_in
from closecombat.binding.load import load
from closecombat.cli.main import main
from closecombat.text.document import parse
from closecombat.text.faults import Faulty
from closecombat.text.nodes import Mapping as MappingNode
from closecombat.text.nodes import flow
from closecombat.text.source import Source

SCHEMA = Path(__file__).parents[2] / "schemas" / "properties.schema.json"

# A man a side and a die each; whoever strikes wounds for what he throws.
RULES = """\
ruleset: ring
title: Ring
language: 1
start: bout
sources: {R: the rules of the ring}
kinds:
  fight: {one: yes, given: {mud: flag}}
  side:
    given:
      enemy: the other side
      might: {is: 0 to 2, default: 0}
      sure: flag
      shield: flag
      axe: flag
      mood: {is: [meek, calm, wild], default: calm}
    noted: {wounds: 0 to 12}
    rolled: {luck: one-die}
dice: {one-die: d6}
tables:
  blow:
    about: side
    first-of:
      sure: {sure: yes, is: 4 + might}
    otherwise: luck + might
  taken:
    about: side
    adds-up:
      blow:   {add: blow of enemy of side}
      shield: {shield: yes, add: -1}
      caught: {shield: yes, axe of enemy of side: yes, mud: yes, add: +2}
    at-least: 0
sequences:
  bout:
    in-order:
      throw: {each: side, roll: luck}
      hurt:  {each: side, do: set wounds to taken of side}
strength-lost: {about: side, unit: wounds, is: wounds}
outcomes:
  about: side
  words: [whole, cut, down]
  first-of:
    down: {wounds: at least 6, is: down}
    cut:  {wounds: at least 1, is: cut}
  otherwise: whole
properties:
  might:  {about: side, with: more might, never: less strength-lost of enemy of side, says: Might never spares.}
  sure:   {about: side, with: sure, never: less strength-lost of enemy of side, says: A sure hand never spares.}
  shield: {about: side, with: shield, never: more strength-lost of side, says: A shield never hurts., cites: R-1}
  axe:    {about: side, with: axe, never: less often outcomes of enemy of side is down, says: An axe never hurts.}
  mood:   {about: side, with: more mood, never: more outcomes of side, scale: [whole or cut, down], says: Moods.}
  dry:    {about: fight, with: not mud, never: more often any side where (wounds is at least 6), says: Dry is mild.}
  weak:   {about: side, might: at least 1, unless: sure, with: less might, never: more outcomes of enemy of side,
           scale: [whole, cut, down], says: The weak never down.}
  back:   {about: side, with: less might, never: less outcomes of enemy of side, scale: [whole, cut, down], says: Odd.}
"""
EXAMPLE = "example: even\nsituation: {fight: {}, sides: {a: {}, b: {}}}\n"

Man = Mapping[str, object]
FACTS: Mapping[str, tuple[object, ...]] = {
    "might": (0, 1, 2),
    "sure": (False, True),
    "shield": (False, True),
    "axe": (False, True),
}
PLAIN: Man = {"might": 0, "sure": False, "shield": False, "axe": False}


def wounds(man: Man, enemy: Man, mud: bool) -> dict[int, Fraction]:
    """How likely a man takes how much: plain Python."""
    found: dict[int, Fraction] = {}
    for luck in range(1, 7):
        taken = (4 if enemy["sure"] else luck) + int(str(enemy["might"]))
        taken += -1 if man["shield"] else 0
        taken += 2 if man["shield"] and enemy["axe"] and mud else 0
        found[max(taken, 0)] = found.get(max(taken, 0), Fraction(0)) + Fraction(1, 6)
    return found


def is_more(one: dict[int, Fraction], other: dict[int, Fraction]) -> bool:
    """Whether some tail of the second is fatter."""
    return any(
        sum(p for v, p in other.items() if v >= least) > sum(p for v, p in one.items() if v >= least)
        for least in range(13)
    )


def situations() -> Iterator[tuple[Man, Man, bool]]:
    men = [dict(zip(FACTS, values, strict=True)) for values in product(*FACTS.values())]
    yield from product(men, men, (False, True))


def said(a: Man, b: Man, mud: bool) -> int:
    """How many things a situation says."""
    return sum(man[name] != PLAIN[name] for man in (a, b) for name in PLAIN) + mud


def breaking(fact: str, of_enemy: bool, never_more: bool) -> list[tuple[int, Man, Man, bool]]:
    """Every pair that breaks a claim on a's fact, by how much the first of it says."""
    found = []
    for a, b, mud in situations():
        values = FACTS[fact]
        at = values.index(a[fact])
        if at + 1 == len(values):
            continue
        after = {**a, fact: values[at + 1]}
        if of_enemy:
            one, two = wounds(b, a, mud), wounds(b, after, mud)
        else:
            one, two = wounds(a, b, mud), wounds(after, b, mud)
        if is_more(one, two) if never_more else is_more(two, one):
            found.append((said(a, b, mud), a, b, mud))
    return sorted(found, key=lambda one: one[0])


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "examples").mkdir()
    (tmp_path / "ruleset.yaml").write_text(RULES, "utf-8")
    (tmp_path / "examples" / "even.yaml").write_text(EXAMPLE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str) -> Result:
    return CliRunner().invoke(main, line.split())


def told(line: str) -> dict[str, dict[str, object]]:
    found = json.loads(run(f"properties . {line} --jobs 1 -f json").stdout)
    assert not list(Draft202012Validator(json.loads(SCHEMA.read_text("utf-8"))).iter_errors(found))
    return {one["property"]: one for one in found["properties"]}


def read(text: str) -> tuple[Man, Man, bool]:
    document = parse(Source("<pair>", text))
    assert isinstance(document, MappingNode)
    situation = document.get("situation")
    assert isinstance(situation, MappingNode)
    sides, fight = situation.get("sides"), situation.get("fight")
    assert isinstance(sides, MappingNode)
    men = []
    for _, node in sides.entries:
        man = dict(PLAIN)
        for key, value in node.entries if isinstance(node, MappingNode) else ():
            text = getattr(value, "value", "")
            man[key.value] = int(text) if key.value == "might" else text == "yes"
        men.append(man)
    return men[0], men[1], isinstance(fight, MappingNode) and "mud" in fight


def test_what_holds_and_what_is_broken_is_what_a_brute_force_says(game: Path) -> None:
    found = told("--most 1800 might sure shield")
    for name, of_enemy, never_more in (("might", True, False), ("sure", True, False), ("shield", False, True)):
        broken = breaking(name, of_enemy, never_more)
        assert (found[name]["found"] == "fails") == bool(broken), name
        if broken:
            pair = found[name]["pair"]
            assert isinstance(pair, dict)
            a, b, mud = read(pair["before"])
            if pair["who"] == "b":
                a, b = b, a
            assert (said(a, b, mud), a, b, mud) in broken
            assert said(a, b, mud) == broken[0][0], "and there is no smaller one"
    assert found["might"]["through"] == 3 and found["might"]["at_the_end"]


def test_the_smallest_pair_and_the_row_that_decides_it(game: Path) -> None:
    found = told("--most 1800 shield")["shield"]["pair"]
    assert isinstance(found, dict)
    assert sorted(said(*read(found[key])) for key in ("before", "after")) == [2, 3]
    assert [row["path"] for row in found["rows"]] == ["tables.taken.caught"]
    (tail,) = found["tail"]
    assert tail["what"] == "strength-lost of side: 7 or more"  # of 1 to 6 they become 2 to 7
    assert (tail["before"]["probability"], tail["after"]["probability"]) == ("0", "1/6")


def test_what_is_better_on_average_may_be_worse_in_a_tail(game: Path) -> None:
    result = run("properties . sure --jobs 1")
    assert result.exit_code == 1
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["on", "average", "3.50", "4"] in lines
    assert [
        *["strength-lost", "of", "enemy", "of", "side:", "5", "or", "more", "33.33%", "0%", "-33.33", "(-1/3)"]
    ] in lines


def test_dominance_by_hand() -> None:
    sixth = Fraction(1, 6)
    die = dict.fromkeys(range(1, 7), sixth)
    four: dict[int, Fraction] = {4: Fraction(1)}
    assert crossed(die, four, more=False) == Tail(5, Fraction(1, 3), Fraction(0))  # 4 is 7/2 and more on average
    assert crossed(die, four, more=True) == Tail(4, Fraction(1, 2), Fraction(1))
    assert crossed(die, {number + 1: sixth for number in range(1, 7)}, more=False) is None
    assert crossed(die, die, more=False) is None and crossed(die, die, more=True) is None


@pytest.mark.parametrize(
    ("name", "fate"),
    # down is 6 or more: an axe in the mud makes a shield cost 2; a mood is read by nobody; who is drier is hurt less;
    # who has less might downs fewer, so the last claim is wrong
    [("axe", "holds"), ("mood", "holds"), ("dry", "holds"), ("weak", "holds"), ("back", "fails")],
)
def test_each_form_of_a_claim(game: Path, name: str, fate: str) -> None:
    found = told(f"{name} --most 240")[name]
    assert found["found"] == fate and found["pairs"]


def test_a_claim_may_say_that_it_fails_and_must_still_do_so(game: Path) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8")
    rules.write_text(
        text.replace("says: A shield never hurts.", "says: A shield never hurts., fails: The axe hooks it.")
    )
    result = run("properties . shield --most 1800 --jobs 1")
    assert result.exit_code == 0 and "broken, as it says" in result.stdout and "The axe hooks it." in result.stdout
    rules.write_text(rules.read_text("utf-8").replace("mud: yes, add: +2", "mud: yes, add: +1"))
    result = run("properties . shield --most 1800 --jobs 1")
    assert result.exit_code == 1 and "take `fails:` out" in result.stdout
    assert told("shield --most 1800")["shield"]["found"] == "mended"


def test_what_all_claims_may_take_is_shared_out_and_hangs_on_nobody_who_looks(game: Path) -> None:
    short, long = (run(f"properties . might dry --most {most} --jobs 2 -f json") for most in (1, 1800))
    assert short.stdout == run("properties . might dry --most 1 --jobs 1 -f json").stdout
    assert "the budget ended the search" in short.stderr and "budget" not in long.stderr
    pairs = [[one["pairs"] for one in json.loads(each.stdout)["properties"]] for each in (short, long)]
    assert all(0 < few < many for few, many in zip(*pairs, strict=True))


def test_a_variant_inherits_the_claims_and_may_break_one(game: Path) -> None:
    (game / "v").mkdir()
    (game / "v" / "soft.yaml").write_text(
        "variant: soft\nextends: ..\nchanges:\n"
        "  spares: {at: tables.taken.soft, add: {might of enemy of side: 2, add: -9}, why: pity}\n"
    )
    found = json.loads(run("properties v/soft.yaml might --jobs 1 -f json").stdout)
    assert found["ruleset"] == "ring+soft" and found["properties"][0]["found"] == "fails"
    assert [row["path"] for row in found["properties"][0]["pair"]["rows"]] == ["tables.taken.soft"]


def test_nobody_to_step_is_no_success(game: Path) -> None:
    rules = game / "ruleset.yaml"
    rules.write_text(rules.read_text("utf-8").replace("about: side, with: sure,", "about: side, might: 9, with: sure,"))
    result = run("properties . sure --jobs 1")
    assert result.exit_code == 1 and "nobody to step" in result.stdout


def test_what_could_not_be_worked_out_is_not_nobody_to_step(game: Path) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8").replace("    rolled: {luck: one-die}", "    rolled: {luck: one-die, late: one-die}")
    text = text.replace("      hurt:  {", "      never: {each: side, wounds: 12, roll: late}\n      hurt:  {")
    rules.write_text(
        text.replace("with: sure, never: less strength-lost of enemy of side", "with: sure, never: less late")
    )
    result = run("properties . sure --jobs 1")
    assert result.exit_code == 1 and "none worked out" in result.stdout
    assert "what `sure` compares is nobody's" in " ".join(result.stdout.split())
    assert told("sure")["sure"]["not_played"] and "nobody's" in str(told("sure")["sure"]["because"])


def test_a_claim_about_what_never_changes_is_told(game: Path) -> None:
    result = run("properties . mood --jobs 1")
    assert result.exit_code == 0 and "In none of these pairs does the step change" in " ".join(result.stdout.split())
    assert told("mood")["mood"]["differ"] == 0 and told("might")["might"]["differ"]


def test_what_is_noted_of_somebody_before_the_fight_can_be_stepped(game: Path) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8").replace("set wounds to taken of side", "add taken of side to wounds")
    rules.write_text(
        text.replace("with: sure, never: less strength-lost of enemy", "with: more wounds, never: more strength-lost")
    )
    found = told("sure --most 60")["sure"]
    assert found["found"] == "fails"  # whoever is wounded already has lost more


def test_a_number_for_each_word_is_told_beside_the_step(game: Path) -> None:
    # a horse costs 2 where there is armour of 2 or more against low blows, else it saves its rider
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8").replace(
        "      axe: flag\n", "      axe: flag\n      plate: {per: aims, is: 0 to 3}\n"
    )
    text = text.replace("dice: {", "words: {aims: [High, low]}\ndice: {").replace("mud: yes, add: +2}", "mud: yes, add: +2}\n"
        "      low:    {when: plate of side for low is at least 2, axe: yes, add: +2}")  # fmt: skip
    rules.write_text(
        text.replace("with: sure, never: less strength-lost of enemy", "with: axe, never: more strength-lost")
    )
    pair = told("sure --most 60")["sure"]["pair"]
    assert isinstance(pair, dict) and "low: 2" in pair["before"]


@pytest.mark.parametrize(
    "row, claim, at",
    [  # each row decides at one number of forty alone
        ("{weight: 37, axe: yes, add: +2}", "with: axe, never: more strength-lost", "weight: 37"),
        ("{weight: more than 21, axe: yes, add: +2}", "with: axe, never: more strength-lost", "weight: 22"),
        ("{weight: at least 30, add: -3}", "with: more weight, never: less strength-lost", "weight: 29"),
        ("{weight: at most 25, add: -3}", "with: less weight, never: less strength-lost", "weight: 26"),
        ("{weight: 3, add: +1}", "with: more weight, never: more strength-lost", "weight: 2"),
    ],
)
def test_a_number_is_tried_where_a_row_turns_on_it(game: Path, row: str, claim: str, at: str) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8").replace("axe: flag\n", "axe: flag\n      weight: {is: -20 to 40, default: 0}\n")
    text = text.replace("      blow:   {add", f"      burden: {row}\n      blow:   {{add")
    rules.write_text(text.replace("with: sure, never: less strength-lost of enemy", claim))
    pair = told("sure")["sure"]["pair"]
    assert isinstance(pair, dict) and at in pair["before"]


def test_a_word_that_is_stepped_may_have_capitals_and_digits(game: Path) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8").replace("[meek, calm, wild], default: calm", "[meek, 88L, PIAT], default: meek")
    rules.write_text(text.replace("with: more mood", "with: mood is 88L"))
    assert told("mood")["mood"]["pairs"]


def test_a_fight_of_its_own_that_takes_long_is_looked_at_where_there_is_time(game: Path) -> None:
    bound = load(".")
    document = parse(Source("<fight>", EXAMPLE))
    assert isinstance(document, MappingNode)
    claim = bound.ruleset.properties["might"]
    step = next(held_alone(bound, document, claim, 1))
    assert step.not_played and step.because
    assert next(held_alone(bound, document, claim)).pairs


def test_each_claim_is_a_case_for_a_build_server(game: Path) -> None:
    result = run("properties . might sure --jobs 1 -f junit")
    assert 'tests="2" failures="1"' in result.stdout and "situation:" in result.stdout
    assert "| sure |" in run("properties . might sure --jobs 1 -f md").stdout


def test_on_a_narrow_page_no_word_is_split(game: Path) -> None:
    result = run("properties . --jobs 1 --most 30")
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("with: sure, never", "with: sore, never", "a side has no fact `sore`"),
        ("with: sure, never", "with: more sure, never", "there is no more and no less of `sure`"),
        ("with: sure, never", "with: more luck, never", "`luck` is rolled"),
        ("with: sure, never", "with: [], never", "nothing says what is stepped"),
        ("with: sure, never", "with: [sure, not sure], never", "`sure` is stepped twice"),
        ("with: more might", "with: might is 2", "write `with: more might` or `with: less might`"),
        (
            "with: sure, never: less strength-lost",
            "with: sure, never: less strenght-lost",
            "did you mean `strength-lost`?",
        ),
        ("with: sure, never", "sad: yes, with: sure, never", "a row has no `sad:`"),
        ("with: sure, never", "with: bold, never", "it has enemy, might, sure, shield, axe, mood, wounds"),
        ("with: more might", "with: might", "`might` is 0 to 2, and no flag"),
        ("with: more mood", "with: mood is angry", "`angry` is not"),
        ("with: sure, never", "with: 3 times sure, never", "does not say what is stepped"),
        ("never: less strength-lost of enemy of side, says: Might", "never: strength-lost of enemy, says: M", "never"),
        ("never: less often outcomes", "never: less outcomes", "write `never: less often"),
        ("scale: [whole or cut, down], says: Moods.", "says: M", "add `scale: [whole, cut, down]`"),
        ("scale: [whole or cut, down]", "scale: [whole, down]", "the scale lacks `cut`"),
        ("scale: [whole or cut, down]", "scale: [whole or cut, cut, down]", "stands twice"),
        ("about: fight, with", "about: field, with", "no kind is called `field`"),
        ("says: A sure hand never spares.", "note: none", "needs `says:`"),
    ],
)
def test_what_cannot_be_looked_at_is_said(game: Path, old: str, new: str, says: str) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8")
    assert old in text
    rules.write_text(text.replace(old, new))
    for line in ("check .", "properties . --jobs 1"):
        result = run(line)
        assert result.exit_code in (1, 2) and says in " ".join((result.stdout + result.stderr).split()), line


def test_an_unknown_claim_is_said(game: Path) -> None:
    result = run("properties . shields")
    assert result.exit_code == 2 and "did you mean `shield`?" in result.stderr


def test_a_claim_whose_step_does_nothing_is_looked_at_further_where_it_is_read(game: Path) -> None:
    caught = "example: caught\nsituation: {fight: {mud: yes}, sides: {a: {shield: yes}, b: {}}}\n"
    (game / "examples" / "caught.yaml").write_text(caught, "utf-8")
    rules = replace(rules_of("."), bare=())  # the fights alone, of which only the first is within the bound
    axe = rules.bound.ruleset.properties["axe"]
    found = look(rules, axe, Most(1))
    # in mud, b's axe hurts a more who has a shield: -1 + 2, so that 5 and 6 bring him down
    assert (found.pairs, found.differ, found.fights) == (1 + 2, 1, 2) and found.fate == "holds"
    assert look(rules, axe, Most(1, None)).differ  # whatever it may take


def test_whoever_is_a_step_on_already_is_stepped_from_where_he_was(game: Path) -> None:
    rules = rules_of(".")
    document = parse(
        Source("<fight>", "situation: {fight: {mud: yes}, sides: {a: {sure: yes, might: 2}, b: {shield: yes}}}")
    )
    assert isinstance(document, MappingNode)

    def tails(name: str) -> dict[str, tuple[str, ...]]:
        steps = steps_in(rules.bound, document, rules.bound.ruleset.properties[name])
        return {one.who: tuple(map(flow, (one.before, one.after))) for one in steps if isinstance(one, Step)}

    was, before = "a: {sure: no, might: 2}", "a: {sure: yes, might: 2}"
    assert was in tails("sure")["a"][0] and before in tails("sure")["a"][1]
    assert "b: {shield: yes, sure: yes}" in tails("sure")["b"][1]
    assert "might: 1" in tails("might")["a"][0] and "might: 2" in tails("might")["a"][1]
    assert "shield: no" in tails("shield")["b"][0] and "shield: yes" in tails("shield")["a"][1]


# ---- the shipped rulesets -------------------------------------------------------------------------------------

ODDITIES = [  # ruleset, claim, a pair's first situation, who is stepped, and the tail by hand or by its clause
    # once all of the Germans are broken, r1 is lost without a die
    ("squad-leader", "broken-hits-less", "options: {broken-in-melee: lost}\nsituation: {fight: {mover: german, melee: yes}, "
     "sides: {german: {units: {g1: {counter: german-4-6-7}}}, russian: {units: {r1: {counter: russian-4-4-7, "
     "broken: yes}, r2: {counter: russian-4-4-7}}}}}", "g1", None, Fraction(1)),
    # 4 to 4 kills in 10 rolls of 36: r2 attacks first alone, then each the other
    ("squad-leader", "broken-is-no-shelter", "combats: 2\nchoices: {names: {german: [{}]}}\nsituation: {fight: {mover: "
     "german, melee: yes}, sides: {german: {units: {g1: {counter: german-4-6-7}}}, russian: {units: {r2: {counter: "
     "russian-4-4-7}}}}}", "r2", Fraction(13, 18) * Fraction(5, 18), Fraction(0)),
    # a 12 against a tank, and the half-squad is lost
    ("asl", "broken-is-no-shelter", "situation: {fight: {attacker: russian, defender: german}, sides: {russian: {units: "
     "{r1: {counter: russian-2-3-7}}}, german: {vehicles: {v1: {counter: pz-iv-h}}}}}", "r1", Fraction(1, 36), Fraction(0)),
    ("skirmish", "pinned-is-no-shelter", "situation: {fight: {attacker: red, defender: blue}, sides: {red: {units: {r: "
     "{teams: {rt: {men: 4}}}}}, blue: {units: {b: {hit-in-rear: yes, teams: {bt: {men: 7}}}}}}}", "r", None, None),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "name", "text", "who", "before", "after"), ODDITIES)
def test_each_documented_oddity_is_one(
    ruleset: str, name: str, text: str, who: str, before: Fraction | None, after: Fraction | None
) -> None:
    bound = load(ruleset)
    claim, document = bound.ruleset.properties[name], parse(Source("<pair>", text))
    assert claim.fails and isinstance(document, MappingNode)
    step = step_of(Situation(bound, document, claim), who)
    assert step is not None and step.tail is not None
    assert before in (None, step.tail.before) and after in (None, step.tail.after)


@pytest.mark.parametrize("ruleset", ["asl", "squad-leader", "assault", "skirmish"])
def test_a_shipped_ruleset_claims_much_and_nothing_near_breaks_it(ruleset: str) -> None:
    claims = load(ruleset).ruleset.properties
    assert len(claims) >= 6
    assert {name for name, claim in claims.items() if claim.fails} == {one[1] for one in ODDITIES if one[0] == ruleset}
    rules = rules_of(ruleset)
    for claim in claims.values():
        found = look(rules, replace(claim, fails=""), Most(3))
        assert found.fate == "holds" and found.pairs and found.differ, claim.name


def test_a_run_that_has_stopped_on_its_way_says_nothing_of_anybody(game: Path) -> None:
    rules = game / "ruleset.yaml"
    text = rules.read_text("utf-8").replace(
        "  blow:\n    about: side\n    first-of:", "  blow:\n    about: side\n    one-of:"
    )
    rules.write_text(text.replace("is: 4 + might}", "is: 4 + might}\n      axe:  {axe: yes, is: 1}"))
    bound = load(".")
    both = parse(Source("<fight>", "situation: {fight: {}, sides: {a: {axe: yes, sure: yes}, b: {}}}"))
    assert isinstance(both, MappingNode)
    situation = Situation(bound, both, bound.ruleset.properties["might"])
    for name in ("a", "b"):  # two rows apply, and a fault is no chance
        with pytest.raises(Faulty):
            situation.chances(name)
