from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import ValidationError
from sqlalchemy import Connection, Engine, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from mqcap.domain.errors import InputError
from mqcap.store.database import reading, writing
from mqcap.store.day_documents import LOSSES
from mqcap.store.models import Observation
from mqcap.store.plans import replace_losses
from mqcap.store.tables import Base, ForecastScoreRow, LossRow, ObservedHourDateRow, UtcDateTime
from mqcap.store.upkeep import check
from mqcap.store.upsert import BATCH_ROWS, insert_rows, upsert
from tests import factories
from tests.factories import DAY, forecast_score
from tests.plan_factories import loss

DAYS = [DAY, DAY + timedelta(days=1)]
ONE_DAY = timedelta(days=1)


def test_documents_of_another_release_are_named_with_table_and_days(engine: Engine) -> None:
    for day in DAYS:
        replace_losses(engine, day, [loss(), loss(lost="PLEX1/CF01")])
    broken = update(LossRow).where(LossRow.lost == "PLEX1/CF01").values(document={"lost": "CF01"})
    with engine.begin() as connection:
        connection.execute(broken)
    with pytest.raises(InputError) as raised:
        LOSSES.read(engine)
    assert str(raised.value) == (
        "2 rows of loss cannot be read, on 2026-03-02, 2026-03-03. Run these days again."
    )
    assert [flaw.what for flaw in check(engine)] == [raised.value.problem]


Table = ObservedHourDateRow.__table__


def digests(connection: Connection) -> dict[object, str]:
    return {row.hour_date: row.sources_digest for row in connection.execute(Table.select())}


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


def test_every_class_of_a_table_ends_in_row() -> None:
    classes = {mapper.class_.__name__ for mapper in Base.registry.mappers}
    assert [name for name in classes if not name.endswith("Row")] == []


def test_an_instant_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - what is refused
    with pytest.raises(ValidationError, match="timezone"):
        Observation(**dict(factories.observation()) | {"busiest_hour_utc": naive})
