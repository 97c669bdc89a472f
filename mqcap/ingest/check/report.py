"""Report of ``mqcap smf check``: facts, cross checks, problems and advice."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby, islice, pairwise
from pathlib import Path
from typing import Final

from mqcap.domain.numbers import share
from mqcap.domain.shown_text import wrapped
from mqcap.ingest.check.cross_checks import CheckResult
from mqcap.ingest.check.dump_summary import SMF, ClockOffset, DumpSummary
from mqcap.ingest.smf.corruption import Corruption
from mqcap.ingest.smf.layout import structure_name

NAMED_GAPS: Final = 10
NAMED_REPEATS: Final = 5
_LABEL: Final = 20
"""Characters of the column of labels; a longer name is followed by its text."""
_HANGING: Final = " " * (_LABEL + 2)
_MOMENT: Final = "%Y-%m-%d %H:%M:%S"
_NO_CLOCK: Final = "local time; the file does not contain the zone"
_FRAMINGS: Final = {
    "rdw": "complete records with descriptor words (rdw)",
    "rdwseg": "spanned records with descriptor words (rdwseg)",
    "bdw": "blocks with descriptor words (bdw)",
    "nordw": "records without descriptor words (nordw)",
    "length": "records behind a length of another form, as record-mode downloads have it (length)",
}


def report(file: Path, summary: DumpSummary, width: int) -> str:
    """Return the report on one file; lines of at most ``width`` characters break between words."""
    lines = [str(file)]
    for label, text in _facts(summary):
        lines += wrapped(f" {label:{_LABEL}} {text}", width, _HANGING)
    if summary.check_results:
        lines += ["Cross checks", *_checks(summary.check_results, width)]
    for heading, sentences in (
        ("Problems", summary.totals.problems),
        ("Advice", tuple(advice(summary))),
    ):
        lines += [f"{heading}:"] if sentences else []
        lines += [
            part for sentence in sentences for part in wrapped(f"  - {sentence}", width, " " * 4)
        ]
    return "\n".join([*lines, *wrapped(_conclusion(summary), width, "  "), ""])


def _facts(summary: DumpSummary) -> Iterator[tuple[str, str]]:
    totals = summary.totals
    yield "kind", f"{summary.source_title}, {_FRAMINGS.get(totals.framing, totals.framing)}"
    accounted_bytes = totals.decoded_bytes + totals.skipped_bytes + totals.quarantined_bytes
    balance = "" if accounted_bytes == totals.content_bytes else " (NOT BALANCED)"
    parts = f"{totals.decoded_bytes:,} decoded + {totals.skipped_bytes:,} skipped"
    quarantined = f"{totals.quarantined_bytes:,} quarantined{balance}"
    yield "bytes", f"{totals.content_bytes:,} = {parts} + {quarantined}"
    kinds = ", ".join(f"{kind} ({count:,})" for kind, count in summary.records.items())
    yield "records", f"{totals.record_count:,}{kinds and f' by type: {kinds}'}"
    if repeats := summary.repeats:
        places = (f"byte {offset:,} (first at {first:,})" for offset, first in repeats)
        more = " and more" if len(repeats) > NAMED_REPEATS else ""
        shown = ", ".join(islice(places, NAMED_REPEATS))
        yield "repeated records", f"{len(repeats):,}: {shown}{more}"
    yield from _who(summary)
    zone = "" if summary.source == SMF else " (local time is taken for UTC here)"
    yield "time", f"{_span(totals.first_interval_utc, totals.last_interval_utc)}{zone}"
    yield from _interval_facts(summary)
    rows = {name: n for name, n in totals.rows_by_dataset.items() if n}
    yield "rows", ", ".join(f"{structure_name(name)} {count:,}" for name, count in rows.items())


def _who(summary: DumpSummary) -> Iterator[tuple[str, str]]:
    systems = {
        smfid: _clock(list(clocks))
        for smfid, clocks in groupby(summary.clocks, key=lambda clock: clock.smfid)
    }
    has_offsets = summary.source == SMF
    for smfid in sorted(summary.names.get("smfid", ())):
        clock = systems.get(smfid, "offset from UTC unknown") if has_offsets else _NO_CLOCK
        yield f"system {smfid}", clock
    for qmgr, entries in groupby(summary.queue_managers, key=lambda entry: entry[0]):
        facts = [(version or "unknown", group) for _, version, group in entries]
        versions = ", ".join(sorted({version for version, _ in facts}))
        groups = ", ".join(sorted({group for _, group in facts if group}))
        of = f", queue sharing group {groups}" if groups else ""
        yield f"queue manager {qmgr}", f"MQ {versions}{of}"
    for name, label in (("sysplex", "sysplexes"), ("cf", "coupling facilities")):
        if name in summary.names:
            yield label, ", ".join(sorted(summary.names[name]))


def _clock(clocks: list[ClockOffset]) -> str:
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
    if first is None or last is None:
        return "no intervals"
    return f"{first:{_MOMENT}} to {last:{_MOMENT}} UTC"


def _interval_facts(summary: DumpSummary) -> Iterator[tuple[str, str]]:
    for writer, intervals in summary.intervals.items():
        lengths = sorted({round((end - start).total_seconds()) for start, end in intervals})
        length = f"{lengths[0]:,}" if len(lengths) == 1 else f"{lengths[0]:,} to {lengths[-1]:,}"
        noun = "interval" if len(intervals) == 1 else "intervals"
        span = _span(intervals[0][0], max(end for _, end in intervals))
        text = f"{len(intervals):,} {noun} of {length} s in {writer.records}: {span}"
        yield writer.name, text
    gaps = list(summary.gaps())
    for writer, begin, end in gaps[:NAMED_GAPS]:
        yield "gap", f"{writer}: {_span(begin, end)} ({_length(end - begin)})"
    if len(gaps) > NAMED_GAPS:
        yield "gap", f"{len(gaps) - NAMED_GAPS} more"


def _length(length: timedelta) -> str:
    minutes, seconds = divmod(round(length.total_seconds()), 60)
    return f"{minutes // 60} h {minutes % 60:02d} min {seconds:02d} s"


def _checks(check_results: tuple[CheckResult, ...], width: int) -> Iterator[str]:
    longest = max(len(check.name) for check in check_results)
    for check in check_results:
        result = f"{check.failed:,} failed" if check.failed else "passed"
        if check.structure:
            result = f"of {check.structure} failed: our layout and this release disagree"
        yield from wrapped(
            f" {check.name:{longest}}  {check.rows:>6,} rows {result}", width, " " * 6
        )
        for failure in check.failures:
            what = f"found {failure.found}, expected {failure.expected}"
            line = f"   byte {failure.byte_offset:,}: {failure.whose}: {what}"
            yield from wrapped(line, width, " " * 6)


def _conclusion(summary: DumpSummary) -> str:
    totals = summary.totals
    if summary.is_corrupt:
        unread = share(totals.quarantined_bytes / totals.content_bytes)
        if totals.quarantined_bytes == totals.impossible_bytes and not summary.is_cut_off:
            return (
                f"Result: read to the last byte; {unread} of the bytes are whole records with a"
                " clock or value that no running system has, and are left out."
            )
        if summary.is_cut_off:
            return (
                f"Result: corrupt; the file is cut off behind {totals.content_bytes:,} bytes of"
                " content. What followed is missing, and how much that is, is not known. Of what"
                f" is there, {unread} could not be read."
            )
        return f"Result: corrupt; {unread} of the bytes could not be read."
    if failed := summary.failed_count:
        return f"Result: read to the last byte, but {failed:,} figures fail the cross checks."
    if summary.disagreeing:
        return (
            "Result: read to the last byte; nothing is corrupt, but our layout of"
            f" {', '.join(summary.disagreeing)} and this release disagree."
        )
    return "Result: read to the last byte; nothing is corrupt."


_BINARY: Final = (
    "transferred in binary with record descriptor words (FTP: binary, quote site rdw;"
    " other transfers: RECFM=U or keep the RDW)"
)
_MISSING: Final = {
    frozenset({"115.1", "115.2"}): (
        "There are no queue manager statistics (115.1, 115.2): ask for START TRACE(STAT)"
        " CLASS(1) DEST(SMF), and for type 115 in the SMF parameters and in the dump job."
    ),
    frozenset({"115.231"}): (
        "There are no channel initiator statistics (115.231): ask for START TRACE(STAT)"
        " CLASS(4) DEST(SMF)."
    ),
    frozenset({"74.4"}): (
        "There is no coupling facility activity (74.4): ask for RMF type 74 subtype 4 of all"
        " systems, if queue sharing groups are used."
    ),
}
_SPANNED: Final = frozenset({"rdwseg", "bdw"})


def advice(summary: DumpSummary) -> Iterator[str]:
    """Yield sentences, the most urgent first; none when no request is needed."""
    if summary.source != SMF:
        return
    yield from _transfer(summary)
    yield from _contradictions(summary)
    if summary.totals.decoded_bytes:
        yield from _selection(summary)


def _transfer(summary: DumpSummary) -> Iterator[str]:
    shown = summary.corruptions
    if Corruption.truncated in shown:
        yield (
            "The dump is truncated: the dump job or the transfer stopped early, or the"
            " disk was full. Ask for it again and compare the sizes on both sides."
        )
    too_short = Corruption.too_short in shown
    spanned = summary.totals.framing in _SPANNED
    if Corruption.lost_segment in shown or (too_short and spanned):
        yield (
            "Segments of spanned records are missing: a copy step treated the VBS data set as VB,"
            " or dropped or reordered blocks. Ask for the output of IFASMFDP or IFASMFDL itself"
            f" (DSORG=PS, RECFM=VBS), {_BINARY}."
        )
    if Corruption.wrong_length in shown:
        yield (
            "Record lengths do not lead from record to record: bytes were inserted, lost or"
            f" translated on the way. Ask for the dump again, {_BINARY}."
        )
    elif Corruption.wrong_content in shown or (too_short and not spanned):
        yield (
            "Records are complete but their content is corrupt: some step changed bytes in them"
            f" (translation, padding, sorting by field). Ask for the dump again, {_BINARY}."
        )
    if summary.totals.framing == "nordw":
        yield (
            "The dump came without record descriptor words: it is readable as long as it holds"
            " types 74, 115 and 116 only. Ask for quote site rdw."
        )
    if summary.repeats:
        yield (
            f"{len(summary.repeats):,} records are in the file more than once: dumps that"
            " overlap were joined. They are counted once; no new file is needed."
        )


def _contradictions(summary: DumpSummary) -> Iterator[str]:
    if Corruption.impossible_value in summary.corruptions:
        yield (
            "Whole records have a value that no running system has (see the problems): they are"
            " left out, and all others count. Compare the record with the original dump."
        )
    if Corruption.wrong_clock in summary.corruptions:
        yield (
            "Whole records have a clock that cannot be right (see the problems): they are left out,"
            " and all others count. Correct the clock of the system that wrote them, or that of"
            " this machine. The transfer is not to blame."
        )
    if summary.disagreeing:
        yield (
            f"Our layout of {', '.join(summary.disagreeing)} and this release disagree in every"
            " row: the file is not to blame. Keep it, and report the version of MQ or z/OS it comes"
            " from."
        )
    if summary.failed_count:
        yield (
            "Figures of some rows contradict each other (see the checks): keep the file, and report"
            " the version of MQ or z/OS it comes from."
        )


def _selection(summary: DumpSummary) -> Iterator[str]:
    for kinds, sentence in _MISSING.items():
        if not kinds & set(summary.records):
            yield sentence
    if any(True for _ in summary.gaps()):
        yield (
            "Intervals are missing between others (see the gaps): the queue manager was down, the"
            " trace was stopped, or a dump of that time was not sent. Ask for it."
        )
