"""The words of ``mqcap smf check``: one table per file, then problems and advice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from pipeline.check import Contents

NAMED_GAPS: Final = 10
_MOMENT: Final = "%Y-%m-%d %H:%M:%S"
_LABELS: Final = {
    "smfid": "systems",
    "qmgr": "queue managers",
    "mq_level": "MQ levels",
    "sysplex": "sysplexes",
    "cf": "coupling facilities",
}


def report(file: Path, contents: Contents) -> RenderableType:
    """What a person has to know of one file."""
    facts = Table(title=Text(str(file)), show_header=False, title_justify="left")
    for label, text in _facts(contents):
        facts.add_row(label, text)
    for dataset, rows in contents.summary.rows_by_dataset.items():
        facts.add_row(dataset, f"{rows:,} rows")
    sentences = [*contents.summary.problems, *contents.advice()]
    return Group(facts, *(Text(sentence) for sentence in sentences))


def _facts(contents: Contents) -> Iterator[tuple[str, str]]:
    """Label and text of the lines about the file."""
    told = contents.summary
    yield "source, framing", f"{contents.source}, {told.framing}"
    for name, label in _LABELS.items():
        if name in contents.names:
            yield label, ", ".join(sorted(contents.names[name]))
    yield "time", _span(told.first_interval_utc, told.last_interval_utc)
    yield "records", f"{told.record_count:,}"
    yield "repeated records", f"{contents.repeated_records:,}"
    yield from _interval_facts(contents)
    balance = "" if contents.accounted_bytes == told.content_bytes else " (NOT BALANCED)"
    yield (
        "bytes",
        (
            f"{told.content_bytes:,} = {told.decoded_bytes:,} decoded"
            f" + {told.skipped_bytes:,} skipped + {told.quarantined_bytes:,} quarantined{balance}"
        ),
    )


def _span(first: datetime | None, last: datetime | None) -> str:
    """A stretch of time; a file without intervals has none."""
    if first is None or last is None:
        return "no intervals"
    return f"{first:{_MOMENT}} to {last:{_MOMENT}} UTC"


def _interval_facts(contents: Contents) -> Iterator[tuple[str, str]]:
    """How many intervals every writer has, and where some are missing."""
    for writer, intervals in sorted(contents.intervals.items()):
        lengths = sorted({round((end - start).total_seconds()) for start, end in intervals})
        span = f"{lengths[0]}" if len(lengths) == 1 else f"{lengths[0]} to {lengths[-1]}"
        yield writer, f"{len(intervals):,} intervals of {span} seconds"
    gaps = list(contents.gaps())
    for writer, begin, end in gaps[:NAMED_GAPS]:
        yield "gap", f"{writer}: {_span(begin, end)}"
    if len(gaps) > NAMED_GAPS:
        yield "gap", f"{len(gaps) - NAMED_GAPS} more"
