from datetime import date, timedelta
from typing import Any

import pytest

from mqcap.domain.console.states import (
    ARCHIVING_STOPPED,
    LOG_IS_FULL,
    ConsoleState,
    MessageKind,
    is_full_without_stop,
)
from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import Finding, InputValue, Severity
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.input_source import EstateSource, ForecastSource, InputSource
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind, resource_of
from mqcap.ingest.console.catalogue import catalogue
from mqcap.judging.console import (
    EARLIER_DAYS_NAMED,
    ForecastBefore,
    by_resource,
    earlier_words,
    forecast_before,
    linked_words,
    with_archive_time,
    with_console_states,
)
from mqcap.judging.mandatory import MandatoryRules
from mqcap.judging.observed import Observed
from mqcap.settings import Settings, load_settings
from mqcap.store.crossings import replace_crossings, replace_hold_out
from mqcap.store.database import Store
from mqcap.store.models import WindowDay
from sizing.rulebook.judge import judge
from sizing.rulebook.registry import all_rules
from tests.factories import DAY, NOON, console_state, crossing, finding
from tests.sizing.builders import Policy

SETTINGS = load_settings()
RULE = all_rules()["CONSOLE-LOG"]
LOG = resource_of(ResourceKind.active_log, "PLEX1/CSQ1")
CPH = "Europe/Copenhagen"


def judged(*states: ConsoleState, breach: Severity | None = None) -> Finding:
    today = sum(state.site_date <= DAY <= state.last_date for state in states)
    inputs = [InputValue(name="states", value=today)]
    made = judge(RULE, "PLEX1/CSQ1", DAY, inputs, Policy(breach=breach))
    return with_console_states(made, RULE, states, ForecastBefore(), CPH)


def test_a_state_is_reported_by_the_clock_of_the_console_with_its_message() -> None:
    found = judged(console_state())
    assert found.title == "Out of active log space"
    assert found.statement == (
        "out of active log space at 13:00 (CSQJ111A). No day was "
        "evaluated before, so nothing was forecast."
    )
    assert (found.severity, found.breach, found.is_event) == (Severity.act, True, True)
    assert (found.observed, found.limit_value) == (None, None)
    assert found.arithmetic[-1].startswith("CSQJ111A line 17 of syslog.txt: ")
    assert found.arithmetic[-1].endswith("OUT OF SPACE IN ACTIVE LOG DATA SETS")


def test_the_end_of_a_state_is_reported_and_the_day_where_it_is_another() -> None:
    ended = console_state(
        "CSQJ004I",
        state="logging on one copy only",
        kind=MessageKind.degraded,
        severity=Severity.watch,
        site_date=DAY - timedelta(days=1),
        first_utc=NOON - timedelta(days=1),
        ended_utc=NOON,
        ended_by="CSQJ005I",
    )
    found = judged(ended)
    assert found.statement.startswith(
        "logging on one copy only at 13:00 on 2026-03-01 (CSQJ004I; until 13:00 by CSQJ005I). "
    )
    assert found.severity is Severity.watch


def test_an_end_on_a_later_day_is_not_known_on_the_day() -> None:
    later = DAY + timedelta(days=1)
    ended = console_state(last_date=later, ended_utc=NOON + timedelta(days=1), ended_by="CSQJ139I")
    assert "until" not in judged(ended).statement
    assert not judged(ended).has_ended


def test_what_to_do_after_archiving_was_resumed_is_another_thing_than_before() -> None:
    def after(*ended: bool) -> Finding:
        end = {"ended_utc": NOON + timedelta(hours=2), "ended_by": "CSQJ139I"}
        states = [
            console_state("CSQJ115E", resource_kind=ResourceKind.archive, **end if over else {})
            for over in ended
        ]
        rule = all_rules()["CONSOLE-ARCHIVE"]
        inputs = [InputValue(name="states", value=len(states))]
        made = judge(rule, "PLEX1/CSQ1", DAY, inputs, Policy())
        return with_console_states(made, rule, states, ForecastBefore(), CPH)

    assert after(True, True).has_ended
    assert after(True, True).advice.startswith(
        "It is over: archiving works again since 15:00 (CSQJ139I). See by DISPLAY LOG that no full "
        "active log waits to be archived."
    )
    for still in (after(False), after(True, False)):
        assert not still.has_ended
        assert still.advice.startswith("Find out why archiving failed or waits")


