"""The words of ``mqcap smf check``: facts, checks, then problems and what to ask for."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from mqcap.ingest.check.advice import advice
from mqcap.ingest.check.cross_checks import Verdict
from mqcap.ingest.check.dump_summary import SMF, Clock, Contents

NAMED_GAPS: Final = 10
_MOMENT: Final = "%Y-%m-%d %H:%M:%S"
_KINDS: Final = {
    SMF: "SMF dump",
    "console": "console log",
    "formatter": "output of mqsmfcsv",
    "rmf": "RMF report",
}
_NO_CLOCK: Final = "local time; the file does not tell the zone"
_FRAMINGS: Final = {
    "rdw": "whole records with descriptor words (rdw)",
    "rdwseg": "spanned records with descriptor words (rdwseg)",
    "bdw": "blocks with descriptor words (bdw)",
    "nordw": "records without descriptor words (nordw)",
}


def report(file: Path, contents: Contents) -> RenderableType:
    """What a person has to know of one file."""
    facts = Table(title=Text(str(file)), show_header=False, title_justify="left")
    facts.add_column(no_wrap=True)
    facts.add_column(overflow="fold")
    for label, text in _facts(contents):
        facts.add_row(label, Text(text))
    parts: list[RenderableType] = [facts]
    if contents.verdicts:
        parts.append(_checks(contents.verdicts))
    parts.extend(_listed("Problems", list(contents.summary.problems)))
    parts.extend(_listed("To ask the mainframe team for, or to know", list(advice(contents))))
    parts.append(Text(_conclusion(contents)))
    return Group(*parts)


def _facts(contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield label and text of the lines about the file."""
    told = contents.summary
    kind = _KINDS.get(contents.source, contents.source)
    yield "kind", f"{kind}, {_FRAMINGS.get(told.framing, told.framing)}"
    yield "bytes", _bytes(contents)
    yield "records", _counted(told.record_count, contents.records)
    if contents.repeated_records:
        places = ", ".join(
            f"byte {one.byte_offset:,} (first at {one.first_byte_offset:,})"
            for one in contents.repeats
        )
        more = " and more" if contents.repeated_records > len(contents.repeats) else ""
        yield "repeated records", f"{contents.repeated_records:,}: {places}{more}"
    yield from _who(contents)
    zone = "" if contents.source == SMF else " (local time is taken for UTC here)"
    yield "time", f"{_span(told.first_interval_utc, told.last_interval_utc)}{zone}"
    yield from _interval_facts(contents)
    rows = {name: n for name, n in told.rows_by_dataset.items() if n}
    yield "rows", ", ".join(f"{_structure(name)} {count:,}" for name, count in rows.items())


def _bytes(contents: Contents) -> str:
    told = contents.summary
    balance = "" if contents.accounted_bytes == told.content_bytes else " (NOT BALANCED)"
    return (
        f"{told.content_bytes:,} = {told.decoded_bytes:,} decoded + {told.skipped_bytes:,}"
        f" skipped + {told.quarantined_bytes:,} put aside{balance}"
    )


def _counted(total: int, by_type: dict[str, int]) -> str:
    """``319 by type: 115.1 (16), 115.2 (16)``, or the number alone."""
    kinds = ", ".join(f"{kind} ({count:,})" for kind, count in by_type.items())
    return f"{total:,} by type: {kinds}" if kinds else f"{total:,}"


def _who(contents: Contents) -> Iterator[tuple[str, str]]:
    """Yield systems with their clocks, queue managers with level and group, facilities."""
    systems = {
        smfid: _clock(list(clocks))
        for smfid, clocks in groupby(contents.clocks, key=lambda one: one.smfid)
    }
    is_told = contents.source == SMF
    for smfid in sorted(contents.names.get("smfid", ())):
        clock = systems.get(smfid, "offset from UTC unknown") if is_told else _NO_CLOCK
        yield f"system {smfid}", clock
    for qmgr, found in groupby(contents.queue_managers, key=lambda one: one[0]):
        told = [(level or "unknown", group) for _, level, group in found]
        levels = ", ".join(sorted({level for level, _ in told}))
        groups = ", ".join(sorted({group for _, group in told if group}))
        of = f", queue sharing group {groups}" if groups else ""
        yield f"queue manager {qmgr}", f"MQ {levels}{of}"
    for name, label in (("sysplex", "sysplexes"), ("cf", "coupling facilities")):
        if name in contents.names:
            yield label, ", ".join(sorted(contents.names[name]))


