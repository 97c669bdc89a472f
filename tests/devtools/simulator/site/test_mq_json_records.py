"""Records of mq_json: one for each scrape, and the one before them."""

from __future__ import annotations

import json

import pytest

from devtools.simulator.site.manager_inputs import mq_json_lines
from devtools.simulator.site.site_figures import FigureSlice
from tests.devtools.simulator.site.builders import figures


@pytest.mark.parametrize(("low", "count"), [(0, 3), (1, 3), (2, 2)])
def test_the_record_before_the_slice_is_there_where_there_is_one(low: int, count: int) -> None:
    lines = mq_json_lines(FigureSlice(figures(), low, 3)).splitlines()
    assert len(lines) == count
    assert lines == mq_json_lines(FigureSlice(figures(), 0, 3)).splitlines()[-count:]


def test_a_record_has_the_queue_manager_and_each_of_its_queues() -> None:
    made = figures()
    record = json.loads(mq_json_lines(FigureSlice(made, 0, 1)))
    assert record["collectionTime"] == {
        "timeStamp": "2026-10-16T22:30:00+00:00",
        "epoch": int(made.seconds[0]),
    }
    qmgr, queue = record["points"]
    assert (qmgr["objectType"], qmgr["tags"]["hostname"]) == ("qmgr", "ham.mq1")
    assert qmgr["metrics"]["connectionCount"] == made.connections[0]
    assert queue["tags"]["queue"] == "APP/IN"
    puts = made.queue_puts["APP/IN"][0]
    assert queue["metrics"] == {
        "depth": made.depths["APP/IN"][0],
        "attributeMaxDepth": 1_000,
        "mqputMqput1Count": puts,
        "mqputBytes": puts * made.spec.message_bytes,
    }
