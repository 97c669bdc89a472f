"""Room for further log files in the file system of the log."""

from pathlib import Path
from typing import NamedTuple

import pytest

from mqcap.domain.plan import Plan
from mqcap.domain.resource import ResourceKind
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.planning.levers.mq_files import (
    has_plan_of_its_own,
    needed_size,
)
from mqcap.planning.make import plan_of, plans_of_day
from mqcap.planning.settable import TODAY_PCT
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.sizes import LOG_FILE_SYSTEM, PRIMARY
from tests.mqcap.planning.levers.distributed import context_of, plan_in
from tests.mqcap.whatif.distributed import MEASURED, QMGR, distributed_facts

LOG, FILE_SYSTEM = ResourceKind.mq_log, ResourceKind.mq_log_file_system
RULE = "DST-LOG-FS"
SIZE_KEY = (QMGR, LOG_FILE_SYSTEM)
OTHERS = [metric for metric, *_ in MEASURED if "_log_" not in metric]


def facts_at(folder: Path, used_pct: float, size_mib: float = 400.0) -> DayFacts:
    """A file system of the log that does not fill any further by itself."""
    steady = {"mq_log_fs_used_pct": used_pct, "mq_log_fs_size_mib": size_mib}
    return distributed_facts(folder, *OTHERS, **steady)


class Planned(NamedTuple):
    facts: DayFacts
    plans: dict[str, Plan]


@pytest.fixture(scope="module")
def tight(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    """70 % of 100 MiB: room for a file."""
    facts = facts_at(tmp_path_factory.mktemp("tight"), used_pct=70.0, size_mib=100.0)
    return Planned(facts, plans_in(facts))


def plans_in(facts: DayFacts) -> dict[str, Plan]:
    return {plan.about.kind: plan for plan in plans_of_day(facts, judge_facts(facts))}


def still_bad(facts: DayFacts, *plans: Plan) -> set[str]:
    """Rules that stay Watch or Act with plans typed into what-if."""
    parts = [part for plan in plans for part in plan.scenario_parts]
    scenario = Scenario.model_validate({"configuration": parts})
    return {each.rule_id for each in Baseline(facts).compare(scenario).still}


@pytest.mark.thorough
def test_files_that_fit_need_no_other_size(tmp_path: Path) -> None:
    facts = facts_at(tmp_path, used_pct=40.0, size_mib=2_000.0)
    log = plans_in(facts)[LOG]
    assert SIZE_KEY not in log.settings
    assert [change.side_effects for change in log.changes] == [
        "the file system of the log has the room until the horizon"
    ]
    assert RULE not in still_bad(facts, log)


@pytest.mark.thorough
def test_two_plans_of_one_queue_manager_agree(tmp_path: Path) -> None:
    facts = distributed_facts(tmp_path, *OTHERS, mq_log_fs_size_mib=100.0)
    plans = plans_in(facts)
    log, file_system = plans[LOG], plans[FILE_SYSTEM]
    assert SIZE_KEY not in log.settings
    assert "its own plan counts these files" in log.changes[0].side_effects
    assert "this counts the plan of QM1 log files" in file_system.changes[0].text
    assert file_system.due_date <= log.due_date
    assert not still_bad(facts, log, file_system) & {RULE, "DST-LOG-PRIMARY", "DST-LOG-END"}
    alone = plan_of(context_of(facts, FILE_SYSTEM))
    assert int(file_system.settings[SIZE_KEY]) > int(alone.settings[SIZE_KEY])


@pytest.mark.thorough
@pytest.mark.parametrize("unknown", ["mq_log_fs_size_mib", "mq_log_file_pages_count"])
def test_a_plan_states_what_it_takes_to_know_the_room(tmp_path: Path, unknown: str) -> None:
    log = plan_of(context_of(distributed_facts(tmp_path, *OTHERS, unknown), LOG))
    assert SIZE_KEY not in log.settings
    key = "log_file_system_mib" if unknown == "mq_log_fs_size_mib" else "LogFilePages"
    assert "whether the file system of the log has the room is not known" in (
        text := log.changes[0].side_effects
    )
    assert key in text


@pytest.mark.parametrize(("files", "size_pct"), [(4, TODAY_PCT), (6, 120), (500, None)])
def test_sizes_follow_the_files(tight: Planned, files: int, size_pct: int | None) -> None:
    context = context_of(tight.facts, LOG)
    needed = needed_size(context, {PRIMARY: files})
    assert needed.size_pct == size_pct
    assert needed.rule_ids == (() if size_pct == TODAY_PCT else (RULE,))


def test_a_file_system_that_is_watched_has_a_plan_of_its_own(
    tight: Planned, tmp_path: Path
) -> None:
    assert not has_plan_of_its_own(context_of(tight.facts, LOG))
    assert has_plan_of_its_own(context_of(facts_at(tmp_path, used_pct=76.0), LOG))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["primary", "secondary"])
def test_without_the_numbers_of_files_the_plan_asks_for_them(tmp_path: Path, kind: str) -> None:
    plan = plan_in(tmp_path, LOG, f"mq_log_{kind}_files_count")
    assert plan.changes == ()
    assert plan.missing == ("LogPrimaryFiles and LogSecondaryFiles (qm.ini, or DISPLAY QMSTATUS)",)
