"""When a limit is passed, and what becomes of such dates."""

from datetime import date, timedelta
from typing import Any

import pytest
import yaml

from mqcap.domain.console.ledger import Ledger, LedgerEvent, LedgerForecast
from mqcap.domain.crossing import SINCE_DATA_BEGINS, CrossingState
from mqcap.domain.estate import Estate
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.input_source import LossSource
from mqcap.domain.metric import Direction
from mqcap.judging.inputs import values_of
from mqcap.judging.observed import Observed
from mqcap.presentation.feed_text import waiting_checks
from mqcap.presentation.fleet import crossing_text, side, since_words
from mqcap.presentation.ledger_text import LISTED_MAX, count_lines, ledger_lines, outcome_text
from mqcap.settings import Settings
from sizing.rulebook.judge import judge
from sizing.rulebook.missing_inputs import STEPS_MAX, is_waiting, needs, snippet, steps
from sizing.rulebook.registry import all_rules
from tests.factories import DAY, crossing, finding

BREACHED = {"state": CrossingState.breached, "breached_since": date(2026, 1, 30)}
DATES = {
    "state": CrossingState.will_cross,
    "earliest_date": date(2026, 4, 2),
    "expected_date": date(2026, 5, 1),
    "latest_date": date(2026, 6, 30),
}
EARLIEST = DATES | {"expected_date": None, "latest_date": None}
FAR = {"state": CrossingState.not_within_horizon}
FINE = finding(breach=False, headroom_ratio=0.4)
EVENT = LedgerEvent(
    resource="PLEX1/CSQ1/active_log", label="CSQ1 active logs", site_date=DAY,
    state="out of active log space", message_id="CSQJ111A",
)  # fmt: skip
DUE = LedgerForecast(
    basis=ForecastBasis.live, resource="PLEX1/CSQ1/active_log", label="CSQ1 active logs",
    rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", stated_on=DAY - timedelta(days=60),
    expected_date=DAY - timedelta(days=20),
)  # fmt: skip
RULES = ("LOG-COUNT-MIN", "LOG-COUNT-OVERLAP", "LOG-MAXARCH", "REC-FORMULA-A", "CHI-80-31BIT")
QMGRS = ("PLEX1/CSQ1", "PLEX1/CSQ2")
VALUES = {"active_log_size_mib": 1024, "active_logs": 12}


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        (BREACHED, "over the limit since 2026-01-30"),
        (BREACHED | {"breached_since": None}, "over the limit"),
        (DATES, "expected 2026-05-01, earliest 2026-04-02, latest 2026-06-30"),
        (
            DATES | {"latest_date": None},
            "expected 2026-05-01, earliest 2026-04-02, perhaps not at all within the horizon",
        ),
        (
            EARLIEST | {"probability_365_days": 0.4},
            "earliest 2026-04-02, not expected within a year",
        ),
        (FAR | {"probability_180_days": 0.02}, "not within 180 days"),
        ({"state": CrossingState.unknown, "reason": "12 days of data"}, "no date, 12 days of data"),
        ({"state": CrossingState.unknown, "reason": None}, "no date"),
    ],
)
def test_a_crossing_is_worded_by_its_state(changed: dict[str, object], text: str) -> None:
    dated = {"earliest_date": None, "expected_date": None, "latest_date": None} | changed
    assert str(crossing_text(crossing(FINE, **dated), FINE)) == text


OF_LOSS = (InputValue(name="with_load", value=73, origin=LossSource(lost="PLEX1/CF02")),)


@pytest.mark.parametrize(
    ("of", "text"),
    [
        (None, "not forecast"),
        (FINE, "not forecast"),
        (finding(), "over the limit"),
        (finding(is_event=True, observed=None, limit_value=None), "reported on the console"),
        (finding(inputs=OF_LOSS), "over the limit once it is lost"),
        (finding(inputs=OF_LOSS, breach=False), "not passed if it were lost today"),
    ],
)
def test_a_rule_without_a_forecast_says_so_unless_its_limit_is_passed(
    of: Finding | None, text: str
) -> None:
    assert str(crossing_text(None, of)) == text


