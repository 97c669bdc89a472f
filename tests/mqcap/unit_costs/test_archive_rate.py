"""MiB archived a second, from messages of the console."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs.archive_rate import learn, subjects
from tests.mqcap.rulebook.builders import DAY
from tests.mqcap.unit_costs.builders import MANAGER, data_in, write_rows

KIND = UnitCostKind.archive_mib_per_s
LOG_BYTES = 4_096 * 2**20
BEGIN = datetime(DAY.year, DAY.month, DAY.day, tzinfo=UTC)


def full(number: int, minute: float, copy: int = 1) -> dict[str, Any]:
    """Log of that number is full."""
    start = number * LOG_BYTES
    return event("CSQJ002I", minute, copy, Decimal(start), Decimal(start + LOG_BYTES - 1))


def offloaded(minute: float) -> dict[str, Any]:
    return event("CSQJ139I", minute)


def event(
    message: str,
    minute: float,
    copy: int | None = None,
    start: Decimal | None = None,
    end: Decimal | None = None,
) -> dict[str, Any]:
    return {
        "smfid": "SYS1",
        "qmgr": "CSQ1",
        "event_utc": BEGIN + timedelta(minutes=minute),
        "message_id": message,
        "log_copy": copy,
        "start_rba": start,
        "end_rba": end,
    }


def learnt(folder: Path, *events: dict[str, Any]) -> UnitCost | None:
    data = data_in(folder)
    write_rows(Path(data.settings.lake), "console_event", events)
    assert subjects(data) in ([MANAGER], [])
    return learn(data, KIND, MANAGER)


def test_an_archived_log_gives_its_size_over_its_time(tmp_path: Path) -> None:
    cost = learnt(tmp_path, full(1, 0), full(1, 0, copy=2), offloaded(4))
    assert cost is not None
    assert cost.value == pytest.approx(4_096 / 240)
    assert (cost.sample_count, cost.sample_of, cost.last_date) == (1, "archive", DAY)
    assert cost.book is None


@pytest.mark.parametrize(("count", "used"), [(9, False), (10, True), (11, True)])
def test_few_archives_are_not_used(tmp_path: Path, count: int, used: bool) -> None:
    pairs = [(full(place, 10 * place), offloaded(10 * place + 4)) for place in range(1, count + 1)]
    cost = learnt(tmp_path, *(each for pair in pairs for each in pair))
    assert cost is not None
    assert cost.sample_count == count
    assert cost.is_used is used


def test_several_logs_that_wait_at_once_are_left_out(tmp_path: Path) -> None:
    both = [full(1, 0), full(2, 3), offloaded(8)]
    cost = learnt(tmp_path, *both, full(3, 20), offloaded(22))
    assert cost is not None
    assert cost.sample_count == 1
    assert cost.value == pytest.approx(4_096 / 120)


def test_an_offload_of_which_only_one_end_was_seen_is_left_out(tmp_path: Path) -> None:
    assert learnt(tmp_path, offloaded(0), offloaded(1), full(1, 2)) is None
