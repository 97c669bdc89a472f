from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine

from mqcap.store.database import reading, writing
from mqcap.store.tables import ForecastScoreRow, ObservedHourDateRow
from mqcap.store.upsert import BATCH_ROWS, batches, insert_rows, upsert
from tests.factories import DAY, forecast_score

ONE_DAY = timedelta(days=1)
Table = ObservedHourDateRow.__table__


def digests(connection: Connection) -> dict[object, str]:
    return {row.hour_date: row.sources_digest for row in connection.execute(Table.select())}


def test_a_row_of_the_same_key_is_overwritten_and_others_stay(engine: Engine) -> None:
    rows = [{"hour_date": DAY, "sources_digest": "one"}]
    later = {"hour_date": DAY + ONE_DAY, "sources_digest": "one"}
    with writing(engine, ObservedHourDateRow) as connection:
        assert upsert(connection, ObservedHourDateRow, [*rows, later]) == 2
        assert upsert(connection, ObservedHourDateRow, [rows[0] | {"sources_digest": "two"}]) == 1
        assert digests(connection) == {DAY: "two", DAY + ONE_DAY: "one"}


def test_a_row_with_a_later_value_stays_when_the_newest_counts(engine: Engine) -> None:
    def save(scored_to_days: int, inside_days: int) -> None:
        score = forecast_score(
            scored_to=DAY + scored_to_days * ONE_DAY, inside_days=inside_days
        ).model_dump()
        with writing(engine, ForecastScoreRow) as connection:
            upsert(connection, ForecastScoreRow, [score], newest_by="scored_to")

    def inside() -> int:
        with reading(engine) as connection:
            row = connection.execute(ForecastScoreRow.__table__.select()).one()
            return int(row.inside_days)

    save(5, 1)
    save(4, 2)
    assert inside() == 1
    save(5, 3)
    assert inside() == 3
    save(6, 4)
    assert inside() == 4


def test_more_rows_than_a_batch_are_written(engine: Engine) -> None:
    count = BATCH_ROWS + 1
    rows = [
        {"hour_date": DAY - number * ONE_DAY, "sources_digest": "one"} for number in range(count)
    ]
    with writing(engine, ObservedHourDateRow) as connection:
        assert insert_rows(connection, ObservedHourDateRow, iter(rows)) == count
        assert upsert(connection, ObservedHourDateRow, iter(rows)) == count
        assert len(digests(connection)) == count


def test_no_rows_are_no_statement(engine: Engine) -> None:
    with writing(engine, ObservedHourDateRow) as connection:
        assert insert_rows(connection, ObservedHourDateRow, []) == 0
        assert upsert(connection, ObservedHourDateRow, []) == 0


@given(st.lists(st.integers(), max_size=30), st.integers(1, 7))
def test_batches_hold_every_item_once_in_order(items: list[int], size: int) -> None:
    parts = list(batches(items, size))
    assert [item for part in parts for item in part] == items
    assert all(0 < len(part) <= size for part in parts)
