"""Operands of each kind of resource: today's values, those beside them, cost and words."""

from typing import Any, Final

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import PlanCost, total_cost
from mqcap.domain.resource import ResourceKind
from mqcap.judging.observed import Observed
from mqcap.operands.declared import SETTINGS
from mqcap.planning.context import PlanContext
from mqcap.planning.levers.pools import PAGES_MAX, PAGES_PER_CYLINDER
from mqcap.planning.settable import Settable, settable_of
from mqcap.store.models import WindowDay
from tests.mqcap.planning.levers.conftest import ContextOf
from tests.mqcap.planning.levers.distributed import SiteDay, bad_results

OF_SITES: Final = {
    ResourceKind.mq_log, ResourceKind.mq_channels, ResourceKind.mq_log_file_system,
    ResourceKind.mq_data_file_system,
}  # fmt: skip
TASKS: Final = {"dispatchers": 5, "ssltasks": 2, "omvs_maxprocuser": 25}
BACKUPS: Final = {"structure_backup_hours": 24, "page_set_backup_hours": 168}
SPACE: Final = {"smds_buffers": 100, "smds_size_pct": 100}
STORAGE_64BIT: Final = {"memlimit_gib": 2.0}
LARGER_LOG: Final = (
    "Make the file system that holds the log 1.5 times as large as it is (3,000 MiB instead of "
    "2,000)."
)
CASES: Final[dict[str, tuple[dict[str, Any], dict[str, Any], list[str], str, dict[str, Any]]]] = {
    "chinit_adapters": (
        {"adapters": 8}, {"adapters": 35}, ["CHIADAPS(35)"], "Run 35 adapter tasks instead of 8.",
        {"chinit_31bit_mib": 3.96, "chinit_restarts": 1},
    ),
    "chinit_storage_64bit": (
        STORAGE_64BIT, {"memlimit_gib": 3}, ["MEMLIMIT=3G"],
        "Raise MEMLIMIT of the channel initiator to 3 GiB from 2 GiB.",
        {"chinit_restarts": 1, "above_bar_mib": 1_024, "real_storage_mib": 0},
    ),
    "chinit_tasks": (
        TASKS, {**TASKS, "dispatchers": 15, "omvs_maxprocuser": 30},
        ["CHIDISPS(15)", "MAXPROCUSER(30)"], "Run 15 dispatchers instead of 5.",
        {"chinit_restarts": 1, "chinit_31bit_mib": 1.0},
    ),
    "coupling_facility": (
        {"engines": 1}, {"engines": 2}, ["ICF engines: 2"],
        "Give the coupling facility 2 engines instead of 1.", {"engines": 1, "work_hours": 2},
    ),
    "structure": (
        {"structure_size_mib": 512.0}, {"structure_size_mib": 600}, ["SIZE(614400K)"] * 2,
        "Give structure QSG1APPL1 600 MiB instead of 512 MiB.", {"cf_storage_mib": 176},
    ),
    "smds": (
        SPACE, {"smds_buffers": 200, "smds_size_pct": 130},
        ["DSBUFS(200)", "DSEXPAND(YES), 1.3 times the space"],
        "Give each structure 200 buffers instead of 100.",
        {"real_storage_mib": 25, "work_hours": 4.03,
         "unsized": ("+30 % of the shared message data sets of CSQ1",)},
    ),
    "buffer_pool": (
        {"buffers": 50_000}, {"buffers": 75_600}, ["BUFFERS(75600)"],
        "Give the pool 75,600 buffers instead of 50,000.",
        {"real_storage_mib": 100, "cylinders": 0},
    ),
    "page_set": (
        {"pages": 180_000}, {"pages": 216_000}, ["CYL(1200)"],
        "Give the page set 1,200 cylinders (216,000 pages) instead of 180,000 pages.",
        {"cylinders": 200},
    ),
    "recovery": (
        BACKUPS, {**BACKUPS, "page_set_backup_hours": 72}, ["every 72 h"],
        "Back up the page sets every 3 days instead of every 7 days.", {"work_hours": 2.13},
    ),
    "mq_log": (
        {"log_primary_files": 3}, {"log_primary_files": 6}, ["LogPrimaryFiles=6"],
        "Have 6 primary log files instead of 3, 48 MiB more.",
        {"queue_manager_restarts": 1, "file_system_mib": 48},
    ),
    "mq_channels": (
        {"max_channels": 400}, {"max_channels": 900}, ["MaxChannels=900"],
        "Allow 900 current channels instead of 400.", {"queue_manager_restarts": 1},
    ),
    "mq_log_file_system": (
        {"log_file_system_size_pct": 100}, {"log_file_system_size_pct": 150},
        ["150 % of the size of today"],
        LARGER_LOG, {"queue_manager_restarts": 0, "file_system_mib": 1_000},
    ),
    "mq_data_file_system": (
        {"data_file_system_size_pct": 100}, {"data_file_system_size_pct": 180},
        ["180 % of the size of today"],
        "Make the file system that holds queues and other data 1.8 times as large as it is.",
        {"file_system_mib": 0, "unsized": ("+80 % of the data file system of QM1",)},
    ),
}  # fmt: skip
"""By kind: two states, what is typed from one to the other, the first text, parts of the cost."""
VALUES: Final[list[tuple[str, dict[str, Any], list[float], float]]] = [
    ("chinit_adapters", {"adapters": 8}, [8, 30, 40, 60, 80], 120),
    ("chinit_adapters", {"adapters": 29}, [29, 30, 40], 120),
    ("chinit_adapters", {"adapters": 30}, [30, 40, 60], 120),
    ("chinit_adapters", {"adapters": 31}, [31, 40, 60], 120),
    ("chinit_adapters", {"adapters": 120}, [120], 120),
    ("chinit_storage_64bit", STORAGE_64BIT, [2.0, 3, 4], 64),
    ("chinit_tasks", {"dispatchers": 5}, [5, 6, 7], 100),
    ("coupling_facility", {"engines": 2}, [2, 3, 4], 16),
    ("structure", {"structure_size_mib": 512.0}, [512, 520, 536], 10_240),
    ("smds", {"smds_buffers": 100}, [100, 110, 120], 9_999),
    ("smds", {"smds_size_pct": 100}, [100, 110, 120], 1_000),
    ("buffer_pool", {"buffers": 50_000}, [50_000, 51_000, 52_000], 1_000_000),
    ("buffer_pool", {"buffers": 3}, [3, 100], 100),
    ("buffer_pool", {"buffers": 60}, [60, 100, 110, 120], 1_200),
    ("buffer_pool", {"buffers": 99}, [99, 100, 110], 1_980),
    ("log_writing", {"outbuff_kb": 3_999}, [3_999], 4_000),
    ("log_writing", {"outbuff_kb": 4_000}, [4_000], 4_000),
    ("recovery", {"page_set_backup_hours": 168}, [168, 120, 96, 72], 1),
    ("recovery", {"structure_backup_hours": 24}, [24, 12], 1),
    ("mq_log", {"log_primary_files": 3}, [3, 4], 509),
    ("mq_log_file_system", {"log_file_system_size_pct": 100}, [100, 110], 1_000),
    ("mq_data_file_system", {"data_file_system_size_pct": 100}, [100, 110], 1_000),
]
"""Kind, today's value, the first values with it, the last."""
TODAY: Final[dict[str, dict[str, Any] | None]] = {
    "chinit_adapters": {"adapters": 8}, "chinit_storage_64bit": STORAGE_64BIT,
    "chinit_tasks": {"dispatchers": 5}, "coupling_facility": {"engines": 2},
    "structure": {"structure_size_mib": 512.0}, "smds": {"smds_size_pct": 100},
    "buffer_pool": {"buffers": 50_000}, "page_set": {"pages": 180_000}, "recovery": BACKUPS,
    "mq_log": {"log_primary_files": 3}, "mq_log_file_system": {"log_file_system_size_pct": 100},
    "mq_data_file_system": {"data_file_system_size_pct": 100}, "log_writing": None,
}  # fmt: skip
"""What is measured or configured, by kind."""
DECLARED: Final = [
    (lever.kind, key)
    for key, setting in SETTINGS.items()
    if (lever := setting.plan) is not None and lever.today and lever.values
]


