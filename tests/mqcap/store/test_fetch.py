"""Reading and writing rows: fetches, upserts, tables and models."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from sqlalchemy import Connection, Engine, func, inspect, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from mqcap.domain.errors import InputError, ServiceUnavailable
from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.store.database import connect, reading, writing
from mqcap.store.day_documents import LOSSES
from mqcap.store.fetch import (
    distinct_dates,
    fetch_documents,
    fetch_first,
    fetch_models,
    fetch_rows,
    fetch_value,
    fetch_values,
    select_columns,
    select_document,
)
from mqcap.store.findings import replace_findings
from mqcap.store.models import Observation, SeriesFacts, StoredModel, WindowDay
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_losses
from mqcap.store.tables import (
    Base,
    FindingRow,
    ForecastScoreRow,
    LossRow,
    ObservationRow,
    ObservedHourDateRow,
    UtcDateTime,
)
from mqcap.store.upkeep import check
from mqcap.store.upsert import BATCH_ROWS, batches, insert_rows, upsert
from tests import factories
from tests.factories import DAY, finding, forecast_score, observation
from tests.plan_factories import loss

DAYS = [DAY, DAY + timedelta(days=1)]
ONE_DAY = timedelta(days=1)
FIRST, SECOND, THIRD = DAY, DAY + 2 * ONE_DAY, DAY + 3 * ONE_DAY
IN_ORDER = select_columns(ObservationRow).order_by(ObservationRow.site_date)
NONE = select_columns(ObservationRow).where(ObservationRow.series_id == "none")


@pytest.fixture
def filled(engine: Engine) -> Engine:
    replace_observations(engine, DAYS, [observation(day=day) for day in DAYS], {})
    return engine


def test_rows_are_mappings_of_every_column(filled: Engine) -> None:
    first, second = fetch_rows(filled, IN_ORDER)
    assert dict(first) == observation().model_dump()
    assert second["site_date"] == DAYS[1]
    assert fetch_rows(filled, NONE) == []


def test_models_are_read_from_rows(filled: Engine) -> None:
    assert fetch_models(filled, Observation, IN_ORDER) == [observation(day=day) for day in DAYS]
    assert fetch_models(filled, Observation, NONE) == []


def test_the_first_row_is_read_or_none(filled: Engine) -> None:
    assert fetch_first(filled, Observation, IN_ORDER) == observation()
    assert fetch_first(filled, Observation, NONE) is None


def test_single_values_are_read_without_a_row(filled: Engine) -> None:
    column = ObservationRow.site_date
    assert fetch_values(filled, select(column).order_by(column)) == DAYS
    assert fetch_value(filled, select(func.max(column))) == DAYS[1]
    assert fetch_value(filled, select(func.max(column)).where(column > DAYS[1])) is None


def test_documents_are_given_to_their_parser_as_text(engine: Engine) -> None:
    replace_findings(engine, DAY, [finding()])
    [document] = fetch_documents(engine, select_document(FindingRow.document), str)
    assert document.startswith('{"advice": "Make the active logs larger first')


@pytest.mark.thorough
def test_a_database_that_does_not_answer_is_service_unavailable(postgres_url: str) -> None:
    engine = connect(f"{postgres_url}&dbname=nowhere")
    for fetch in (fetch_rows, fetch_values, fetch_value):
        with pytest.raises(ServiceUnavailable, match="nowhere"):
            fetch(engine, IN_ORDER)


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


@pytest.fixture
def dated(engine: Engine) -> Engine:
    rows = [observation(series_id=name, day=day) for name in "ab" for day in (THIRD, FIRST, SECOND)]
    replace_observations(engine, [FIRST, SECOND, THIRD], rows, {})
    return engine


@pytest.mark.parametrize(
    ("first", "last", "wanted"),
    [
        (None, None, [FIRST, SECOND, THIRD]),
        (FIRST, None, [FIRST, SECOND, THIRD]),
        (FIRST + ONE_DAY, None, [SECOND, THIRD]),
        (None, THIRD - ONE_DAY, [FIRST, SECOND]),
        (None, THIRD, [FIRST, SECOND, THIRD]),
        (SECOND, SECOND, [SECOND]),
        (FIRST + ONE_DAY, FIRST + ONE_DAY, []),
        (THIRD + ONE_DAY, None, []),
    ],
)
def test_each_day_with_rows_comes_once_in_order(
    dated: Engine, first: date | None, last: date | None, wanted: list[date]
) -> None:
    column = ObservationRow.site_date
    assert fetch_values(dated, distinct_dates(column, first, last)) == wanted


def test_an_empty_table_has_no_days(engine: Engine) -> None:
    assert fetch_values(engine, distinct_dates(ObservationRow.site_date)) == []


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


def test_tables_and_columns_keep_the_names_of_the_database(engine: Engine) -> None:
    database = inspect(engine)
    for name, table in Base.metadata.tables.items():
        stored = {column["name"] for column in database.get_columns(name)}
        assert {column.name for column in table.columns} == stored


MANAGER = SubjectKind.queue_manager
MODELS = (
    factories.source_file(),
    factories.series_facts(),
    factories.observation(),
    factories.annotation(),
    factories.scenario(),
    factories.step_run(),
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_model_is_read_from_a_row_by_attribute_and_stays_as_it_is(model: StoredModel) -> None:
    row = SimpleNamespace(**dict(model))
    assert type(model).model_validate(row) == model
    field = next(iter(type(model).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(model, field, getattr(model, field))


def test_an_instant_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - what is refused
    with pytest.raises(ValidationError, match="timezone"):
        Observation(**dict(factories.observation()) | {"busiest_hour_utc": naive})


def test_a_series_is_not_forecast_and_limited_from_above_unless_it_says_otherwise() -> None:
    facts = SeriesFacts(
        series_id="m/P/Q",
        metric="m",
        subject="P/Q",
        subject_kind=MANAGER,
        unit="%",
    )
    assert (facts.forecast, facts.direction, facts.ceiling) == (False, Direction.upward, None)
    assert (facts.first_site_date, facts.last_site_date) == (None, None)


@pytest.mark.parametrize(
    ("statistic", "value"), [(Statistic.mean, 1.0), (Statistic.p95, 2.0), (Statistic.peak, 3.0)]
)
def test_a_day_of_a_window_has_the_figure_of_each_statistic(
    statistic: Statistic, value: float
) -> None:
    day = WindowDay(
        "m",
        "PLEX1/CSQ1",
        MANAGER,
        "%",
        factories.DAY,
        mean=1.0,
        p95=2.0,
        peak=3.0,
    )
    assert day.value(statistic) == value
