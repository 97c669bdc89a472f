from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Engine, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from mqcap.store import tables
from mqcap.store.tables import Base, UtcDateTime

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DIALECTS: list[Dialect] = [sqlite.dialect(), postgresql.dialect()]  # type: ignore[no-untyped-call]
COLUMN = UtcDateTime()


@pytest.mark.parametrize("dialect", DIALECTS, ids=["sqlite", "postgresql"])
def test_an_instant_of_any_zone_is_stored_in_utc(dialect: Dialect) -> None:
    local = NOON.astimezone(timezone(timedelta(hours=-5)))
    stored = COLUMN.process_bind_param(local, dialect)
    assert stored == NOON
    assert stored is not None
    assert stored.tzinfo is UTC
    assert COLUMN.process_bind_param(None, dialect) is None


def test_an_instant_without_a_zone_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="2026-03-02T12:00:00 has no time zone"):
        COLUMN.process_bind_param(NOON.replace(tzinfo=None), DIALECTS[0])


def test_a_stored_instant_is_read_in_utc_from_either_database() -> None:
    local = NOON.astimezone(timezone(timedelta(hours=2)))
    naive = NOON.replace(tzinfo=None)
    read = [
        COLUMN.process_result_value(naive, DIALECTS[0]),
        COLUMN.process_result_value(local, DIALECTS[1]),
        COLUMN.process_result_value(naive, DIALECTS[1]),
    ]
    assert read == [NOON] * 3
    assert {instant.tzinfo for instant in read if instant} == {UTC}
    assert COLUMN.process_result_value(None, DIALECTS[0]) is None


def test_every_class_of_a_table_is_exported_and_ends_in_row() -> None:
    classes = {mapper.class_.__name__ for mapper in Base.registry.mappers}
    assert classes == set(tables.__all__) - {"Base", "UtcDateTime"}
    assert [name for name in classes if not name.endswith("Row")] == []


def test_tables_and_columns_keep_the_names_of_the_database(engine: Engine) -> None:
    database = inspect(engine)
    for name, table in Base.metadata.tables.items():
        stored = {column["name"] for column in database.get_columns(name)}
        assert {column.name for column in table.columns} == stored
