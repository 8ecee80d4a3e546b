"""What all commands share: their options, where output goes, and how faults end a run.

Imports nothing heavy: every command imports what it needs when it runs.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click
from click.core import ParameterSource

from closecombat.cli import completion
from closecombat.proving.values.budget import SIZES

if TYPE_CHECKING:
    from closecombat.telling.page import Page
    from closecombat.telling.progress import Progress
    from closecombat.text.faults import Diagnostic

FINDINGS, CANNOT, INTERRUPTED = 1, 2, 130
PLAIN_WIDTH, LEAST_WIDTH = 80, 40  # columns, where there is no terminal, and on the narrowest

ELSEWHERE = (  # a command, and what it is called elsewhere
    ("chances", ("calculate", "odds", "probability", "prove")),
    ("check", ("lint", "validate", "verify")),
    ("list", ("ls",)),
    ("new", ("add", "create", "init", "make")),
    ("play", ("monte-carlo", "run", "simulate")),
    ("resolve", ("fight", "roll")),
    ("show", ("print", "view")),
    ("test --coverage", ("cover", "coverage")),
    ("test --mutate", ("mutate",)),
    ("check --fix", ("fix",)),
)

Command = TypeVar("Command", bound=Callable[..., Any])


class Commands(click.Group):
    """The group of commands: turns whatever stops one into words on stderr and an exit code."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, parent, **extra)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(INTERRUPTED) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and args[0][:1].isalnum() and self.get_command(ctx, args[0]) is None:
            from closecombat.text.faults import suggest

            here = [f"did you mean `{name}`?" for name, others in ELSEWHERE if args[0] in others]
            help = here[0] if here else suggest(args[0], self.list_commands(ctx)) or "closecombat --help"
            ctx.fail(f"No such command `{args[0]}`: {help}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        from closecombat.text.faults import Diagnostic, Faulty
        from closecombat.text.frames import with_room

        try:
            return with_room(partial(super().invoke, ctx))
        except Faulty as faulty:
            tell(*faulty.diagnostics)
        except (RecursionError, MemoryError):
            tell(
                Diagnostic(
                    "budget-exceeded",
                    "error",
                    "this takes more memory than there is, or nests too deep",
                    None,
                    help="make the situation smaller, or take the longest sentence apart",
                )
            )
        except KeyboardInterrupt:
            say(_interrupted(ctx))
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - nobody reads on; the interpreter's last flush is silent
        except OSError as trouble:
            place = f"`{str(trouble.filename)[:200]}`" if trouble.filename else "standard output"
            reason = (trouble.strerror or str(trouble)).lower()
            tell(Diagnostic("cannot-read", "error", f"{place}: {reason}", None, help="check that path, and the disk"))
        except click.UsageError as wrong:
            said = _on_the_page(f"Error: {_plainly(wrong)}")[len("Error: ") :]
            raise click.UsageError(said, wrong.ctx) from None
        except (click.exceptions.Exit, click.Abort):
            raise
        except Exception as bug:
            if os.environ.get("CLOSECOMBAT_DEBUG"):
                raise
            said = (str(bug).splitlines() or [""])[0][:200]
            where = "".join(f" ({note})" for note in getattr(bug, "__notes__", ()))
            say(
                f"error: a fault of closecombat itself: {type(bug).__name__}: {said}{where}\n"
                "   help: please report it with the files; CLOSECOMBAT_DEBUG=1 shows where it happened"
            )
        ctx.exit(CANNOT)


def _plainly(wrong: click.UsageError) -> str:
    """What is wrong with a command, in words for those who write none."""
    said = wrong.format_message()
    extra = re.fullmatch(r"Got unexpected extra arguments? \((.*)\)", said)
    if extra and wrong.ctx is not None:
        from closecombat.reading.stack import shipped

        takes = {one.name for one in wrong.ctx.command.params}
        if "dice" in takes and re.fullmatch(r"[\d\s,]+", extra[1]):
            return f"`{extra[1]}` stands alone: dice are joined by commas, --dice 4,2,5"
        if takes & {"ruleset", "rulesets"} and extra[1].split("+")[0] in shipped():
            return f"rules are named with -r: -r {extra[1]}"
        return f"`{extra[1]}` is too much here: what belongs together stands in quotes, or is joined by hyphens"
    return re.sub(r"'([^']*)' is not a valid integer(?: range)?\.", r"`\1` is no whole number", said)


AT_WORK = "closecombat.at-work"  # what a command does, and whether the cache keeps it, in the context of click


def _interrupted(ctx: click.Context) -> str:
    """How far a command had come, and what is kept of it."""
    progress, keeps = ctx.meta.get(AT_WORK, (None, False))
    far = f" ({progress.latest})" if progress is not None and progress.latest else ""
    if keeps:
        return f"interrupted{far}: what was worked out is kept in the cache; the same command goes on with it"
    return f"interrupted{far}: nothing is kept"


def tell(*diagnostics: Diagnostic) -> None:
    """Findings on stderr."""
    from closecombat.telling.findings import diagnostics_text

    _clear()
    _echo(diagnostics_text(diagnostics, _width(sys.stderr)), sys.stderr, False)


def say(text: str, nl: bool = True) -> None:
    """Anything that is not a result; what is longer than the page goes on below."""
    _clear()
    _aside(text, nl)


def _aside(text: str, nl: bool) -> None:
    _echo(_on_the_page(text), sys.stderr, nl)


def _clear() -> None:
    """Takes away the line that says how far a command is: what is said would go on behind it."""
    context = click.get_current_context(silent=True)
    if context is not None and AT_WORK in context.meta:
        context.meta[AT_WORK][0].clear()


def _on_the_page(text: str) -> str:
    if len(text) <= LEAST_WIDTH:
        return text
    from closecombat.telling.findings import wrapped

    width = _width(sys.stderr)
    said = "\n".join(part for line in text.split("\n") for part in wrapped(line, width, "   "))
    return said + " " * (text.endswith(" ") and not said.endswith(" "))  # where somebody types on


def at_work(doing: str, keeps: bool = False) -> Progress:
    """Says from now on how far a command is, or at least, once that takes a while, what it is doing; until it ends.
    Where it `keeps` what it works out in the cache, that is said if it is interrupted."""
    from closecombat.telling.progress import Progress
    from closecombat.text.cache import is_kept

    progress = Progress(_aside, doing)
    context = click.get_current_context()
    context.call_on_close(progress.done)
    context.meta[AT_WORK] = (progress, keeps and is_kept())
    return progress


def on_the_page(text: str, output: str | None) -> str:
    """Lines of plain text, each gone on with below where it is longer than the page."""
    from closecombat.telling.findings import wrapped

    width = page(output).width
    return "\n".join(part for line in text.split("\n") for part in wrapped(line, width, "   "))


def emit(text: str, output: str | None = None) -> None:
    """A result: on stdout, or into a file that is never half-written."""
    if output is None or output == "-":
        if sys.stdout is None:
            raise BrokenPipeError
        _clear()
        _echo(text, sys.stdout, False)
        return
    try:
        if os.path.exists(output) and not os.path.isfile(output):  # a device or a pipe stays what it is
            with open(output, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
        else:
            _replace(os.path.realpath(output), text)
    except OSError as trouble:
        raise _unwritable(output, (trouble.strerror or str(trouble)).lower()) from None


def emit_bytes(data: bytes, output: str | None, what: str) -> None:
    """A result that is no text: into a file, or to whoever reads what is written here; not onto a terminal."""
    if output is None or output == "-":
        if sys.stdout is None:
            raise BrokenPipeError
        if sys.stdout.isatty():
            raise click.UsageError(f"{what} is no text: say into which file, -o FILE")
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
        return
    try:
        if os.path.exists(output) and not os.path.isfile(output):
            with open(output, "wb") as stream:
                stream.write(data)
        else:
            _replace(os.path.realpath(output), data)
    except OSError as trouble:
        raise _unwritable(output, (trouble.strerror or str(trouble)).lower()) from None


def keep(file: str, text: str) -> None:
    """A file of the user's, written whole or not at all."""
    _replace(os.path.realpath(file), text)


def keep_all(texts: Mapping[str, str]) -> None:
    """Several files of the user's, each written whole or not at all; none if one of them may not be written."""
    for file in texts:
        if not os.access(file, os.W_OK) or not os.access(os.path.dirname(os.path.realpath(file)), os.W_OK):
            raise _unwritable(file, "it may not be written to", "nothing was mended")
    for file, text in texts.items():
        keep(file, text)


def _replace(file: str, text: str | bytes) -> None:
    """Writes a file beside the old one and puts it in its place, with the same permissions."""
    temporary = f"{file}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as stream:
            stream.write(text.encode("utf-8") if isinstance(text, str) else text)
        if os.path.exists(file):
            import shutil

            shutil.copymode(file, temporary)
        os.replace(temporary, file)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _output(_: click.Context, __: click.Parameter, output: str | None) -> str | None:
    """Looks before the work is done whether its result can be written."""
    if output is None or output == "-":
        return output
    folder = os.path.dirname(output) or "."
    if not output or not os.path.isdir(folder):
        raise _unwritable(output, "there is no such folder" if output else "this is no name")
    if not os.access(output if os.path.exists(output) else folder, os.W_OK):
        raise _unwritable(output, "it may not be written to")
    from closecombat.text.files import YAML

    if os.path.isfile(output) and output.endswith(YAML):
        raise _unwritable(output, "rules and situations are YAML, and a result is none", "name another file")
    return output


def _unwritable(output: str, reason: str, help: str = "name a file in a folder that may be written to") -> Exception:
    from closecombat.text.faults import Faulty

    return Faulty.one("cannot-read", f"`{output}` cannot be written: {reason}", None, help=help)


def _echo(text: str, stream: TextIO, nl: bool) -> None:
    """Text to a stream. Bars that its encoding lacks are drawn with plain letters, and what else it lacks is `?`."""
    if stream is None:  # closed before the command began
        return
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        from closecombat.telling.page import PLAIN

        text = text.translate(PLAIN).encode(encoding, "replace").decode(encoding)
    click.echo(text, file=stream, nl=nl, color=True)


def page(output: str | None = None, form: str = "text") -> Page:
    """How wide the page is and whether it has colours: only a terminal has either of its own; COLUMNS is heeded
    everywhere. As Markdown or HTML a text is as long as it is."""
    from closecombat.telling.page import AS_LONG_AS_IT_IS, HTML, MARKDOWN, Page

    if form in (MARKDOWN, HTML):
        return Page(AS_LONG_AS_IT_IS, False, form)
    if output not in (None, "-") or sys.stdout is None or not sys.stdout.isatty():
        return Page(_width(None), False)
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Page(_width(sys.stdout), not plain)


def _width(stream: TextIO | None) -> int:
    """How wide what is written there may be."""
    if stream is not None and stream.isatty():
        from shutil import get_terminal_size

        return max(get_terminal_size().columns, LEAST_WIDTH)
    columns = os.environ.get("COLUMNS", "")
    return max(int(columns), LEAST_WIDTH) if columns.isdecimal() and len(columns) < 5 else PLAIN_WIDTH


# ---- options that several commands have -------------------------------------------------------------------


def formats(*kinds: str) -> Callable[[Command], Command]:
    return click.option(
        "-f",
        "--format",
        "form",
        type=click.Choice(("text", *kinds)),
        default="text",
        show_default=True,
        callback=_form,
        help="How the result is written; the name of FILE says it too.",
    )


WRITTEN_AS = frozenset(("csv", "html", "json", "md", "pdf", "png", "svg"))  # what the end of a name may say


def _form(ctx: click.Context, param: click.Parameter, form: str) -> str:
    """How a result is written: as is said, or else as the file's name says."""
    output: str | None = ctx.params.get("output")
    if ctx.get_parameter_source(str(param.name)) is not ParameterSource.DEFAULT or not output:
        return form
    ending = os.path.splitext(output)[1][1:].lower()
    known: tuple[str, ...] = tuple(param.type.choices) if isinstance(param.type, click.Choice) else ()
    if ending in known:
        return ending
    if ending in WRITTEN_AS:
        raise click.UsageError(f"`{output}` says {ending}, and this is written as {', '.join(known)}: -f says which")
    return form


def output_option(command: Command) -> Command:
    return click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        is_eager=True,  # its name may say how the result is written
        callback=_output,
        help="Write the result into a file.",
    )(command)


def ruleset_option(command: Command) -> Command:
    return click.option(
        "-r",
        "--ruleset",
        metavar="RULESET",
        default="",
        shell_complete=completion.rulesets,
        help="A shipped name, a path, or a stack such as name+variant+./mine.yaml.",
    )(command)


def option_option(command: Command) -> Command:
    return click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=READING",
        help="Read a rule that reads two ways in this way.",
    )(command)