def _clock(clocks: list[Clock]) -> str:
    """Return the offset of a system, with the instants between which it changed."""
    words = [f"UTC{_offset(clocks[0].offset_minutes)}"]
    for before, after in pairwise(clocks):
        words.append(
            f"UTC{_offset(after.offset_minutes)} from between {before.last_utc:{_MOMENT}} and"
            f" {after.first_utc:{_MOMENT}} UTC on"
        )
    return ", ".join(words)


def _offset(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _span(first: datetime | None, last: datetime | None) -> str:
    """Return a stretch of time; a file without intervals has none."""
    if first is None or last is None:
        return "no intervals"
    return f"{first:{_MOMENT}} to {last:{_MOMENT}} UTC"


def _interval_facts(contents: Contents) -> Iterator[tuple[str, str]]:
    """How many intervals every writer has, and where some are missing."""
    for writer, intervals in contents.intervals.items():
        lengths = sorted({round((end - start).total_seconds()) for start, end in intervals})
        length = f"{lengths[0]:,}" if len(lengths) == 1 else f"{lengths[0]:,} to {lengths[-1]:,}"
        noun = "interval" if len(intervals) == 1 else "intervals"
        span = _span(intervals[0][0], max(end for _, end in intervals))
        subject, _, kinds = writer.partition(" ")
        yield subject, f"{len(intervals):,} {noun} of {length} s in {kinds}: {span}"
    gaps = list(contents.gaps())
    for writer, begin, end in gaps[:NAMED_GAPS]:
        yield "gap", f"{writer}: {_span(begin, end)} ({_length(end - begin)})"
    if len(gaps) > NAMED_GAPS:
        yield "gap", f"{len(gaps) - NAMED_GAPS} more"


def _length(length: timedelta) -> str:
    minutes, seconds = divmod(round(length.total_seconds()), 60)
    return f"{minutes // 60} h {minutes % 60:02d} min {seconds:02d} s"


def _structure(dataset: str) -> str:
    is_section = dataset.startswith("section_")
    return dataset.removeprefix("section_").upper() if is_section else dataset


def _checks(verdicts: tuple[Verdict, ...]) -> RenderableType:
    """Return one line per check, and the places where it does not hold."""
    table = Table(show_header=True, title="Do the figures agree", title_justify="left")
    table.add_column("check")
    table.add_column("looked at", justify="right")
    table.add_column("result")
    for one in verdicts:
        result = "holds" if not one.failed else f"{one.failed:,} do not hold"
        table.add_row(Text(one.name), f"{one.rows:,}", result)
        for failure in one.failures:
            what = f"found {failure.found}, expected {failure.expected}"
            table.add_row(Text(f"  byte {failure.byte_offset:,}: {failure.whose}"), "", Text(what))
    return table


def _listed(heading: str, sentences: list[str]) -> Iterator[RenderableType]:
    if sentences:
        yield Text(f"{heading}:")
        yield from (Text(f"  - {sentence}") for sentence in sentences)


def _conclusion(contents: Contents) -> str:
    """Return one sentence for those who read no further."""
    told = contents.summary
    failed = sum(verdict.failed for verdict in contents.verdicts)
    if told.quarantined_bytes:
        share = 100 * told.quarantined_bytes / told.content_bytes
        return f"Result: damaged; {share:.2g} % of the bytes could not be read.\n"
    if failed:
        return f"Result: read to the last byte, but {failed:,} figures do not agree.\n"
    return "Result: read to the last byte; nothing is damaged.\n"
