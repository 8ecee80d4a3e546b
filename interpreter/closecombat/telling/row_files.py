"""The rows of a sweep in a file: CSV, JSON Lines, Parquet or a page by its ending, written so that nothing is lost.

A row is a line, and stands in the file only when those before it do. It says its number and its plan, so that whoever
goes on after a kill knows how far the file goes: a line that is not whole is cut off, and what is of another plan or of
another share is refused. Every exact number has a rounded one beside it. Parquet and a page (`sweep_page`) cannot be
written line by line: their rows are kept beside them, and the file is made of them at the end.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, BinaryIO

from closecombat.asking.sweeps.grid import AMOUNT, CHANCE, Grid
from closecombat.asking.sweeps.sweep import Answer
from closecombat.reading.fields import MOST_DIGITS
from closecombat.reading.types import Exact
from closecombat.text.faults import Faulty, suggest

ENDINGS = (".csv", ".jsonl", ".parquet", ".html")
AT_THE_END = (".parquet", ".html")  # made of rows that are all there
ROUNDED: Mapping[str, str] = MappingProxyType({CHANCE: " %", AMOUNT: " rounded"})
FIRST, LAST = ("row", "plan", "fight", "system"), ("code", "message")
MARKS = re.compile(rb'<meta name="sweep" content="plan ([0-9a-f]+), rows ([0-9]+ to [0-9]+)">')
FIRST_OF_A_PAGE = 2_000  # bytes in which its marks stand
AT_A_STROKE = 10_000  # rows that are put into Parquet together

Cell = str | int | float | None


def header(grid: Grid) -> list[str]:
    """The names of the columns."""
    asked = [name for one in grid.columns for name in (one.name, one.name + ROUNDED[one.sort])]
    return [*FIRST, *(axis.name for axis in grid.plan.axes), *asked, *LAST]


def cells(grid: Grid, number: int, answer: Answer) -> list[Cell]:
    """A row: exact numbers as text, `13/18`; rounded ones as numbers, chances and shares in percent."""
    cell, message = grid.cell(number), answer.message
    out: list[Cell] = [number, grid.digest, cell.told.fight, cell.told.called, *(one.name for one in cell.settings)]
    for column, value in zip(grid.columns, answer.values, strict=True):
        if value is None:
            out += (None, None)
        else:
            exactly = _written(value)
            out += (exactly, float(value * 100 if column.sort == CHANCE else value))
            if exactly is None:
                message = f"`{column.name}` has more than {MOST_DIGITS:,} digits: only the rounded number stands here"
    return [*out, answer.code or None, " ".join(message.split()) or None]


def _written(value: Exact) -> str | None:
    """An exact number as text, if it can be read again."""
    digits = max(abs(value.numerator).bit_length(), value.denominator.bit_length()) * 302 // 1000 + 1
    return str(value) if digits <= MOST_DIGITS else None


def ending(file: str) -> str:
    """The form of a file by its name; raises Faulty if it has none of ENDINGS."""
    found = Path(file).suffix.lower()
    if found not in ENDINGS:
        raise Faulty.one(
            "wrong-shape",
            f"`{file}` does not say in which form rows are wanted",
            None,
            help=suggest(found, ENDINGS) or "let its name end in .csv, .jsonl, .parquet or .html",
        )
    return found


class RowFile:
    """A file of rows that is open to be gone on with. `done` is how many of the rows it holds."""

    def __init__(self, file: str, grid: Grid, numbers: range) -> None:
        self._form, self._file, self._grid, self._numbers = ending(file), file, grid, numbers
        self._lines = f"{file}.rows" if self._form in AT_THE_END else file
        self._stream: BinaryIO | None = None
        self.done = 0

    def __enter__(self) -> RowFile:
        if self._form == ".parquet":
            _pyarrow()
        if self._form in AT_THE_END and os.path.exists(self._file):
            self._expect_whole()
            self.done = len(self._numbers)
            return self
        self._stream = open(self._lines, "r+b" if os.path.exists(self._lines) else "x+b")
        _locked(self._stream, self._lines)
        self.done, end = self._kept(self._stream)
        self._stream.truncate(end)
        self._stream.seek(end)
        if not end and self._form == ".csv":
            self._stream.write(_csv_line(list(header(self._grid))))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._stream is None:
            return
        self.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()
        if self._form in AT_THE_END and self.done == len(self._numbers) and kind is None:
            _make(self._form, self._lines, self._file, self._grid, self._numbers)
            os.unlink(self._lines)

    def write(self, number: int, answer: Answer) -> None:
        """The next row."""
        if self._stream is not None:
            self._stream.write(self._line(number, answer))
            self.done += 1

    def flush(self) -> None:
        """Hands on what was written, so that it outlives this process."""
        if self._stream is not None:
            self._stream.flush()

    def _line(self, number: int, answer: Answer) -> bytes:
        row = cells(self._grid, number, answer)
        if self._form == ".csv":
            return _csv_line(row)
        return (json.dumps(dict(zip(header(self._grid), row, strict=True)), ensure_ascii=False) + "\n").encode()

    # ---- what is there already -----------------------------------------------------------------------------
    def _kept(self, stream: BinaryIO) -> tuple[int, int]:
        """How many rows the file holds, and where they end; what comes after is no whole line."""
        rows, end = -1 if self._form == ".csv" else 0, 0
        wanted = _csv_line(list(header(self._grid)))
        for line in stream:
            if rows < 0:
                if not line.endswith(b"\n") and wanted.startswith(line):
                    return 0, 0
                if line != wanted:
                    raise self._of_another("it has other columns")
            elif not line.endswith(b"\n"):
                return rows, end  # half a line
            else:
                self._expect(line, rows)
            rows, end = rows + 1, end + len(line)
        return max(rows, 0), end

    def _expect(self, line: bytes, place: int) -> None:
        """Raises Faulty unless a line is the row that should stand there."""
        number, plan = _first_two(line, self._form)
        if plan != self._grid.digest:
            raise self._of_another(f"its rows are of plan {plan or 'none'}, and this one is {self._grid.digest}")
        if place >= len(self._numbers) or number != str(self._numbers[place]):
            expected = f"{self._numbers[place]:,}" if place < len(self._numbers) else "no more"
            raise self._of_another(f"row {number} stands where {expected} should")

    def _of_another(self, why: str) -> Faulty:
        return Faulty.one(
            "other-plan",
            f"`{self._lines}` holds something else: {why}",
            None,
            help="name another file, or take that one away; a plan, a fight or a rule that was changed is another plan",
        )

    def _expect_whole(self) -> None:
        """Raises Faulty unless the file that is there holds just these rows."""
        plan, rows = self._marks_of_page() if self._form == ".html" else self._marks_of_parquet()
        if plan != self._grid.digest.encode() or rows != _rows_of(self._numbers):
            raise self._of_another("it is of another plan, or of another share")

    def _marks_of_page(self) -> tuple[bytes, bytes]:
        with open(self._file, "rb") as stream:
            found = MARKS.search(stream.read(FIRST_OF_A_PAGE))
        if found is None:
            raise self._of_another("it is no page of a sweep")
        return found[1], found[2]

    def _marks_of_parquet(self) -> tuple[bytes | None, bytes | None]:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import ParquetFile

        try:
            found = ParquetFile(self._file)
            meta = found.schema_arrow.metadata or {}
        except ArrowInvalid:
            raise self._of_another("it is no Parquet file") from None
        return meta.get(b"plan"), meta.get(b"rows")


def _rows_of(numbers: range) -> bytes:
    return f"{numbers.start} to {numbers.stop - 1}".encode()


def _csv_line(row: list[Cell] | list[str]) -> bytes:
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerow("" if cell is None else cell for cell in row)
    return stream.getvalue().encode()


def _first_two(line: bytes, form: str) -> tuple[str, str]:
    """The number of a row and its plan; empty where the line is none."""
    text = line.decode("utf-8", "replace")
    if form == ".csv":
        found = next(csv.reader([text]), [])
        return (found[0], found[1]) if len(found) > len(FIRST) else ("", "")
    with suppress(ValueError):
        row = json.loads(text)
        if isinstance(row, dict):
            return str(row.get("row", "")), str(row.get("plan", ""))
    return "", ""


def _locked(stream: BinaryIO, name: str) -> None:
    """Keeps others from writing into the same file; whoever ends, however, lets go of it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            stream.seek(2**40)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
            stream.seek(0)
        else:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Faulty.one(
            "cannot-read", f"`{name}` is being written by another sweep", None, help="name another file, or wait for it"
        ) from None


