"""Advice for the request to the mainframe team, by the contents of a file and its transfer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqcap.ingest.check.dump_summary import SMF, DumpSummary
from mqcap.ingest.smf.corruption import Corruption

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
    """Yield advice about the transfer."""
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
    if summary.repeated_records:
        yield (
            f"{summary.repeated_records:,} records are in the file more than once: dumps that"
            " overlap were joined. They are counted once; no new file is needed."
        )


def _contradictions(summary: DumpSummary) -> Iterator[str]:
    """Yield what values and cross checks show."""
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
    if names := sorted({each.structure for each in summary.check_results if each.structure}):
        yield (
            f"Our layout of {', '.join(names)} and this release disagree in every row: the file is"
            " not to blame. Keep it, and report the version of MQ or z/OS it comes from."
        )
    if any(each.failed for each in summary.check_results if not each.structure):
        yield (
            "Figures of some rows contradict each other (see the checks): keep the file, and report"
            " the version of MQ or z/OS it comes from."
        )


def _selection(summary: DumpSummary) -> Iterator[str]:
    """Yield advice about the selection of records."""
    for kinds, sentence in _MISSING.items():
        if not kinds & set(summary.records):
            yield sentence
    if any(True for _ in summary.gaps()):
        yield (
            "Intervals are missing between others (see the gaps): the queue manager was down, the"
            " trace was stopped, or a dump of that time was not sent. Ask for it."
        )
