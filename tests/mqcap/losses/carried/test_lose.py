"""What survivors carry when one is lost."""

from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.estate import QueueManager
from mqcap.domain.finding import Finding
from mqcap.domain.forecast import Forecast
from mqcap.domain.metric import Statistic, series_id
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.judging.known import Known
from mqcap.losses.carried.lose import (
    Carrying,
    LossOverlay,
    can_be_lost,
    carried_text,
    loss_of,
    marked,
)
from mqcap.losses.carried.taken_load import (
    HourlySum,
    TakenLoad,
    has_common_hours,
    with_taken_loads,
)
from mqcap.whatif.comparison import Baseline, as_document
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.terminal import details
from tests import factories
from tests.mqcap.judging.observations import with_series
from tests.mqcap.whatif.sharing_group import (
    APPL2,
    CF01,
    CF02,
    CF03,
    CSQ1,
    CSQ2,
    CSQ4,
    DAY,
    LOCK,
    LOG,
    estate,
    facility,
    facts_of,
    has,
    hours,
    member,
    peak_of,
)

TEST = {"class": "test"}
CARRYING = Carrying(CF02, {CF03: "CF busy 49 % of 60 %", CF01: "CF busy 129 % of 30 %"})
HOURS = {
    (LOG, CSQ1): hours((1.0, 2.0), (0.5, 1.0), (0.5, 0.5)),
    (LOG, CSQ2): hours((0.5, 0.5), (2.0, 3.0), None),
}
"""Only two hours are of both."""
LOGS = TakenLoad((LOG, CSQ1), (LOG, CSQ2), 1.0, (), by_hour=True)
BUSY = TakenLoad(("cf_busy_pct", CF01), ("cf_busy_pct", CF02), 3.0, ())


def found(loss: LossOverlay, rule_id: str, subject: str) -> Finding:
    [finding] = [
        verdict.finding
        for verdict in judge_facts(loss.facts)
        if (verdict.finding.rule_id, verdict.finding.subject) == (rule_id, subject)
    ]
    return finding


def test_the_sample_without_cf02_needs_129_percent_of_the_engine_of_cf01_and_73_of_cf03(
    sample: DayFacts,
) -> None:
    """CF02 uses 34.28 % of 3 engines, that is 102.8 % of one.

    CF01: (26.48 x 1 + 34.28 x 3) / 1 = 129.3 %. CF03: (21.50 x 2 + 34.28 x 3) / 2 = 72.9 %.
    """
    loss = loss_of(sample, CF02)
    one, three = found(loss, "CF-BUSY-1", CF01), found(loss, "CF-BUSY-N", CF03)
    assert one.observed == pytest.approx(26.48 + 34.282 * 3)
    assert three.observed == pytest.approx((21.504 * 2 + 34.282 * 3) / 2)
    assert (one.limit_value, three.limit_value) == (30, 60)
    assert (round(one.observed or 0), round(three.observed or 0)) == (129, 73)
    assert (one.breach, three.breach) == (True, True)
    assert loss.effects[0].lines == (
        "+ 34.28 % x 3 engines of PLEX1/CF02 / 1 engines = + 102.8 points at its peak",
    )


def test_without_cf01_the_three_engines_of_cf02_are_43_percent_busy(tmp_path: Path) -> None:
    """(34.28 x 3 + 26.48) / 3 = 43.1 %, as CF-SURVIVOR states it where CF02 takes over."""
    configured = estate(
        (facility("CF01", 1), facility("CF02", 3, takes_over="CF01"), facility("CF03", 2))
    )
    facts = facts_of(tmp_path, configured=configured)
    loss = loss_of(facts, CF01)
    assert loss.survivors == (CF02,)
    [survivor] = [v.finding for v in judge_facts(facts) if v.finding.rule_id == "CF-SURVIVOR"]
    assert found(loss, "CF-BUSY-N", CF02).observed == pytest.approx(survivor.observed)
    assert survivor.observed == pytest.approx(43.1, abs=0.05)


