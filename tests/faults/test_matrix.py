"""The fault matrix: after a fault and a plain rerun everything is as if nothing had happened.

Steps hand nothing to each other but lake and store. So a step that is disturbed in the state
that the undisturbed run had before it, and run again, must leave what that run left after it.
"""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Final

import pytest
from sqlalchemy import delete

from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.errors import InputError
from mqcap.lake.layout import METRIC_SOURCES
from mqcap.settings import load_settings
from mqcap.steps import runner
from mqcap.steps.backfill import backfill
from mqcap.steps.prune import remove_old
from mqcap.store.database import open_store, writing
from mqcap.store.tables import CrossingRow, FindingRow, ForecastPointRow, ForecastRow
from tests.faults.dying import (
    FINISHED,
    Point,
    beside_spark,
    dies_at,
    in_child,
    locked,
    started,
    waits_at_most,
    writes_at_most,
)
from tests.faults.inside_spark import (
    deliver_garbage,
    killed_when,
    sections,
    small_files_only,
    unharmed,
    workers_killed,
)
from tests.faults.notified import comparable, sent, sent_otherwise
from tests.faults.site import BEFORE, DAY_BEFORE, LAST_DAY, ORDER, Site, contents, differences

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end]

WITHOUT_SPARK: Final = tuple(step for step in ORDER if step not in {"decode_and_aggregate", "fit"})
KILLS: Final = (
    ("land", Point("shutil:copyfile", after=True)),
    ("land", Point("mqcap.steps.land:upsert_source_files")),
    ("land", Point("mqcap.steps.land:write_json")),
    ("observe", Point("mqcap.steps.daily_roll_up:upsert_series")),
    ("observe", Point("mqcap.completeness.days:replace_feed_days", after=True)),
    ("observe", Point("mqcap.store.observations:_write_digests")),
    ("export_training", Point("pathlib:Path.replace")),
    ("store_forecasts", Point("mqcap.store.forecasts:insert_rows", after=True)),
    ("size", Point("mqcap.steps.evaluate:replace_findings")),
    ("size", Point("mqcap.steps.evaluate:replace_crossings")),
    ("size", Point("mqcap.steps.evaluate:replace_plans")),
    ("size", Point("mqcap.steps.evaluate:replace_plans", after=True)),
    ("alert", Point("mqcap.notifications.problem_history:replace_problems")),
    ("alert", Point("mqcap.steps.notify:save_delivery", after=True)),
    ("alert", Point("mqcap.notifications.outbox:send", after=True)),
    *((step, Point("mqcap.steps.runner:save_step_run")) for step in WITHOUT_SPARK),
)
"""Within a step, and at its end: after the last thing it does, before it is written down."""
ROOM_BYTES: Final = {"land": 4_096, "export_training": 512}
"""How large a file may grow until the disk is full; for the others so large that the store is
opened and cannot be written to."""


def disturbed(site: Site, step: str, prepare: Callable[[], None]) -> str:
    site.back_to(BEFORE[step])
    return in_child(lambda: site.run(step), prepare)


def assert_as_if_nothing_had_happened(site: Site, step: str) -> None:
    site.run(step)
    assert differences(contents(site.work), site.left_after(step)) == []


def test_every_table_that_a_day_writes_has_rows_to_compare(site: Site) -> None:
    with_rows = {name.partition(" ")[0] for name in site.left_after("alert")}
    written = {
        "observation_daily",
        "forecast",
        "finding",
        "crossing",
        "plan",
        "problem",
        "delivery",
    }
    assert written - with_rows == set()


@pytest.mark.parametrize(
    ("step", "point"),
    KILLS,
    ids=[f"{step}-{point.function}{'-after' * point.after}" for step, point in KILLS],
)
def test_a_killed_step_is_repaired_by_running_it_again(site: Site, step: str, point: Point) -> None:
    assert disturbed(site, step, dies_at(point)) == "SIGKILL"
    assert_as_if_nothing_had_happened(site, step)


@pytest.mark.parametrize("step", WITHOUT_SPARK)
def test_a_full_disk_is_reported_and_repaired_by_another_run(site: Site, step: str) -> None:
    ended = disturbed(site, step, writes_at_most(ROOM_BYTES.get(step, 65_536)))
    assert ended.startswith("ServiceUnavailable: "), ended
    assert_as_if_nothing_had_happened(site, step)


@pytest.mark.parametrize("step", WITHOUT_SPARK)
def test_a_locked_store_is_reported_and_the_step_can_be_run_again(site: Site, step: str) -> None:
    site.back_to(BEFORE[step])
    with locked(site.work / "store.db"):
        ended = in_child(lambda: site.run(step), waits_at_most(50))
    assert ended.startswith("ServiceUnavailable: "), ended
    assert "locked" in ended
    assert_as_if_nothing_had_happened(site, step)


def test_garbage_kills_and_a_full_disk_while_loading_change_nothing(site: Site) -> None:
    site.back_to("nothing")
    deliver_garbage(site.work / "inbox")
    counts = site.run("land")
    assert len(counts["rejected"]) >= 2
    lake = site.work / "lake"
    decoded = len(sections(lake))
    killed_when(site, lambda: len(sections(lake)) > decoded)
    written = lake / FEED_INTERVAL.name / f"hour_date={LAST_DAY}"
    assert not written.is_dir()
    killed_when(site, written.is_dir)
    # Its digest comes last: without it the date is as it is when a worker is killed before.
    (lake / METRIC_SOURCES / f"hour_date={LAST_DAY}.json").unlink(missing_ok=True)
    with small_files_only(512), pytest.raises(Exception, match=r"too large|Job aborted"):
        site.run("decode_and_aggregate")
    for step in ("land", "decode_and_aggregate", "observe"):
        site.run(step)
    wanted = unharmed(site.left_after("observe"))
    assert differences(unharmed(contents(site.work)), wanted) == []


