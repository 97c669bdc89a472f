"""Primary log files of a distributed queue manager."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.mq_log import MQ_LOG
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results, plan_in

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
    assert MQ_LOG.cost(context, before, after).queue_manager_restarts == 1


def test_with_the_planned_files_what_if_finds_the_rules_kept(site_day: SiteDay) -> None:
    assert bad_results(site_day, LOG) == ({"DST-LOG-PRIMARY"}, set())


@pytest.mark.parametrize("kind", ["primary", "secondary"])
def test_without_the_numbers_of_files_the_plan_asks_for_them(tmp_path: Path, kind: str) -> None:
    plan = plan_in(tmp_path, LOG, f"mq_log_{kind}_files_count")
    assert plan.changes == ()
    assert plan.missing == ("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",)
