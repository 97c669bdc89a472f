"""Log files and file systems of a distributed queue manager."""

from pathlib import Path

import pytest

from mqcap.domain.plan import PlanCost, total_cost
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts
from mqcap.planning.levers.mq_files import DATA_FILE_SYSTEM, LOG_FILE_SYSTEM_SIZE, MQ_LOG
from tests.mqcap.judging.observations import with_days
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results, plan_in
from tests.mqcap.whatif.distributed import QMGR

OF_LOG, DATA = ResourceKind.mq_log_file_system, ResourceKind.mq_data_file_system


@pytest.mark.parametrize(
    ("kind", "settable", "key"),
    [
        (OF_LOG, LOG_FILE_SYSTEM_SIZE, "log_file_system_size_pct"),
        (DATA, DATA_FILE_SYSTEM, "data_file_system_size_pct"),
    ],
)
def test_sizes_are_in_per_cent_of_that_of_today(
    site_day: SiteDay, kind: ResourceKind, settable: object, key: str
) -> None:
    assert settable in (LOG_FILE_SYSTEM_SIZE, DATA_FILE_SYSTEM)
    chosen = LOG_FILE_SYSTEM_SIZE if kind is OF_LOG else DATA_FILE_SYSTEM
    context = site_day.context(kind)
    today = chosen.today(context)
    assert today == {key: 100}
    sizes = chosen.grids(context, today)[key]
    assert (sizes[0], sizes[1], sizes[-1]) == (100, 110, 1_000)
    [change] = chosen.changes(context, {key: 100}, {key: 150})
    assert change.typed == "150 % of the size of today"
    assert "1.5 times as large as it is" in change.text
    assert chosen.cost(context, {key: 100}, {key: 150}).queue_manager_restarts == 0


@pytest.mark.parametrize(("kind", "rule"), [(OF_LOG, "DST-LOG-FS"), (DATA, "DST-QM-FS")])
def test_with_the_planned_size_what_if_finds_the_rule_kept(
    site_day: SiteDay, kind: ResourceKind, rule: str
) -> None:
    assert bad_results(site_day, kind) == ({rule}, set())


def test_more_of_a_size_that_is_not_known_is_named_in_place_of_its_mib(site_day: SiteDay) -> None:
    context = site_day.context(DATA)
    key = "data_file_system_size_pct"
    manager = context.resource.owner_subject.rpartition("/")[2]
    cost = DATA_FILE_SYSTEM.cost(context, {key: 100}, {key: 180})
    assert cost.unsized == (f"+80 % of the data file system of {manager}",)
    assert cost.file_system_mib == 0
    assert total_cost([PlanCost(file_system_mib=112), cost, cost]).unsized == cost.unsized


RATE = "mq_log_written_mib_per_s"
FILES = ResourceKind.mq_log


def test_primary_files_rise_one_by_one_to_what_the_secondary_ones_leave(site_day: SiteDay) -> None:
    context = site_day.context(FILES)
    today = MQ_LOG.today(context)
    assert today == {"log_primary_files": 3}
    files = MQ_LOG.grids(context, today)["log_primary_files"]
    assert (files[0], files[1], files[-1]) == (3, 4, 509)


def test_the_change_is_a_line_of_qm_ini_and_takes_a_restart(site_day: SiteDay) -> None:
    context = site_day.context(FILES)
    before, after = {"log_primary_files": 3}, {"log_primary_files": 6}
    [change] = MQ_LOG.changes(context, before, after)
    assert (change.subject, change.typed) == ("EAST/QM1", "LogPrimaryFiles=6")
    assert change.text == "Have 6 primary log files instead of 3, 48 MiB more."
    cost = MQ_LOG.cost(context, before, after)
    assert (cost.queue_manager_restarts, cost.file_system_mib) == (1, 48)


def test_with_the_planned_files_what_if_finds_the_rules_kept(site_day: SiteDay) -> None:
    assert bad_results(site_day, FILES) == ({"DST-LOG-PRIMARY"}, set())


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
    plan = plan_in(tmp_path, FILES, f"mq_log_{kind}_files_count")
    assert plan.changes == ()
    assert plan.missing == ("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",)