def test_what_is_lost_is_evaluated_no_more(tmp_path: Path) -> None:
    busy = factories.forecast(series_id=series_id("cf_busy_pct", CF02), cutoff_date=DAY)
    facts = facts_of(tmp_path, forecasts=(busy,))
    assert has(facts, "cf_busy_pct", CF02)
    loss = loss_of(facts, CF02)
    assert not has(loss.facts, "cf_busy_pct", CF02)
    subjects = {verdict.finding.subject for verdict in judge_facts(loss.facts)}
    assert not subjects & {CF02, APPL2}
    assert loss.facts.estate.coupling_facility("PLEX1", "CF02") is None


def test_free_storage_is_a_figure_of_each_survivor(sample: DayFacts) -> None:
    """55 % of 16,384 MiB are free; 8,192 and 100 MiB arrive."""
    computed = loss_of(sample, CF02).computed
    assert [each.subject for each in computed] == [CF01, CF03]
    assert [each.before for each in computed] == pytest.approx([9_011.2, 9_011.2])
    assert [each.after for each in computed] == pytest.approx([719.2, 719.2])
    assert computed[0].lines == ("2 structures of 8,292 MiB against 9,011.2 MiB free: they fit",)


def test_the_log_of_a_survivor_is_the_hourly_sum_and_its_runway_is_in_hours(
    sample: DayFacts,
) -> None:
    """Seven logs of 2,048 MiB; 1.5 and 2.5 MiB/s in the two hours that both have."""
    loss = loss_of(sample, CSQ2)
    assert loss.survivors == (CSQ1,)
    assert peak_of(loss.facts, LOG, CSQ1) == 4.0
    runway = found(loss, "LOG-RUNWAY-12H", CSQ1)
    assert runway.unit == "h"
    assert runway.observed == pytest.approx(7 * 2_048 / 2.0 / 3_600, abs=0.1)
    fill = found(loss, "LOG-FILL-30MIN", CSQ1)
    assert fill.unit == "min"
    [line] = next(effect.lines for effect in loss.effects if effect.metric == LOG)
    assert "each hour of PLEX1/CSQ2 added to the same hour: at most 4 MiB/s" in line
    assert "the peaks of 2 and 3 MiB/s need not be of one hour" in line
    assert fill.observed == pytest.approx(2_048 / 4.0 / 60)


def test_every_member_of_production_may_get_the_work_of_a_lost_one(tmp_path: Path) -> None:
    configured = estate(
        qmgrs=(member("CSQ1"), member("CSQ2"), member("CSQ3"), member("CSQ4", **TEST))
    )
    facts = facts_of(tmp_path, configured=configured)
    loss = loss_of(facts, CSQ2)
    assert loss.survivors == (CSQ1, "PLEX1/CSQ3")
    assert loss.assumptions[0].startswith("The survivors share the work of PLEX1/CSQ2: ")
    assert loss_of(facts, CSQ4).survivors == (CSQ1, CSQ2, "PLEX1/CSQ3")


@pytest.mark.parametrize(
    ("others", "survivor"),
    [
        ((member("CSQ4", **TEST),), CSQ4),
        ((member("CSQ1"), member("CSQ3", stands_in_for=["CSQ2"])), "PLEX1/CSQ3"),
    ],
    ids=["of test, where there is no other", "the one that stands in"],
)
def test_one_member_takes_the_work_alone(
    tmp_path: Path, others: tuple[QueueManager, ...], survivor: str
) -> None:
    facts = facts_of(tmp_path, configured=estate(qmgrs=(member("CSQ2"), *others)))
    assert loss_of(facts, CSQ2).survivors == (survivor,)


def test_logs_without_hours_are_said_to_be_left_alone(tmp_path: Path) -> None:
    loss = loss_of(facts_of(tmp_path, by_hour={}), CSQ2)
    assert any("no hours of the log write rate" in line for line in loss.assumptions)
    assert peak_of(loss.facts, LOG, CSQ1) == 2.0


def test_what_shares_no_queues_or_is_not_known_cannot_be_lost(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, configured=estate(qmgrs=(member("CSQ1", qsg=None), member("CSQ2"))))
    with pytest.raises(ConfigurationError, match="in no queue sharing group"):
        loss_of(facts, CSQ1)
    with pytest.raises(ConfigurationError, match="found PLEX1/CF09; expected PLEX1/CF01"):
        loss_of(facts, "PLEX1/CF09")


