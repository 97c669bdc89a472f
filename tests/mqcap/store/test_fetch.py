from __future__ import annotations

from datetime import date, timedelta

import pytest
from sqlalchemy import Engine, func, select, update

from mqcap.domain.errors import InputError, ServiceUnavailable
from mqcap.store.database import connect
from mqcap.store.documents import parse_loss
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
from mqcap.store.models import Observation
from mqcap.store.observations import replace_observations
from mqcap.store.plans import replace_losses
from mqcap.store.tables import FindingRow, LossRow, ObservationRow
from mqcap.store.upkeep import check
from tests.factories import DAY, finding, observation
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
        fetch_documents(engine, select_document(LossRow.document), parse_loss)
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
