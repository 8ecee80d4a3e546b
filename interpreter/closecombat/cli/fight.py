"""The commands that look at one fight: resolve, play, chances, choices, compare.

Options become arguments of a question (`asking`), its answer a text (`telling`); nothing is worked out here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from closecombat.cli import completion
from closecombat.cli.common import (
    FINDINGS,
    INTERRUPTED,
    aim_option,
    at_work,
    emit,
    formats,
    jobs_option,
    keep,
    memory_option,
    option_option,
    output_option,
    page,
    play_option,
    ruleset_option,
    say,
    until_option,
    weigh_option,
    yes_option,
)
from closecombat.text.files import YAML
from closecombat.text.slotted import dataclass

Command: TypeAlias = Callable[..., Any]
WEIGHING = "weighing what it rests on"

if TYPE_CHECKING:
    from rich.console import RenderableType

    from closecombat.asking.choices.aims import Wanted
    from closecombat.asking.exact.answers import Chances
    from closecombat.asking.exact.questions import Asked
    from closecombat.asking.exact.tree import Node
    from closecombat.asking.fights.fight_files import Engagement, Scene
    from closecombat.asking.played.resolution import Resolution
    from closecombat.asking.played.retelling import Heard
    from closecombat.asking.systems.compare import Comparison, Looking
    from closecombat.asking.systems.factors import Factors
    from closecombat.playing.fight import Fight
    from closecombat.proving.throws.dice import Answers
    from closecombat.reading.types import Face
    from closecombat.telling.progress import Progress


@dataclass(frozen=True, slots=True)
class Named:
    """A fight as it is named at the command line: by itself, or by two forces, with where and how it is."""

    fight: str
    against: str = ""
    ground: str = ""
    state: str = ""

    @property
    def in_words(self) -> str:
        """The engagement that two forces make; nothing if a fight is named."""
        from closecombat.asking.fights.fight_files import told_in_words

        if not self.against and (self.ground or self.state):
            raise click.UsageError("--ground and --state are for two forces: two arguments behind the command")
        if not self.against:
            return ""
        self._refuse_what_is_no_force()
        return told_in_words(self.fight, self.against, self.ground, self.state)

    def _refuse_what_is_no_force(self) -> None:
        """A ruleset is named with -r, and dice are joined by commas: neither is the other force."""
        from closecombat.reading.stack import shipped

        command = click.get_current_context().info_name
        rulesets, fights = {*shipped(), *shipped("variants")}, shipped("engagements")
        said = [one for one in (self.fight, self.against) if one.split("+")[0] in rulesets]
        named = next((one for one in (self.fight, self.against) if one in fights or os.path.exists(one)), "")
        if said:
            shown = " ".join((named or next(iter(fights), "FIGHT"), *(f"-r {one}" for one in said)))
            raise click.UsageError(f"rules are named with -r: closecombat {command} {shown}")
        if named and re.fullmatch(r"[\d\s,]+", self.against):
            raise click.UsageError(f"`{self.against}` stands alone: dice are joined by commas, --dice 4,2,5")
        if named:
            raise click.UsageError(f"`{named}` is a whole fight, and beside it stands no other force: leave one out")

    def read(self, stack: str = "") -> Scene | Engagement:
        """What is named, for whoever asks about one `stack` alone."""
        from closecombat.asking.fights.fight_files import read_scene, scene_in_words

        text = self.in_words
        return scene_in_words(text, stack) if text else read_scene(self.fight, stack)


def fight_argument(name: str) -> Callable[[Command], Command]:
    """The fight that a command is about: a name, or two forces in words. The command is given both as one."""

    def named(command: Command) -> Command:
        @wraps(command)
        def with_fight(against: str, ground: str, state: str, **rest: Any) -> Any:
            return command(**{**rest, name: Named(rest[name], against, ground, state)})

        told = (
            ("--state", "With two forces: how it is, in words: 'locked, night'."),
            ("--ground", "With two forces: where it is, in words: 'house'."),
        )
        made: Command = with_fight
        for option, help in told:
            made = click.option(option, default="", metavar="WORDS", help=help)(made)
        return click.argument(name, shell_complete=completion.fights)(
            click.argument("against", required=False, default="")(made)
        )

    return named


def prepared(named: Named, ruleset: str, options: tuple[str, ...]) -> tuple[Scene, Fight]:
    """A fight read and ready; raises Faulty with everything wrong with it."""
    from closecombat.asking.fights.fight_files import ruleset_of, single, staged

    scene = single(named.read(ruleset), ruleset)
    return scene, staged(scene, ruleset_of(scene, ruleset), options)


@click.command()
@fight_argument("situation")
@ruleset_option
@click.option("--dice", help="Dice already rolled, in rolling order: 4,2,5.")
@click.option("--seed", type=int, help="Roll dice from this seed; the same seed rolls the same.")
@click.option(
    "--playing", type=click.IntRange(1), help="With --seed: the playing of that number among those of `play`."
)
@click.option("--ask", is_flag=True, help="Ask for every die, and for every choice the situation leaves open.")
@until_option
@option_option
@click.option(
    "--save", metavar="FILE", default="", help="Keep fight, answers, dice and end as an example; one broken off too."
)
@click.option("--as-example", "retell", is_flag=True, help="Print the playing as an example that `test` passes.")
@click.option("-v", "--verbose", is_flag=True, help="Show every table read, also where it changed nothing.")
@yes_option
@formats("json")
@output_option
def resolve(
    situation: Named,
    ruleset: str,
    dice: str | None,
    seed: int | None,
    playing: int | None,
    ask: bool,
    until: str | None,
    options: tuple[str, ...],
    save: str,
    retell: bool,
    verbose: bool,
    yes: bool,
    form: str,
    output: str | None,
) -> None:
    """Play one close combat: what happens, and by which rules.

    SITUATION is a file, FILE#EXAMPLE, a shipped engagement, or - for standard input. The dice are those of
    --dice, --seed or --ask, else those that the file gives.
    """
    from closecombat.asking.played.resolution import resolve as play
    from closecombat.asking.played.retelling import Listening
    from closecombat.proving.values.budget import UNASKED

    if sum((dice is not None, seed is not None, ask)) > 1:
        raise click.UsageError("--dice, --seed and --ask exclude each other")
    if playing is not None and seed is None:
        raise click.UsageError("--playing is one of those of a seed: give --seed too")
    if ask and situation.fight == "-":
        raise click.UsageError("--ask reads from standard input, so the situation cannot come from there too")
    if (save or retell) and until:
        raise click.UsageError("an example is one combat: leave out --until")
    if save:
        _refuse_other_file(save, situation.fight)
    if not ask:
        at_work("playing")
    scene, fight = prepared(situation, ruleset, options)
    written = Written(scene, fight, ruleset, save) if save or retell else None
    said: dict[tuple[str, str], list[str]] = {}
    if ask:
        from closecombat.asking.fights.fight_files import clauses_of
        from closecombat.cli.asking import Sitting, play_by_asking
        from closecombat.text.faults import Faulty

        sitting = Sitting(faces_of(scene) if save else ())
        try:
            played = play_by_asking(fight, until is not None, sitting, lambda: clauses_of(scene, ruleset))
        except (Faulty, KeyboardInterrupt) as stopped:
            if save and written is not None:
                written.keep_part(sitting.answers, sitting.all_dice)
                if isinstance(stopped, KeyboardInterrupt):
                    raise click.exceptions.Exit(INTERRUPTED) from None
            raise
        said, heard = sitting.answers, sitting.heard_of
    else:
        listening = Listening(fight.choices)
        most_work = None if yes else UNASKED
        played = play(fight, answers(scene, dice, seed, playing), until is not None, listening, most_work)
        heard = listening.heard
    text = written.whole(played, said, heard) if written is not None else ""
    if save:
        keep(save, text)
    if retell:
        emit(text, output)
    elif form == "json":
        from closecombat.telling.trace import resolution_json

        emit(resolution_json(played, seed), output)
    else:
        from closecombat.telling.trace import resolution_text

        emit(resolution_text(played, scene.name, verbose, page(output)), output)
    if save:
        say(f"kept in {save}; closecombat test {save}")


@dataclass(frozen=True, slots=True)
class Written:
    """A playing on its way into a file of examples, `save`, or onto the screen."""

    scene: Scene
    fight: Fight
    ruleset: str
    save: str

    @property
    def _named(self) -> str:
        from closecombat.asking.played.retelling import ruleset_from

        near = None if self.ruleset else self.scene.near
        return ruleset_from(self.ruleset or self.scene.ruleset, near, Path(self.save).parent)

    def keep_part(self, said: dict[tuple[str, str], list[str]], dice: Sequence[Face]) -> None:
        from closecombat.asking.played.retelling import broken_off

        keep(self.save, broken_off(self.fight, self._named, said, dice))
        say(f"\nkept in {self.save}; to go on: closecombat resolve {self.save} --ask --save {self.save}")

    def whole(self, played: Resolution, said: dict[tuple[str, str], list[str]], heard: Heard) -> str:
        from closecombat.asking.played.retelling import as_example

        name = re.sub(r"[^a-z0-9]+", "-", (Path(self.save).stem or self.scene.name).lower()).strip("-") or "a-fight"
        name = name if name[0].isalpha() else f"fight-{name}"
        text, passes = as_example(self.fight, self._named, played.ruleset, played, said, heard, name)
        if not passes:
            say("warning: played again from this text the fight comes out otherwise: an answer has no words")
        return text


def faces_of(scene: Scene) -> tuple[Face, ...]:
    """The faces that a fight which was broken off has kept."""
    from closecombat.text.nodes import Listing, Text

    items = scene.dice.items if isinstance(scene.dice, Listing) else ()
    single = [item for each in items for item in (each.items if isinstance(each, Listing) else (each,))]
    return tuple(int(item.value) if item.value.isdecimal() else item.value for item in single if isinstance(item, Text))


def _refuse_other_file(save: str, situation: str) -> None:
    """What is there already is overwritten only where it is the very fight that is gone on with."""
    if Path(save).exists() and not (Path(situation).exists() and Path(save).samefile(situation)):
        from closecombat.text.faults import Faulty

        help = f"choose another name; or go on with it: closecombat resolve {save} --ask --save {save}"
        raise Faulty.one("cannot-read", f"`{save}` is already there, and nothing is overwritten", None, help=help)
    if not Path(save).parent.is_dir():
        raise click.UsageError(f"there is no folder for `{save}`")


def answers(scene: Scene, dice: str | None, seed: int | None, playing: int | None = None) -> Answers:
    """The dice of the options, else those that the file gives."""
    from closecombat.asking.examples.examples import scripted, typed
    from closecombat.proving.throws.dice import ScriptedDice, SeededDice

    if seed is not None and playing is not None:
        from closecombat.asking.played.playings import seed_of

        return SeededDice(seed_of(seed, playing))
    if seed is not None:
        return SeededDice(seed)
    if dice is not None:
        return ScriptedDice(typed(dice))
    if scene.dice is None:
        raise click.UsageError("nothing says what is rolled; add --dice 4,2,.. or --seed 1 or --ask")
    return scripted(scene.dice)


@click.command()
@fight_argument("situation")
@ruleset_option
@click.option(
    "--times", type=click.IntRange(1, 10**9), default=1000, show_default=True, help="How often the fight is played."
)
@click.option("--seed", type=int, required=True, help="Roll dice from this seed; the same seed gives the same result.")
@click.option(
    "--by",
    metavar="units|sides|KINDS",
    default="sides",
    show_default=True,
    help="Tell ends apart by how each side ends (sides), by all that is noted of everybody (units), or by what has "
    "changed of the things of one kind, by its plural in the ruleset.",
)
@click.option(
    "--of",
    "questions",
    multiple=True,
    metavar="SENTENCE",
    help="Count this of each end too: --of 'hp of d' --of 'any unit of blue is broken'.",
)
@click.option("--exact", "exactly", is_flag=True, help="Work out the exact chances too, and set them beside.")
@until_option
@yes_option
@option_option
@click.option(
    "--fast",
    is_flag=True,
    help="Carry out many playings together, with other dice: the like statistics in a thousandth of the time, but no "
    "playing can be told by itself. Needs numpy: pip install 'closecombat[fast]'.",
)
@jobs_option(1, "How many processes play; the result is the same.")
@formats("json", "csv", "md", "html")
@output_option
def play(
    situation: Named,
    ruleset: str,
    times: int,
    seed: int,
    by: str,
    questions: tuple[str, ...],
    exactly: bool,
    until: str | None,
    yes: bool,
    options: tuple[str, ...],
    fast: bool,
    jobs: int,
    form: str,
    output: str | None,
) -> None:
    """Play one close combat many times, and count how it ends.

    SITUATION is a file, FILE#EXAMPLE, a shipped engagement, or - for standard input. Each playing has dice of its
    own, made from the seed and its number: `resolve --seed S --playing N` tells its story. Ctrl-C ends it, and what
    was played until then is told. With --fast the dice are others: the result is the same for the same seed, but not
    that without.
    """
    from contextlib import nullcontext

    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.asking.fights.fight_files import single
    from closecombat.asking.played.playings import Order, play_often
    from closecombat.asking.played.together import play_together
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling.playings import playings_csv, playings_json, playings_text

    progress = at_work("playing")
    scene = single(situation.read(ruleset), ruleset)
    order = Order(scene, ruleset, options, seed, until is not None, by, questions, None if yes else UNASKED)
    with nullcontext(Alone()) if jobs == 1 else Processes(jobs) as crew:
        found = (play_together if fast else play_often)(order, times, crew, exactly, progress.playings)
    progress.done()
    match form:
        case "json":
            emit(playings_json(found), output)
        case "csv":
            emit(playings_csv(found), output)
        case _:
            emit(playings_text(found, scene.name, page(output, form)), output)
    if found.played < times:
        done = found.played
        say(f"interrupted after {done:,} of {times:,} playings: the result is that of --times {done}")
        click.get_current_context().exit(INTERRUPTED)


@click.command()
@fight_argument("situation")
@ruleset_option
@click.option(
    "--by",
    metavar="units|sides|KINDS",
    default="",
    help="Tell ends apart by all that is noted of everybody (units), only by how each side ends (sides), or by what "
    "has changed of the things of one kind, by its plural in the ruleset. [default: units, or where that takes long "
    "sides]",
)
@click.option(
    "--of",
    "questions",
    multiple=True,
    metavar="SENTENCE",
    help="Ask this of the end instead: --of 'hp of d' --of 'any unit of blue is broken'.",
)
@play_option
@aim_option
@click.option("--for", "me", metavar="SIDE", default="", help="The side that plays for --aim; if unsaid the first.")
@until_option
@yes_option
@memory_option
@option_option
@weigh_option
@click.option("--tree", "with_tree", is_flag=True, help="Show of a small fight which roll led where.")
@formats("json", "csv", "md", "html")
@output_option
def chances(
    situation: Named,
    ruleset: str,
    by: str,
    questions: tuple[str, ...],
    how: str,
    aims: tuple[str, ...],
    me: str,
    until: str | None,
    yes: bool,
    memory: int,
    options: tuple[str, ...],
    weighs: bool | None,
    with_tree: bool,
    form: str,
    output: str | None,
) -> None:
    """Work out the exact chances of one close combat.

    SITUATION is a file, FILE#EXAMPLE, a shipped engagement, or - for standard input. With --of the answers to
    your questions are told, each with its chance; else how the fight can end.
    """
    if with_tree and (questions or how == "best" or form == "csv"):
        raise click.UsageError(
            "--tree is of how a fight ends as the ruleset answers: leave out --of, --play and -f csv"
        )
    if questions and by:
        raise click.UsageError("--by tells ends apart, and --of asks something else of them: give one of the two")
    _how_it_is_played(how, (*aims, me) if me else aims, until)
    if weighs and form == "csv":
        raise click.UsageError("rows of ends have no room for what they rest on: `weigh -f csv` has it")
    weighs = _weighs(weighs, form, how)
    from dataclasses import replace

    from closecombat.asking.exact.answers import UNITS
    from closecombat.asking.fights.fight_files import single
    from closecombat.asking.keeping.remembered import remembered
    from closecombat.proving.values.budget import UNASKED

    progress = at_work("working out the chances")
    most_work = None if yes else UNASKED
    best = None
    if how == "best":
        from closecombat.asking.choices.aims import wanted
        from closecombat.asking.choices.best_chances import BestPlay

        best = BestPlay(wanted(aims), me, most_work=most_work, tell=progress.choices)
    if questions:
        scene, fight = prepared(situation, ruleset, options)
        fight = replace(fight, memory=memory)
        from closecombat.asking.exact.questions import ask_about

        answered = ask_about(fight, questions, until is not None, progress.states, most_work, best)
        if weighs:
            from closecombat.asking.weights.changeable import rules_of
            from closecombat.asking.weights.resting import with_weights

            progress.then(WEIGHING)
            rules = rules_of(scene, ruleset, options)
            answered = with_weights(answered, fight, rules, questions, until is not None, yes, progress.rules)
        progress.done()
        _answer(scene, answered, form, output)
        return
    scene = single(situation.read(ruleset), ruleset)

    def work_out() -> Chances:
        from closecombat.asking.exact import chances
        from closecombat.asking.fights.fight_files import ruleset_of, staged

        fight = replace(staged(scene, ruleset_of(scene, ruleset), options), memory=memory)
        if by:
            out = chances.work_out(fight, by, until is not None, progress.states, most_work=most_work, best=best)
        else:
            out = chances.as_told_apart(fight, until is not None, progress.states, most_work, best)
        if until is None:
            return out
        from closecombat.asking.exact.lasting import AT_A_LOOK, over_after

        return replace(out, over_after=over_after(fight, AT_A_LOOK))

    asked = ("alone", by, str(until), str(yes), how, *aims, me, "of", *options)
    found, broken_off = remembered(scene, ruleset, asked, work_out), False
    if weighs:
        progress.then(WEIGHING)

        def weigh() -> Chances:
            from closecombat.asking.fights.fight_files import ruleset_of, staged
            from closecombat.asking.weights.changeable import rules_of
            from closecombat.asking.weights.resting import with_weights

            fight = replace(staged(scene, ruleset_of(scene, ruleset), options), memory=memory)
            rules = rules_of(scene, ruleset, options)
            return with_weights(found, fight, rules, (), until is not None, yes, progress.rules)

        try:
            found = remembered(scene, ruleset, ("weighed", *asked), weigh)
        except KeyboardInterrupt:
            broken_off = True  # what was found is told
    tree = _tree(scene, ruleset, options) if with_tree else None
    progress.done()
    if not by and found.by != UNITS:
        say("told by how each side ends: unit by unit it takes longer (--by units)")
    from closecombat.telling import chances as report

    match form:
        case "json":
            emit(report.chances_json(found, tree), output)
        case "csv":
            emit(report.chances_csv(found), output)
        case "html":
            from closecombat.telling.chances_page import chances_html

            emit(chances_html(found, scene.name, tree, with_tree), output)
        case _:
            parts: Iterable[RenderableType] = ()
            if with_tree:
                from closecombat.telling.tree import tree_parts

                parts = tree_parts(tree)
            emit(report.chances_text(found, scene.name, page(output, form), parts), output)
    if broken_off:
        say("interrupted: the chances hold, but what they rest on has not been weighed")
        click.get_current_context().exit(INTERRUPTED)


def _tree(scene: Scene, ruleset: str, options: tuple[str, ...]) -> Node | None:
    """Which roll led where in a fight; nothing where it is too large."""
    from closecombat.asking.exact.tree import tree_of
    from closecombat.asking.fights.fight_files import ruleset_of, staged

    return tree_of(staged(scene, ruleset_of(scene, ruleset), options))


def _how_it_is_played(how: str, aims: tuple[str, ...], until: str | None) -> None:
    if how != "best" and aims:
        raise click.UsageError("--aim and --for say what is played for: they go with --play best")
    if how == "best" and until:
        raise click.UsageError("--play best is of as many close combats as the situation says: leave out --until")


def _weighs(wanted: bool | None, form: str, how: str) -> bool:
    """Whether a result says what it rests on by weight: a page does, if nothing is said."""
    if wanted and how == "best":
        raise click.UsageError("--weigh is of a fight as the ruleset answers: leave out --play best")
    if wanted and form == "vega":
        raise click.UsageError("what a result rests on is no part of -f vega")
    return form == "html" and how != "best" if wanted is None else wanted


def _answer(scene: Scene, found: Asked, form: str, output: str | None) -> None:
    from closecombat.telling.questions import asked_csv, asked_json, asked_text

    match form:
        case "json":
            emit(asked_json(found), output)
        case "csv":
            emit(asked_csv(found), output)
        case _:
            emit(asked_text(found, scene.name, page(output, form)), output)


@click.command()
@fight_argument("engagement")
@click.option(
    "-r",
    "--ruleset",
    "rulesets",
    multiple=True,
    metavar="RULESET",
    shell_complete=completion.rulesets,
    help="A ruleset to compare, the base first; give it several times.",
)
@click.option(
    "--by",
    type=click.Choice(["units", "sides"]),
    default="sides",
    show_default=True,
    help="How finely the ends are told apart in JSON.",
)
@play_option
@aim_option
@until_option
@yes_option
@option_option
@weigh_option
@click.option("--units", is_flag=True, help="Tell of each one who came what becomes of it.")
@click.option("--notes", is_flag=True, help="Say why the fight is told so, what is assumed and what was left open.")
@click.option(
    "--factors",
    is_flag=True,
    help="Work out what each state, ground, unit .. is worth in each system: a hundred fights, a minute on one core.",
)
@click.option("--factor", "words", multiple=True, metavar="WORD", help="Only of this word: --factor night.")
@click.option("--save", metavar="FILE", default="", help="Keep a fight of two forces as an engagement.")
@click.option(
    "--fail-on-diff",
    is_flag=True,
    help="Exit 1 if any chance differs that is told: how sides end and what they lose, --by units of all.",
)
@formats("json", "html", "md", "csv", "vega")
@output_option
def compare(
    engagement: Named,
    rulesets: tuple[str, ...],
    by: str,
    how: str,
    aims: tuple[str, ...],
    until: str | None,
    yes: bool,
    options: tuple[str, ...],
    weighs: bool | None,
    units: bool,
    notes: bool,
    factors: bool,
    words: tuple[str, ...],
    save: str,
    fail_on_diff: bool,
    form: str,
    output: str | None,
) -> None:
    """Set one fight side by side under several systems or variants.

    ENGAGEMENT is an engagement file or the name of a shipped one; or a situation file with several -r, the
    base first; or the rows of a sweep, ROWS.csv or ROWS.jsonl, of which it makes a curve over the force ratio.
    """
    from closecombat.reading.plans import is_rows

    if is_rows(engagement.fight) and not engagement.against:
        if until or options or weighs or units or notes or factors or words or fail_on_diff or how == "best":
            raise click.UsageError("the rows of a sweep are compared as they are: only -r, -f and -o go with them")
        _curve(engagement.fight, rulesets, form, output)
        return
    _how_it_is_played(how, aims, until)
    weighs = _weighs(weighs, form, how)
    from closecombat.asking.exact.answers import SIDES, UNITS
    from closecombat.asking.fights.fight_files import Engagement
    from closecombat.asking.systems.compare import Looking, compare_rulesets, compare_systems, differs
    from closecombat.proving.values.budget import UNASKED

    progress = at_work(f"working out the chances of each{f', and {WEIGHING}' if weighs else ''}", keeps=True)
    if save:
        _save_engagement(engagement, save)
    scene = engagement.read()
    most_work = None if yes else UNASKED
    best: tuple[Wanted, ...] = ()
    if how == "best":
        from closecombat.asking.choices.aims import wanted

        best = wanted(aims)
    look = Looking(by, until is not None, UNITS if units else SIDES, most_work, best, weighs, progress.rules)
    if isinstance(scene, Engagement):
        found = compare_systems(scene, rulesets, options, look)
        played = [one.chances.ruleset for one in found.systems if one.chances is not None]
        changes = len({stack.split("+")[0] for stack in played}) == 1 < len(played)
    else:
        stacks = rulesets if len(rulesets) != 1 or scene.ruleset in ("", *rulesets) else ("", *rulesets)
        if len(stacks) < 2:
            raise click.UsageError("a situation is compared under two or more rulesets: give -r twice, the base first")
        found = compare_rulesets(scene, stacks, options, look)
        changes = True
    matrix = _matrix(scene, found, look, options, words, progress) if factors or words else None
    progress.done()
    from closecombat.telling.compare import Shown, compare_csv, compare_json, compare_text

    shown = Shown(notes or form == "md", units, matrix)
    match form:
        case "json":
            emit(compare_json(found, changes, matrix), output)
        case "html":
            from closecombat.telling.compare_page import compare_html

            emit(compare_html(found, changes, units, matrix), output)
        case "csv":
            emit(compare_csv(found, changes, shown), output)
        case "vega":
            from closecombat.telling.compare_page import compare_vega

            emit(compare_vega(found), output)
        case _:
            emit(compare_text(found, changes, shown, page(output, form)), output)
    if fail_on_diff and differs(found):
        say("the chances differ")
        click.get_current_context().exit(FINDINGS)


def _matrix(
    scene: Scene | Engagement,
    found: Comparison,
    look: Looking,
    options: tuple[str, ...],
    words: tuple[str, ...],
    progress: Progress,
) -> Factors:
    """What each thing that can be said of an engagement is worth in the systems that were compared."""
    import os
    from contextlib import nullcontext
    from dataclasses import replace

    from closecombat.asking.fights.fight_files import Engagement
    from closecombat.proving.values.budget import UNASKED

    if not isinstance(scene, Engagement):
        raise click.UsageError("--factors is of an engagement, which is told for several systems in the same words")
    from closecombat.asking.crews.batches import Alone, Processes
    from closecombat.asking.systems.factors import factors_of

    progress.then("working out what each thing is worth")
    of_each = UNASKED // 4 if look.most_work is not None else None
    each = replace(look, weighs=False, watched=None, most_work=of_each, common_end="sides")
    number = os.cpu_count() or 1
    with nullcontext(Alone()) if number == 1 else Processes(number) as crew:
        return factors_of(scene, [one.name for one in found.systems], each, options, words, progress.worths, crew)


def _save_engagement(named: Named, save: str) -> None:
    """Keeps the engagement that two forces make, for somebody to go on with; nothing if it cannot be told."""
    from closecombat.asking.fights.fight_files import scene_in_words

    text = named.in_words
    if not text:
        raise click.UsageError("--save keeps a fight of two forces: two arguments behind the command")
    if not save.endswith(YAML):
        raise click.UsageError("an engagement is a file that ends in .yaml")
    _refuse_other_file(save, "")
    name = re.sub(r"[^a-z0-9]+", "-", Path(save).stem.lower()).strip("-")
    text = re.sub(r"^engagement: .*", f"engagement: {name if name[:1].isalpha() else 'a-fight'}", text)
    scene_in_words(text)
    keep(save, text)
    say(f"kept in {save}; closecombat compare {save}")


def _curve(rows: str, systems: tuple[str, ...], form: str, output: str | None) -> None:
    from closecombat.asking.sweeps.curves import read_curve
    from closecombat.telling.curves import curve_csv, curve_html, curve_json, curve_text, curve_vega

    found = read_curve(rows, systems)
    match form:
        case "json":
            emit(curve_json(found), output)
        case "html":
            emit(curve_html(found), output)
        case "csv":
            emit(curve_csv(found), output)
        case "vega":
            emit(curve_vega(found), output)
        case _:
            emit(curve_text(found, page(output, form)), output)


@click.command()
@fight_argument("situation")
@ruleset_option
@click.option("--at", metavar="ROW", default="", help="The choice at this row, and not the first that is open.")
@click.option(
    "--all", "everything", is_flag=True, help="Every answer, every declaration, and why each other is forbidden."
)
@click.option("--dice", help="Dice already rolled before the choice, in rolling order: 4,2,5.")
@click.option("--seed", type=int, help="Roll the dice before the choice from this seed.")
@click.option("--best", is_flag=True, help="Work out what each answer is worth, all later choices answered best too.")
@click.option(
    "--overview",
    is_flag=True,
    help="With --best, over all dice of a fight, or of all engagements of a RULESET: which choices matter, which "
    "answers are never best, and what the ruleset's own give up.",
)
@aim_option
@yes_option
@option_option
@formats("json", "csv", "md", "html")
@output_option
def choices(
    situation: Named,
    ruleset: str,
    at: str,
    everything: bool,
    dice: str | None,
    seed: int | None,
    best: bool,
    overview: bool,
    aims: tuple[str, ...],
    yes: bool,
    options: tuple[str, ...],
    form: str,
    output: str | None,
) -> None:
    """List what a player may choose next, and what is forbidden him.

    SITUATION is a file, FILE#EXAMPLE, a shipped engagement, or - for standard input. What it answers under
    `choices:` is taken as chosen; the first choice that it leaves open is listed. With --best each legal answer has
    its exact worth for what is played for, --aim: it is the strength lost unless you say otherwise.
    """
    from dataclasses import replace

    from closecombat.asking.choices.allowed import next_choice
    from closecombat.proving.values.budget import UNASKED
    from closecombat.telling.choices import choices_csv, choices_json, choices_text
    from closecombat.text.faults import Faulty

    if dice is not None and seed is not None:
        raise click.UsageError("--dice and --seed exclude each other")
    if overview:
        if not best or at or dice is not None or seed is not None:
            raise click.UsageError("--overview is over all dice and rows: it goes with --best, without --at or dice")
        _overview(situation, ruleset, aims, options, yes, form, output)
        return
    _refuse_rules_alone(situation, best)
    progress = at_work("trying what may be chosen")
    scene, fight = prepared(situation, ruleset, options)
    given = "" if dice is None and seed is None and scene.dice is None else dice
    if aims and not best:
        raise click.UsageError("--aim says what is played for: it goes with --best")
    try:
        most_work = None if yes else UNASKED
        found = next_choice(fight, answers(scene, given, seed), at, progress.tries, most_work)
        if best and found is not None:
            from closecombat.asking.choices.aims import wanted
            from closecombat.asking.choices.best_play import best_answers
            from closecombat.asking.choices.worths import Question
            from closecombat.telling.best_play import answered_csv, answered_json, answered_text

            question = Question(
                fight, lambda: answers(scene, given, seed), wanted(aims), most_work, progress.choices, progress.fights
            )
            known = best_answers(question, found)
            progress.done()
            match form:
                case "json":
                    emit(answered_json(known), output)
                case "csv":
                    emit(answered_csv(known), output)
                case _:
                    emit(answered_text(known, everything, page(output, form)), output)
            return
    except Faulty as error:
        if error.codes != {"dice-missing"}:
            raise
        help = "what is chosen here hangs on dice: add --dice 4,2,.. or --seed 1"
        raise Faulty([replace(each, help=help) for each in error.diagnostics]) from None
    finally:
        progress.done()
    if form == "json":
        emit(choices_json(found), output)
    elif form == "csv":
        emit(choices_csv(found), output)
    elif found is None:
        say(f"nobody is asked at `{at}`" if at else "nothing is left to choose")
    else:
        emit(choices_text(found, everything, page(output, form)), output)


def _is_ruleset(situation: Named) -> bool:
    from closecombat.reading.stack import shipped

    first = situation.fight.split("+")[0]
    known_as = (*shipped(), *shipped("variants"))
    return not situation.against and (first in known_as or (Path(first) / "ruleset.yaml").is_file())


def _refuse_rules_alone(situation: Named, best: bool) -> None:
    if best and _is_ruleset(situation):
        said = f"`{situation.fight}` says by which rules: name a fight before it, or look over all of its fights"
        raise click.UsageError(f"{said}: closecombat choices {situation.fight} --best --overview")


def _overview(
    situation: Named,
    ruleset: str,
    aims: tuple[str, ...],
    options: tuple[str, ...],
    yes: bool,
    form: str,
    output: str | None,
) -> None:
    """What the choices of a fight are worth, or those of all engagements of a ruleset."""
    from closecombat.asking.choices.aims import wanted
    from closecombat.asking.choices.overview import look_over
    from closecombat.asking.examples.fights_of import engagements_of
    from closecombat.asking.fights.fight_files import staged
    from closecombat.binding.load import load
    from closecombat.proving.values.budget import SECOND, UNASKED
    from closecombat.reading.stack import load_stack
    from closecombat.telling.overview import overview_csv, overview_json, overview_text

    progress = at_work("working out what the choices are worth")
    if _is_ruleset(situation):
        bound, base = load(situation.fight), load_stack(situation.fight)
        known = engagements_of(base, bound.ruleset.name, (situation.fight,))
        fights = [(one.name, staged(one.scene, bound, options)) for one in known]
        name, frees = situation.fight, True
    else:
        scene, fight = prepared(situation, ruleset, options)
        fights, name, frees = [(scene.name, fight)], scene.name, False
    each = 6 * UNASKED if yes else max(UNASKED // max(len(fights), 1), SECOND)
    found = look_over(name, fights, wanted(aims), each, progress.looked_over, frees)
    progress.done()
    match form:
        case "json":
            emit(overview_json(found), output)
        case "csv":
            emit(overview_csv(found), output)
        case _:
            emit(overview_text(found, page(output, form)), output)