def test_facilities_of_known_engines_and_members_of_groups_can_be_lost(tmp_path: Path) -> None:
    configured = estate(cfs=(), qmgrs=(member("CSQ1"), member("CSQ2", qsg=None)))
    facts = facts_of(tmp_path, configured=configured)
    assert can_be_lost(facts) == [CF01, CF02, CF03, CSQ1]
    unknown = with_series(facts.observed, {("cf_engine_count", CF03): []})
    assert can_be_lost(facts._replace(observed=unknown)) == [CF01, CF02, CSQ1]


def test_a_scenario_loses_by_the_end_of_a_name(sample: DayFacts) -> None:
    result = Baseline(sample).compare(Scenario.model_validate({"lose": "CF02"}))
    assert [loss.lost for loss in result.losses] == [CF02]
    changed = {(difference.rule_id, difference.subject) for difference in result.differences}
    assert {("CF-BUSY-1", CF01), ("CF-BUSY-N", CF03)} <= changed
    assert not any(difference.subject.startswith(CF02) for difference in result.differences)


def test_two_facilities_are_lost_one_after_the_other(sample: DayFacts) -> None:
    result = Baseline(sample).compare(Scenario.model_validate({"lose": [CF02, CF01]}))
    assert [loss.survivors for loss in result.losses] == [(CF01, CF03), (CF03,)]
    [three] = [difference for difference in result.differences if difference.subject == CF03]
    total = 21.504 * 2 + 34.282 * 3 + (26.48 + 34.282 * 3)
    assert three.after[0] is not None
    assert three.after[0].observed == pytest.approx(total / 2)


def test_growth_counts_before_the_loss(sample: DayFacts) -> None:
    growth = {"subjects": ["PLEX1/CF02"], "pct": 10}
    scenario = Scenario.model_validate({"growth": [growth], "lose": CF02})
    result = Baseline(sample).compare(scenario)
    [one] = [difference for difference in result.differences if difference.subject == CF01]
    assert one.after[0] is not None
    assert one.after[0].observed == pytest.approx(26.48 + 34.282 * 3 * 1.1)


def test_text_and_json_of_a_loss_name_survivors_and_assumptions(tmp_path: Path) -> None:
    configured = estate(
        (
            facility("CF01", 1),
            facility("CF02", 3, structures=[{"name": "ISGLOCK", "preference_list": ["CF02"]}]),
            facility("CF03", 2),
        )
    )
    result = Baseline(facts_of(tmp_path, configured=configured)).compare(
        Scenario.model_validate({"lose": CF02})
    )
    lines = list(details(result))
    assert lines[:2] == [
        "Loss of PLEX1/CF02: its load goes to PLEX1/CF01 PLEX1/CF03",
        "  nowhere to go: PLEX1/CF02/ISGLOCK",
    ]
    [lost] = as_document(result)["lost"]
    assert lost["survivors"] == [CF01, CF03]
    assert lost["nowhere_to_go"] == [LOCK]
    assert f"  {lost['assumptions'][0]}" in lines


def test_results_of_the_other_survivors_are_marked() -> None:
    assert marked(CF03, [CARRYING]) == CF03
    assert marked(CF01, [CARRYING]) == f"{CF01} *"
    assert marked(f"{CF01}/QSG1APPL1", [CARRYING]) == f"{CF01}/QSG1APPL1 *"
    assert marked("PLEX1/CF011", [CARRYING]) == "PLEX1/CF011"
    assert marked(CF01, []) == CF01


def test_every_survivor_is_named_with_what_it_carries_the_best_one_first() -> None:
    assert carried_text(CARRYING) == (
        "PLEX1/CF03 carries the loss of PLEX1/CF02 best (any one survivor is enough). PLEX1/CF03: "
        "CF busy 49 % of 60 %. PLEX1/CF01: CF busy 129 % of 30 %. Results of "
        "the others are marked *."
    )


def forecast_of(metric: str, subject: str, *line: float) -> Forecast:
    """A forecast of one day: lower, expected, upper."""
    day = (line[0], line[1], line[2])
    return factories.forecast(series_id=series_id(metric, subject), cutoff_date=DAY, lines=[day])


FORECASTS = (
    forecast_of("cf_busy_pct", CF01, 26, 27, 28),
    forecast_of("cf_busy_pct", CF02, 34, 35, 37),
)


