"""Each revision down and up again over a store with rows in every table, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, select

from mqcap.domain.delivery import Stage
from mqcap.domain.score import SiteCorrection
from mqcap.store import scores
from mqcap.store.annotations import save_annotation
from mqcap.store.console_states import replace_states
from mqcap.store.crossings import replace_crossings, replace_hold_out, replace_site_correction
from mqcap.store.database import (
    MIGRATIONS,
    VERSION_TABLE,
    migrate,
    migration_context,
    newest_revision,
    stored_revision,
)
from mqcap.store.feeds import replace_feed_days
from mqcap.store.files import upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.losses import replace_losses
from mqcap.store.observations import replace_observations
from mqcap.store.outbox import read_deliveries, save_delivery
from mqcap.store.plans import replace_plans
from mqcap.store.problems import replace_problems, save_acknowledgements
from mqcap.store.scenarios import save_scenario
from mqcap.store.series import upsert_series
from mqcap.store.step_runs import save_step_run
from mqcap.store.tables import Base
from mqcap.store.tickets import read_tickets, save_ticket
from mqcap.store.upkeep import check
from tests import factories, plan_factories
from tests.factories import DAY, feed_day

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


def common(before: dict[str, Rows], after: dict[str, Rows]) -> list[tuple[Rows, Rows]]:
    """Return the rows of tables that both have, each with the columns that both have."""
    pairs = []
    for name in sorted(set(before) & set(after)):
        columns = set(before[name][0]) & set(after[name][0])
        pairs.append(
            (
                [{column: row[column] for column in columns} for row in before[name]],
                [{column: row[column] for column in columns} for row in after[name]],
            )
        )
    return pairs


def test_each_revision_goes_down_and_up_and_keeps_what_both_sides_know(engine: Engine) -> None:
    fill(engine)
    filled = rows_of(engine)
    assert set(filled) == set(Base.metadata.tables)
    assert [name for name, rows in filled.items() if not rows] == []
    for older in revisions()[-2::-1]:
        migrate(engine, older)
        down = rows_of(engine)
        assert len(down) > 4
        for before, after in common(filled, down):
            assert after == before
    for newer in revisions()[1:]:
        migrate(engine, newer)
    for before, after in common(
        filled, {name: rows for name, rows in rows_of(engine).items() if rows}
    ):
        assert len(after) == len(before)
    with engine.connect() as connection:
        context = migration_context(connection)
        context.opts["include_object"] = lambda _thing, name, *_rest: name != VERSION_TABLE
        assert compare_metadata(context, Base.metadata) == []


def test_a_store_of_the_first_release_is_brought_up_and_is_sound(engine: Engine) -> None:
    fill(engine)
    migrate(engine, revisions()[0])
    migrate(engine)
    assert [flaw.what for flaw in check(engine)] == ["1 deliveries not handed over yet"]
    fill(engine)
    assert rows_of(engine)["ticket"][0]["members"] == list(factories.ticket().members)


def test_deliveries_and_tickets_of_the_first_schema_are_kept_on_the_way_up_and_down(
    engine: Engine,
) -> None:
    save_ticket(engine, factories.ticket(members=("a", "b")), "embedded")
    sent = factories.delivery(delivery_id="s").handed_over(factories.NOON)
    for row in (sent, factories.delivery(delivery_id="r", replay=True)):
        save_delivery(engine, row)
    migrate(engine, "0001")
    migrate(engine)
    stages = {delivery.delivery_id: delivery.stage for delivery in read_deliveries(engine)}
    assert stages == {"s": Stage.sent, "r": Stage.replayed}
    assert read_tickets(engine) == [factories.ticket()]


def test_rules_about_error_logs_have_their_new_ids_in_findings_problems_tickets_and_plans(
    engine: Engine,
) -> None:
    new, old = "DST-ERRORLOG-CHANNELS", "DST-TOLD-CHANNELS"
    key = f"{new}/EAST/QM1"
    replace_findings(engine, DAY, [factories.finding(rule_id=new, subject="EAST/QM1")])
    replace_problems(engine, DAY, [factories.problem_day(key=key)])
    save_acknowledgements(engine, [factories.acknowledgement(key=key)])
    replace_plans(engine, DAY, [plan_factories.plan(worst_rule=new)])
    save_ticket(engine, factories.ticket(members=(key,)), "embedded")
    migrated = rows_of(engine)
    migrate(engine, "0016")
    assert old in str(rows_of(engine))
    assert new not in str(rows_of(engine))
    migrate(engine)
    assert rows_of(engine) == migrated
    assert old not in str(migrated)


def test_the_newest_revision_is_that_of_alembic_and_is_stored_by_it(engine: Engine) -> None:
    assert newest_revision() == revisions()[-1]
    for revision in (revisions()[0], revisions()[-1]):
        migrate(engine, revision)
        with engine.connect() as connection:
            found = migration_context(connection).get_current_revision()
            assert stored_revision(connection) == found == revision
