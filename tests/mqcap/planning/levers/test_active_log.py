from pathlib import Path

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.plan import Incident
from mqcap.domain.resource import ResourceKind
from mqcap.judging.hours import MeasuredHours
from mqcap.planning.context import PlanContext, State
from mqcap.planning.levers.active_log import ACTIVE_LOG
from sizing.log_space import LOG_CAP_ALLOCATED_MIB, cylinders_for
from tests.factories import console_state
from tests.mqcap.planning.builders import active_log_of, facts_of, plan_of_active_log

TODAY: State = {"active_log_size_mib": 2_048.0, "active_logs": 6}


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> PlanContext:
    return active_log_of(facts_of(tmp_path_factory.mktemp("active_log"), 0.9))


def test_sizes_are_today_s_and_the_cap_and_numbers_end_at_310(context: PlanContext) -> None:
    grids = ACTIVE_LOG.grids(context, TODAY)
    assert list(grids["active_log_size_mib"]) == [2_048.0, 3_071.9, 4_095.7]
    assert (grids["active_logs"][0], grids["active_logs"][-1]) == (6, 310)
    sizes = ACTIVE_LOG.grids(context, {**TODAY, "active_log_size_mib": 500.0})
    assert [cylinders_for(float(size)) for size in sizes["active_log_size_mib"]] == [
        712, 1_457, 2_913, 4_369, 5_825,
    ]  # fmt: skip


def test_dasd_counts_each_copy_and_old_logs_are_freed_once_larger_ones_are_in_use(
    context: PlanContext, tmp_path: Path
) -> None:
    after: State = {"active_log_size_mib": 4_095.7, "active_logs": 16}
    larger = ACTIVE_LOG.cost(context, {**TODAY, "active_logs": 8}, after)
    assert larger.cylinders == 2 * (16 * 5_825 - 8 * 2_913) == 139_792
    assert (larger.replaced_cylinders, larger.peak_cylinders) == (2 * 8 * 2_913, 2 * 16 * 5_825)
    more = ACTIVE_LOG.cost(context, TODAY, {**TODAY, "active_logs": 9})
    assert (more.replaced_cylinders, more.replaced_dasd_mib) == (0, 0)
    assert more.peak_cylinders == more.cylinders == 2 * 3 * 2_913
    assert ACTIVE_LOG.cost(context, TODAY, TODAY).cylinders == 0
    one = active_log_of(facts_of(tmp_path, 0.9, dual_logging=False))
    assert 2 * ACTIVE_LOG.cost(one, TODAY, {**TODAY, "active_logs": 9}).cylinders == more.cylinders


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], " of 2,048 MiB."),
        (["MQM.CSQ1.DS01"], " of 2,048 MiB (MQM.CSQ1.DS01)."),
        (["MQM.C1.DS01", "MQM.C1.DS02", "MQM.C2.DS02"], " (MQM.C1.DS01 to MQM.C2.DS02)."),
    ],
)
def test_a_change_names_the_first_and_the_last_of_the_old_logs(
    tmp_path: Path, names: list[str], words: str
) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9, active_log_names=names))
    [more] = ACTIVE_LOG.changes(context, TODAY, {**TODAY, "active_logs": 9})
    assert more.text.endswith(words)


def test_larger_logs_are_all_new_and_more_logs_are_only_added(context: PlanContext) -> None:
    after: State = {"active_log_size_mib": 4_095.7, "active_logs": 16}
    [larger] = ACTIVE_LOG.changes(context, TODAY, after)
    assert (larger.typed, larger.settings) == ("16 x CYL(5825)", after)
    [more] = ACTIVE_LOG.changes(context, TODAY, {**TODAY, "active_logs": 9})
    assert (more.typed, more.settings) == ("3 x CYL(2913) more", {"active_logs": 9})
    assert more.before == {"active_logs": 6}
    assert ACTIVE_LOG.changes(context, TODAY, TODAY) == ()


@pytest.mark.parametrize(
    ("configured_mib", "sizes_mib"),
    [
        (4_094.0, [4_094.0, 4_095.7]),
        (4_095.0, [LOG_CAP_ALLOCATED_MIB]),
        (4_095.7, [LOG_CAP_ALLOCATED_MIB]),
        (4_096.0, [4_096.0]),
    ],
)
def test_logs_of_4095_mib_are_the_largest_and_are_not_defined_anew(
    tmp_path: Path, configured_mib: float, sizes_mib: list[float]
) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9, active_log_size_mib=configured_mib))
    today = ACTIVE_LOG.today(context)
    assert today is not None
    assert list(ACTIVE_LOG.grids(context, today)["active_log_size_mib"]) == sizes_mib


