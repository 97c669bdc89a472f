from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mqcap.domain.datasets import CONSOLE_EVENT, QMGR_EVENT
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake.exported_events import EVENT_COLUMNS, exported_events, message_rows
from mqcap.lake.layout import rows_path
from mqcap.lake.manifest import Manifest

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = date(2026, 3, 3)
WEEK = (NOON - timedelta(days=3), NOON + timedelta(days=3))
HOUR = (NOON, NOON + timedelta(hours=1))
ESTATE = Estate(sysplexes=(Sysplex(sysplex="PLEX1", smfids=("SYS1",)),))


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
    rows = message_rows(lake, CONSOLE_EVENT, sources, ids, *WEEK)
    return [(row["event_utc"], row["file_sha256"]) for row in rows]


def test_messages_come_by_time_and_once(tmp_path: Path) -> None:
    earlier = NOON - timedelta(hours=1)
    one = delivered(tmp_path, "a", event("a"), name="z.txt")
    other = delivered(tmp_path, "b", event("b"), event("b", earlier), name="b.txt")
    assert read(tmp_path, one, other) == [(earlier, "b"), (NOON, "b")]


TICK = timedelta(microseconds=1)


@pytest.mark.parametrize(
    ("at", "count"), [(WEEK[0] - TICK, 0), (WEEK[0], 1), (WEEK[1] - TICK, 1), (WEEK[1], 0)]
)
def test_messages_outside_the_time_are_left_out(tmp_path: Path, at: datetime, count: int) -> None:
    assert len(read(tmp_path, delivered(tmp_path, "a", event("a", at)))) == count


def test_files_without_messages_or_removed_by_retention_are_left_out(tmp_path: Path) -> None:
    gone = delivered(tmp_path, "a", event("a"))
    rows_path(tmp_path, CONSOLE_EVENT.name, DAY, "a").unlink()
    empty = gone.model_copy(update={"sha256": "b", "rows": {}})
    assert read(tmp_path, gone, empty) == []


def row(sha256: str, **changed: Any) -> dict[str, Any]:
    told = {"qmgr": "QM1", "host": "", "event_utc": NOON, "message_id": "AMQ7463", "process": "1.1"}
    return told | {"inserts": "{}", "line_number": 1, "file_sha256": sha256} | changed


def told(lake: Path, sha256: str, *rows: dict[str, Any]) -> Manifest:
    path = rows_path(lake, QMGR_EVENT.name, DAY, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path)
    return Manifest(
        sha256=sha256, source="error_log", name=sha256, received_date=DAY, decoder_version="1",
        rows={QMGR_EVENT.name: len(rows)},
    )  # fmt: skip


def read_told(lake: Path, *sources: Manifest, wanted: str = "AMQ7463") -> list[tuple[str, str]]:
    rows = message_rows(lake, QMGR_EVENT, sources, {wanted}, *HOUR)
    return [(row["file_sha256"], row["process"]) for row in rows]


def test_a_message_of_a_rotated_log_comes_once_from_the_first_file_by_name(tmp_path: Path) -> None:
    one = told(tmp_path, "b", row("b"), row("b", process="1.2"))
    other = told(tmp_path, "a", row("a"))
    assert read_told(tmp_path, one, other) == [("a", "1.1"), ("b", "1.2")]


def test_only_wanted_ids_within_the_time_are_read(tmp_path: Path) -> None:
    before = row("a", event_utc=NOON - TICK)
    last = row("a", event_utc=HOUR[1] - TICK, process="last")
    after = row("a", event_utc=HOUR[1])
    source = told(tmp_path, "a", before, last, after, row("a", message_id="AMQ7490"))
    assert read_told(tmp_path, source) == [("a", "last")]
    assert read_told(tmp_path, source, wanted="AMQ7490") == [("a", "1.1")]


def test_an_equal_message_of_another_site_is_another_message(tmp_path: Path) -> None:
    east, west = (
        told(tmp_path, name, row(name)).model_copy(update={"root": root})
        for name, root in (("a", "EAST"), ("b", "WEST"))
    )
    assert read_told(tmp_path, east, west) == [("a", "1.1"), ("b", "1.1")]


def test_a_message_of_several_files_comes_once(tmp_path: Path) -> None:
    delivered(tmp_path, "a", event("a"))
    delivered(tmp_path, "b", event("b"), event("b", message_id="CSQJ110E"))
    rows = [event.row() for event in exported_events(tmp_path, ESTATE)]
    assert all(tuple(row) == tuple(EVENT_COLUMNS) for row in rows)
    assert [(row["subject"], row["id"]) for row in rows] == [
        ("PLEX1/CSQ1", "CSQJ110E"),
        ("PLEX1/CSQ1", "CSQJ111A"),
    ]


def test_messages_of_nobody_are_left_out_others_to_the_millisecond(tmp_path: Path) -> None:
    at = NOON.replace(microsecond=501_999)
    delivered(tmp_path, "a", event("a", qmgr=None), event("a", smfid="SYS9"), event("a", at))
    [found] = exported_events(tmp_path, ESTATE)
    assert found.row()["time_utc"] == "2026-03-02T12:00:00.501Z"
    assert list(exported_events(tmp_path / "none", ESTATE)) == []


def test_events_of_distributed_queue_managers_come_once_with_their_site(tmp_path: Path) -> None:
    estate = Estate(places=(Place.model_validate({"site": "EAST", "qmgrs": [{"name": "QM/1"}]}),))
    first = row("a", qmgr="QM/1")
    told(tmp_path, "a", first, first, first | {"process": "1.2"}, first | {"qmgr": "OTHER"})
    found = [(event.subject, event.id) for event in exported_events(tmp_path, estate)]
    assert found == [("EAST/QM%2F1", "AMQ7463")] * 2
