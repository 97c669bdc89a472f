"""Lost records: the queue manager runs on, and nothing of the time is written."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from devtools.simulator.events import LostRecords
from devtools.simulator.monitor.lost_records import is_recorded, recorded_slices
from devtools.simulator.mq_statistics import Slice
from devtools.simulator.senders import Sender
from devtools.simulator.spec import QueueManagerSpec
from tests.devtools.simulator.builders import part_of, qmgr_spec, queue_manager

LOST = LostRecords(day_offset=0, start_local="10:00", minutes=60)


@pytest.mark.parametrize(("start", "minutes", "lost"), [
    ("10:00", 60, [10]), ("10:59", 1, [10]), ("10:59", 2, [10, 11]), ("10:30", 31, [10, 11]),
])  # fmt: skip
def test_intervals_that_a_lost_time_touches_are_not_recorded(
    start: str, minutes: int, lost: list[int]
) -> None:
    planted = LostRecords(day_offset=0, start_local=start, minutes=minutes)
    made = queue_manager(1, lost_records=(planted,), restart_every_days=None)
    recorded = is_recorded(made)
    assert [place for place, each in enumerate(recorded.tolist()) if not each] == lost


def test_a_slice_is_cut_around_lost_times() -> None:
    made = queue_manager(1, lost_records=(LOST,), restart_every_days=None)
    assert [(part.low, part.high) for part in recorded_slices(part_of(made))] == [(0, 10), (11, 24)]
    assert [(part.low, part.high) for part in recorded_slices(Slice(made, 8, 11))] == [(8, 10)]
    assert list(recorded_slices(Slice(made, 10, 11))) == []


def test_without_a_lost_time_a_slice_is_whole() -> None:
    part = part_of(queue_manager(1))
    assert list(recorded_slices(part)) == [part]


def test_a_queue_manager_with_parts_loses_nothing() -> None:
    spec = qmgr_spec(senders=(Sender(queue="PAY.IN", application="PAYAPP"),)).model_dump()
    with pytest.raises(ValidationError, match="without senders or channel_groups"):
        QueueManagerSpec.model_validate({**spec, "lost_records": [LOST.model_dump()]})