def test_a_lowest_limit_is_passed_from_above_and_some_may_not_be_reached() -> None:
    low = finding(direction=Direction.downward)
    assert str(crossing_text(crossing(low, **BREACHED), low)).startswith("below the limit since")
    assert side(crossing(low), None) == "below"
    full = finding(headroom_ratio=0.0)
    assert str(crossing_text(crossing(full, **BREACHED), full)).startswith("at the limit since")


def test_a_limit_passed_on_the_first_measured_day_is_over_since_the_data_begins() -> None:
    over = crossing(FINE, **(BREACHED | {"reason": SINCE_DATA_BEGINS}))
    assert str(crossing_text(over)) == "over the limit since the data begins (2026-01-30)"
    assert since_words(crossing(FINE, **BREACHED)) == "since 2026-01-30"
    assert since_words(None) == ""


def test_events_are_counted_as_forecast_over_already_or_not_foreseen_by_basis() -> None:
    missed = EVENT.model_copy(update={"basis": ForecastBasis.live})
    over = missed.model_copy(update={"stated_on": DAY, "rule_id": "LOG-DAY-ACTIVE"})
    forecast = over.model_copy(update={"expected_date": DAY})
    replayed = forecast.model_copy(update={"basis": ForecastBasis.hold_out})
    assert ledger_lines(Ledger(events=(EVENT, missed, over, forecast, replayed))) == [
        (
            "Live: 3 events on the console: 1 forecast at least 14 days before, 1 over a limit "
            "already when that was first reported, 1 not foreseen."
        ),
        (
            "Hold-out: 1 event on the console: 1 forecast at least 14 days before, 0 over a limit "
            "already when that was first reported, 0 not foreseen."
        ),
        "1 event on the console without an evaluated day 14 days before: not compared.",
        (
            "Over a limit already: CSQ1 active logs, out of active log space on 2026-03-02 "
            "(CSQJ111A); LOG-DAY-ACTIVE on 2026-03-02."
        ),
        "Not foreseen: CSQ1 active logs, out of active log space on 2026-03-02 (CSQJ111A).",
    ]


def test_each_due_forecast_is_listed_with_its_outcome() -> None:
    came = DUE.model_copy(update={"measured_on": DAY - timedelta(days=18)})
    assert ledger_lines(Ledger(forecasts=(DUE, came))) == [
        "Live: 2 forecasts due: 1 came (1 by measured figures, 0 by a message), 1 did not.",
        (
            "Live: on 2026-01-01 LOG-FILL-30MIN of CSQ1 active logs was expected to pass its limit "
            "on 2026-02-10: did not come by 2026-02-24."
        ),
        (
            "Live: on 2026-01-01 LOG-FILL-30MIN of CSQ1 active logs was expected to pass its limit "
            "on 2026-02-10: measured over its limit on 2026-02-12; came 2 days later."
        ),
    ]


@pytest.mark.parametrize(
    ("days", "words"),
    [(-31, "came 31 days earlier"), (1, "came 1 day later"), (0, "came on the expected day")],
)
def test_how_far_from_the_expected_day_a_forecast_came_is_stated(days: int, words: str) -> None:
    came = DUE.model_copy(update={"measured_on": DUE.expected_date + timedelta(days=days)})
    assert outcome_text(came).endswith(f"; {words}")


def test_a_forecast_that_came_both_ways_names_both_and_the_first_day_counts() -> None:
    reported = {"reported_on": DAY - timedelta(days=1), "message_id": "CSQJ111A"}
    both = DUE.model_copy(update={"measured_on": DAY, **reported})
    assert outcome_text(both) == (
        "measured over its limit on 2026-03-02, CSQJ111A on 2026-03-01; came 19 days later"
    )
    assert both.came_on == DAY - timedelta(days=1)


@pytest.mark.parametrize(("count", "more"), [(-1, False), (0, False), (1, True)])
def test_many_due_forecasts_are_listed_up_to_a_number(count: int, more: bool) -> None:
    lines = ledger_lines(Ledger(forecasts=(DUE,) * (LISTED_MAX + count)))
    assert sum("was expected to pass" in line for line in lines) == LISTED_MAX + min(count, 0)
    assert ("Due before: 1 other forecast." in lines) is more


def test_events_of_consoles_and_error_logs_are_counted_together() -> None:
    other = EVENT.model_copy(update={"message_id": "AMQ7463"})
    [line] = count_lines(Ledger(events=(EVENT, other)))
    assert line.startswith("2 events on the console and in the error log without")


