"""Each revision down and up again from a store with rows in every table, on both databases."""

from datetime import timedelta

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, select

from mqcap.domain.score import SiteCorrection
from mqcap.store import scores
from mqcap.store.annotations import save_annotation, save_scenario
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings, replace_hold_out, replace_site_correction
from mqcap.store.database import MIGRATIONS, VERSION_TABLE, newest_revision, stored_revision
from mqcap.store.feeds import replace_feed_days, upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.migrate import migrate
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import save_delivery
from mqcap.store.plans import replace_losses, replace_plans
from mqcap.store.problems import replace_problems, save_acknowledgements
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tables import Base
from mqcap.store.tickets import save_ticket
from tests import factories, plan_factories
from tests.factories import DAY, feed_day
from tests.mqcap.store.postgres import differences_from_models, migration_context

pytestmark = pytest.mark.thorough

Rows = list[dict[str, object]]


def revisions() -> list[str]:
    """Return all revisions, oldest first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    result = ScriptDirectory.from_config(config).walk_revisions("base", "head")
    return [item.revision for item in result][::-1]


def fill(engine: Engine) -> None:
    """Write at least one row into every table."""
    upsert_source_files(engine, [factories.source_file()])
    upsert_series(engine, [factories.series_facts()])
    replace_observations(engine, [DAY], [factories.observation()], {DAY: "digest"})
    replace_forecasts(engine, DAY, [factories.forecast()])
    replace_findings(engine, DAY, [factories.finding()])
    replace_crossings(engine, DAY, [factories.crossing()])
    replace_hold_out(engine, DAY, [factories.crossing()])
    replace_site_correction(engine, SiteCorrection(cutoff_date=DAY))
    replace_plans(engine, DAY, [plan_factories.plan()])
    replace_states(engine, [DAY], [factories.console_state()])
    replace_losses(engine, DAY, [plan_factories.loss()])
    save_ticket(engine, factories.ticket(), "embedded")
    save_delivery(engine, factories.delivery())
    replace_feed_days(engine, DAY, DAY, [feed_day(site_date=DAY)])
    replace_problems(engine, DAY, [factories.problem_day()])
    save_acknowledgements(engine, [factories.acknowledgement(noted_date=DAY + timedelta(days=1))])
    save_step_run(engine, factories.step_run())
    save_annotation(engine, factories.annotation())
    save_scenario(engine, factories.scenario())
    scores.save_scores(engine, [factories.forecast_score()], [factories.crossing_score()])


def rows_of(engine: Engine) -> dict[str, Rows]:
    """Return everything in the database by table."""
    schema = MetaData()
    schema.reflect(engine)
    with engine.connect() as connection:
        return {
            name: [dict(row) for row in connection.execute(select(table)).mappings()]
            for name, table in schema.tables.items()
            if name != VERSION_TABLE
        }


def test_each_revision_goes_down_and_up_and_the_schema_is_that_of_the_tables(
    engine: Engine,
) -> None:
    fill(engine)
    filled = rows_of(engine)
    assert set(filled) == set(Base.metadata.tables)
    assert [name for name, rows in filled.items() if not rows] == []
    for older in [*revisions()[-2::-1], "base"]:
        migrate(engine, older)
    assert rows_of(engine) == {}
    for newer in revisions():
        migrate(engine, newer)
    assert set(rows_of(engine)) == set(Base.metadata.tables)
    assert differences_from_models(engine) == []


def test_the_newest_revision_is_that_of_alembic_and_is_stored_by_it(engine: Engine) -> None:
    assert newest_revision() == revisions()[-1]
    for revision in (revisions()[0], revisions()[-1]):
        migrate(engine, revision)
        with engine.connect() as connection:
            found = migration_context(connection).get_current_revision()
            assert stored_revision(connection) == found == revision
