"""Cross checks: figures of a dump that must agree with each other.

Each check reads the rows of some structures, batch by batch; each failure is reported with the
position of its record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mqcap.ingest.smf.layout import Layout, layouts

NAMED_FAILURES: Final = 5
HEADER_TOLERANCE_US: Final = 20_000
COUNT_TOLERANCE: Final = 2
"""Some counts of the log are taken before a write and some after it."""
TASK_TOLERANCE: Final = 0.01
ENGINE_TOLERANCE: Final = 0.01
"""Both ours: shares of the interval."""
_SERVICE_US: Final = (1, 1_000)
_TASKS: Final = ("section_qctdsp", "section_qctadp", "section_qctssl", "section_qctdns")
_OWN_INTERVAL: Final = frozenset({1, 2, 10, 201, 215, 216, 231})
"""Subtypes whose QWHS carries the interval."""
_ONE_PER_RECORD: Final = frozenset(
    f"section_{name}" for name in ("qjst", "qmst", "qpst", "qis1", "qqst", "qcct", "qcst")
)
"""Structures that occur once in every record with an interval."""
_ACCOUNTING_OF_CHANNELS: Final = 10
SUBJECTS: Final = ("qmgr", "cf", "sysplex")
"""Columns of which the first present one names the subject of a section."""

Numbers = NDArray[Any]
Judged = tuple[Numbers, Numbers, Numbers, Numbers]
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


@dataclass(frozen=True)
class CrossCheck:
    """A check; ``judge`` returns applies, found, and lowest and highest expected."""

    name: str
    judge: Callable[[Any], Judged]
    digits: int = 0


def _number(table: Any, column: str) -> Numbers:
    """Return a column as floats; null is NaN."""
    return np.asarray(table[column].to_numpy(), dtype=np.float64)


def _micros(table: Any, column: str) -> Numbers:
    """Return instants in microseconds; null is NaN."""
    plain = table[column].cast("int64")
    return np.asarray(plain.to_numpy(), dtype=np.float64)


def _log_sum(own: str, part: str) -> Callable[[Any], Judged]:
    def judge(table: Any) -> Judged:
        stated = _number(table, own)
        parts = [
            _number(table, f"qjstio_{copy}_qjstiotype_{kind}_{part}")
            for copy in (0, 1)
            for kind in (0, 1)
        ]
        total = np.sum(parts, axis=0)
        is_present = ~np.isnan(total) & ~np.isnan(stated)
        return is_present, stated, total - COUNT_TOLERANCE, total + COUNT_TOLERANCE

    return judge


def _stealable(table: Any) -> Judged:
    lowest, now, all_buffers = (
        _number(table, name) for name in ("qpstcbsl", "qpstcbs", "qpstnbuf")
    )
    return all_buffers > 0, now, lowest, all_buffers


def _tasks(table: Any) -> Judged:
    seconds = _number(table, "interval_seconds")
    total = (_number(table, "qcteltm") + _number(table, "qctwttm")) / 1e6
    slack = seconds * TASK_TOLERANCE
    return ~np.isnan(seconds), total, seconds - slack, seconds + slack


def _header(table: Any) -> Judged:
    late = (_micros(table, "record_utc") - _micros(table, "interval_end_utc")) / 1e6
    subtype = np.asarray(table["record_subtype"].to_numpy())
    carries_interval = np.isin(subtype, list(_OWN_INTERVAL))
    accounting = np.asarray(table["record_type"].to_numpy()) == 116
    carries_interval &= ~accounting | (subtype == _ACCOUNTING_OF_CHANNELS)
    limit = np.full(len(late), HEADER_TOLERANCE_US / 1e6)
    return carries_interval & ~np.isnan(late), late, -limit, limit


def _engines(table: Any) -> Judged:
    seconds = _number(table, "interval_seconds")
    total = (_number(table, "r744pbsy") + _number(table, "r744pwai")) / 1e6
    return seconds > 0, total, np.zeros(len(total)), seconds * (1 + ENGINE_TOLERANCE)


def _entries(table: Any) -> Judged:
    used, limit = _number(table, "r744slem"), _number(table, "r744slel")
    return limit > 0, used, np.zeros(len(used)), limit


def _service(table: Any) -> Judged:
    count = _number(table, "r744ssrc")
    mean = np.divide(_number(table, "r744sstm"), count, out=np.zeros(len(count)), where=count > 0)
    low, high = (np.full(len(count), limit) for limit in _SERVICE_US)
    return count > 0, mean, low, high


def _bypassed(table: Any) -> Judged:
    ios = np.sum(
        [_number(table, f"r745d{name}") for name in ("rcr", "rsr", "rnr", "wrc", "wsr", "wnr")],
        axis=0,
    )
    ios += _number(table, "r745dicl") + _number(table, "r745dbcr")
    delayed = _number(table, "r745dfwb")
    return ~np.isnan(ios) & ~np.isnan(delayed), delayed, np.zeros(len(ios)), ios


TIME_CHECK: Final = CrossCheck("QWHSTIME + QWHSDURN is the header time, within 0.02 s", _header, 3)
BLOCK_CHECK: Final = "every block begins with the id of its structure"
CHECKS: Final[Mapping[str, tuple[CrossCheck, ...]]] = MappingProxyType(
    {
        "section_qjst": (
            CrossCheck(
                "QJSTCIWR is the sum of QJSTIOCI, within 2", _log_sum("qjstciwr", "qjstioci")
            ),
            CrossCheck(
                "QJSTLOGW is the sum of QJSTIOCOUNT, within 2", _log_sum("qjstlogw", "qjstiocount")
            ),
        ),
        "section_qpst": (CrossCheck("QPSTCBSL <= QPSTCBS <= QPSTNBUF", _stealable),),
        **{
            dataset: (
                CrossCheck("QCTELTM + QCTWTTM of a task is the interval, within 1 %", _tasks, 1),
            )
            for dataset in _TASKS
        },
        "section_r745d": (CrossCheck("R745DFWB is at most the I/Os of its device", _bypassed),),
        "section_r744p": (
            CrossCheck("R744PBSY + R744PWAI of an engine fits into the interval", _engines, 1),
        ),
        "section_r744s": (
            CrossCheck("R744SLEM <= R744SLEL", _entries),
            CrossCheck("R744SSTM / R744SSRC is 1 to 1,000 microseconds", _service, 1),
        ),
    }
)


@dataclass
class CrossChecks:
    """Results of all checks on the tables of one file."""

    results: dict[tuple[str, str], CheckResult] = field(default_factory=dict)
    """By check and structure."""

    def add(self, dataset: str, table: Any) -> None:
        """Check the rows of one table."""
        structure = dataset.removeprefix("section_").upper()
        for check in CHECKS.get(dataset, ()):
            self._apply(check, structure, table)
        if dataset in _ONE_PER_RECORD:
            self._apply(TIME_CHECK, structure, _one_per_record(table))
        layout = layouts().get(structure)
        if layout is not None and layout.id is not None:
            self._block_ids(layout, table)

    def in_order(self) -> Iterator[CheckResult]:
        """Yield the checks that had rows, failed ones first; those of a wrong layout apart."""
        together: dict[tuple[str, str], CheckResult] = {}
        for (name, structure), result in self.results.items():
            apart = structure if result.failed == result.rows else ""
            together.setdefault((name, apart), CheckResult(name, structure=apart)).add(result)
        yield from sorted(together.values(), key=lambda result: (result.failed == 0, result.name))

    def _result(self, name: str, structure: str) -> CheckResult:
        return self.results.setdefault((name, structure), CheckResult(name))

    def _apply(self, check: CrossCheck, structure: str, table: Any) -> None:
        applies, values, low, high = check.judge(table)
        applies = np.asarray(applies, dtype=np.bool_)
        if not applies.any():
            return
        result = self._result(check.name, structure)
        result.rows += int(applies.sum())
        wrong = np.flatnonzero(applies & ~((low <= values) & (values <= high)))
        result.failed += len(wrong)
        for row in wrong[: NAMED_FAILURES - len(result.failures)].tolist():
            expected = f"{low[row]:,.{check.digits}f} to {high[row]:,.{check.digits}f}"
            result.failures.append(
                _failure(table, row, f"{values[row]:,.{check.digits}f}", expected)
            )

    def _block_ids(self, layout: Layout, table: Any) -> None:
        layout_ids = {layout.id, *layout.other_ids}
        result = self._result(BLOCK_CHECK, layout.name)
        result.rows += table.num_rows
        column = table[layout.fields[0].column]
        for value in column.unique().to_pylist():
            block_id = value.upper() if isinstance(value, str) else f"{value & 0xFFFF:04X}"
            if block_id in layout_ids:
                continue
            rows = [row for row, other in enumerate(column.to_pylist()) if other == value]
            result.failed += len(rows)
            for row in rows[: NAMED_FAILURES - len(result.failures)]:
                expected = f"{layout.id} of {layout.name}"
                result.failures.append(_failure(table, row, block_id, expected))


def _one_per_record(table: Any) -> Any:
    offsets = np.asarray(table["record_offset_bytes"].to_numpy())
    _, first = np.unique(offsets, return_index=True)
    return table.take(np.sort(first))


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