@pytest.mark.parametrize(("hours", "is_sized"), [(1, False), (11, False), (12, True)])
def test_logs_are_not_sized_by_fewer_than_12_measured_hours_in_a_row(
    tmp_path: Path, hours: int, is_sized: bool
) -> None:
    facts = facts_of(tmp_path, 0.9)
    curve = BusiestHours(volumes_mib=tuple(36_000 * hour for hour in range(1, hours + 1)))
    measured = MeasuredHours(curve, (), facts.observed.last, facts.observed.last, hours)
    series = ("log_growth_mib_per_s", "PLEX1/CSQ1")
    few = facts._replace(observed=facts.observed.replaced({}, {series: lambda: measured}))
    plan = plan_of_active_log(few)
    assert plan is not None
    assert bool(plan.changes) is is_sized
    reasons = [each for each in plan.missing if each.startswith("busiest_hours: the longest run")]
    assert len(reasons) == (not is_sized)


@pytest.mark.parametrize(("stop", "is_told"), [(None, True), ("CSQJ115E", False)])
def test_of_full_logs_without_a_message_of_archiving_the_plan_looks_at_the_offload_first(
    tmp_path: Path, stop: str | None, is_told: bool
) -> None:
    facts = facts_of(tmp_path, 0.9)
    last = facts.observed.last
    full = [console_state(site_date=last, last_date=last)]
    if stop:
        full.append(
            full[0].model_copy(update={"message_id": stop, "resource_kind": ResourceKind.archive})
        )
    facts.observed.states = full
    plan = plan_of_active_log(facts)
    assert isinstance(plan, Incident)
    first = "First look now at the offload task (DISPLAY LOG) and at the space for archives"
    assert (f"First {plan.cause}".startswith(first)) is is_told
    assert plan.cause.startswith("find out why archiving failed") is not is_told
    space = [option for option in plan.options if option.changes[0].typed.startswith("PRIQTY(")]
    assert [bool(each.condition) for each in space] == ([] if is_told else [True])


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (4_096.0, "each is counted with the 4,096 MiB of those of today; CYL(5825) holds 4,095.7"),
        (4_095.7, ""),
    ],
)
def test_more_logs_that_hold_another_size_than_those_of_today_say_so(
    tmp_path: Path, size: float, words: str
) -> None:
    context = active_log_of(facts_of(tmp_path, 0.9, active_log_size_mib=size))
    today: State = {"active_log_size_mib": size, "active_logs": 6}
    [more] = ACTIVE_LOG.changes(context, today, {**today, "active_logs": 9})
    assert ("each is counted" in more.side_effects) is bool(words)
    assert words in more.side_effects


def test_logs_whose_archives_are_above_65_535_tracks_count_their_data_class(
    context: PlanContext,
) -> None:
    plan = context.facts.settings.plan
    hours = {}
    for size in (3_071.9, 4_095.7):
        after: State = {"active_log_size_mib": size, "active_logs": 6}
        hours[size] = ACTIVE_LOG.cost(context, TODAY, after).work_hours
        [change] = ACTIVE_LOG.changes(context, TODAY, after)
        assert ("data class LARGE or EXT" in change.side_effects) is (size > 3_072)
    assert hours[4_095.7] - hours[3_071.9] == 2 * plan.change_hours


def test_compression_is_an_option_with_the_share_that_a_test_has_to_show(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, 0.28)
    plan = plan_of_active_log(facts)
    assert plan is not None
    assert all("COMPLOG" not in change.typed for change in plan.changes)
    [option] = [option for option in plan.options if option.condition]
    assert [change.typed for change in option.changes] == ["COMPLOG=RLE"]
    assert option.condition.endswith("shortens the log by 20 %")
    assert option.changes[0].scenario_parts == [
        {"subject": "PLEX1/CSQ1", "log_compression_pct": 20}
    ]
    assert option.cost.work_hours == facts.settings.plan.change_hours


def test_where_compression_alone_is_too_little_fewer_logs_are_beside_it(tmp_path: Path) -> None:
    plan = plan_of_active_log(facts_of(tmp_path, 0.9))
    assert plan is not None
    [option] = [option for option in plan.options if option.condition]
    assert next(change.typed for change in option.changes) == "COMPLOG=RLE"
    assert option.cost.cylinders < plan.base.cost.cylinders
