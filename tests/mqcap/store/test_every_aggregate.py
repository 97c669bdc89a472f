"""Every writer of the store: writing twice is writing once, a replaced day leaves the others."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.score import SiteCorrection
from mqcap.store import scores, tables
from mqcap.store.annotations import save_annotation, save_scenario
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings, replace_hold_out, replace_site_correction
from mqcap.store.feeds import replace_feed_days, upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import save_delivery
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import replace_problems, save_acknowledgements
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tickets import save_ticket
from tests import factories, plan_factories
from tests.factories import DAY, crossing, finding, forecast, observation, series_facts

NEXT_DAY = DAY + timedelta(days=1)


def everything(engine: Engine) -> dict[str, list[Any]]:
    with engine.connect() as connection:
        return {
            name: sorted(map(str, connection.execute(table.select())))
            for name, table in tables.Base.metadata.tables.items()
        }


def write_a_day(engine: Engine) -> None:
    upsert_source_files(engine, [factories.source_file()])
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation()], {DAY: "one"})
    replace_forecasts(engine, DAY, [forecast()])
    replace_findings(engine, DAY, [finding()])
    replace_crossings(engine, DAY, [crossing()])
    replace_hold_out(engine, DAY, [crossing()])
    replace_site_correction(engine, SiteCorrection(cutoff_date=DAY))
    replace_plans(engine, DAY, [plan_factories.plan()])
    replace_states(engine, [DAY], [factories.console_state()])
    replace_losses(engine, DAY, [plan_factories.loss()])
    save_ticket(engine, factories.ticket(), "embedded")
    save_delivery(engine, factories.delivery())
    save_acknowledgements(engine, [factories.acknowledgement()])
    replace_problems(engine, DAY, [factories.problem_day()])
    save_step_run(engine, factories.step_run())
    replace_feed_days(engine, DAY, DAY, [factories.feed_day(site_date=DAY)])
    scores.save_scores(engine, [factories.forecast_score()], [factories.crossing_score()])
    save_annotation(engine, factories.annotation())
    save_scenario(engine, factories.scenario())


def test_a_day_written_twice_gives_the_same_rows(engine: Engine) -> None:
    write_a_day(engine)
    once = everything(engine)
    write_a_day(engine)
    assert everything(engine) == once
    assert all(once.values())


@pytest.mark.parametrize(
    "replace",
    [
        lambda engine: replace_observations(engine, [DAY], [], {}),
        lambda engine: replace_forecasts(engine, DAY, []),
        lambda engine: replace_findings(engine, DAY, []),
        lambda engine: replace_crossings(engine, DAY, []),
        lambda engine: replace_plans(engine, DAY, []),
        lambda engine: replace_losses(engine, DAY, []),
        lambda engine: replace_feed_days(engine, DAY, DAY, []),
    ],
    ids=["observations", "forecasts", "findings", "crossings", "plans", "losses", "feeds"],
)
def test_nothing_for_a_day_leaves_others(engine: Engine, replace: Callable[[Engine], int]) -> None:
    write_a_day(engine)
    replace_observations(engine, [NEXT_DAY], [observation(day=NEXT_DAY)], {})
    replace_forecasts(engine, NEXT_DAY, [forecast(cutoff_date=NEXT_DAY)])
    replace_findings(engine, NEXT_DAY, [finding(site_date=NEXT_DAY)])
    replace_crossings(engine, NEXT_DAY, [crossing(cutoff_date=NEXT_DAY)])
    replace_plans(engine, NEXT_DAY, [plan_factories.plan(site_date=NEXT_DAY)])
    replace_losses(engine, NEXT_DAY, [plan_factories.loss(site_date=NEXT_DAY)])
    replace_feed_days(engine, NEXT_DAY, NEXT_DAY, [factories.feed_day(site_date=NEXT_DAY)])
    before = everything(engine)
    assert replace(engine) == 0
    after = everything(engine)
    touched = {name for name in before if before[name] != after[name]}
    assert touched
    for name in touched - {"series", "problem_date"}:
        assert len(after[name]) == len(before[name]) / 2
