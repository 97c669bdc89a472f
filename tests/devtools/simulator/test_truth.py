"""The planted truth: classes, dates, expected results of rules, growth per day, forecasts."""

from datetime import date, timedelta
from typing import Any, Final

import pytest

from devtools.simulator.queue_manager import simulated_period
from devtools.simulator.spec import sample_spec, small_spec
from devtools.simulator.truth import (
    CrossingClass,
    PlantedTruth,
    log_bytes_by_day,
    planted_truths,
)
from mqcap.domain.metric import SubjectKind
from sizing.rulebook.registry import all_rules
from tests.devtools.simulator.builders import (
    ANCHOR,
    estate_spec,
    period,
    plex_spec,
    qmgr_spec,
    queue_manager,
    steady,
)

HEADLINES = {
    "PLEX1/CSQ1": CrossingClass.crosses_within_90_days,
    "PLEX1/CSQ2": CrossingClass.already_over,
    "PLEX1/CSQ3": CrossingClass.never,
    "PLEX1/CSQ8": CrossingClass.not_enough_data,
    "PLEX1/CF01": CrossingClass.crosses_within_90_days,
    "PLEX1/CF02": CrossingClass.never,
    "PLEX1/CF03": CrossingClass.not_enough_data,
    "PLEX2/CF11": CrossingClass.already_over,
    "31 PLEX1/CSQ1/CHINIT": CrossingClass.never,
    "31 PLEX1/CSQ2/CHINIT": CrossingClass.crosses_within_90_days,
    "31 PLEX1/CSQ3/CHINIT": CrossingClass.already_over,
    "31 PLEX1/CSQ8/CHINIT": CrossingClass.not_enough_data,
    "64 PLEX1/CSQ1/CHINIT": CrossingClass.never,
    "64 PLEX1/CSQ3/CHINIT": CrossingClass.crosses_within_90_days,
    "64 PLEX1/CSQ8/CHINIT": CrossingClass.not_enough_data,
    "64 PLEX2/CSQ9/CHINIT": CrossingClass.already_over,
}


@pytest.mark.parametrize("last", [date(2026, 1, 1) + timedelta(days=23 * n) for n in range(20)])
def test_each_headline_limit_is_seen_in_every_class_on_any_day(last: date) -> None:
    spec = sample_spec()
    truths = planted_truths(spec, simulated_period(spec, last - timedelta(days=399), last))
    by_name = {
        f"{truth.metric[7:9]} {truth.subject}" if "chinit" in truth.metric else truth.subject: truth
        for truth in truths
    }
    assert {name: by_name[name].crossing_class for name in HEADLINES} == HEADLINES
    for truth in truths:
        if truth.crossing_class is CrossingClass.crosses_within_90_days:
            assert truth.first_crossing_date is not None
            assert truth.working_day_crossing_date is not None
            assert last < truth.first_crossing_date <= truth.working_day_crossing_date
            assert truth.working_day_crossing_date <= last + timedelta(days=100)


def truths(days: int = 400, **changed: Any) -> dict[str, PlantedTruth]:
    """Return by metric the truth about one queue manager that is as given."""
    qmgr = qmgr_spec(**{"log_mib_per_s": steady(0.1), "channels": steady(100), **changed})
    spec = estate_spec(sysplexes=(plex_spec(qmgrs=(qmgr,), cfs=()),))
    return {truth.metric: truth for truth in planted_truths(spec, period(days))}


@pytest.mark.parametrize(
    ("growth_per_year", "kind", "days_ahead"),
    [
        (0.405, "crosses_within_90_days", 90),  # 1 + 0.405 x 90 / 365 = 1.0999
        (0.402, "crosses_later", 91),
        (0.0, "never", None),
    ],
)
def test_the_class_follows_from_the_days_to_the_crossing(
    growth_per_year: float, kind: str, days_ahead: int | None
) -> None:
    load = steady(1.0).model_copy(update={"growth_ratio_per_year": growth_per_year})
    truth = truths(log_mib_per_s=load, active_log_size_mib=1.0998 * 1800)["log_growth_mib_per_s"]
    expected = None if days_ahead is None else ANCHOR + timedelta(days=days_ahead)
    assert (truth.crossing_class, truth.first_crossing_date) == (kind, expected)


def test_a_peak_before_the_last_35_days_is_no_breach_of_today() -> None:
    falling = steady(1.0).model_copy(update={"growth_ratio_per_year": -0.8})
    size = (1 + 0.8 * 35 / 365) * 1800
    truth = truths(log_mib_per_s=falling, active_log_size_mib=size)["log_growth_mib_per_s"]
    assert truth.crossing_class is CrossingClass.never
    assert truth.peak_of_window == pytest.approx(1 + 0.8 * 34 / 365)


def test_what_is_over_already_has_no_date() -> None:
    growing = steady(1.0).model_copy(update={"growth_ratio_per_year": 0.5})
    truth = truths(log_mib_per_s=growing, active_log_size_mib=1024)["log_growth_mib_per_s"]
    assert truth.crossing_class is CrossingClass.already_over
    assert (truth.first_crossing_date, truth.working_day_crossing_date) == (None, None)


@pytest.mark.parametrize(("level", "judged"), [("9.3.4", False), ("9.3.5", True), ("9.4.0", True)])
def test_storage_above_the_bar_has_a_limit_from_the_version_that_reports_it(
    level: str, judged: bool
) -> None:
    assert ("chinit_64bit_used_pct" in truths(mq_level=level)) is judged


@pytest.mark.parametrize(("engines", "limit"), [(1, 30), (2, 60), (16, 60)])
def test_a_facility_with_one_engine_has_the_lower_limit(engines: int, limit: float) -> None:
    facility = plex_spec().cfs[0].model_copy(update={"engines": engines})
    spec = estate_spec(sysplexes=(plex_spec(qmgrs=(), cfs=(facility,)),))
    assert [truth.limit for truth in planted_truths(spec, period())] == [limit]


def test_log_growth_is_that_of_the_intervals_which_start_on_the_day() -> None:
    made = queue_manager(days=3, restart_every_days=None)
    yesterday = ANCHOR - timedelta(days=1)
    by_day = log_bytes_by_day(made.of_days(yesterday, ANCHOR))
    assert list(by_day) == [yesterday, ANCHOR]
    assert by_day[ANCHOR] == int(made.log_bytes[-24:].sum())
    assert by_day[yesterday] == int(made.log_bytes[-48:-24].sum())


PART_OF: Final = {
    SubjectKind.queue_manager: "",
    SubjectKind.coupling_facility: "",
    SubjectKind.channel_initiator: "CHINIT",
    SubjectKind.buffer_pool: "BP",
    SubjectKind.page_set: "PS",
}
"""Begin of the last part of a subject, below its owner."""
PLANTED: Final = [
    planted
    for spec in (sample_spec(), small_spec())
    for plex in spec.sysplexes
    for rules in (*(qmgr.rules for qmgr in plex.qmgrs), *(cf.rules for cf in plex.cfs))
    for planted in rules
]


def test_every_planted_rule_is_one_of_the_rulebook_and_names_a_subject_of_its_kind() -> None:
    assert len(PLANTED) > 10
    for planted in PLANTED:
        part = PART_OF[all_rules()[planted.rule].traits.subject_kind]
        assert planted.part.startswith(part), planted
        assert bool(planted.part) is bool(part), planted


def test_breaches_and_rules_that_hold_are_both_planted() -> None:
    assert {planted.breach for planted in PLANTED} == {True, False}
