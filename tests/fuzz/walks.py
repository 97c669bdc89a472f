"""Walking a dump at speed and step by step gives the same records and the same damages."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from mqcap.ingest.smf.dump import BATCH_BYTES, DumpWalker
from mqcap.ingest.smf.dump_file import open_content, view_of
from mqcap.ingest.smf.framers import ContiguousRecords
from mqcap.ingest.smf.framing import DumpForm, detect


def check_walks(path: Path) -> None:
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