def test_python_workers_that_are_killed_while_they_fit_change_nothing(site: Site) -> None:
    site.back_to("export_training")
    with workers_killed(), pytest.raises(Exception, match=r"SparkException|lost its workers"):
        site.run("fit")
    site.run("fit")
    assert differences(contents(site.work), site.left_after("fit")) == []


def test_a_backfill_that_is_killed_is_repaired_by_running_it_again(site: Site) -> None:
    """Killed while a day is judged, then after a day."""
    site.back_to("alert")
    _forget(site.store_url)
    replay = partial(backfill, load_settings(), DAY_BEFORE, LAST_DAY, print)
    for point in (
        Point("mqcap.steps.evaluate:replace_crossings"),
        Point("mqcap.steps.runner:alert", after=True),
    ):
        assert in_child(beside_spark(replay), dies_at(point)) == "SIGKILL"
    backfill(load_settings(), DAY_BEFORE, LAST_DAY, lambda _line: None)
    assert differences(contents(site.work), site.left_after("alert")) == []


def _forget(store_url: str) -> None:
    """Remove what forecasts and rules have stored of the days: all is made again."""
    with writing(open_store(store_url)) as connection:
        for table in (ForecastPointRow, ForecastRow, FindingRow, CrossingRow):
            connection.execute(delete(table))


def test_what_was_removed_for_its_age_is_not_made_again(site: Site) -> None:
    site.back_to("alert")
    lake = site.work / "lake"
    remove_old(load_settings(), open_store(site.store_url), LAST_DAY + timedelta(days=1_000))
    assert sections(lake) == list(lake.glob("metric_hourly/*")) == []
    for step in ("land", "decode_and_aggregate", "observe"):
        site.run(step)
    result, wanted = contents(site.work), site.left_after("alert")
    values = {name for name in wanted if name.startswith(("observation_daily", "series", "source"))}
    assert (
        differences(*({name: item.get(name) for name in values} for item in (result, wanted))) == []
    )


def test_a_run_and_a_backfill_at_once_leave_what_one_after_the_other_leaves(site: Site) -> None:
    site.back_to("alert")
    judged = [step for step in WITHOUT_SPARK if step not in {"land", "alert"}]
    orders: list[tuple[date, Callable[..., object]]] = [
        (DAY_BEFORE, partial(runner.alert, replay=True)),
        (LAST_DAY, runner.alert),
    ]
    runs = [started(partial(site.run_all, judged, day, tell)) for day, tell in orders]
    assert [wait() for wait in runs] == [FINISHED, FINISHED]
    site.run_all(["size"], LAST_DAY, runner.alert)
    assert differences(contents(site.work), site.left_after("alert")) == []


RECORD: Final = Point("mqcap.steps.runner:save_step_run")
DECODED: Final = Point("spark_apps.decode:decode", after=True)
FORECAST: Final = Point("spark_apps.forecast:forecast", after=True)
AGGREGATED: Final = Point("spark_apps.aggregate:aggregate", after=True)
"""Nothing runs in the JVM at these points, so that it may stay: what stands on the disk is what it
is when all processes are killed."""


def killed(site: Site, step: str, point: Point) -> None:
    ended = in_child(beside_spark(lambda: site.run(step)), dies_at(point))
    assert ended == "SIGKILL", ended


def test_a_load_killed_at_each_boundary_is_repaired_by_running_it_again(site: Site) -> None:
    """Killed with manifests and no hours, with all but the digest, with all but the record."""
    site.back_to("land")
    killed(site, "decode_and_aggregate", DECODED)
    written = site.work / "lake" / FEED_INTERVAL.name / f"hour_date={LAST_DAY}"
    assert not written.is_dir()
    killed(site, "decode_and_aggregate", AGGREGATED)
    # All tables and not the digest, which is written last: a worker killed just before it.
    (site.work / "lake" / METRIC_SOURCES / f"hour_date={LAST_DAY}.json").unlink()
    killed(site, "decode_and_aggregate", RECORD)
    site.run("decode_and_aggregate")
    assert differences(contents(site.work), site.left_after("decode_and_aggregate")) == []


def test_a_fit_that_is_killed_leaves_no_forecast_that_is_taken_for_complete(site: Site) -> None:
    """Killed when all is written, then before it is recorded."""
    site.back_to("export_training")
    with pytest.raises(InputError, match="no complete forecasts"):
        site.run("store_forecasts")
    killed(site, "fit", FORECAST)
    killed(site, "fit", RECORD)
    site.run("fit")
    assert differences(contents(site.work), site.left_after("fit")) == []


def test_a_backfill_stores_the_results_of_daily_runs_and_sends_nothing(site: Site) -> None:
    """Days that arrive at once are, byte for byte, what they are when each arrives by itself."""
    site.back_to("empty")
    site.deliver(LAST_DAY)
    backfill(load_settings(), DAY_BEFORE, LAST_DAY, lambda _: None)
    replayed, lived = contents(site.work), site.left_after("alert")
    ours, theirs = (comparable(item) for item in (replayed, lived))
    assert differences(ours, theirs) == []
    assert sent(replayed) == sent_otherwise(lived) == []
    assert len(sent(lived)) >= 2
