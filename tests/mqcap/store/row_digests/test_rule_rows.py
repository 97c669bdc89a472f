from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.store.row_digests.digest import digest_of_rows
from mqcap.store.row_digests.rule_rows import forecast_rows, rows_read, rows_written
from mqcap.store.tables import Base
from tests.factories import DAY


def test_every_statement_can_be_executed_and_states_an_order(engine: Engine) -> None:
    statements = [*rows_read(DAY - timedelta(days=9), DAY), *rows_written(DAY), *forecast_rows(DAY)]
    for statement in statements:
        assert "ORDER BY" in str(statement)
        assert digest_of_rows(engine, [statement])


def test_columns_that_are_left_out_are_columns_of_the_tables() -> None:
    columns = {column.name for table in Base.metadata.tables.values() for column in table.columns}
    read = " ".join(str(statement) for statement in rows_read(DAY, DAY))
    for name in ("data_note", "first_site_date", "last_site_date"):
        assert name in columns
        assert f".{name}" not in read
