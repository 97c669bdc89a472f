"""Accounting records for each transaction."""

from pathlib import Path

import pytest

from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.unit_costs.accounting_records import book_value, learn, subjects
from tests.mqcap.unit_costs.builders import MANAGER, data_in, record, write_rows

KIND = UnitCostKind.accounting_records_per_transaction


def learnt(folder: Path, transactions: int, further_each: int) -> UnitCost | None:
    """Accounted tasks, each fourth with further records."""
    data = data_in(folder)
    rows = [
        record(place % 48, record_hash=10 * place + number, record_subtype=2 if number else 1)
        for place in range(transactions)
        for number in range(1 + (further_each if place % 4 == 0 else 0))
    ]
    stamped = [row | {"record_utc": row["interval_end_utc"]} for row in rows]
    write_rows(Path(data.settings.lake), "section_wtid", stamped)
    assert subjects(data) == [MANAGER]
    return learn(data, KIND, MANAGER)


@pytest.mark.parametrize(
    ("count", "why"), [(996, "the sample has 996"), (1_000, "no rule"), (1_004, "no rule")]
)
def test_records_of_both_subtypes_are_counted_for_each_transaction_and_shown(
    tmp_path: Path, count: int, why: str
) -> None:
    cost = learnt(tmp_path, count, 2)
    assert cost is not None
    assert cost.value == 1.5
    assert (cost.sample_count, cost.sample_of) == (count, "transaction")
    assert not cost.is_used
    assert cost.why_not_used.startswith(why)


def test_the_book_has_one_record_up_to_eight_queues(tmp_path: Path) -> None:
    assert (book_value().value, book_value().rule) == (1, "SMF-ACCT-RECORDS")
    cost = learnt(tmp_path, 40, 0)
    assert cost is not None
    assert cost.book == book_value()


def test_further_records_alone_are_no_transactions(tmp_path: Path) -> None:
    data = data_in(tmp_path)
    row = record(1, record_subtype=2)
    write_rows(
        Path(data.settings.lake), "section_wtid", [row | {"record_utc": row["interval_end_utc"]}]
    )
    assert learn(data, KIND, MANAGER) is None
