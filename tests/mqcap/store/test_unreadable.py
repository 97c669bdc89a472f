"""The sentence about rows that cannot be read."""

from __future__ import annotations

from datetime import timedelta

from mqcap.store.unreadable import REMEDY, unreadable, unreadable_rows
from tests.factories import DAY


def test_a_row_is_counted_with_its_table_and_its_day() -> None:
    assert unreadable_rows("loss", [DAY]) == "1 row of loss cannot be read, on 2026-03-02"


def test_days_are_named_once_and_at_most_five() -> None:
    days = [DAY + timedelta(days=number // 2) for number in range(12)]
    words = unreadable_rows("plan", days)
    assert words.startswith("12 rows of plan cannot be read, on 2026-03-02, 2026-03-03, ")
    assert words.count("2026") == 5
    assert str(unreadable("plan", days)) == f"{words}. {REMEDY}"
