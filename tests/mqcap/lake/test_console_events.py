from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.datasets import CONSOLE_EVENT
from mqcap.lake.console_events import console_events
from mqcap.lake.layout import rows_path
from mqcap.lake.manifest import Manifest

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = date(2026, 3, 3)
WEEK = (NOON - timedelta(days=3), NOON + timedelta(days=3))


def event(sha256: str, at_utc: datetime = NOON, **changed: Any) -> dict[str, Any]:
    row = {"smfid": "SYS1", "qmgr": "CSQ1", "event_utc": at_utc, "message_id": "CSQJ111A"}
    row |= {"text": "CSQJ111A", "object_name": None, "amount": None, "line_number": 1}
    return row | {"file_sha256": sha256} | changed


def delivered(lake: Path, sha256: str, *rows: dict[str, Any], name: str = "log") -> Manifest:
    path = rows_path(lake, CONSOLE_EVENT.name, DAY, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    strings = pa.string()
    fields = [(key, strings) for key in ("smfid", "qmgr", "message_id", "text", "object_name")]
    fields += [("event_utc", pa.timestamp("us", tz="UTC")), ("amount", pa.float64())]
    fields += [("line_number", pa.int64()), ("file_sha256", strings)]
    pq.write_table(pa.Table.from_pylist(list(rows), schema=pa.schema(fields)), path)
    return Manifest(
        sha256=sha256, source="console", name=name, received_date=DAY, decoder_version="1",
        rows={CONSOLE_EVENT.name: len(rows)},
    )  # fmt: skip


def read(lake: Path, *sources: Manifest, ids: tuple[str, ...] = ("CSQJ111A",)) -> list[Any]:
    rows = console_events(lake, sources, ids, *WEEK)
    return [(row["event_utc"], row["file_sha256"]) for row in rows]


def test_messages_come_by_time_and_once(tmp_path: Path) -> None:
    earlier = NOON - timedelta(hours=1)
    one = delivered(tmp_path, "a", event("a"), name="z.txt")
    other = delivered(tmp_path, "b", event("b"), event("b", earlier), name="b.txt")
    assert read(tmp_path, one, other) == [(earlier, "b"), (NOON, "b")]


@pytest.mark.parametrize(
    ("at", "count"),
    [
        (WEEK[0] - timedelta(microseconds=1), 0),
        (WEEK[0], 1),
        (WEEK[1] - timedelta(microseconds=1), 1),
        (WEEK[1], 0),
    ],
)
def test_messages_outside_the_time_are_left_out(tmp_path: Path, at: datetime, count: int) -> None:
    assert len(read(tmp_path, delivered(tmp_path, "a", event("a", at)))) == count


def test_other_messages_are_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, delivered(tmp_path, "a", event("a")), ids=("CSQJ110E",)) == []


def test_files_without_messages_or_removed_by_retention_are_left_out(tmp_path: Path) -> None:
    gone = delivered(tmp_path, "a", event("a"))
    rows_path(tmp_path, CONSOLE_EVENT.name, DAY, "a").unlink()
    empty = gone.model_copy(update={"sha256": "b", "rows": {}})
    assert read(tmp_path, gone, empty) == []
