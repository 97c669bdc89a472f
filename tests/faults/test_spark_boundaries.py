"""Kills of the driver between what the steps on Spark write; a locked store at their end.

Nothing runs in the JVM at these points, so that it may stay: what stands on the disk is what it
is when all processes are killed. ``test_matrix`` kills the JVM too, while it works.
"""

from typing import Final

import pytest

from mqcap.domain.datasets import FEED_INTERVAL
from mqcap.domain.errors import InputError
from mqcap.lake.layout import METRIC_SOURCES
from tests.faults.dying import (
    Point,
    beside_spark,
    dies_at,
    in_child,
)
from tests.faults.site import LAST_DAY, Site, contents, differences

pytestmark = [pytest.mark.spark, pytest.mark.end_to_end]

RECORD: Final = Point("mqcap.steps.runner:save_step_run")
DECODED: Final = Point("spark_apps.decode:decode", after=True)
FORECAST: Final = Point("spark_apps.forecast:forecast", after=True)
AGGREGATED: Final = Point("spark_apps.aggregate:aggregate", after=True)


def killed(site: Site, step: str, point: Point) -> None:
    ended = in_child(beside_spark(lambda: site.run(step)), dies_at(point))
    assert ended == "SIGKILL", ended


def test_a_load_that_is_killed_at_each_boundary_is_repaired_by_running_it_again(
    site: Site,
) -> None:
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
