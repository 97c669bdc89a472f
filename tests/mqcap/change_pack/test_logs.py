from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqcap.change_pack.logs import LogPlan, cluster, log_needs, log_plan, log_statements
from mqcap.change_pack.targets import RequestedChange, Target
from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from sizing.log_space import MIB_PER_CYLINDER
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests.mqcap.change_pack.builders import finding, logs
from tests.mqcap.rulebook.builders import (
    DAY,
    QUEUE_MANAGER,
)
from tests.sizing.builders import Policy


def test_no_job_has_more_steps_than_a_job_can_have() -> None:
    plan = LogPlan("CSQ1", 5_825, 4, 200, replaces=True, dual_logging=True)
    lines = list(log_statements(plan))
    starts = [number for number, line in enumerate(lines) if " JOB " in line]
    ends = [*starts[1:], len(lines)]
    steps = [
        sum("PGM=CSQJUFMT" in line for line in lines[start:end])
        for start, end in zip(starts, ends, strict=True)
    ]
    assert steps == [0, 255, 145, 0]


@settings(max_examples=60)
@given(
    rate=st.floats(0.01, 2.2),
    size_mib=st.integers(100, 4_000),
    count=st.integers(2, 40),
    sustained=st.floats(0.1, 1.0),
)
def test_following_the_pack_makes_its_rules_true(
    rate: float, size_mib: int, count: int, sustained: float
) -> None:
    measured = {
        "log_rate_mib_per_s": rate,
        "sustained_rate_mib_per_s": rate * sustained,
        "day_mean_mib_per_s": rate * sustained / 2,
    }

    def judged(size: float, logs: int) -> list[Finding]:
        given_values = measured | {"log_size_mib": size, "active_logs": logs}
        rules = [all_rules()[name] for name in ("LOG-FILL-30MIN", "LOG-RUNWAY-12H")]
        return [
            judge(
                rule,
                QUEUE_MANAGER,
                DAY,
                [
                    InputValue(name=name, value=value)
                    for name, value in given_values.items()
                    if name in rule.inputs.model_fields
                ],
                Policy(),
            )
            for rule in rules
        ]

    requested = [
        RequestedChange(Target("PLEX1", ("CSQ1",), "logs"), one, change)
        for one in judged(size_mib, count)
        for change in one.changes
    ]
    if requested:
        plan = log_plan("CSQ1", requested)
        total = plan.new if plan.replaces else count + plan.new
        after = judged(min(plan.cylinders * MIB_PER_CYLINDER, 4_096), total)
        assert [one.breach for one in after] == [False, False]


def planned(*made: Finding) -> LogPlan:
    return log_plan(
        "CSQ1",
        [
            RequestedChange(Target("PLEX1", ("CSQ1",), "logs"), one, change)
            for one in made
            for change in one.changes
        ],
    )


def test_larger_logs_replace_those_of_today() -> None:
    plan = planned(logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883)))
    assert plan == LogPlan("CSQ1", 4_883, 4, 4, replaces=True, dual_logging=True)
    assert plan.copies == (1, 2)


def test_further_logs_of_the_same_size_replace_nothing() -> None:
    more = TypedAmount.of(TypedKind.more_data_sets, 1_423, 3)
    plan = planned(logs("LOG-COUNT-MIN", more, dual=False))
    assert plan == LogPlan("CSQ1", 1_423, 4, 3, replaces=False, dual_logging=False)
    assert plan.copies == (1,)


@pytest.mark.parametrize(("switch", "copies"), [("yes", (1, 2)), ("no", (1,)), (None, (1, 2))])
def test_single_logging_as_the_estate_states_it_gets_no_second_copy(
    switch: str | None, copies: tuple[int, ...]
) -> None:
    made = logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 4_883), dual=None)
    if switch is not None:
        value = InputValue(name="dual_logging", value=switch)
        made = made.model_copy(update={"inputs": (*made.inputs, value)})
    plan = planned(made)
    assert plan.copies == copies
    text = "\n".join(log_statements(plan))
    assert ("COPY(2)" in text) is (2 in copies)
    assert ("not known whether logging is dual" in text) is (switch is None)


def test_the_largest_size_and_number_of_all_findings_is_planned() -> None:
    plan = planned(
        logs("LOG-FILL-30MIN", TypedAmount.of(TypedKind.cylinders, 3_000)),
        logs("LOG-RUNWAY-12H", TypedAmount.of(TypedKind.more_data_sets, 5_825, 2)),
    )
    assert (plan.cylinders, plan.new) == (5_825, 6)


def test_where_the_estate_does_not_say_how_many_logs_there_are_one_is_planned() -> None:
    made = finding("LOG-FILL-30MIN", QUEUE_MANAGER, TypedAmount.of(TypedKind.cylinders, 700))
    plan = planned(made)
    assert plan == LogPlan("CSQ1", 700, None, 1, replaces=True, dual_logging=None)
    text = "\n".join(log_statements(plan))
    assert "it is not known whether logging is dual" in text
    assert "the number of logs is not known" in text


def test_no_more_logs_are_planned_than_a_copy_can_have() -> None:
    amount = TypedAmount.of(TypedKind.cylinders, 5_825)
    plan = planned(logs("LOG-FILL-30MIN", amount, active_logs=310))
    assert plan.new == 310
    assert any("exceed 310" in line for line in log_statements(plan))


def test_larger_logs_take_dasd_beside_the_old_ones_and_lengthen_a_restart() -> None:
    replacing = LogPlan("CSQ1", 1_000, 4, 4, replaces=True, dual_logging=True)
    dasd, restart = log_needs(replacing)
    assert dasd.startswith(
        "DASD: 8 data sets x 1,000 cylinders of 3390 = 8,000 cylinders (5,625 MiB)"
    )
    assert "besides the old logs" in dasd
    assert "LOGLOAD" in restart
    [only] = log_needs(replacing._replace(replaces=False, new=1))
    assert only == "DASD: 2 data sets x 1,000 cylinders of 3390 = 2,000 cylinders (1,406 MiB)."


def test_a_cluster_is_linear_and_names_its_data_component() -> None:
    lines = list(cluster("HLQ.CSQ1.LOGCOPY1.DS01", 700))
    assert "     LINEAR -" in lines
    assert "     CYLINDERS(700)) -" in lines
    assert lines[-1] == "    (NAME(HLQ.CSQ1.LOGCOPY1.DS01.DATA))"
