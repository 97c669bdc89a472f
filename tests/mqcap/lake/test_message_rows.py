"""Messages of a dataset of the lake."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.datasets import QMGR_EVENT
from mqcap.lake.console_events import Wanted, message_rows
from mqcap.lake.layout import rows_path
from mqcap.lake.manifest import Manifest
from tests.mqcap.lake.test_console_events import DAY, NOON

ALL = Wanted({"AMQ7463"}, NOON, NOON + timedelta(hours=1))


def row(sha256: str, **changed: Any) -> dict[str, Any]:
    told = {"qmgr": "QM1", "host": "", "event_utc": NOON, "message_id": "AMQ7463", "process": "1.1"}
    return told | {"inserts": "{}", "line_number": 1, "file_sha256": sha256} | changed


def delivered(lake: Path, sha256: str, *rows: dict[str, Any]) -> Manifest:
    path = rows_path(lake, QMGR_EVENT.name, DAY, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return Manifest(
        sha256=sha256, source="error_log", name=sha256, received_date=DAY, decoder_version="1",
        rows={QMGR_EVENT.name: len(rows)},
    )  # fmt: skip


def read(lake: Path, *sources: Manifest, wanted: Wanted = ALL) -> list[tuple[str, str]]:
    rows = message_rows(lake, QMGR_EVENT, list(QMGR_EVENT.columns), sources, wanted)
    return [(each["file_sha256"], each["process"]) for each in rows]


def test_a_message_of_a_rotated_log_comes_once_from_the_first_file_by_name(tmp_path: Path) -> None:
    one = delivered(tmp_path, "b", row("b"), row("b", process="1.2"))
    other = delivered(tmp_path, "a", row("a"))
    assert read(tmp_path, one, other) == [("a", "1.1"), ("b", "1.2")]


def test_only_wanted_ids_within_the_time_are_read(tmp_path: Path) -> None:
    before = row("a", event_utc=NOON - timedelta(microseconds=1))
    last = row("a", event_utc=ALL.end - timedelta(microseconds=1), process="last")
    after = row("a", event_utc=ALL.end)
    source = delivered(tmp_path, "a", before, last, after, row("a", message_id="AMQ7490"))
    assert read(tmp_path, source) == [("a", "last")]
    assert read(tmp_path, source, wanted=ALL._replace(message_ids={"AMQ7490"})) == [("a", "1.1")]


def test_an_equal_message_of_another_site_is_another_message(tmp_path: Path) -> None:
    east, west = (
        delivered(tmp_path, name, row(name)).model_copy(update={"root": root})
        for name, root in (("a", "EAST"), ("b", "WEST"))
    )
    assert read(tmp_path, east, west) == [("a", "1.1"), ("b", "1.1")]