def test_log_rates_are_added_in_each_hour_that_both_have_and_not_peak_to_peak(
    tmp_path: Path,
) -> None:
    """2 + 0.5 in the first hour and 1 + 3 in the second, where the peaks are 2 and 3."""
    known = facts_of(tmp_path, by_hour=HOURS)
    facts = with_taken_loads(known, [LOGS])
    assert peak_of(facts, LOG, CSQ1) == 4.0
    [day] = facts.observed.days(LOG, CSQ1)
    assert (day.mean, day.p95) == pytest.approx((2.0, 1.5 + 0.95))
    summed = HourlySum(known, LOGS).hours
    assert summed.hour_count == 2
    assert summed.curve.volumes_mib == (2.5 * 3_600, 4.0 * 3_600)


def test_the_states_of_a_day_that_share_hours_share_their_sum(tmp_path: Path) -> None:
    """One whose own hours are others has another sum."""
    facts = facts_of(tmp_path, by_hour=HOURS)._replace(known=Known())
    states = [facts._replace(observed=facts.observed.replaced({})) for _ in range(2)]
    first, second = (HourlySum(state, LOGS) for state in states)
    assert first.hours is second.hours
    assert first.days is second.days
    own = facts.observed.hours[LOG, CSQ1]
    other = facts.observed.replaced({}, {(LOG, CSQ1): own._replace})
    third = HourlySum(facts._replace(observed=other), LOGS)
    assert third.hours is not first.hours
    assert third.hours == first.hours


def test_hours_without_a_day_of_the_daily_roll_up_are_not_added(sample: DayFacts) -> None:
    without = with_series(sample.observed, {(LOG, CSQ1): []})
    assert has_common_hours(sample, LOGS)
    assert not has_common_hours(sample._replace(observed=without), LOGS)


def test_a_forecast_grows_by_that_of_the_lost_part_else_by_its_present_level(
    tmp_path: Path,
) -> None:
    own, other = FORECASTS
    facts = with_taken_loads(facts_of(tmp_path, forecasts=(own, other)), [BUSY])
    raised = facts.forecasts[own.series_id, own.statistic].points[-1]
    last, lost = own.points[-1], other.points[-1]
    assert raised.expected == pytest.approx(last.expected + 3 * lost.expected)
    assert raised.upper == pytest.approx(last.upper + 3 * lost.upper)
    assert facts.forecasts[other.series_id, other.statistic] == other
    alone = facts_of(tmp_path, forecasts=(own,))
    raised = with_taken_loads(alone, [BUSY]).forecasts[own.series_id, own.statistic].points[-1]
    level = alone.observed.highest("cf_busy_pct", CF02, own.statistic)
    assert raised.expected == pytest.approx(last.expected + 3 * level)


def test_states_of_a_day_with_the_same_load_share_days_and_forecast(tmp_path: Path) -> None:
    """With less of it both are others."""
    own, other = FORECASTS
    known = facts_of(tmp_path, forecasts=(own, other))._replace(known=Known())
    loads = (BUSY, BUSY, BUSY._replace(factor=2.0))
    first, again, less = (with_taken_loads(known, [load]) for load in loads)
    series, key = ("cf_busy_pct", CF01), (own.series_id, own.statistic)
    assert first.observed.measured(*series) is again.observed.measured(*series)
    assert first.observed.days(*series) != less.observed.days(*series)
    assert first.forecasts[key] is again.forecasts[key]
    assert first.forecasts[key] != less.forecasts[key]


def test_forecasts_of_logs_are_added_as_far_as_their_peaks_coincide(tmp_path: Path) -> None:
    """4 of 2 + 3 MiB/s were measured together: four fifths of the sum of the forecasts."""
    own, other = (
        forecast_of(LOG, each, *line) for each, line in ((CSQ1, (1, 2, 3)), (CSQ2, (2, 3, 4)))
    )
    assert own.statistic is Statistic.peak
    facts = with_taken_loads(facts_of(tmp_path, forecasts=(own, other)), [LOGS])
    raised = facts.forecasts[own.series_id, own.statistic].points[0]
    together = 0.8 * (own.points[0].expected + other.points[0].expected)
    assert raised.expected == pytest.approx(together)
