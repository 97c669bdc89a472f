"""Costs from records: log bytes of a message, accounting records, archiving."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.records import (
    accounting_records,
    accounting_records_of_book,
    archive_rate,
    archives,
    intervals,
    log_bytes,
    log_bytes_of_book,
    transactions,
)
from sizing.rulebook.registry import get
from tests.mqcap.rulebook.builders import DAY
from tests.mqcap.unit_costs.builders import MANAGER, data_in, record, write_rows

ACCOUNTING = UnitCostKind.accounting_records_per_transaction


def logged(folder: Path, hours: int = 72, pages_per_put: int = 2) -> LearningData:
    data = data_in(folder)
    lake = Path(data.settings.lake)
    puts = [1_000 + 100 * (hour % 24) for hour in range(hours)]
    messages = [
        record(hour, qmstspp=count, qmstpbp=2_048 * count) for hour, count in enumerate(puts)
    ]
    logs = [record(hour, qjstbffl=pages_per_put * count) for hour, count in enumerate(puts)]
    write_rows(lake, "section_qmst", messages)
    write_rows(lake, "section_qjst", logs)
    return data


def learnt_log_bytes(data: LearningData) -> UnitCost:
    cost = log_bytes(data, UnitCostKind.log_bytes_per_persistent_put, MANAGER)
    assert cost is not None
    return cost


def test_all_that_is_logged_is_shared_out_over_the_persistent_puts(tmp_path: Path) -> None:
    data = logged(tmp_path)
    cost = learnt_log_bytes(data)
    assert [*intervals(data)] == [MANAGER]
    assert (cost.value, cost.unit_size_bytes) == (8_192, 2_048)
    assert (cost.sample_count, cost.sample_of) == (72, "interval")
    assert cost.is_used


def test_the_book_has_put_and_get_of_the_mean_length(tmp_path: Path) -> None:
    put, got = (
        get(f"LOG-BYTES-{call}-LOCAL").answer({"message_bytes": 2_048, "pattern": pattern})
        for call, pattern in (("PUT", "put_then_commit"), ("GET", "get_then_commit"))
    )
    expected = put["log_bytes_per_message"] + got["log_bytes_per_message"]
    assert log_bytes_of_book(2_048).value == pytest.approx(expected)
    assert learnt_log_bytes(logged(tmp_path)).book == log_bytes_of_book(2_048)


@pytest.mark.parametrize(("hours", "used"), [(47, False), (48, True), (49, True)])
def test_a_cost_of_few_intervals_is_not_used(tmp_path: Path, hours: int, used: bool) -> None:
    assert learnt_log_bytes(logged(tmp_path, hours)).is_used is used


def test_without_puts_or_records_nothing_is_learnt(tmp_path: Path) -> None:
    kind = UnitCostKind.log_bytes_per_persistent_put
    data, idle = data_in(tmp_path), data_in(tmp_path)
    assert log_bytes(data, kind, MANAGER) is None
    lake = Path(data.settings.lake)
    write_rows(lake, "section_qmst", [record(1, qmstspp=0, qmstpbp=0), record(2, qmstspp=None)])
    write_rows(lake, "section_qjst", [record(1, qjstbffl=5), record(2, qjstbffl=5)])
    assert log_bytes(idle, kind, MANAGER) is None


def accounted(folder: Path, count: int, further_each: int) -> UnitCost:
    """Accounted tasks, each fourth with further records."""
    data = data_in(folder)
    rows = [
        record(place % 48, record_hash=10 * place + number, record_subtype=2 if number else 1)
        for place in range(count)
        for number in range(1 + (further_each if place % 4 == 0 else 0))
    ]
    stamped = [row | {"record_utc": row["interval_end_utc"]} for row in rows]
    write_rows(Path(data.settings.lake), "section_wtid", stamped)
    assert [*transactions(data)] == [MANAGER]
    cost = accounting_records(data, ACCOUNTING, MANAGER)
    assert cost is not None
    return cost


@pytest.mark.parametrize(
    ("count", "why"), [(996, "the sample has 996"), (1_000, "no rule"), (1_004, "no rule")]
)
def test_records_of_both_subtypes_are_counted_for_each_transaction_and_shown(
    tmp_path: Path, count: int, why: str
) -> None:
    cost = accounted(tmp_path, count, 2)
    assert cost.value == 1.5
    assert (cost.sample_count, cost.sample_of) == (count, "transaction")
    assert not cost.is_used
    assert cost.why_not_used.startswith(why)


def test_the_book_has_one_record_up_to_eight_queues(tmp_path: Path) -> None:
    cost, book = accounted(tmp_path, 40, 0), accounting_records_of_book()
    assert (book.value, book.rule) == (1, "SMF-ACCT-RECORDS")
    assert cost.book == book


def test_further_records_alone_are_no_transactions(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    row = record(1, record_subtype=2)
    row["record_utc"] = row["interval_end_utc"]
    write_rows(Path(data.settings.lake), "section_wtid", [row])
    assert accounting_records(data, ACCOUNTING, MANAGER) is None


LOG_BYTES = 4_096 * 2**20
BEGIN = datetime(DAY.year, DAY.month, DAY.day, tzinfo=UTC)


def full(number: int, minute: float, copy: int = 1) -> dict[str, Any]:
    """Log of that number is full."""
    start, end = Decimal(number * LOG_BYTES), Decimal((number + 1) * LOG_BYTES - 1)
    of_log = {"message_id": "CSQJ002I", "log_copy": copy, "start_rba": start, "end_rba": end}
    return offloaded(minute) | of_log


def offloaded(minute: float) -> dict[str, Any]:
    return {
        "smfid": "SYS1", "qmgr": "CSQ1", "event_utc": BEGIN + timedelta(minutes=minute),
        "message_id": "CSQJ139I", "log_copy": None, "start_rba": None, "end_rba": None,
    }  # fmt: skip


def archived(folder: Path, *events: dict[str, Any]) -> UnitCost | None:
    data = data_in(folder)
    write_rows(Path(data.settings.lake), "console_event", events)
    assert [*archives(data)] in ([MANAGER], [])
    return archive_rate(data, UnitCostKind.archive_mib_per_s, MANAGER)


def test_an_archived_log_gives_its_size_over_its_time(tmp_path: Path) -> None:
    cost = archived(tmp_path, full(1, 0), full(1, 0, copy=2), offloaded(4))
    assert cost is not None
    assert cost.value == pytest.approx(4_096 / 240)
    assert (cost.sample_count, cost.sample_of, cost.last_date) == (1, "archive", DAY)
    assert cost.book is None


@pytest.mark.parametrize(("count", "used"), [(9, False), (10, True), (11, True)])
def test_few_archives_are_not_used(tmp_path: Path, count: int, used: bool) -> None:
    pairs = [(full(place, 10 * place), offloaded(10 * place + 4)) for place in range(1, count + 1)]
    cost = archived(tmp_path, *(each for pair in pairs for each in pair))
    assert cost is not None
    assert cost.sample_count == count
    assert cost.is_used is used


def test_logs_that_wait_at_once_and_offloads_of_which_one_end_was_seen_are_left_out(
    tmp_path: Path,
) -> None:
    both = [full(1, 0), full(2, 3), offloaded(8)]
    cost = archived(tmp_path, *both, full(3, 20), offloaded(22))
    assert cost is not None
    assert cost.sample_count == 1
    assert cost.value == pytest.approx(4_096 / 120)
    assert archived(tmp_path / "ends", offloaded(0), offloaded(1), full(1, 2)) is None
