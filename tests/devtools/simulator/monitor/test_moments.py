"""Times of samples: each quarter of an hour in which the queue manager runs."""

from __future__ import annotations

from devtools.simulator.events import Outage
from devtools.simulator.monitor.moments import moments
from devtools.simulator.timeline import MINUTE_US
from tests.devtools.simulator.builders import part_of, queue_manager


def test_a_day_has_four_moments_an_hour_up_to_its_end() -> None:
    part = part_of(queue_manager(1, restart_every_days=None))
    made = list(moments(part))
    first_us = int(part.intervals.start_us[0])
    assert [moment.at_us for moment in made] == [
        first_us + 15 * MINUTE_US * number for number in range(1, 97)
    ]
    assert [moment.place for moment in made] == [number // 4 for number in range(96)]
    assert {moment.offset_minutes for moment in made} == {60}


def test_there_is_none_while_the_queue_manager_is_down() -> None:
    outage = Outage(day_offset=0, start_local="03:10", minutes=20)
    part = part_of(queue_manager(1, outages=(outage,), restart_every_days=None))
    midnight_us = int(part.intervals.start_us[0])
    minutes = [(moment.at_us - midnight_us) // MINUTE_US for moment in moments(part)]
    assert [each for each in minutes if 175 <= each <= 225] == [180, 225]