def unchecked(document: dict[str, Any], *rules: str) -> list[Finding]:
    """The findings of two queue managers of which records have nothing, with an estate."""
    estate = Estate.model_validate({"sysplexes": document["estate"]})
    policy = Settings().grade_policy
    return [
        judge(all_rules()[name], subject, DAY,
              values_of(all_rules()[name], subject, Observed([], DAY, 35), estate), policy(name))
        for name in rules or RULES
        for subject in QMGRS
    ]  # fmt: skip


def waiting(*missing: str, rule_id: str = "LOG-COUNT-OVERLAP", **changed: Any) -> Finding:
    """A finding without some inputs."""
    lines = tuple(f"{name}: set it" for name in missing)
    values: dict[str, Any] = {"severity": Severity.unknown, "inputs": (), **changed}
    return finding(rule_id=rule_id, missing=lines, **values)


def test_settings_are_grouped_by_what_to_set_and_the_most_worthwhile_are_first() -> None:
    findings = [
        waiting(*names, rule_id=rule, subject=subject)
        for subject in ("PLEX1/CSQ1", "PLEX1/CSQ2", "PLEX1/CSQ3")
        for rule, names in (
            ("LOG-COUNT-MIN", ("active_logs",)),
            ("LOG-RUNWAY-12H", ("log_size_mib", "active_logs")),
            ("LOG-DAY-ACTIVE", ("log_size_mib", "active_logs")),
            ("LOG-FILL-30MIN", ("log_size_mib",)),
            ("LOG-COUNT-OVERLAP", ("log_size_mib", "archive_time_min")),
            ("CHI-80-31BIT", ("used_pct",)),
        )
    ]  # fmt: skip
    rows = waiting_checks(findings)
    assert [f"{row.title}: {row.problem}; {row.change}" for row in rows] == [
        "CSQ1 and 2 more: 12 checks not made; set active_log_size_mib, active_logs",
        "CSQ1 and 2 more: 3 checks not made; set archive_minutes",
    ]


@pytest.mark.parametrize(
    "found",
    [
        waiting("log_size_mib", is_data_incomplete=True),
        waiting("log_size_mib", severity=Severity.ok),
        waiting("log_size_mib", inputs=(InputValue(name="log_size_mib", value=-1),)),
        waiting("no_input_of_the_rule"),
        waiting(),
    ],
)
def test_what_lacks_records_of_the_day_or_has_an_impossible_value_is_not_of_the_block(
    found: Finding,
) -> None:
    assert not is_waiting(found)


def test_the_pasted_snippet_is_accepted_and_unlocks_what_was_promised() -> None:
    configured = {"name": "CSQ1", "qsg": "QSG1", "archive_minutes": 5}
    before = {"estate": [{"sysplex": "PLEX1", "qmgrs": [configured]}]}
    estate = Estate.model_validate({"sysplexes": before["estate"]})
    findings = unchecked(before)
    promised = steps(needs(findings))[:STEPS_MAX]
    pasted = "\n".join(snippet(findings, estate))
    assert Estate.model_validate({"sysplexes": yaml.safe_load(pasted)["estate"]})
    keys = {key for step in promised for key in step.keys}
    for key in keys:
        pasted = pasted.replace(f"{key}: ,", f"{key}: {VALUES.get(key, 24)},")
        pasted = pasted.replace(f"{key}: }}", f"{key}: {VALUES.get(key, 24)}}}")
    document = yaml.safe_load(pasted)
    assert document["estate"][0]["qmgrs"][0]["qsg"] == "QSG1"
    after = unchecked(document)
    unlocked = {(need.owner, need.rule_id) for step in promised for need in step.needs}
    assert unlocked
    assert not unlocked & {(need.owner, need.rule_id) for need in needs(after) if need.keys}


def test_of_an_unknown_sysplex_the_snippet_says_what_comes_first() -> None:
    known = waiting("archive_time_min", subject="PLEX1/CSQ1")
    unknown = waiting("archive_time_min", subject="UNKNOWN/CSQ9")
    first, *entries = snippet([known, unknown], Estate())
    assert "mqcap estate discover" in first
    assert snippet([known], Estate()) == entries
    assert snippet([unknown], Estate()) == [first]