def of(kind: str) -> Settable:
    found = settable_of(ResourceKind(kind))
    assert found is not None
    return found


def context(kind: str, context_of: ContextOf, site_day: SiteDay) -> PlanContext:
    name = ResourceKind(kind)
    if name in OF_SITES:
        return site_day.context(name)
    return context_of(ResourceKind.active_log if kind == "log_writing" else name)


@pytest.mark.parametrize("kind", CASES)
def test_a_change_is_said_and_typed_and_has_its_cost(
    context_of: ContextOf, site_day: SiteDay, kind: str
) -> None:
    before, after, typed, text, cost = CASES[kind]
    changing, where = of(kind), context(kind, context_of, site_day)
    changes = changing.changes(where, before, after)
    assert [change.typed for change in changes] == typed
    assert changes[0].text == text
    made = changing.cost(where, before, after)
    assert {name: getattr(made, name) for name in cost} == cost
    assert (changing.changes(where, before, before), changing.cost(where, before, before)) == (
        (), PlanCost()
    )  # fmt: skip


@pytest.mark.parametrize(("kind", "today", "first", "last"), VALUES)
def test_values_begin_with_todays_and_end_with_the_last_that_is_proposed(
    context_of: ContextOf,
    site_day: SiteDay,
    kind: str,
    today: dict[str, Any],
    first: list[float],
    last: float,
) -> None:
    [values] = of(kind).grids(context(kind, context_of, site_day), today).values()
    assert (list(values)[: len(first)], values[-1]) == (first, last)


@pytest.mark.parametrize("kind", TODAY)
def test_only_what_is_measured_or_configured_can_change(
    context_of: ContextOf, site_day: SiteDay, kind: str
) -> None:
    assert of(kind).today(context(kind, context_of, site_day)) == TODAY[kind]


