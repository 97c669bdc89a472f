"""The one list of findings behind page, reports, command line and REST API; days of series."""

from datetime import UTC, date, datetime, timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.estate import Estate, QueueManager, Sysplex
from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.estate.places import Place
from mqcap.domain.finding import Severity
from mqcap.domain.ticket import TicketState
from mqcap.lake.readers import HourValue
from mqcap.queries.courses import hours_of_week, mean_of_shift, period_pairs
from mqcap.queries.fleet import fleet_lines, fleet_on
from mqcap.settings import AlertSettings, Settings
from mqcap.settings.models import Shift
from mqcap.store.crossings import replace_crossings
from mqcap.store.database import Store
from mqcap.store.findings import replace_findings
from mqcap.store.tickets import save_ticket
from tests import factories
from tests.factories import DAY, crossing, finding

CSQ1 = QueueManager(name="CSQ1", qsg="QSG1")
CSQT, CSQ9 = (QueueManager(name=name, system_class=SystemClass.test) for name in ("CSQT", "CSQ9"))
ESTATE = Estate(
    sysplexes=(
        Sysplex(sysplex="PLEX1", qmgrs=(CSQ1, CSQT)), Sysplex(sysplex="PLEX2", qmgrs=(CSQ9,)),
    )
)  # fmt: skip


def test_the_fleet_lists_the_most_urgent_first(engine: Store) -> None:
    findings = [
        finding("PLEX1/OK", severity=Severity.ok, breach=False, headroom_ratio=0.7),
        finding("PLEX1/UNKN", severity=Severity.unknown, breach=None, headroom_ratio=None),
        finding("PLEX1/LATE", severity=Severity.watch, breach=False, headroom_ratio=0.3),
        finding("PLEX1/SOON", severity=Severity.watch, breach=False, headroom_ratio=0.4),
        finding("PLEX1/FAR", severity=Severity.ok, breach=False, headroom_ratio=0.8),
        finding("PLEX1/WTCH", severity=Severity.watch, breach=False, headroom_ratio=0.1),
        finding("PLEX1/OVER"),
        finding("PLEX1/MORE", headroom_ratio=-1.9),
    ]
    crossings = [
        crossing("PLEX1/LATE", expected_date=DAY + timedelta(days=80)),
        crossing("PLEX1/SOON", expected_date=None, earliest_date=DAY + timedelta(days=9)),
        crossing("PLEX1/FAR", expected_date=DAY + timedelta(days=300)),
        crossing("PLEX1/OK", state=CrossingState.not_within_horizon, expected_date=None),
    ]
    replace_findings(engine, DAY, findings)
    replace_crossings(engine, DAY, crossings)
    over = "LOG-FILL-30MIN/PLEX1/OVER"
    save_ticket(engine, factories.ticket(dedupe_key=over), "embedded")
    lines = fleet_on(Settings(), engine, DAY)
    assert [line.finding.subject.removeprefix("PLEX1/") for line in lines] == [
        "MORE", "OVER", "SOON", "LATE", "WTCH", "UNKN", "FAR", "OK",
    ]  # fmt: skip
    assert [line.ticket is not None for line in lines[:3]] == [False, True, False]
    assert lines[1].sysplex == "PLEX1"
    assert lines[1].names == ("OVER",)


def test_an_open_ticket_is_listed_with_each_problem_that_it_is_about(engine: Store) -> None:
    assert fleet_on(Settings(), engine, DAY) == []
    subjects = [f"PLEX1/CSQ{number}" for number in (1, 2, 3)]
    replace_findings(engine, DAY, [finding(subject) for subject in subjects])
    about = {"members": tuple(f"LOG-FILL-30MIN/{subject}" for subject in subjects[:2])}
    for state in (TicketState.closed, TicketState.open):
        save_ticket(engine, factories.ticket(state=state, external_ref="CAP-7", **about), "jira")
        lines = fleet_on(Settings(), engine, DAY)
        listed = {line.finding.subject for line in lines if line.ticket is not None}
        assert listed == (set(subjects[:2]) if state is TicketState.open else set())


def test_production_comes_first_and_a_shared_resource_has_its_most_important_user() -> None:
    subjects = ["PLEX1/CSQT", "PLEX1/CSQ1", "PLEX1/CF01", "PLEX2/CF01"]
    result = [finding(subject) for subject in subjects]
    lines = fleet_lines(result, [], [], ESTATE, AlertSettings())
    assert [(line.finding.subject, line.is_production, line.system_class) for line in lines] == [
        ("PLEX1/CF01", True, None),
        ("PLEX1/CSQ1", True, SystemClass.production),
        ("PLEX1/CSQT", False, SystemClass.test),
        ("PLEX2/CF01", False, None),
    ]
    assert lines[1].qsg == "QSG1"


