"""Inputs of rules from measured days and the estate."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Direction, Statistic
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.inputs import values_of, worst_of
from mqcap.judging.observed import Observed
from mqcap.unit_costs.learnt import UnitCosts
from sizing.rulebook.registry import all_rules
from tests.factories import unit_cost
from tests.mqcap.judging.observations import DAY, LOG, SUBJECT, measured, observed


def estate(**qmgr: object) -> Estate:
    plex = {"sysplex": "PLEX1", "qmgrs": [{"name": "CSQ1"} | qmgr]}
    return Estate.model_validate({"sysplexes": [plex]})


def inputs(rule: str, days: Observed, **qmgr: object) -> dict[str, InputValue]:
    values = values_of(all_rules()[rule], SUBJECT, days, estate(**qmgr))
    return {value.name: value for value in values}


def test_the_worst_day_of_the_window_is_taken_with_its_date() -> None:
    days = observed(measured(0, 1.0), measured(10, 3.0), measured(20, 2.0))
    value = inputs("LOG-FILL-30MIN", days)["log_rate_mib_per_s"]
    assert (value.value, value.unit) == (3.0, "MiB/s")
    assert value.source == f"{LOG}/{SUBJECT}, peak of 35 days, on {DAY - timedelta(days=10)}"


def test_days_before_the_window_are_not_looked_at() -> None:
    days = observed(measured(0, 1.0), measured(35, 9.0))
    assert inputs("LOG-FILL-30MIN", days)["log_rate_mib_per_s"].value == 1.0


def test_a_rule_can_take_another_statistic() -> None:
    days = observed(measured(0, 1.0), measured(3, 2.0))
    value = inputs("LOG-RUNWAY-12H", days)["sustained_rate_mib_per_s"]
    assert value.value == pytest.approx(1.8)
    assert value.source.endswith(f"worst 95th percentile of 35 days, on {DAY - timedelta(days=3)}")


def test_the_last_week_is_compared_with_the_median_of_the_days_before() -> None:
    days = observed(
        measured(0, 8.0), measured(6, 9.0), measured(7, 1.0), measured(9, 2.0), measured(30, 30.0)
    )
    values = inputs("LOG-RATE-MBH", days)
    assert values["recent"].value == 4.5
    assert values["usual"].value == 1.0
    first, last = DAY - timedelta(days=30), DAY - timedelta(days=7)
    assert values["usual"].source.endswith(f"median of the daily mean, {first} to {last}")


def test_configured_values_name_their_key_and_switches_are_words() -> None:
    values = inputs("LOG-FILL-30MIN", observed(), active_log_size_mib=1_024, dual_logging=False)
    assert values["log_size_mib"].value == 1_024
    assert values["log_size_mib"].source == "settings, estate PLEX1/CSQ1: active_log_size_mib"
    assert values["dual_logging"].value == "no"


def test_what_is_neither_measured_nor_configured_is_left_out() -> None:
    assert inputs("LOG-FILL-30MIN", observed()) == {}


def test_the_first_source_that_has_a_value_is_taken() -> None:
    both = inputs("LOG-MAXARCH", observed(), page_set_backup_hours=24, structure_backup_hours=1)
    assert both["backup_hours"].value == 24
    second = inputs("LOG-MAXARCH", observed(), structure_backup_hours=1)
    assert second["backup_hours"].source.endswith("structure_backup_hours")


@pytest.mark.parametrize(("direction", "back"), [(Direction.upward, 1), (Direction.downward, 3)])
def test_the_side_of_the_limit_decides_which_day_is_worst(direction: Direction, back: int) -> None:
    days = [measured(4, 2.0), measured(3, 1.0), measured(2, 3.0), measured(1, 3.0)]
    worst = worst_of(days, Statistic.peak, direction)
    assert worst.site_date == DAY - timedelta(days=back)


@pytest.mark.parametrize(
    ("configured", "stated", "value", "source"),
    [
        (None, "9.3.5", "9.3.5", "records of PLEX1/CSQ1: mq_version"),
        ("9.4.0", "9.3.5", "9.4.0", "settings, estate PLEX1/CSQ1: mq_version"),
    ],
)
def test_the_mq_version_is_that_of_the_estate_or_the_records(
    configured: str | None, stated: str, value: str, source: str
) -> None:
    days = Observed([], DAY, 35, versions={"PLEX1/CSQ1": stated})
    known = estate(**({"mq_version": configured} if configured else {}))
    values = values_of(all_rules()["CHI-80-31BIT"], f"{SUBJECT}/CHINIT", days, known)
    assert [(entry.name, entry.value, entry.source) for entry in values] == [
        ("mq_version", value, source)
    ]


def test_a_version_that_nobody_states_is_left_out() -> None:
    days = Observed([], DAY, 35, versions={"PLEX1/CSQ2": "9.3.5"})
    assert values_of(all_rules()["CHI-80-31BIT"], f"{SUBJECT}/CHINIT", days, estate()) == ()


class Certain(UnitCosts):
    """One cost that is certain enough, of one channel initiator."""

    def __init__(self) -> None:
        self.asked: list[UnitCostKind] = []

    def find(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        self.asked.append(kind)
        return unit_cost() if subject == f"{SUBJECT}/CHINIT" else None


def test_a_learnt_cost_is_an_input_with_its_interval_and_sample() -> None:
    days = observed().learning(Certain())
    [value] = values_of(all_rules()["CHI-80-31BIT"], f"{SUBJECT}/CHINIT", days, estate())
    assert (value.name, value.value, value.unit) == ("channel_kib", 100.0, "KiB")
    assert value.source == (
        "learnt from 400 days to 2026-03-02, r 0.68 of PLEX1/CSQ1/CHINIT, 90 to 120"
    )


def test_without_a_learnt_cost_the_rule_has_no_such_input() -> None:
    rule, other = all_rules()["CHI-80-31BIT"], "PLEX1/CSQ2/CHINIT"
    assert values_of(rule, other, observed().learning(Certain()), estate()) == ()
    assert values_of(rule, f"{SUBJECT}/CHINIT", observed(), estate()) == ()
