from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Engine, select

from mqcap.store.observations import replace_observations
from mqcap.store.row_digests.digest import digest_of_rows
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tables import ObservationRow, StepRunRow
from tests.factories import DAY, observation, series_facts, step_run

DAYS = [DAY, DAY + timedelta(days=1)]
BY_DAY = select(*ObservationRow.__table__.columns).order_by(ObservationRow.site_date)


def observe(engine: Engine, **changed: Any) -> str:
    rows = [observation(day=day, **changed) for day in DAYS]
    replace_observations(engine, DAYS, rows, {})
    return digest_of_rows(engine, [BY_DAY])


def test_equal_rows_have_one_digest_and_the_last_bit_of_a_figure_another(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    first = observe(engine, peak=0.1)
    assert observe(engine, peak=0.30000000000000004) != first
    assert observe(engine, peak=0.3) not in {first, observe(engine, peak=0.30000000000000004)}
    assert observe(engine, peak=0.1) == first


def test_a_row_less_and_another_order_change_the_digest(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    both = observe(engine)
    assert digest_of_rows(engine, [BY_DAY.where(ObservationRow.site_date == DAY)]) != both
    downwards = BY_DAY.order_by(None).order_by(ObservationRow.site_date.desc())
    assert digest_of_rows(engine, [downwards]) != both


def test_rows_count_for_the_statement_that_selects_them(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    observe(engine)
    none = BY_DAY.where(ObservationRow.site_date < DAY)
    assert digest_of_rows(engine, [none, BY_DAY]) != digest_of_rows(engine, [BY_DAY, none])
    assert digest_of_rows(engine, [none]) == digest_of_rows(engine, [none])


def test_documents_and_instants_are_told_apart(engine: Engine) -> None:
    runs = select(*StepRunRow.__table__.columns).order_by(StepRunRow.step)
    save_step_run(engine, step_run(counts={"rows": 1}))
    first = digest_of_rows(engine, [runs])
    save_step_run(engine, step_run(counts={"rows": 2}))
    assert digest_of_rows(engine, [runs]) != first
    save_step_run(engine, step_run(counts={"rows": 1}))
    assert digest_of_rows(engine, [runs]) == first