def test_a_sentence_names_three_messages_with_their_number_and_counts_the_others() -> None:
    last = console_state("CSQJ110E", state="only the last log left", amount=5.0, message_count=3)
    ids = ("CSQJ111A", "CSQJ004I", "CSQJ008E", "CSQJ030E")
    said = judged(last, *map(console_state, ids)).statement
    assert "(CSQJ110E; 3 messages; 5 % of it used)" in said
    assert said.count("out of active log space") == 2
    assert "; 2 other states. " in said
    many = [console_state(first_utc=NOON + timedelta(minutes=place)) for place in range(5)]
    assert judged(*many).statement.startswith("out of active log space at 13:02 (")
    assert ", and 2 more messages. " in judged(*many).statement


def test_the_severity_is_that_of_the_message_and_no_higher_than_the_site_has_it() -> None:
    watched = console_state(severity=Severity.watch)
    assert judged(watched).severity is Severity.watch
    assert judged(console_state(), breach=Severity.watch).severity is Severity.watch
    assert judged(watched, breach=Severity.ok).severity is Severity.ok


def test_a_day_without_a_state_is_in_order_and_names_the_last_one() -> None:
    day = DAY - timedelta(days=3)
    found = judged(console_state(site_date=day, last_date=day))
    assert (found.severity, found.breach, found.is_event) == (Severity.ok, False, False)
    assert found.statement == (
        "nothing reported that day; last out of active log space on 2026-02-27 (CSQJ111A, "
        "syslog.txt line 17)."
    )


def test_findings_of_other_rules_stay_as_they_are() -> None:
    other = all_rules()["LOG-FILL-30MIN"]
    assert (
        with_console_states(finding(), other, [console_state()], ForecastBefore(), CPH) == finding()
    )


FILL, RUNWAY, DAY_ACTIVE = "LOG-FILL-30MIN", "LOG-RUNWAY-12H", "LOG-DAY-ACTIVE"


def dated(
    day: date | None, earliest: date | None = None, rule_id: str = "LOG-FILL-30MIN"
) -> Crossing:
    return crossing(
        rule_id=rule_id,
        state=CrossingState.will_cross,
        expected_date=day,
        earliest_date=earliest,
        latest_date=None,
    )


def words(
    *crossings: Crossing, basis: ForecastBasis = ForecastBasis.live, settings: Settings = SETTINGS
) -> str:
    return ForecastBefore(DAY, basis, {LOG.path: crossings}, MandatoryRules(settings)).words(LOG)


def over(rule_id: str, since: date = date(2026, 2, 1), **changed: Any) -> Crossing:
    passed = crossing(rule_id=rule_id, state=CrossingState.breached, breached_since=since)
    return passed.model_copy(update=changed)


def title(rule_id: str) -> str:
    name = all_rules()[rule_id].title
    return f"{name[0].lower()}{name[1:]}."


def test_the_earliest_crossing_that_was_forecast_stands_beside_it() -> None:
    far, near = dated(date(2026, 5, 1), rule_id=FILL), dated(None, date(2026, 4, 1), rule_id=RUNWAY)
    stated = f"it was forecast to pass a limit on 1 Apr 2026: {title(RUNWAY)}"
    assert words(far, near) == f"On 2 Mar 2026 {stated}"
    late = words(far, near, basis=ForecastBasis.hold_out)
    assert late == f"By the data up to 2 Mar 2026 {stated}"


def test_a_limit_that_was_passed_already_stands_before_a_forecast() -> None:
    assert words(dated(date(2026, 5, 1), rule_id=RUNWAY), over(FILL)) == (
        f"Over a limit since 1 Feb 2026 already: {title(FILL)}"
    )


def test_a_mandatory_rule_stands_before_a_recommended_one_whatever_they_state() -> None:
    old = over(DAY_ACTIVE, date(2025, 1, 1))
    assert title(FILL) in words(old, dated(date(2026, 5, 1), rule_id=FILL))
    assert title(FILL) in words(old, over(FILL))
    assert title(DAY_ACTIVE) in words(old)
    assert title(DAY_ACTIVE) in words(old, over("OLD-RULE", date(2024, 1, 1)))


