from datetime import date, timedelta
from functools import partial

import pytest

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.estate import Estate
from mqcap.domain.finding import InputValue
from mqcap.domain.metric import Direction, Statistic, SubjectKind
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.hours import MeasuredHours
from mqcap.judging.inputs import values_of, worst_of
from mqcap.judging.known import Known
from mqcap.judging.observed import MeasuredDays, Observed
from mqcap.store.models import WindowDay
from mqcap.unit_costs.learnt import UnitCosts
from sizing.rulebook.registry import all_rules
from tests.factories import unit_cost
from tests.mqcap.judging.observations import DAY, LOG, SUBJECT, measured, observed, with_series
from tests.mqcap.notifications.builders import cf_finding


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
    ("qmgr", "configured", "expected"),
    [
        ("CSQ1", {}, [("9.3.5", "records of PLEX1/CSQ1: mq_version")]),
        ("CSQ1", {"mq_version": "9.4"}, [("9.4", "settings, estate PLEX1/CSQ1: mq_version")]),
        ("CSQ2", {}, []),
    ],
)
def test_the_mq_version_is_that_of_the_estate_or_the_records(
    qmgr: str, configured: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    days = Observed([], DAY, 35, versions={f"PLEX1/{qmgr}": "9.3.5"})
    rule, known = all_rules()["CHI-80-31BIT"], estate(**configured)
    values = values_of(rule, f"{SUBJECT}/CHINIT", days, known)
    assert [(entry.value, entry.source) for entry in values] == expected


class Certain(UnitCosts):
    def __init__(self) -> None:
        pass

    def find(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        return unit_cost() if subject == f"{SUBJECT}/CHINIT" else None


def test_a_learnt_cost_is_an_input_with_its_interval_and_sample() -> None:
    days = observed().learning(Certain())
    rule, subject = all_rules()["CHI-80-31BIT"], f"{SUBJECT}/CHINIT"
    [value] = values_of(rule, subject, days, estate())
    assert (value.name, value.value, value.unit) == ("channel_kib", 100.0, "KiB")
    assert value.source == (
        "learnt from 400 days to 2026-03-02, r 0.68 of PLEX1/CSQ1/CHINIT, 90 to 120"
    )
    assert values_of(rule, "PLEX1/CSQ2/CHINIT", days, estate()) == ()
    assert values_of(rule, subject, observed(), estate()) == ()


def test_a_result_is_made_once_for_each_basis() -> None:
    known = Known()
    first = known.kept(("A", 1.0), cf_finding)
    assert known.kept(("A", 1.0), cf_finding) is first
    assert known.kept(("A", 2.0), cf_finding) is not first


def test_the_oldest_things_made_are_left_out() -> None:
    known, made = Known(), list[int]()

    def of(number: int) -> int:
        made.append(number)
        return number

    for number in [1, 2, *range(10, 5_000), 1]:
        known.once(("number", number), partial(of, number))
    assert made.count(1) == 2
    assert known.once(("number", 4_999), lambda: 0) == 4_999


OTHER = "PLEX1/CSQ2"


def test_observed_days_are_grouped_by_series_and_kind() -> None:
    days = observed(measured(0, 1.0), measured(1, 2.0), measured(0, 3.0, subject="PLEX1/CSQ2"))
    assert days.subjects(SubjectKind.queue_manager) == {"PLEX1/CSQ1", "PLEX1/CSQ2"}
    assert days.subjects(SubjectKind.page_set) == set()
    assert [day.peak for day in days.days(LOG, SUBJECT)] == [2.0, 1.0]
    assert [day.peak for day in days.days(LOG, SUBJECT, window_days=1)] == [1.0]
    assert len(days.every_day()) == 3


def test_replaced_series_leave_the_others_and_the_original_as_they_are() -> None:
    other = measured(0, 5.0, metric="log_task_busy_pct")
    days = observed(measured(50, 1.0), measured(0, 2.0), other)
    changed = with_series(days, {(LOG, SUBJECT): [measured(0, 7.0)]})
    assert [day.peak for day in changed.days(LOG, SUBJECT)] == [7.0]
    assert [day.peak for day in days.whole_series(LOG, SUBJECT)] == [1.0, 2.0]
    assert [day.peak for day in days.days(LOG, SUBJECT)] == [2.0]
    assert changed.whole_series("log_task_busy_pct", SUBJECT) == [other]
    assert set(changed.series) == {(LOG, SUBJECT), ("log_task_busy_pct", SUBJECT)}
    assert changed.whole_series(LOG, "PLEX1/CSQ9") == []


def test_other_days_are_computed_when_they_are_read_and_only_once() -> None:
    asked: list[str] = []

    def computed() -> MeasuredDays:
        asked.append(LOG)
        return MeasuredDays([measured(0, 7.0)])

    days = observed(measured(0, 1.0), measured(0, 2.0, subject=OTHER))
    changed = days.replaced({(LOG, SUBJECT): computed})
    part = changed.part([(LOG, SUBJECT)])
    assert set(part.series) == {(LOG, SUBJECT)}
    assert part.subjects(SubjectKind.queue_manager) == {SUBJECT}
    assert asked == []
    assert [day.peak for day in part.days(LOG, SUBJECT)] == [7.0]
    assert changed.days(LOG, SUBJECT) == part.days(LOG, SUBJECT)
    assert asked == [LOG]


def test_a_lost_subject_leaves_with_its_parts_hours_and_version() -> None:
    part = measured(0, 3.0, metric="channels_current_count", subject=f"{OTHER}/CHINIT")
    hours = MeasuredHours(BusiestHours(volumes_mib=(1.0,)), (), DAY, DAY, 24)
    names = (SUBJECT, OTHER, f"{OTHER}0")
    known = Observed(
        [part, *(measured(0, 1.0, subject=name) for name in names)],
        DAY,
        35,
        {(LOG, name): hours for name in names},
        dict.fromkeys(names, "9.4.0"),
    )
    left = known.without(OTHER)
    assert {subject for _, subject in left.series} == {SUBJECT, f"{OTHER}0"}
    assert set(left.hours) == {(LOG, SUBJECT), (LOG, f"{OTHER}0")}
    assert left.subjects(SubjectKind.queue_manager) == set(left.versions) == {SUBJECT, f"{OTHER}0"}
    assert len(known.every_day()) == 4


DAYS = [measured(2, 1.0), measured(1, 2.0), measured(0, 3.0)]


def test_replaced_days_begin_without_what_was_found_in_the_others() -> None:
    days = observed(*DAYS)
    before = days.measured(LOG, SUBJECT)
    assert before is not None
    before.inputs["key"] = None
    after = days.replaced({(LOG, SUBJECT): lambda: MeasuredDays(DAYS[:1])}).measured(LOG, SUBJECT)
    assert after is not None
    assert after.inputs == {}
    assert after.days == DAYS[:1]
    assert days.measured(LOG, "PLEX1/CSQ9") is None


def test_changed_days_are_made_of_the_window_that_is_read() -> None:
    made: list[date] = []

    def doubled(day: WindowDay) -> WindowDay:
        made.append(day.site_date)
        return day._replace(peak=2 * day.peak)

    days = MeasuredDays(DAYS)
    changed = days.changed(doubled)
    first = DAYS[1].site_date
    assert made == []
    assert [day.peak for day in changed.since(first)] == [4.0, 6.0]
    assert changed.since(first) is changed.since(first)
    assert made == [first, DAYS[2].site_date]
    assert [day.peak for day in changed.changed(doubled).days] == [4.0, 8.0, 12.0]
    assert [day.peak for day in days.days] == [1.0, 2.0, 3.0]
    assert changed.inputs == {}


def test_the_highest_figure_is_that_of_the_window() -> None:
    days = observed(measured(35, 9.0), measured(34, 2.0), measured(0, 1.0))
    assert days.highest(LOG, SUBJECT, Statistic.peak) == 2.0
    assert days.highest(LOG, SUBJECT, Statistic.mean) == 1.0
    assert days.highest(LOG, "PLEX1/CSQ9", Statistic.peak) == 0.0
    assert MeasuredDays(()).highest(DAYS[0].site_date, Statistic.peak) == 0.0