@pytest.mark.parametrize(("kind", "key"), DECLARED)
def test_declared_values_rise_from_todays_and_stay_in_the_range(
    context_of: ContextOf, kind: ResourceKind, key: str
) -> None:
    setting = SETTINGS[key]
    changing = of(kind)
    where = context_of(ResourceKind.active_log)
    [first, *more] = changing.grids(where, {key: setting.lowest})[key]
    assert first == setting.lowest
    assert more
    assert all(setting.lowest < int(value) <= setting.highest for value in more)


def test_page_sets_grow_by_whole_cylinders_up_to_64_gib(context_of: ContextOf) -> None:
    values = of("page_set").grids(context_of(ResourceKind.page_set), {"pages": 180_000})["pages"]
    assert values[1] == 1_100 * PAGES_PER_CYLINDER
    assert PAGES_MAX - PAGES_PER_CYLINDER < int(values[-1]) <= PAGES_MAX
    assert all(int(value) % PAGES_PER_CYLINDER == 0 for value in values)


def test_sizes_of_structures_are_multiples_of_eight_mib(context_of: ContextOf) -> None:
    where = context_of(ResourceKind.structure)
    values = of("structure").grids(where, {"structure_size_mib": 512.0})["structure_size_mib"]
    assert values == sorted(set(values))
    assert all(float(value) % 8 == 0 for value in values)


@pytest.mark.parametrize(
    ("kind", "key", "more", "mib", "restarts"),
    [
        ("chinit_adapters", "adapters", 1, 0.15, 1),
        ("chinit_adapters", "adapters", 112, 16.41, 1),
        ("chinit_tasks", "dispatchers", 10, 1.0, 1),
        ("chinit_tasks", "ssltasks", 10, 14.5, 1),
        ("chinit_tasks", "omvs_maxprocuser", 25, 0.0, 0),
    ],
)
def test_tasks_take_31_bit_storage_and_a_restart_and_processes_take_none(
    context_of: ContextOf, kind: str, key: str, more: int, mib: float, restarts: int
) -> None:
    today = TASKS if key in TASKS else {"adapters": 8}
    after = {**today, key: today[key] + more}
    cost = of(kind).cost(context_of(ResourceKind(kind)), today, after)
    assert (cost.chinit_31bit_mib, cost.chinit_restarts) == (mib, restarts)


def test_each_further_backup_of_a_week_counts_as_work(context_of: ContextOf) -> None:
    where = context_of(ResourceKind.recovery)
    plan = where.facts.settings.plan
    cost = of("recovery").cost(where, BACKUPS, {**BACKUPS, "page_set_backup_hours": 24})
    assert cost.work_hours == pytest.approx(plan.change_hours + 6 * plan.backup_hours)


@pytest.mark.parametrize(
    ("kind", "metric", "used", "text"),
    [
        (
            SubjectKind.coupling_facility,
            "cf_busy_pct",
            {"PLEX1/CF01": 26.0, "PLEX1/CF02": 34.0, "PLEX1/CF03": 21.5},
            "Move structures to CF03, which is at most 21.5 % busy",
        ),
        (
            SubjectKind.buffer_pool,
            "buffer_pool_used_pct",
            {"PLEX1/CSQ1/BP01": 90.0, "PLEX1/CSQ1/BP02": 38.0, "PLEX1/CSQ1/BP03": 60.0},
            "Move its busiest page sets to BP02, of which at most 38 % are in use",
        ),
    ],
)
def test_load_may_move_to_the_least_used_other_one(
    context_of: ContextOf, kind: SubjectKind, metric: str, used: dict[str, float], text: str
) -> None:
    where = context_of(ResourceKind(kind))
    assert of(kind).alternatives(where, {}) == ()
    days = [
        WindowDay(metric, subject, kind, "%", where.site_date, value, value, value)
        for subject, value in used.items()
    ]
    facts = where.facts._replace(observed=Observed(days, where.site_date, 35))
    [other] = of(kind).alternatives(where._replace(facts=facts), {})
    assert other.changes[0].text.startswith(text)


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("mq_log", "DST-LOG-PRIMARY"),
        ("mq_log_file_system", "DST-LOG-FS"),
        ("mq_data_file_system", "DST-QM-FS"),
        ("mq_channels", "DST-CHANNELS"),
        ("mq_channel", "DST-CHANNEL-INSTANCES"),
    ],
)
def test_with_the_plan_what_if_finds_the_rule_kept(site_day: SiteDay, kind: str, rule: str) -> None:
    assert bad_results(site_day, ResourceKind(kind)) == ({rule}, set())


def test_sizes_that_are_not_known_are_named_once_beside_those_that_are() -> None:
    unsized = PlanCost(unsized=("+80 % of the data file system of QM1",))
    assert total_cost([PlanCost(file_system_mib=112), unsized, unsized]).unsized == unsized.unsized
