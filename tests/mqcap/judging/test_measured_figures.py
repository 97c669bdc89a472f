from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.completeness.incomplete import DayCompleteness
from mqcap.domain.feed import FeedState
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.judging.measured_figures import with_busiest_part, with_coverage
from mqcap.judging.observed import Observed
from mqcap.settings.models import RuleWindow
from mqcap.store.models import WindowDay
from tests.factories import DAY, feed_day, finding
from tests.mqcap.lake.parts import CSQ1, row, write_parts

COVERED, SUBJECT = "log_growth_mib_per_s", "PLEX1/CSQ1"
MINIMUM_HOURS = RuleWindow().min_covered_hours
ARRIVED = DayCompleteness((feed_day(SUBJECT, state=FeedState.partial),))


def judged(
    *covered_hours: float | None,
    severity: Severity = Severity.act,
    arrived: DayCompleteness = ARRIVED,
    is_event: bool = False,
) -> Finding:
    kind = SubjectKind.queue_manager
    days = [
        WindowDay(COVERED, SUBJECT, kind, "", DAY - timedelta(days=back), *(1.0,) * 3, None, hours)
        for back, hours in enumerate(covered_hours)
    ]
    origin = MeasuredDaySource(
        metric=COVERED, subject=SUBJECT, statistic=Statistic.peak, site_date=DAY
    )
    inputs = (InputValue(name="rate", value=1.0, origin=origin),)
    made = finding(SUBJECT, severity=severity, inputs=inputs, is_event=is_event, series_id=None)
    return with_coverage(made, kind, Observed(days[::-1], DAY, 35), arrived, MINIMUM_HOURS)


@pytest.mark.parametrize(
    ("covered_hours", "severity"),
    [
        ((0.6,), Severity.unknown),
        ((MINIMUM_HOURS - 0.01,), Severity.unknown),
        ((MINIMUM_HOURS,), Severity.act),
        ((MINIMUM_HOURS + 0.01,), Severity.act),
        ((0.6, MINIMUM_HOURS - 0.6), Severity.act),
        ((0.6, None), Severity.act),
        ((), Severity.act),
    ],
)
def test_below_the_minimum_of_measured_hours_it_is_too_early_to_judge(
    covered_hours: tuple[float | None, ...], severity: Severity
) -> None:
    assert judged(*covered_hours).severity is severity


def test_the_finding_says_what_was_measured_and_what_is_wanted() -> None:
    found = judged(0.6)
    assert found.statement.startswith(
        "too early to judge: 36 min measured, rules.min_covered_hours (ours) is 4 h. So far: "
    )
    assert (found.breach, found.changes, found.is_data_incomplete) == (None, (), True)


@pytest.mark.parametrize(
    "found", [judged(0.6, is_event=True), judged(0.6, arrived=DayCompleteness())]
)
def test_messages_and_samples_are_judged_however_short(found: Finding) -> None:
    assert found.severity is Severity.act


RATE = "private_queue_messages_per_s"


def about(metric: str = RATE) -> Finding:
    origin = MeasuredDaySource(
        metric=metric, subject=CSQ1, statistic=Statistic.peak, site_date=DAY, window_days=35
    )
    value = InputValue(name="messages_per_s", value=900.0, unit="count/s", origin=origin)
    return finding().model_copy(
        update={"inputs": (value,), "statement": "900 a second of 1,000 a second."}
    )


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    queues = {"PAY.IN": 800.0, "ORDER.IN": 900.0, "ADMIN": 900.0}
    write_parts(tmp_path, [row(DAY, name, value, metric=RATE) for name, value in queues.items()])
    return tmp_path


def test_the_busiest_queue_is_named_of_equal_ones_the_first(lake: Path) -> None:
    named = with_busiest_part(about(), str(lake))
    assert named.statement == "900 a second of 1,000 a second; the queue is ADMIN."
    assert named.summary.endswith("the queue is ADMIN.")


def test_without_parts_or_of_another_metric_nothing_is_named(lake: Path, tmp_path: Path) -> None:
    other = about("log_growth_mib_per_s")
    assert with_busiest_part(other, str(lake)) == other
    assert with_busiest_part(about(), str(tmp_path / "none")) == about()
