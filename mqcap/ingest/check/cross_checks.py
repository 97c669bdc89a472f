"""Cross checks: figures of a dump that must agree with each other, read batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from mqcap.ingest.smf.layout import layouts, structure_name

NAMED_FAILURES: Final = 5
HEADER_TOLERANCE_S: Final = 0.02
COUNT_TOLERANCE: Final = 2
"""Some counts of the log are taken before a write and some after it."""
TASK_TOLERANCE: Final = 0.01
ENGINE_TOLERANCE: Final = 0.01
"""Both ours: shares of the interval."""
_OWN_INTERVAL: Final = (1, 2, 10, 201, 215, 216, 231)
"""Subtypes whose QWHS carries the interval."""
_ACCOUNTING_OF_CHANNELS: Final = 10
SUBJECTS: Final = ("qmgr", "cf", "sysplex")
"""Columns of which the first present one names the subject of a section."""

Numbers = NDArray[Any]
Figures = Callable[[str], Numbers]
"""Gives the numbers of a column of a table."""
Judged = tuple[Numbers, Numbers, Numbers | float, Numbers | float]
"""For every row: the check applies, value found, lowest and highest expected."""


@dataclass(frozen=True)
class FailedRow:
    """A row that fails a check."""

    byte_offset: int
    whose: str
    found: str
    expected: str


@dataclass
class CheckResult:
    """Result of a check; ``rows`` were checked, ``failed`` of them fail."""

    name: str
    rows: int = 0
    failed: int = 0
    failures: list[FailedRow] = field(default_factory=list)
    """The first few."""
    structure: str = ""
    """Set where every row of the structure fails: the layout is wrong there, not the file."""

    def add(self, other: CheckResult) -> None:
        """Add the result of other rows."""
        self.rows += other.rows
        self.failed += other.failed
        self.failures = (self.failures + other.failures)[:NAMED_FAILURES]


class CrossCheck(NamedTuple):
    """A check of the rows of some structures; ``digits`` are those of its figures."""

    name: str
    structures: str
    """Names with a blank between."""
    judge: Callable[[Figures], Judged]
    digits: int = 0


def _figures(table: Any) -> Figures:
    """Return the columns of a table as floats, instants in microseconds; null is NaN."""

    def of(name: str) -> Numbers:
        column = table[name]
        is_instant = pa.types.is_timestamp(column.type)
        return np.asarray((column.cast("int64") if is_instant else column).to_numpy(), np.float64)

    return of


def _log_sum(own: str, part: str) -> Callable[[Figures], Judged]:
    def judge(of: Figures) -> Judged:
        stated = of(own)
        columns = [f"qjstio_{copy}_qjstiotype_{kind}_{part}" for copy in (0, 1) for kind in (0, 1)]
        total = np.sum([of(column) for column in columns], axis=0)
        is_present = ~np.isnan(total + stated)
        return is_present, stated, total - COUNT_TOLERANCE, total + COUNT_TOLERANCE

    return judge


def _tasks(of: Figures) -> Judged:
    seconds = of("interval_seconds")
    slack = seconds * TASK_TOLERANCE
    total = (of("qcteltm") + of("qctwttm")) / 1e6
    return ~np.isnan(seconds), total, seconds - slack, seconds + slack


def _header(of: Figures) -> Judged:
    late = (of("record_utc") - of("interval_end_utc")) / 1e6
    subtype, offsets = of("record_subtype"), of("record_offset_bytes")
    carries_interval = np.isin(subtype, _OWN_INTERVAL)
    carries_interval &= (of("record_type") != 116) | (subtype == _ACCOUNTING_OF_CHANNELS)
    is_first = np.zeros(len(offsets), np.bool_)
    is_first[np.unique(offsets, return_index=True)[1]] = True
    applies = is_first & carries_interval & ~np.isnan(late)
    return applies, late, -HEADER_TOLERANCE_S, HEADER_TOLERANCE_S


def _engines(of: Figures) -> Judged:
    seconds = of("interval_seconds")
    total = (of("r744pbsy") + of("r744pwai")) / 1e6
    return seconds > 0, total, 0, seconds * (1 + ENGINE_TOLERANCE)


def _service(of: Figures) -> Judged:
    count = of("r744ssrc")
    mean = np.divide(of("r744sstm"), count, out=np.zeros(len(count)), where=count > 0)
    return count > 0, mean, 1, 1_000


def _bypassed(of: Figures) -> Judged:
    kinds = ("rcr", "rsr", "rnr", "wrc", "wsr", "wnr", "icl", "bcr")
    ios, delayed = np.sum([of(f"r745d{kind}") for kind in kinds], axis=0), of("r745dfwb")
    return ~np.isnan(ios + delayed), delayed, 0, ios


TIME_CHECK: Final = CrossCheck(
    "QWHSTIME + QWHSDURN is the header time, within 0.02 s",
    "QJST QMST QPST QIS1 QQST QCCT QCST",  # those of every record with an interval
    _header,
    3,
)
BLOCK_CHECK: Final = "every block begins with the id of its structure"
CHECKS: Final = (
    CrossCheck(
        "QJSTCIWR is the sum of QJSTIOCI, within 2", "QJST", _log_sum("qjstciwr", "qjstioci")
    ),
    CrossCheck(
        "QJSTLOGW is the sum of QJSTIOCOUNT, within 2", "QJST", _log_sum("qjstlogw", "qjstiocount")
    ),
    CrossCheck(
        "QPSTCBSL <= QPSTCBS <= QPSTNBUF",
        "QPST",
        lambda of: (of("qpstnbuf") > 0, of("qpstcbs"), of("qpstcbsl"), of("qpstnbuf")),
    ),
    CrossCheck(
        "QCTELTM + QCTWTTM of a task is the interval, within 1 %",
        "QCTDSP QCTADP QCTSSL QCTDNS",
        _tasks,
        1,
    ),
    CrossCheck("R745DFWB is at most the I/Os of its device", "R745D", _bypassed),
    CrossCheck("R744PBSY + R744PWAI of an engine fits into the interval", "R744P", _engines, 1),
    CrossCheck(
        "R744SLEM <= R744SLEL",
        "R744S",
        lambda of: (of("r744slel") > 0, of("r744slem"), 0, of("r744slel")),
    ),
    CrossCheck("R744SSTM / R744SSRC is 1 to 1,000 microseconds", "R744S", _service, 1),
    TIME_CHECK,
)


@dataclass
class CrossChecks:
    """Results of all checks on the tables of one file."""

    results: dict[tuple[str, str], CheckResult] = field(default_factory=dict)
    """By check and structure."""

    def add(self, dataset: str, table: Any) -> None:
        """Check the rows of one table."""
        structure = structure_name(dataset)
        for check in CHECKS:
            if structure in check.structures.split():
                self._apply(check, structure, table)
        if structure in layouts() and layouts()[structure].id is not None:
            self._block_ids(structure, table)

    def in_order(self) -> Iterator[CheckResult]:
        """Yield the checks that had rows, failed ones first; those of a wrong layout apart."""
        together: dict[tuple[str, str], CheckResult] = {}
        for (name, structure), result in self.results.items():
            apart = structure if result.failed == result.rows else ""
            together.setdefault((name, apart), CheckResult(name, structure=apart)).add(result)
        yield from sorted(together.values(), key=lambda result: (result.failed == 0, result.name))

    def _apply(self, check: CrossCheck, structure: str, table: Any) -> None:
        applies, found, *limits = check.judge(_figures(table))
        low, high = (np.broadcast_to(limit, found.shape) for limit in limits)
        wrong = applies & ~((low <= found) & (found <= high))

        def shown(values: Numbers, row: int) -> str:
            return f"{values[row]:,.{check.digits}f}"

        if applies.any():
            failures = (
                _failure(table, row, shown(found, row), f"{shown(low, row)} to {shown(high, row)}")
                for row in np.flatnonzero(wrong).tolist()
            )
            self._note(check.name, structure, int(applies.sum()), int(wrong.sum()), failures)

    def _block_ids(self, structure: str, table: Any) -> None:
        layout = layouts()[structure]
        column = table[layout.fields[0].column]
        shown = {
            value: value.upper() if isinstance(value, str) else f"{value & 0xFFFF:04X}"
            for value in column.unique().to_pylist()
        }
        odd = {value for value in shown if shown[value] not in {layout.id, *layout.other_ids}}
        values = column.to_pylist() if odd else []
        wrong = [row for row, value in enumerate(values) if value in odd]
        expected = f"{layout.id} of {layout.name}"
        failures = (_failure(table, row, shown[values[row]], expected) for row in wrong)
        self._note(BLOCK_CHECK, structure, table.num_rows, len(wrong), failures)

    def _note(
        self, name: str, structure: str, rows: int, failed: int, failures: Iterator[FailedRow]
    ) -> None:
        known = self.results.setdefault((name, structure), CheckResult(name))
        first = list(islice(failures, NAMED_FAILURES))
        known.add(CheckResult(name, rows, failed, first))


def _failure(table: Any, row: int, actual: str, expected: str) -> FailedRow:
    values = table.slice(row, 1).to_pylist()[0]
    subject = next(values[name] for name in SUBJECTS if name in values)
    writer = f"{values['smfid']}/{subject}"
    kind = f"{values['record_type']}.{values['record_subtype']}"
    start = values["interval_start_utc"]
    when = "" if start is None else f", interval from {start:%Y-%m-%d %H:%M:%S} UTC"
    which = f" section {values['section_index'] + 1}" if values["section_index"] else ""
    return FailedRow(
        values["record_offset_bytes"], f"{kind}{which} of {writer}{when}", actual, expected
    )