# ---- Parquet ----------------------------------------------------------------------------------------------


def _pyarrow() -> None:
    try:
        import pyarrow.parquet  # noqa: F401 - only whether it is there
    except ImportError:
        raise Faulty.one(
            "cannot-read",
            "Parquet is written by pyarrow, which is not installed",
            None,
            help="`pip install 'closecombat[parquet]'`, or let the name end in .csv or .jsonl",
        ) from None


def _make(form: str, lines: str, file: str, grid: Grid, numbers: range) -> None:
    """The file of rows that stand in lines; it is there when it is whole."""
    temporary = f"{file}.{os.getpid()}.part"
    try:
        if form == ".html":
            from closecombat.telling.sweep_page import sweep_html

            Path(temporary).write_text(sweep_html(grid, lines, _rows_of(numbers).decode()), "utf-8", newline="\n")
        else:
            _make_parquet(lines, temporary, grid, numbers)
        os.replace(temporary, file)
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _make_parquet(lines: str, file: str, grid: Grid, numbers: range) -> None:
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    rounded = {column.name + ROUNDED[column.sort] for column in grid.columns}
    types = {"row": pyarrow.int64(), **dict.fromkeys(rounded, pyarrow.float64())}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.string())) for name in header(grid)])
    schema = schema.with_metadata({"plan": grid.digest, "rows": _rows_of(numbers).decode()})
    with ParquetWriter(file, schema) as writer:
        for rows in _in_heaps(lines):
            writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


def _in_heaps(lines: str) -> Iterator[list[dict[str, Any]]]:
    heap: list[dict[str, Any]] = []
    with open(lines, encoding="utf-8") as stream:
        for line in stream:
            heap.append(json.loads(line))
            if len(heap) == AT_A_STROKE:
                yield heap
                heap = []
    if heap:
        yield heap
