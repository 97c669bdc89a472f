from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.completeness.incomplete import (
    DayCompleteness,
    concerns,
    data_notes,
    in_words,
    with_completeness,
)
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Statistic, SubjectKind
from tests.factories import DAY, LOG_METRIC, feed_day, finding, forecast

MANAGER = SubjectKind.queue_manager


def missing(subject: str = "PLEX1/CSQ1", **changed: Any) -> FeedDay:
    values: dict[str, Any] = {"state": FeedState.partial, "summary": "3 h missing."}
    return feed_day(subject, **(values | changed))


def fine(**changed: Any) -> Finding:
    values: dict[str, Any] = {"severity": Severity.ok, "breach": False}
    return finding(**(values | changed))


def test_complete_data_leave_the_finding_as_it_is() -> None:
    complete = DayCompleteness((feed_day(state=FeedState.complete),))
    assert with_completeness(fine(), MANAGER, complete) == fine()
    assert with_completeness(fine(), MANAGER, DayCompleteness()) == fine()


def test_a_limit_kept_on_incomplete_data_is_unknown() -> None:
    graded = with_completeness(fine(), MANAGER, DayCompleteness((missing(),)))
    assert (graded.severity, graded.breach, graded.headroom_ratio) == (Severity.unknown, None, None)
    assert graded.missing == ("all records of the day: data are incomplete",)
    assert graded.is_data_incomplete
    assert "unknown, because data are incomplete. 3 h missing." in graded.summary
    assert graded.changes == ()


def test_the_statement_on_what_has_arrived_does_not_repeat_the_subject() -> None:
    finding = fine().with_statement("0.4 MiB/s, within the limit of 0.6 MiB/s.")
    graded = with_completeness(finding, MANAGER, DayCompleteness((missing(),)))
    statement = (
        "unknown, because data are incomplete. 3 h missing. "
        "As far as records have arrived: 0.4 MiB/s, within the limit of 0.6 MiB/s."
    )
    assert (graded.statement, graded.summary) == (statement, f"{finding.subject}: {statement}")


def test_a_breach_stays_a_breach_with_a_caveat() -> None:
    graded = with_completeness(finding(), MANAGER, DayCompleteness((missing(),)))
    assert graded.severity is finding().severity
    assert graded.caveats[-1] == "Data incomplete. 3 h missing."


def test_missing_data_of_another_subject_do_not_matter() -> None:
    other = DayCompleteness((missing("PLEX1/CSQ2"),), (missing("PLEX1/CSQ2"),))
    assert with_completeness(fine(), MANAGER, other) == fine()


def test_incomplete_days_before_are_noted_beside_a_kept_limit() -> None:
    yesterday = missing(site_date=DAY - timedelta(days=1))
    graded = with_completeness(fine(), MANAGER, DayCompleteness((), (yesterday,)))
    assert graded.severity is Severity.ok
    assert graded.caveats[-1] == (
        "Of the days evaluated, 1 lacks records: 2026-03-01; the peak may be in them."
    )


@pytest.mark.parametrize(
    ("feed", "subject", "kind", "metric", "expected"),
    [
        (FeedKind.statistics, "PLEX1/CSQ1", MANAGER, LOG_METRIC, True),
        (FeedKind.statistics, "PLEX1/CSQ1/BP03", SubjectKind.buffer_pool, "b", True),
        (FeedKind.channel_initiator, "PLEX1/CSQ1", MANAGER, LOG_METRIC, False),
        (FeedKind.coupling_facility, "PLEX1/CSQ1/APPL1", SubjectKind.structure, "s", True),
        (FeedKind.member, "PLEX1/CSQ1/APPL1", SubjectKind.structure, "s", False),
        (
            FeedKind.member, "PLEX1/CSQ1/APPL1", SubjectKind.structure,
            "structure_requests_per_s", True,
        ),
        (FeedKind.statistics, "PLEX1/CSQ1/CHINIT", SubjectKind.channel_initiator, "c", False),
    ],
)  # fmt: skip
def test_a_feed_concerns_the_figures_that_come_from_it(
    feed: FeedKind, subject: str, kind: SubjectKind, metric: str, expected: bool
) -> None:
    assert concerns(missing(kind=feed), subject, kind, {metric}) is expected


def test_the_last_five_days_are_named_and_the_others_counted() -> None:
    days = [date(2026, 3, number) for number in range(1, 8)]
    assert in_words(days[:1]) == "1 lacks records: 2026-03-01"
    assert in_words([*days, days[0]]) == (
        "7 lack records: 2026-03-03, 2026-03-04, 2026-03-05, 2026-03-06, 2026-03-07 and 2 before"
    )


def test_a_forecast_notes_its_incomplete_last_day_and_the_days_before_it() -> None:
    made = forecast()
    yesterday = missing(site_date=DAY - timedelta(days=1))
    completeness = DayCompleteness((missing(),), (yesterday,))
    assert data_notes([made], {made.series_id: MANAGER}, completeness) == {
        (made.series_id, Statistic.peak): "Its last day is incomplete. 3 h missing. "
        "Of the days before it, 1 lacks records: 2026-03-01."
    }


def test_a_forecast_on_complete_data_or_of_an_unknown_subject_has_no_note() -> None:
    made = forecast()
    assert data_notes([made], {made.series_id: MANAGER}, DayCompleteness()) == {}
    assert data_notes([made], {}, DayCompleteness((missing(),))) == {}