def test_what_will_cross_is_ordered_by_the_last_day_for_its_change() -> None:
    alerts = AlertSettings(lead_time_days={"default": 14, "SLOW": 90})
    rules = {"SLOW": 120, "LOG-FILL-30MIN": 60}
    result = [finding(rule_id=rule, severity=Severity.watch, breach=False) for rule in rules]
    dated = [
        crossing(item, earliest_date=DAY + timedelta(days=days), expected_date=None)
        for item, days in zip(result, rules.values(), strict=True)
    ]
    lines = fleet_lines(result, dated, [], ESTATE, alerts)
    assert [(line.finding.rule_id, line.due_date) for line in lines] == [
        ("SLOW", DAY + timedelta(days=30)),
        ("LOG-FILL-30MIN", DAY + timedelta(days=46)),
    ]


def test_a_line_has_its_figures_in_the_units_of_the_reader() -> None:
    [line] = fleet_lines([finding(headroom_ratio=-1.158)], [], [], ESTATE, AlertSettings())
    assert line.observed.full == "4,320 MB/hour (1.2 MiB/s)"
    assert line.limit.full == "2,001.6 MB/hour (0.556 MiB/s)"
    assert line.of_limit == "4,320 of 2,002 MB/hour"
    assert line.used_ratio == 1.0
    assert str(line.when) == "over the limit"


def test_a_queue_manager_of_a_site_has_the_class_that_the_site_states() -> None:
    place = Place.model_validate({
        "site": "EAST",
        "qmgrs": [{"name": "QM1"}, {"name": "T/1", "class": "test"}],
        "hosts": [{"name": "host1"}],
    })  # fmt: skip
    subjects = ("EAST/QM1", "EAST/T%2F1/APP.IN", "EAST/host1")
    made = [finding(subject=subject, series_id=None) for subject in subjects]
    lines = fleet_lines(made, [], [], Estate(places=(place,)), AlertSettings())
    by_subject = {line.finding.subject: line.system_class for line in lines}
    classes = (SystemClass.production, SystemClass.test, None)
    assert by_subject == dict(zip(subjects, classes, strict=True))


DAY_OF_SERIES_DAYS = date(2026, 1, 31)


def days(count: int) -> list[tuple[date, float]]:
    """One more each day, up to 1,000 on ``DAY``."""
    return [(DAY_OF_SERIES_DAYS - timedelta(days=back), 1_000.0 - back) for back in range(count)]


def test_periods_are_compared_with_those_before_and_a_year_ago() -> None:
    pairs = {pair.name: pair for pair in period_pairs(days(400), DAY_OF_SERIES_DAYS)}
    assert list(pairs) == ["Week", "Four weeks", "Quarter", "Four weeks, year ago"]
    week = pairs["Week"]
    assert (week.now.mean, week.before.mean) == (997.0, 990.0)
    assert (week.now.highest, week.before.highest) == (1_000.0, 993.0)
    year = pairs["Four weeks, year ago"]
    assert year.before.last == DAY_OF_SERIES_DAYS - timedelta(days=364)
    assert year.before.last.weekday() == DAY_OF_SERIES_DAYS.weekday()


@pytest.mark.parametrize(("count", "names"), [(0, 0), (7, 0), (8, 1), (29, 2), (92, 3), (365, 4)])
def test_a_period_without_a_measured_day_is_compared_with_nothing(count: int, names: int) -> None:
    assert len(period_pairs(days(count), DAY_OF_SERIES_DAYS)) == names


def test_days_that_were_not_measured_are_no_zeros() -> None:
    some = [day for day in days(14) if day[0] != DAY_OF_SERIES_DAYS]
    [week, *_] = period_pairs(some, DAY_OF_SERIES_DAYS)
    assert (week.now.measured, week.now.highest) == (6, 999.0)


def test_hours_of_the_week_are_means_and_an_hour_never_measured_is_absent() -> None:
    monday = datetime(2026, 1, 5, 9, tzinfo=UTC)
    hours = [
        HourValue(monday + timedelta(days=7 * week), value, value, monday, 3_600.0, 2)
        for week, value in enumerate((1.0, 3.0))
    ]
    assert hours_of_week(hours) == {(0, 9): 2.0}


def test_a_shift_has_the_mean_of_its_hours_and_may_end_after_midnight() -> None:
    batch = Shift(name="batch", first_hour=22, last_hour=1)
    assert batch.hours == {22, 23, 0, 1}
    assert mean_of_shift({(0, 23): 4.0, (1, 1): 2.0, (1, 9): 90.0}, batch.hours) == 3.0
    assert mean_of_shift({(1, 9): 90.0}, batch.hours) is None
