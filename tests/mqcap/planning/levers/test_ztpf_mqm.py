"""MQM of a z/TPF system."""

from datetime import timedelta
from typing import Final

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic, SubjectKind, series_id
from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.judging.observed import Observed
from mqcap.planning.context import PlanContext, contexts_of
from mqcap.planning.levers.ztpf_mqm import ZTPF_MQM
from mqcap.planning.make import plans_of_day
from mqcap.store.models import WindowDay
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.scenario import Scenario
from sizing.mqm import blocks_of
from tests.mqcap.rulebook.builders import DAY, new_store, rising, settings_of

SYSTEM: Final = "EAST/TPF1"
BLOCKS: Final = 128_000
USED_BLOCKS: Final = 96_000
MEASURED: Final = {
    "tpf_mqm_blocks": BLOCKS,
    "tpf_mqm_in_use_blocks": USED_BLOCKS,
    "tpf_mqm_high_water_blocks": USED_BLOCKS,
    "tpf_mqm_sweep_level_pct": 80,
}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    """75 % in use, which rises by 200 blocks a day: 80 % are passed after 32 days."""
    folder = tmp_path_factory.mktemp("ztpf")
    kind = SubjectKind.ztpf_system
    days = [
        WindowDay(metric, SYSTEM, kind, "count", DAY - timedelta(days=back), *(float(value),) * 3)
        for metric, value in MEASURED.items()
        for back in range(3)
    ]
    series = series_id("tpf_mqm_in_use_blocks", SYSTEM)
    forecasts = {(series, Statistic.peak): rising(series, USED_BLOCKS, 200)}
    estate = Estate.model_validate({"places": [{"site": "EAST", "ztpf": [{"name": "TPF1"}]}]})
    observed = Observed(days, DAY, 35)
    return DayFacts(observed, forecasts, estate, settings_of(folder), new_store(folder))


@pytest.fixture(scope="module")
def context(facts: DayFacts) -> PlanContext:
    [found] = contexts_of(facts, judge_facts(facts))
    assert found.resource.kind is ResourceKind.ztpf_mqm
    return found


@pytest.fixture(scope="module")
def plan(facts: DayFacts) -> Plan:
    [found] = plans_of_day(facts, judge_facts(facts))
    return found


def test_sizes_are_round_megabytes_up_to_ten_times_that_of_today(context: PlanContext) -> None:
    today = ZTPF_MQM.today(context)
    assert today == {"mqm_blocks": BLOCKS}
    sizes = ZTPF_MQM.grids(context, today)["mqm_blocks"]
    assert (sizes[1], sizes[-1]) == (blocks_of(530), blocks_of(5_250))


def test_the_plan_is_one_value_with_the_memory_and_the_ipl_that_it_takes(plan: Plan) -> None:
    [change] = plan.changes
    assert change.typed == "MQM 680 MB"
    assert change.settings == {"mqm_blocks": blocks_of(680)}
    assert change.text == (
        "Define 680 MB of MQM, in MB of 10^6 bytes as it is typed (166,015 blocks of 4,096 bytes), "
        "instead of 525 MB (128,000 blocks): 38,015 blocks more are 148.5 MiB."
    )
    assert (plan.base.cost.ipls, plan.base.cost.real_storage_mib, plan.base.cost.work_hours) == (
        1,
        148.5,
        2,
    )
    assert (plan.is_feasible, plan.evidence.not_kept) == (True, ())


def test_with_the_planned_size_what_if_finds_every_rule_kept(facts: DayFacts, plan: Plan) -> None:
    baseline = Baseline(facts)
    before = baseline.compare(Scenario()).still
    assert {each.rule_id for each in before} == {"TPF-SWEEP-LEVEL", "TPF-HWM"}
    scenario = Scenario.model_validate({"configuration": plan.scenario_parts})
    assert all(
        each.after[0] and each.after[0].severity is not Severity.act
        for each in baseline.compare(scenario).still
    )


def test_without_the_blocks_of_today_nothing_is_planned(context: PlanContext) -> None:
    assert ZTPF_MQM.today(context._replace(verdicts=())) is None
