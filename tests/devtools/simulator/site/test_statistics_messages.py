"""Statistics messages as JSON and as text say the same."""

from __future__ import annotations

import json

from devtools.simulator.site.site_figures import FigureSlice
from devtools.simulator.site.statistics_messages import amqsevt_json, amqsmon_text
from tests.devtools.simulator.site.builders import figures


def test_an_interval_has_a_message_of_the_queue_manager_and_one_of_its_queues() -> None:
    made = figures()
    lines = amqsevt_json(FigureSlice(made, 0, 2)).splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["eventType"]["value"] for event in events] == [164, 165] * 2
    data = events[0]["eventData"]
    assert (data["startDate"], data["startTime"], data["endTime"]) == (
        "2026-10-17", "00.00.00", "00.30.00",
    )  # fmt: skip
    assert sum(data["puts"]) == made.puts[0]
    [queue] = events[1]["eventData"]["queueStatisticsData"]
    assert (queue["queueName"], queue["queueMaxDepth"]) == ("APP/IN", made.depths["APP/IN"][0])
    assert sum(queue["puts"]) == made.queue_puts["APP/IN"][0]


def test_an_hour_that_the_clock_repeats_is_printed_with_both_local_times() -> None:
    made = figures()
    texts = amqsmon_text(FigureSlice(made, len(made.grid) - 50, len(made.grid)))
    ends = [line for line in texts.splitlines() if line == "IntervalEndTime: '02.30.00'"]
    assert len(ends) == 2 * 2


def test_the_text_ends_with_the_number_of_messages() -> None:
    text = amqsmon_text(FigureSlice(figures(), 0, 3))
    assert text.endswith("\n6 Records Processed.\n")
    assert text.count("MonitoringType: ") == 6
