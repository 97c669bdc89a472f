"""Primary log files of a distributed queue manager."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.levers.mq_log import MQ_LOG
from tests.mqcap.judging.observations import with_days
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results, plan_in
from tests.mqcap.whatif.distributed import QMGR

RATE = "mq_log_written_mib_per_s"
LOG = ResourceKind.mq_log


def test_primary_files_rise_one_by_one_to_what_the_secondary_ones_leave(site_day: SiteDay) -> None:
    context = site_day.context(LOG)
    today = MQ_LOG.today(context)
    assert today == {"log_primary_files": 3}
    files = MQ_LOG.grids(context, today)["log_primary_files"]
    assert (files[0], files[1], files[-1]) == (3, 4, 509)


def test_the_change_is_a_line_of_qm_ini_and_takes_a_restart(site_day: SiteDay) -> None:
    context = site_day.context(LOG)
    before, after = {"log_primary_files": 3}, {"log_primary_files": 6}
    [change] = MQ_LOG.changes(context, before, after)
    assert (change.subject, change.typed) == ("EAST/QM1", "LogPrimaryFiles=6")
    assert change.text == "Have 6 primary log files instead of 3, 48 MiB more."
    cost = MQ_LOG.cost(context, before, after)
    assert (cost.queue_manager_restarts, cost.file_system_mib) == (1, 48)


def test_with_the_planned_files_what_if_finds_the_rules_kept(site_day: SiteDay) -> None:
    assert bad_results(site_day, LOG) == ({"DST-LOG-PRIMARY"}, set())


@pytest.fixture(scope="module")
def written(site_day: SiteDay) -> DayFacts:
    """The same day with a log rate of which 33 % are left: Watch, by the time to fill an extent."""
    observed = site_day.facts.observed
    rate = [
        day._replace(metric=RATE, unit="MiB/s", mean=1.08, p95=1.08, peak=1.08)
        for day in observed.whole_series("mq_log_file_pages_count", QMGR)
    ]
    everything = with_days(observed, [*observed.every_day(), *rate])
    return site_day.facts._replace(observed=everything)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["primary", "secondary"])
def test_without_the_numbers_of_files_the_plan_asks_for_them(tmp_path: Path, kind: str) -> None:
    plan = plan_in(tmp_path, LOG, f"mq_log_{kind}_files_count")
    assert plan.changes == ()
    assert plan.missing == ("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",)