def test_what_is_mandatory_is_what_the_site_grades_so() -> None:
    old = over(DAY_ACTIVE, date(2025, 1, 1))
    lenient = load_settings(grading={FILL: {"breach": "watch"}, DAY_ACTIVE: {"breach": "act"}})
    assert title(DAY_ACTIVE) in words(old, over(FILL), settings=lenient)


@pytest.mark.parametrize(("fill", "named"), [(0.6, FILL), (0.4, RUNWAY)])
def test_of_passed_limits_of_a_series_the_last_one_is_named(fill: float, named: str) -> None:
    long = over(RUNWAY, date(2025, 1, 1), limit_value=0.5)
    assert title(named) in words(long, over(FILL, limit_value=fill))


def test_limits_that_are_not_passed_within_the_horizon_are_no_forecast_of_it() -> None:
    clear = crossing(state=CrossingState.not_within_horizon)
    none = "On 2 Mar 2026 no limit of CSQ1 active logs was forecast to be passed."
    assert words(clear) == words() == none


def test_the_finding_names_what_came_before_it_and_earlier_days() -> None:
    failed = console_state(
        "CSQJ115E", resource_kind=ResourceKind.archive, first_utc=NOON - timedelta(hours=5)
    )
    before = DAY - timedelta(days=24)
    earlier = console_state(site_date=before, last_date=before)
    assert judged(earlier, failed, console_state()).statement == (
        "archiving failed at 08:00 (CSQJ115E); the logs lasted 5 h: out of active log space from "
        "13:00 (CSQJ111A). Also on 6 Feb 2026. No day was evaluated before, so nothing was "
        "forecast."
    )


def test_a_rolling_origin_stands_beside_it_where_no_day_was_evaluated(engine: Store) -> None:
    assert forecast_before(SETTINGS, engine, DAY) == ForecastBefore()
    before = DAY - timedelta(days=30)
    replace_hold_out(engine, before, [crossing(cutoff_date=before)])
    found = forecast_before(SETTINGS, engine, DAY)
    assert (found.cutoff_date, found.basis) == (before, ForecastBasis.hold_out)
    replace_crossings(engine, before, [crossing(cutoff_date=before)])
    assert forecast_before(SETTINGS, engine, DAY).basis is ForecastBasis.live
    assert forecast_before(SETTINGS, engine, before) == ForecastBefore()


def test_crossings_are_of_the_resource_of_their_rule() -> None:
    known = crossing("PLEX1/CSQ1", rule_id="LOG-FILL-30MIN")
    assert by_resource([known, crossing("PLEX1/CSQ1", rule_id="OLD-RULE")]) == {LOG.path: [known]}


TYPED = EstateSource(place="PLEX1/CSQ1", key="archive_minutes")


def observed(*peaks: float) -> Observed:
    series = "log_archive_min", "PLEX1/CSQ1", SubjectKind.queue_manager, "min"
    days = [
        WindowDay(*series, DAY - timedelta(days=place), peak, peak, peak)
        for place, peak in enumerate(peaks)
    ]
    return Observed(days, DAY, 35)


def used(minutes: float, origin: InputSource) -> Finding:
    value = InputValue(name="archive_time_min", value=minutes, unit="min", origin=origin)
    return finding(inputs=(value,))


@pytest.mark.parametrize(
    ("measured", "differs"),
    [(7.49, True), (7.5, False), (10.0, False), (12.5, False), (12.51, True)],
)
def test_a_quarter_more_or_less_than_typed_is_tolerated(measured: float, differs: bool) -> None:
    typed = used(10.0, TYPED)
    assert (with_archive_time(typed, observed(measured)) != typed) is differs


def test_the_median_of_the_days_is_compared_with_what_is_typed() -> None:
    [*_, caveat] = with_archive_time(used(9.0, TYPED), observed(15.0, 14.0, 90.0)).caveats
    assert caveat.startswith("PLEX1/CSQ1: archiving a log takes 15 min by the console")
    assert "archive_minutes of the estate is 9 (tolerated: 25 %, ours)" in caveat


