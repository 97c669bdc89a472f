"""Measured days by series, parts of them, and other days that are computed when they are read."""

from __future__ import annotations

from mqcap.domain.busiest_hours import BusiestHours
from mqcap.domain.metric import SubjectKind
from mqcap.judging.hours import MeasuredHours
from mqcap.judging.observed import MeasuredDays, Observed
from tests.mqcap.judging.observations import DAY, LOG, SUBJECT, measured, observed, with_series

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
