"""What the readers of text have in common: their source, what they leave out, how they refuse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeVar

import msgspec
import pyarrow as pa

from mqcap.domain import datasets
from mqcap.domain.datasets import QMGR_SAMPLE, QUARANTINE, Dataset
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.shown_text import without_credentials
from mqcap.domain.source import Reading, SourceSummary
from mqcap.ingest.registry import sources
from mqcap.ingest.samples import GatheredFigure, GatheredSamples, Samples
from mqcap.ingest.smf.layout import layouts, structure_name
from mqcap.ingest.smf.quarantine import quarantine_row
from mqcap.ingest.smf.record_heads import schema_of
from mqcap.ingest.smf.sections import dataset_schema
from mqcap.ingest.text import TextFile, opened

ModelT = TypeVar("ModelT")
NAMED: Final = 20
"""Names that a sentence lists, and reasons that are told one by one (ours)."""
ROWS_PER_TABLE: Final = 10_000
_US: Final = timedelta(microseconds=1)
_LINE_SHOWN: Final = 80
"""Characters of a line that a sentence shows (ours)."""
_NOTHING: Final = re.compile(
    r"#.*|[\W_]*(?:(?:TOP|BOTTOM|END) OF DATA[\W_]*|(?:SDSF|COMMAND INPUT|RESPONSE=).*)?", re.DOTALL
)
"""Comments, lines without a letter or digit, and what SDSF and ISPF print around a text."""


def listed(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def only_printable(text: str) -> str:
    """Return what of a text can be printed."""
    return "".join(filter(str.isprintable, text))


@cache
def _schema(dataset: str) -> pa.Schema:
    for declared in vars(datasets).values():
        if isinstance(declared, Dataset) and declared.name == dataset:
            return schema_of(declared)
    return dataset_schema(layouts()[structure_name(dataset)])


@dataclass
class Omissions:
    """What of a file is not used: how much for which reason, with the first line of each."""

    kind: str = ""
    """Name of the source that reads the file."""
    _found: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    """How much, and the number of its first line, by reason and what it is."""
    _not_understood: int = 0
    _first: tuple[int, str] = (0, "")
    last_line: str = ""
    """The last line that was not understood."""
    _others: dict[str, int] = field(default_factory=dict)
    """First line of each other kind of text."""

    def __bool__(self) -> bool:
        """Return whether anything was left out."""
        return bool(self._found)

    def add(self, reason: str, what: str = "line", line_number: int = 0) -> None:
        """Note that something was left out; ``line_number`` is 0 where it has none."""
        count, first = self._found.get((reason, what), (0, line_number))
        self._found[reason, what] = count + 1, first

    def not_understood(self, line: str, line_number: int) -> None:
        """Note a line that is neither data nor known: count it, or say what else it begins."""
        if self.is_other(line, line_number) or _NOTHING.fullmatch(line):
            return
        if not self._not_understood:
            self._first = line_number, line
        self._not_understood += 1
        self.last_line = line

    def is_other(self, line: str, line_number: int) -> bool:
        """Return whether a line begins a text of another kind, or is behind one that does."""
        searched, kinds = _beginnings()
        found = searched.match(line)
        name = found.lastgroup if found else None
        if name and name != self.kind:
            self._others.setdefault(kinds[name], line_number)
        return bool(self._others)

    def unknown_lines(self) -> Iterator[str]:
        """Yield what was found of lines that are neither data nor known."""
        if self._not_understood:
            number, line = self._first
            shown = only_printable(without_credentials(line.strip()))[:_LINE_SHOWN]
            lines = counted(self._not_understood, "line")
            yield f'{lines} not understood, first line {number}: "{shown}"'
        for what, number in self._others.items():
            yield f"line {number} begins {what}, which is left out: send it as a file of its own"

    def reasons(self) -> str:
        """Return the first three reasons, for an error."""
        named = [
            f"line {number}: {reason}" if number else reason
            for (reason, _), (_, number) in self._found.items()
        ]
        return "; ".join((*named[:3], *self.unknown_lines()))

    def sentences(self, file: str = "") -> Iterator[str]:
        """Yield a sentence for each reason, behind the name of the file."""
        name = f"{file}: " if file else ""
        found = list(self._found.items())
        for (reason, what), (count, number) in found[:NAMED]:
            where = f" (first: line {number})" if number else ""
            shown = without_credentials(reason)
            yield f"{name}{counted(count, what)} left out: {shown}{where}."
        if others := found[NAMED:]:
            more = counted(sum(count for _, (count, _) in others), f"more {others[0][0][1]}")
            yield f"{name}{more} left out for the like."
        yield from (f"{name}{text}." for text in self.unknown_lines())


class Refusal(NamedTuple):
    """The arguments of ``unusable`` for a kind of input."""

    problem: str
    expected: str
    remedy: str
    otherwise: str = ""


@dataclass
class TextReading:
    """A pass over one text input: subclasses count rows and note their times."""

    parts_stand_alone: ClassVar[bool] = False
    text: TextFile
    file_sha256: str
    zones: Mapping[str, str] = field(default_factory=dict)
    """Time zones by name, for inputs that carry only local time."""
    skipped_bytes: int = 0
    left_out: Omissions = field(default_factory=Omissions)
    rows: Counter[str] = field(default_factory=Counter)
    first_utc: datetime | None = None
    last_utc: datetime | None = None
    dates: set[date] = field(default_factory=set)
    """UTC dates whose figures may depend on the rows."""
    quarantined_bytes: int = 0
    decoded_bytes: int | None = None
    """``None``: all but ``skipped_bytes``."""

    @property
    def framing(self) -> str:
        """The form of the text."""
        return "json" if self.text.is_json else "text"

    @property
    def name(self) -> str:
        """The name of the file as it was sent."""
        return self.text.name

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield the rows; raises InputError when there is nothing that can be used."""
        raise NotImplementedError

    def objects(self, model: type[ModelT], what: str) -> Iterator[tuple[ModelT, int]]:
        """Yield the JSON objects of a shape with their lines; others are left out."""
        for document in self.text.documents():
            if document.text.startswith("#") and document.value is None:
                continue
            try:
                made = msgspec.convert(document.value, model)
            except msgspec.ValidationError as error:
                self.skipped_bytes += document.bytes_count
                if self.left_out.is_other(document.text, document.line_number):
                    continue
                reason = f"it cannot be read ({document.problem or error})"
                self.left_out.add(reason, what, document.line_number)
            else:
                yield made, document.line_number

    def table(self, dataset: str, rows: list[dict[str, Any]]) -> tuple[str, Any]:
        """Return rows as a table of its dataset, and count them."""
        self.rows[dataset] += len(rows)
        return dataset, pa.Table.from_pylist(rows, schema=_schema(dataset))

    def in_tables(
        self, rows: Iterator[tuple[str, dict[str, Any]]], most: int = ROWS_PER_TABLE
    ) -> Iterator[tuple[str, Any]]:
        """Yield rows of datasets as tables, so many rows at a time."""
        while part := list(islice(rows, most)):
            for dataset in dict.fromkeys(name for name, _ in part):
                yield self.table(dataset, [row for name, row in part if name == dataset])

    def quarantined_row(
        self, byte_offset: int, bytes_count: int, text: str, reason: str
    ) -> tuple[str, dict[str, Any]]:
        """Return a row of the quarantine; the last line of a file may have no end."""
        if not self.text.is_json:
            bytes_count = min(bytes_count, max(self.text.content_bytes - byte_offset, 1))
        self.quarantined_bytes += bytes_count
        row = quarantine_row(self.file_sha256, byte_offset, bytes_count, reason, text.encode())
        return QUARANTINE.name, row

    def note(self, start: datetime, end: datetime) -> None:
        """Note a time that a row is about."""
        self.first_utc = min(start, self.first_utc or start)
        self.last_utc = max(end, self.last_utc or end)

    def note_dates(self, start: datetime, end: datetime) -> None:
        """Note an interval that a row is about, with the days that it touches."""
        self.note(start, end)
        days = ((end - _US).date() - start.date()).days
        self.dates.update(start.date() + timedelta(days=day) for day in range(days + 1))

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each thing that was left out."""
        if self.text.problem:
            yield f"{self.name}: {self.text.problem}"
        yield from self.left_out.sentences(self.name)
        last = self.text.open_line
        is_known = self.text.is_json or last == self.left_out.last_line
        if last and not is_known and not self.is_end(last):
            cut = f'"{only_printable(last.strip())[-_LINE_SHOWN:]}"'
            yield f"{self.name}: the last line has no end, so that it may be cut: {cut}."

    def named(self, what: str, names: Iterable[str]) -> Iterator[str]:
        """Yield a sentence that lists the names of what was left out; none without any."""
        if found := sorted(names):
            yield f"{self.name}: {what} left out: {listed(found)}."

    def is_end(self, line: str) -> bool:  # noqa: ARG002 - of kinds whose texts have an end
        """Return whether the file is whole where this is its last line, without end."""
        return False

    def unusable(
        self, problem: str, *, expected: str, remedy: str, found: str = "", otherwise: str = ""
    ) -> InputError:
        """Return why nothing can be used: ``found``, else what was left out, or ``otherwise``."""
        reasons = found or self.left_out.reasons() or otherwise or self.text.problem
        first = f"first line {self.text.first_line.strip()[:60]!r}"
        return InputError(
            problem,
            file=self.name,
            found=f"{reasons}; {first}" if reasons else first,
            expected=expected,
            remedy=remedy,
        )

    @property
    def record_count(self) -> int:
        """Records that were found."""
        return self.rows.total()

    def summary(self) -> SourceSummary:
        """Return what was found; what is neither decoded nor quarantined is skipped."""
        content = self.text.content_bytes
        quarantined = min(self.quarantined_bytes, content)
        most = content - quarantined
        decoded = most - self.skipped_bytes if self.decoded_bytes is None else self.decoded_bytes
        decoded = max(0, min(most, decoded))
        return SourceSummary(
            framing=self.framing,
            content_bytes=content,
            decoded_bytes=decoded,
            skipped_bytes=most - decoded,
            quarantined_bytes=quarantined,
            record_count=self.record_count,
            rows_by_dataset=dict(sorted(self.rows.items())),
            first_interval_utc=self.first_utc,
            last_interval_utc=self.last_utc,
            hour_dates=tuple(sorted(self.dates)),
            problems=tuple(self.problems()),
            parts_stand_alone=self.parts_stand_alone,
        )


@dataclass
class SamplesReading(TextReading):
    """A pass over figures time by time, gathered in ``take_all``; ``nothing``: without any."""

    samples: Samples = field(init=False)
    gathered: GatheredSamples[Any] = field(init=False)
    dataset: ClassVar[Dataset] = QMGR_SAMPLE
    nothing: ClassVar[Refusal]

    def __post_init__(self) -> None:
        """Begin without samples."""
        self.samples = Samples(self.file_sha256, self.dataset)
        self.gathered = GatheredSamples(self.samples.admits)

    def tables(self) -> Iterator[tuple[str, Any]]:
        """Yield samples; raises InputError when there is nothing that can be used."""
        self.take_all()
        for figure in self.gathered.figures():
            self.add(figure)
            yield from self.samples.full()
        if not self.is_usable():
            raise self.refusal()
        yield from self.samples.rest()

    def take_all(self) -> None:
        """Read the file."""
        raise NotImplementedError

    def add(self, figure: GatheredFigure[Any]) -> None:
        """Add the samples of one figure, in order of time."""
        self.samples.add(figure.key, figure.reported_us, figure.seconds, figure.values)

    def is_usable(self) -> bool:
        """Return whether the file gave anything."""
        return bool(self.samples.row_count)

    def refusal(self) -> InputError:
        """Return the error for a file that gave nothing."""
        return self.unusable(**self.nothing._asdict())

    def summary(self) -> SourceSummary:
        """Return what was found."""
        return self.samples.added_to(super().summary(), self.name)


@dataclass(frozen=True)
class TextInput:
    """A kind of text input, known by its content."""

    name: str
    order: int
    title: str
    description: str
    begin: Callable[[TextFile, str, Mapping[str, str]], TextReading]
    """The reading of a file with its hash and time zones."""
    recognises: Callable[[TextFile], bool] = lambda _: False
    recognises_json: Callable[[TextFile], bool] = lambda _: False
    """Asked of a file that holds JSON objects; the other of all others."""
    has_own_times: bool = False
    """Its lines begin with a time and a blank, which is otherwise taken off as a collector's."""
    first_line: str = ""
    """Pattern without groups by which its begin is known behind a text of another kind."""
    named_behind: str = ""
    """What it is called there; the title where empty."""
    zones: Mapping[str, str] = field(default_factory=dict)

    def in_zones(self, zones: Mapping[str, str]) -> TextInput:
        """Return the same source with these time zones."""
        return replace(self, zones=zones)

    def accepts(self, path: Path) -> bool:
        """Return whether a file is of this kind."""
        text = opened(path)
        if not text.head:
            return False
        if not text.is_json and self.recognises(text):
            return True
        return bool(text.is_json or text.keys) and self.recognises_json(text)

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading a file that was accepted, by its lines or by JSON, also behind lines."""
        text = TextFile(path, has_own_times=self.has_own_times)
        text.is_json = text.is_json or not self.recognises(text)
        reading = self.begin(text, file_sha256, self.zones)
        reading.left_out.kind = self.name
        return reading


@cache
def _beginnings() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return the pattern of all first lines, a group for each source, and what each is called."""
    kinds = [source for source in sources() if isinstance(source, TextInput) and source.first_line]
    pattern = "|".join(f"(?P<{kind.name}>{kind.first_line})" for kind in kinds)
    return re.compile(pattern), {kind.name: kind.named_behind or kind.title for kind in kinds}
