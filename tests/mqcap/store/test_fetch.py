from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine, func, select, update

from mqcap.domain.errors import InputError, ServiceUnavailable
from mqcap.store.database import connect
from mqcap.store.documents import parse_loss
from mqcap.store.fetch import (
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
from mqcap.store.losses import replace_losses
from mqcap.store.models import Observation
from mqcap.store.observations import replace_observations
from mqcap.store.tables import FindingRow, LossRow, ObservationRow
from mqcap.store.upkeep import check
from tests.factories import DAY, finding, loss, observation

DAYS = [DAY, DAY + timedelta(days=1)]
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