def no_cache_option(command: Command) -> Command:
    return click.option(
        "--no-cache",
        is_flag=True,
        expose_value=False,
        callback=_without_cache,
        help="Read every ruleset anew, and keep nothing for the next time.",
    )(command)


def _without_cache(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from closecombat.text.cache import WHERE

        ctx.with_resource(_environment(WHERE, "no"))


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def play_option(command: Command) -> Command:
    return click.option(
        "--play",
        "how",
        type=click.Choice(["default", "best"]),
        default="default",
        show_default=True,
        help="Who answers what the situation leaves open: the ruleset, or all sides as well as can be (best).",
    )(command)


def aim_option(command: Command) -> Command:
    return click.option(
        "--aim",
        "aims",
        multiple=True,
        metavar="lost|verdict|WORD|SENTENCE",
        help="What is played for: strength lost (the default), how far the others end along the verdicts, the chance "
        "of one verdict, or any number or yes at the end; several are added up, --aim lost --aim 3*destroyed.",
    )(command)


def weigh_option(command: Command) -> Command:
    return click.option(
        "--weigh/--no-weigh",
        "weighs",
        default=None,
        help="List what the result rests on by what each of it would move here; a page does, unless told not to.",
    )(command)


def yes_option(command: Command) -> Command:
    return click.option("--yes", is_flag=True, help="Go on where the answer takes more than some ten seconds.")(command)


def memory_option(command: Command) -> Command:
    return click.option(
        "--memory",
        metavar="SIZE",
        default="2GB",
        callback=lambda ctx, param, value: _in_bytes(value),
        help="Stop where the answer takes more memory than about this, with --yes too. [default: 2GB]",
    )(command)


def _in_bytes(said: str) -> int:
    number, unit = said[:-2].strip(), said[-2:].upper()
    if unit not in SIZES or not (number.isascii() and number.isdecimal() and 0 < int(number[:9]) < 1_000_000):
        raise click.BadParameter(f"`{said}` is no size of a memory: say 500MB, or 4GB")
    return int(number) * SIZES[unit]


def until_option(command: Command) -> Command:
    return click.option("--until", type=click.Choice(["resolved"]), help="Fight on, round after round, to the end.")(
        command
    )


def jobs_option(default: int | None, help: str) -> Callable[[Command], Command]:
    return click.option("--jobs", type=click.IntRange(1, 1024), default=default, metavar="NUMBER", help=help)