def test_a_measured_time_an_unmeasured_one_and_other_rules_have_no_caveat() -> None:
    measured = used(2.0, ForecastSource(site_date=DAY))
    assert with_archive_time(measured, observed(15.0)) is measured
    typed = used(2.0, TYPED)
    assert with_archive_time(typed, observed()) is typed
    assert with_archive_time(finding(), observed(15.0)) == finding()


FULL = console_state()


def failed(begins: int, ends: int | None = None, message_id: str = "CSQJ115E") -> ConsoleState:
    return console_state(
        message_id,
        resource_kind=ResourceKind.archive,
        state="archiving failed",
        first_utc=NOON + timedelta(minutes=begins),
        ended_utc=None if ends is None else NOON + timedelta(minutes=ends),
    )


@pytest.mark.parametrize(
    ("begins", "ends", "is_linked"),
    [(-60, None, True), (0, None, True), (1, None, False), (-60, 0, True), (-60, -1, False)],
)
def test_a_failure_of_archiving_that_had_not_ended_comes_before_full_logs(
    begins: int, ends: int | None, is_linked: bool
) -> None:
    cause = failed(begins, ends)
    assert bool(linked_words([FULL], [cause, FULL], DAY, CPH)) is is_linked
    assert bool(linked_words([cause], [cause, FULL], DAY, CPH)) is is_linked
    assert is_full_without_stop("PLEX1/CSQ1", [cause, FULL], DAY) is not is_linked


def test_logs_are_full_without_a_stop_only_on_their_queue_manager_and_day() -> None:
    assert is_full_without_stop("PLEX1/CSQ1", [console_state("CSQJ110E")], DAY)
    assert not is_full_without_stop("PLEX1/CSQ2", [FULL], DAY)
    assert not is_full_without_stop("PLEX1/CSQ1", [FULL], DAY + timedelta(days=1))
    assert not is_full_without_stop("PLEX1/CSQ1", [failed(0)], DAY)


def test_the_words_name_time_and_message_of_the_other_state() -> None:
    first, second = failed(-90), failed(-30, message_id="CSQJ128E")
    every = [second, first, FULL]
    assert linked_words([FULL], every, DAY, CPH) == (
        "Before it, archiving failed from 11:30 (CSQJ115E)."
    )
    assert linked_words([first], every, DAY, CPH) == (
        "After it: out of active log space at 13:00 (CSQJ111A)."
    )


def test_a_failure_of_the_day_before_is_named_with_its_day() -> None:
    cause = failed(-24 * 60).model_copy(update={"site_date": DAY - timedelta(days=1)})
    words = linked_words([FULL], [cause, FULL], DAY, CPH)
    assert words == "Before it, archiving failed from 13:00 on 2026-03-01 (CSQJ115E)."


def test_other_messages_resources_and_queue_managers_are_not_linked() -> None:
    degraded = failed(-60, message_id="CSQJ103E")
    other = failed(-60).model_copy(update={"subject": "PLEX1/CSQ2"})
    assert linked_words([FULL], [degraded, other, FULL], DAY, CPH) == ""
    pool = console_state("CSQP020E", resource_kind=ResourceKind.buffer_pool)
    assert linked_words([pool], [pool, failed(-60), FULL], DAY, CPH) == ""


def test_linked_messages_are_those_of_the_catalogue() -> None:
    entries = catalogue()
    assert {entries[name].resource for name in ARCHIVING_STOPPED} == {ResourceKind.archive}
    assert {entries[name].resource for name in LOG_IS_FULL} == {ResourceKind.active_log}


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        ([], ""),
        ([24], "Also on 6 Feb 2026."),
        ([1, 24], "Also on 6 Feb 2026 and 1 Mar 2026."),
        ([1, 2, 3, 4], "Also on 1 earlier day, 27 Feb 2026, 28 Feb 2026 and 1 Mar 2026."),
    ],
)
def test_earlier_days_of_the_same_message_are_named(ago: list[int], words: str) -> None:
    days = [DAY - timedelta(days=count) for count in ago]
    own = [console_state(site_date=day, last_date=day) for day in days]
    other = console_state("CSQJ004I", site_date=DAY - timedelta(days=9))
    assert earlier_words([FULL], [*own, *own, other, FULL], DAY) == words
    assert EARLIER_DAYS_NAMED == 3
