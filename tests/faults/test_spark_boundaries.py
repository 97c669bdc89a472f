"""Kills of the driver between what the steps on Spark write; a locked store at their end.

Nothing runs in the JVM at these points, so that it may stay: what stands on the disk is what it
is when all processes are killed. ``test_matrix`` kills the JVM too, while it works.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

import pytest

from mqcap.domain.errors import InputError
from spark_apps import aggregate
from tests.faults.dying import (
    Point,
    beside_spark,
    dies_at,
    in_child,
    locked,
    waits_at_most,
)
from tests.faults.inside_spark import killed_when
from tests.faults.site import LAST_DAY, Site, contents, differences

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end]

RECORD: Final = Point("mqcap.steps.runner:save_step_run")
LOADING: Final = (
    Point("spark_apps.decode:decode", after=True),
    Point("spark_apps.aggregate:_replace", after=True),
    Point("spark_apps.aggregate:write_source_digest", after=True),
    RECORD,
)
"""One after the other, each in what the one before has left: all manifests and no hourly value;
one table of three; all tables and one digest of several; all but the record."""


def killed(site: Site, step: str, point: Point) -> None:
    ended = in_child(beside_spark(lambda: site.run(step)), dies_at_one_by_one(point))
    assert ended == "SIGKILL", ended


def dies_at_one_by_one(point: Point) -> Callable[[], None]:
    """Tables are written one after the other, so that none is half written at the point."""

    def prepare() -> None:
        aggregate.WRITERS = 1  # type: ignore[misc]
        dies_at(point)()

    return prepare


def test_a_load_that_is_killed_at_each_boundary_is_repaired_by_running_it_again(
    site: Site,
) -> None:
    site.back_to("land")
    for point in LOADING:
        killed(site, "decode_and_aggregate", point)
    site.run("decode_and_aggregate")
    assert differences(contents(site.work), site.left_after("decode_and_aggregate")) == []


def test_a_fit_that_is_killed_leaves_no_forecast_that_is_taken_for_complete(site: Site) -> None:
    """Killed with its JVM while the results have no name yet, and after they have got it."""
    site.back_to("export_training")
    results = site.work / "lake" / "forecast_result" / f"cutoff_date={LAST_DAY}"
    fit = (sys.executable, "-m", "spark_apps.forecast", "--day", str(LAST_DAY))
    killed_when(site, (results / "_temporary").is_dir, *fit)
    with pytest.raises(InputError, match="no complete forecasts"):
        site.run("store_forecasts")
    killed(site, "fit", RECORD)
    site.run("fit")
    assert differences(contents(site.work), site.left_after("fit")) == []


@pytest.mark.parametrize(
    ("step", "before"), [("decode_and_aggregate", "land"), ("fit", "export_training")]
)
def test_a_locked_store_is_reported_by_the_steps_on_spark_too(
    site: Site, step: str, before: str
) -> None:
    site.back_to(before)
    with locked(site.work / "store.db"):
        ended = in_child(beside_spark(lambda: site.run(step)), waits_at_most(50))
    assert ended.startswith("ServiceUnavailable: "), ended
    assert "locked" in ended
    site.run(step)
    assert differences(contents(site.work), site.left_after(step)) == []
