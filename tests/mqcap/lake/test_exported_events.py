"""Events of the lake for programs of the site."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mqcap.domain.datasets import QMGR_EVENT
from mqcap.domain.estate import Estate, Sysplex
from mqcap.domain.estate.places import Place
from mqcap.lake.exported_events import EVENT_COLUMNS, exported_events
from mqcap.lake.layout import rows_path
from tests.mqcap.lake.test_console_events import DAY, NOON, delivered, event

ESTATE = Estate(sysplexes=(Sysplex(sysplex="PLEX1", smfids=("SYS1",)),))


def test_a_message_of_several_files_comes_once(tmp_path: Path) -> None:
    delivered(tmp_path, "a", event("a"))
    delivered(tmp_path, "b", event("b"), event("b", message_id="CSQJ110E"))
    rows = [each.row() for each in exported_events(tmp_path, ESTATE)]
    assert all(tuple(row) == tuple(EVENT_COLUMNS) for row in rows)
    assert [(row["subject"], row["id"]) for row in rows] == [
        ("PLEX1/CSQ1", "CSQJ110E"),
        ("PLEX1/CSQ1", "CSQJ111A"),
    ]


def test_the_time_is_told_to_the_millisecond(tmp_path: Path) -> None:
    delivered(tmp_path, "a", event("a", NOON.replace(microsecond=501_999)))
    [found] = exported_events(tmp_path, ESTATE)
    assert found.row()["time_utc"] == "2026-03-02T12:00:00.501Z"


def test_messages_of_no_queue_manager_or_no_sysplex_are_left_out(tmp_path: Path) -> None:
    delivered(tmp_path, "a", event("a", qmgr=None), event("a", smfid="SYS9"))
    assert list(exported_events(tmp_path, ESTATE)) == []
    assert list(exported_events(tmp_path / "none", ESTATE)) == []


def test_events_of_distributed_queue_managers_come_once_with_their_site(tmp_path: Path) -> None:
    estate = Estate(places=(Place.model_validate({"site": "EAST", "qmgrs": [{"name": "QM/1"}]}),))
    first = {
        "qmgr": "QM/1",
        "event_utc": NOON,
        "message_id": "AMQ7463",
        "process": "1.1",
        "inserts": "{}",
        "file_sha256": "a",
    }
    rows = [first, first, {**first, "process": "1.2"}, {**first, "qmgr": "OTHER"}]
    path = rows_path(tmp_path, QMGR_EVENT.name, DAY, "a")
    path.parent.mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(rows), path)
    found = [(event.subject, event.id) for event in exported_events(tmp_path, estate)]
    assert found == [("EAST/QM%2F1", "AMQ7463")] * 2
