"""Versions in git: the files of a commit, laid into a folder of their own.

Nothing of the tree is checked out and nothing in it is run: git is asked for names and for the bytes of files, with no
hook, no filter, no pager and no way to fetch anything. Only files that end as YAML does are laid down, links and
submodules are not, and how much there may be is bounded, as for all that may come from a stranger.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from closecombat.text.faults import Diagnostic, Faulty
from closecombat.text.files import YAML
from closecombat.text.slotted import dataclass
from closecombat.text.source import Source, Span

MOST_FILES = 5_000
MOST_BYTES = 64_000_000
PATIENCE = 60  # seconds that git may take for one answer
QUIET = ("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
PLAIN = "100"  # how the mode of a file begins that is no link and no submodule


@dataclass(frozen=True, slots=True)
class Version:
    """The YAML files of a commit, laid into `folder` as they stand in the project; `here` is the current folder."""

    name: str
    folder: Path
    here: Path

    def told(self, text: str) -> str:
        """The name of a file as people know it: `HEAD~1:my-game/ruleset.yaml`."""
        folder = self.folder.as_posix() + "/"
        return text.replace(folder, f"{self.name}:")

    def told_of(self, fault: Diagnostic) -> Diagnostic:
        """A fault in the words of people, who know of no folder of ours."""
        labels = tuple((self._span(span), said) for span, said in fault.labels)
        span = None if fault.span is None else self._span(fault.span)
        said, help = self.told(fault.message), self.told(fault.help)
        return replace(fault, message=said, span=span, labels=labels, help=help)

    def _span(self, span: Span) -> Span:
        return replace(span, source=Source(self.told(span.source.name), span.source.text))


def is_revision(name: str) -> bool:
    """Whether the project's git knows a commit by this name."""
    if not name or name.startswith("-") or not name.isprintable():
        return False
    try:
        return bool(_git("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}", may_fail=True))
    except Faulty:
        return False


@contextmanager
def version(name: str) -> Iterator[Version]:
    """A version of the project that the current folder lies in. Raises Faulty if there is none of that name."""
    commit = _git("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}", may_fail=True).strip()
    if not commit:
        raise Faulty.one("file-not-found", f"git knows no commit `{name}` here", None, help="`git log` lists them")
    prefix = _git("rev-parse", "--show-prefix").decode().strip()
    with TemporaryDirectory(prefix="closecombat-") as made:
        called = Path(_git("rev-parse", "--show-toplevel").decode("utf-8", "surrogateescape").strip()).name
        folder = Path(os.path.realpath(made)) / (called or "project")  # a folder may be there for the file of its name
        (folder / ".git").mkdir(parents=True)  # what marks a project: nothing outside of it is read
        _lay_down(commit.decode(), folder)
        here = folder / prefix
        here.mkdir(parents=True, exist_ok=True)
        yield Version(name, folder, here)


def _lay_down(commit: str, folder: Path) -> None:
    listed = _git("ls-tree", "-r", "-z", "-l", "--full-tree", commit)
    files: list[tuple[str, str, int]] = []
    for line in listed.decode("utf-8", "surrogateescape").split("\0"):
        about, _, path = line.partition("\t")
        mode, _, blob, size = (*about.split(), "", "", "", "")[:4]
        if mode.startswith(PLAIN) and path.endswith(YAML) and ".." not in path.split("/"):
            files.append((blob, path, int(size)))
    if len(files) > MOST_FILES or sum(size for _, _, size in files) > MOST_BYTES:
        message = f"this version holds more than {MOST_FILES:,} YAML files, or {MOST_BYTES:,} bytes of them"
        raise Faulty.one("too-large", message, None, help="name the two versions as folders")
    asked = "".join(f"{blob}\n" for blob, _, _ in files).encode()
    answer = _git("cat-file", "--batch", given=asked)
    at = 0
    for _, path, length in files:
        begins = answer.index(b"\n", at) + 1
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(answer[begins : begins + length])
        at = begins + length + 1


def _git(*words: str, may_fail: bool = False, given: bytes = b"") -> bytes:
    """What git answers. Nothing of its environment leads it to another project, and it fetches nothing."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}
    try:
        done = subprocess.run(
            (*QUIET, *words), input=given, capture_output=True, env=environment, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as trouble:
        help = "name the two versions as folders"
        why = "it gives no answer" if isinstance(trouble, subprocess.TimeoutExpired) else "it is not to be found here"
        raise Faulty.one("cannot-read", f"git cannot be asked: {why}", None, help=help) from None
    if done.returncode and not may_fail:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        help = "this is asked inside a project that is kept in git"
        raise Faulty.one("cannot-read", f"git: {said[0][:200] if said else 'no answer'}", None, help=help)
    return b"" if done.returncode else done.stdout
