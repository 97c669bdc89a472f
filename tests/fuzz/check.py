"""Invariants for any bytes: read or refused, every byte accounted for, in bounded time."""

import faulthandler
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

from mqcap.domain.errors import InputError
from mqcap.domain.source import SourceSummary
from mqcap.ingest.check.dump_summary import SMF, summarise
from mqcap.ingest.check.report import report
from mqcap.ingest.registry import source_for
from mqcap.ingest.smf.dump import BATCH_BYTES, DumpWalker
from mqcap.ingest.smf.dump_file import open_content, view_of
from mqcap.ingest.smf.framers import ContiguousRecords
from mqcap.ingest.smf.framing import DumpForm, detect

SECONDS_PER_INPUT = 20
"""More of a processor than this is a hang; a dump of the fuzzer takes some milliseconds of it."""
WAITED_SECONDS_MAX = 600
"""A hang that no exception reaches, or that waits for something, ends the run with a traceback
after so long; a machine with other work may well take a minute for an input."""


class HangError(Exception):
    """An input took more of the processor than any of its size may."""


def check_file(path: Path) -> bool:
    """Read a file to its end; whether it was accepted.

    Raises AssertionError when bytes are not accounted for, HangError when it takes too long,
    and whatever the reader crashes with.
    """
    with _in_time():
        try:
            source = source_for(path)
            reading = source.read(path, "0" * 64)
            put_aside: list[tuple[int, int]] = []
            for dataset, table in reading.tables():
                table.validate(full=True)
                if dataset == "quarantine":
                    places = (table["byte_offset"].to_pylist(), table["bytes_count"].to_pylist())
                    put_aside.extend(zip(*places, strict=True))
        except InputError:
            return False
        summary = reading.summary()
        if source.name == SMF:
            _check_walks(path)
    parts = (summary.decoded_bytes, summary.skipped_bytes, summary.quarantined_bytes)
    assert min(parts) >= 0, f"negative bytes: {parts}"
    assert sum(parts) == summary.content_bytes, f"{parts} are not {summary.content_bytes}"
    _check_places(put_aside, summary)
    return True


def check_report(path: Path) -> None:
    """What ``smf check`` does with a file: it says something, whatever the file holds."""
    with _in_time():
        assert report(path, summarise(path), 80).strip()


def _check_places(places: list[tuple[int, int]], summary: SourceSummary) -> None:
    """No byte is quarantined twice or outside of the content, and all reported bytes are there."""
    total = sum(size for _, size in places)
    assert total == summary.quarantined_bytes, f"{total} bytes in quarantine: {summary}"
    end = 0
    for offset, size in sorted(places):
        assert size > 0, f"{size} bytes quarantined at {offset}"
        assert offset >= end, f"bytes at {offset} are quarantined twice"
        end = offset + size
    content_bytes = summary.content_bytes
    assert end <= content_bytes, f"bytes quarantined up to {end} of {content_bytes}"


@contextmanager
def _in_time() -> Iterator[None]:
    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise HangError(f"more than {SECONDS_PER_INPUT} seconds of the processor")

    earlier = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_INPUT)
    faulthandler.dump_traceback_later(WAITED_SECONDS_MAX, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, earlier)


def _check_walks(path: Path) -> None:
    """Raises AssertionError when the ways differ, also from one batch to many."""
    data = open_content(path).data
    form = detect(view_of(data))
    assert form is not None, "a reading without a framing"
    plain = _walk(data, form, at_speed=False, batch_bytes=BATCH_BYTES)
    assert _walk(data, form, at_speed=True, batch_bytes=BATCH_BYTES) == plain
    in_batches = _walk(data, form, at_speed=True, batch_bytes=3_000)
    assert _places(in_batches) == _places(plain)


def _one_by_one(form: DumpForm) -> DumpForm:
    def framer(view: memoryview) -> Any:
        made: Any = form.framer(view)
        made.read_contiguous = _no_run
        return made

    return replace(form, framer=framer)


def _walk(data: Any, form: DumpForm, *, at_speed: bool, batch_bytes: int) -> list[Any]:
    """Whole records, records put together and damages, in order of place."""
    result: list[Any] = []
    for batch in DumpWalker(data, form if at_speed else _one_by_one(form)).batches(batch_bytes):
        whole = batch.contiguous
        result.extend(zip(whole.offset, whole.base, whole.end, strict=True))
        result.extend((offset, record, size) for record, offset, size in batch.joined)
        result.extend((d.byte_offset, d.reason, d.bytes_count) for d in batch.corrupt_ranges)
    return sorted(result, key=repr)


def _places(result: list[Any]) -> int:
    """Bytes that belong to records or damages, however the batches cut what was doubted."""
    total = 0
    for offset, middle, last in result:
        if isinstance(middle, int):
            total += last - offset
        else:
            total += last
    return total


def _no_run(position: int, _limit: int, _found: ContiguousRecords) -> int:
    """A framer that has no run to offer: every record goes step by step."""
    return position
