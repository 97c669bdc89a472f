"""The order in which findings are listed."""

from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.domain.urgency import OUT_OF_LOG_SPACE, Urgency, is_over, urgency
from sizing.rulebook.registry import all_rules
from tests.factories import DAY, crossing, finding

ORDER = (Severity.act, Severity.watch, Severity.unknown, Severity.suggestion, Severity.ok)


def graded(severity: Severity, subject: str = "PLEX1/CSQ1", **changed: object) -> Finding:
    return finding(subject, **{"severity": severity, "breach": False, **changed})


def key_of(of: Finding, days: int | None = None, **options: object) -> Urgency:
    """Return the key of a finding whose limit is expected to be passed in so many days."""
    if days is None:
        return urgency(of, None, **options)  # type: ignore[arg-type]
    expected = DAY + timedelta(days=days)
    its_crossing = crossing(of, earliest_date=DAY + timedelta(days=1), expected_date=expected)
    return urgency(of, its_crossing, **options)  # type: ignore[arg-type]


def test_severities_follow_each_other_with_suggestions_before_what_is_in_order() -> None:
    keys = [key_of(graded(severity)) for severity in ORDER]
    assert keys == sorted(keys)


def test_what_is_over_and_to_act_on_comes_first() -> None:
    over = urgency(finding(), None)
    assert over < key_of(graded(Severity.act), 1)
    breached = crossing(finding(), state=CrossingState.breached)
    assert urgency(graded(Severity.act), breached)[:2] == over[:2]


def test_what_happened_comes_before_any_other_breach() -> None:
    worse = finding("PLEX1/CSQ1", headroom_ratio=-9.0)
    happened = finding("PLEX1/CSQ2", headroom_ratio=None, is_event=True)
    assert key_of(happened) < key_of(worse)


def test_of_what_happened_the_active_logs_come_first_whatever_the_names() -> None:
    assert OUT_OF_LOG_SPACE in all_rules()
    logs = finding("PLEX2/CSQ9", rule_id=OUT_OF_LOG_SPACE, headroom_ratio=None, is_event=True)
    others = [
        finding("PLEX1/CSQ1", rule_id=rule_id, headroom_ratio=None, is_event=True)
        for rule_id in sorted(all_rules())
        if rule_id.startswith("CONSOLE-") and rule_id != OUT_OF_LOG_SPACE
    ]
    assert len(others) > 5
    assert all(key_of(logs) < key_of(other) for other in others)
    measured = finding("PLEX1/CSQ1", headroom_ratio=-9.0)
    assert all(key_of(other) < key_of(measured) for other in others)


def test_what_is_to_act_on_then_to_watch_then_in_order_whatever_the_dates() -> None:
    to_act = [key_of(graded(Severity.act), 300), key_of(graded(Severity.act))]
    assert max(to_act) < key_of(graded(Severity.watch), 1)
    assert to_act == sorted(to_act)
    assert key_of(graded(Severity.watch), 300) < urgency(graded(Severity.watch, breach=True), None)
    far = key_of(graded(Severity.ok, headroom_ratio=0.3), 300)
    assert far > urgency(graded(Severity.watch, breach=True), None)
    assert far < key_of(graded(Severity.ok, headroom_ratio=0.1))
    assert key_of(graded(Severity.ok, headroom_ratio=0.9)) < key_of(
        graded(Severity.ok, headroom_ratio=None)
    )


def test_the_last_day_for_a_change_counts_before_the_expected_day() -> None:
    late = key_of(graded(Severity.watch, "PLEX1/A"), 90, due_date=DAY + timedelta(days=5))
    soon = key_of(graded(Severity.watch, "PLEX1/B"), 30, due_date=DAY + timedelta(days=20))
    assert late < soon
    assert key_of(graded(Severity.watch, "PLEX1/B"), 30) < key_of(graded(Severity.watch), 90)


def test_production_comes_before_everything_else() -> None:
    fine = key_of(graded(Severity.ok))
    assert fine < urgency(finding(), None, is_production=False)


def test_the_severity_shown_counts_where_a_notice_grades_below_the_rule() -> None:
    shown = urgency(finding(), None, severity=Severity.watch)
    assert shown > key_of(graded(Severity.act))
    assert shown < key_of(graded(Severity.unknown))


def test_equal_urgency_is_ordered_by_subject_and_rule() -> None:
    keys = [
        key_of(graded(Severity.watch, "PLEX1/A", rule_id="B")),
        key_of(graded(Severity.watch, "PLEX1/A", rule_id="C")),
        key_of(graded(Severity.watch, "PLEX1/B", rule_id="A")),
    ]
    assert keys == sorted(keys)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(ORDER),
            st.none() | st.integers(1, 400),
            st.booleans(),
            st.none() | st.dates(DAY, date(2028, 1, 1)),
        ),
        max_size=8,
    )
)
def test_any_findings_of_a_day_have_one_order(
    rows: list[tuple[Severity, int | None, bool, date | None]],
) -> None:
    keys = [
        key_of(graded(severity, f"PLEX1/Q{n}"), days, is_production=production, due_date=due)
        for n, (severity, days, production, due) in enumerate(rows)
    ]
    assert all(before < after for before, after in pairwise(sorted(keys)))


def test_a_breach_is_measured_by_the_finding_or_by_the_crossing() -> None:
    fine = graded(Severity.ok)
    assert is_over(finding(), None)
    assert is_over(fine, crossing(fine, state=CrossingState.breached))
    assert is_over(None, crossing(state=CrossingState.breached))
    assert not is_over(fine, crossing(fine))
    assert not is_over(graded(Severity.unknown, breach=None), None)
