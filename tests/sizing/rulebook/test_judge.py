import dataclasses
from datetime import timedelta

import pytest

from mqcap.domain.crossing import Crossing, CrossingState
from mqcap.domain.finding import InputValue, Severity
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.judge import NEAR, grade_with_crossing, judge, missing_inputs
from tests import factories
from tests.sizing.builders import DAY, RULES, Policy, finding, values

BUSY = RULES["CF-BUSY-N"]


def crossing(
    expected_days: int | None = None,
    earliest_days: int | None = None,
    state: CrossingState = CrossingState.will_cross,
) -> Crossing:
    expected, earliest = (
        None if days is None else DAY + timedelta(days=days)
        for days in (expected_days, earliest_days)
    )
    return factories.crossing(
        rule_id="CF-BUSY-N", cutoff_date=DAY, state=state, earliest_date=earliest,
        expected_date=expected, latest_date=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("expected_days", "earliest_days", "severity"),
    [
        (30, 10, Severity.act),
        (31, 10, Severity.watch),
        (90, 40, Severity.watch),
        (91, 30, Severity.watch),
        (91, 31, Severity.ok),
        (None, 30, Severity.watch),
        (None, 31, Severity.ok),
        (None, None, Severity.ok),
    ],
)
def test_the_expected_date_decides_and_the_earliest_alone_is_only_watched(
    expected_days: int | None, earliest_days: int | None, severity: Severity
) -> None:
    today = finding("CF-BUSY-N", engines=4, busy_pct=20)
    graded = grade_with_crossing(today, crossing(expected_days, earliest_days), BUSY, Policy())
    assert graded.severity is severity
    assert graded.observed == today.observed


def test_a_crossing_never_lowers_a_severity() -> None:
    breached = finding("CF-BUSY-N", engines=4, busy_pct=80)
    assert grade_with_crossing(breached, crossing(80), BUSY, Policy()) == breached


@pytest.mark.parametrize(
    "state", [CrossingState.breached, CrossingState.unknown, CrossingState.not_within_horizon]
)
def test_without_a_date_ahead_the_finding_is_unchanged(state: CrossingState) -> None:
    today = finding("CF-BUSY-N", engines=4, busy_pct=20)
    assert grade_with_crossing(today, crossing(1, 1, state), BUSY, Policy()) == today


def test_an_early_warning_is_never_raised_above_watch() -> None:
    today = finding("CHI-SCAV-75", used_pct=70)
    assert today.severity is Severity.ok
    rule = RULES["CHI-SCAV-75"]
    assert grade_with_crossing(today, crossing(5), rule, Policy()).severity is Severity.watch


def test_an_unknown_finding_stays_unknown() -> None:
    unknown = judge(BUSY, "PLEX1/CF01", DAY, values(busy_pct=50, engines=None), Policy())
    assert unknown.severity is Severity.unknown
    assert unknown.missing[0].startswith("engines: set engines of this subject in the estate")
    assert "cf_engine_count" in unknown.missing[0]
    assert unknown.inputs == tuple(values(busy_pct=50))
    assert grade_with_crossing(unknown, crossing(5), BUSY, Policy()) == unknown


def test_a_cautious_policy_acts_before_the_breach() -> None:
    cautious = Policy(act_below_headroom=0.1)
    early = judge(BUSY, "PLEX1/CF01", DAY, values(busy_pct=57, engines=4), cautious)
    assert early.breach is False
    assert early.severity is Severity.act


@pytest.mark.parametrize(
    ("used", "severity", "is_near"), [(68, "ok", False), (69, "watch", True), (80, "watch", False)]
)
def test_what_is_near_its_limit_is_advised_what_is_done_past_it(
    used: float, severity: str, is_near: bool
) -> None:
    made = finding("TPF-SWEEP-LEVEL", in_use_blocks=used, blocks=100)
    assert made.severity.value == severity
    assert made.advice.startswith(NEAR) is is_near
    assert made.advice.endswith("moves messages to files and back.") is (severity != "ok")


def test_a_site_can_grade_the_breach_of_a_rule_in_its_own_way() -> None:
    inputs = values(busy_pct=75, engines=4)
    for breach in (Severity.act, Severity.watch, Severity.ok):
        judged = judge(BUSY, "PLEX1/CF01", DAY, inputs, Policy(breach=breach))
        assert judged.severity is breach
        assert judged.breach


@pytest.mark.parametrize("graded", [None, Severity.act, Severity.ok])
def test_a_suggestion_is_never_a_breach_and_has_nothing_to_run_out_of(
    graded: Severity | None,
) -> None:
    inputs = values(max_used_pct=20, observed_days=91, buffers=10_000)
    judged = judge(RULES["BP-OVERSIZE-50"], "PLEX1/CSQ1/BP02", DAY, inputs, Policy(breach=graded))
    assert judged.severity is Severity.suggestion
    assert judged.breach is False
    assert judged.headroom_ratio is None
    assert judged.changes[0].typed == "BUFFERS(2667)"


def test_every_missing_input_is_named_with_all_ways_to_supply_it() -> None:
    missing = missing_inputs(RULES["LOG-MAXARCH"], {"maxarch", "log_size_mib"})
    assert [item.name for item in missing] == ["backup_hours", "day_mean_mib_per_s"]
    assert "page_set_backup_hours" in missing[0].remedy
    assert ", or set structure_backup_hours" in missing[0].remedy
    assert missing_inputs(RULES["LOG-MAXARCH"], set(RULES["LOG-MAXARCH"].inputs.model_fields)) == ()
    judged = finding("LOG-MAXARCH", maxarch=500, log_size_mib=1_000)
    assert judged.advice == "Supply backup_hours, day_mean_mib_per_s."


@pytest.mark.parametrize(
    ("line", "added"),
    [
        ("limit = 2 x 30 MiB", ()),
        ("2 engines: limit 60 MiB", ()),
        ("limit: none on the day", ()),
        ("limit of the rate = 2 x 30 MiB", ("limit = 60 MiB",)),
        ("capacity = 2 x 30 MiB, the limit", ("limit = 60 MiB",)),
    ],
)
def test_a_line_states_the_limit_where_none_of_the_rule_does(
    line: str, added: tuple[str, ...]
) -> None:
    def assessed(**_: float) -> Assessment:
        return Assessment(observed=30, limit=60, unit="MiB", advice="", arithmetic=(line,))

    form = dataclasses.replace(BUSY.forms[0], function=assessed)
    rule = dataclasses.replace(BUSY, forms=(form,))
    result = [InputValue(name="engines", value=4), InputValue(name="busy_pct", value=20)]
    assert judge(rule, "PLEX1/CF01", DAY, result, Policy()).arithmetic == (line, *added)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(watch_below_headroom=0.0),
        Policy(watch_below_headroom=0.2, act_below_headroom=0.2),
        Policy(breach=Severity.ok),
    ],
)
def test_without_headroom_that_is_asked_for_there_is_no_watch_level(policy: Policy) -> None:
    inputs = values(engines=4, busy_pct=59)
    assert judge(BUSY, "PLEX1/CF01", DAY, inputs, policy).watch_level is None


@pytest.mark.parametrize(
    ("busy_pct", "words"),
    [
        (42, ""),
        (42.1, "Watch above 42 %"),
        (48, "Watch above 42 %"),
        (48.1, "Act above 48 %"),
        (60, "Act above 48 %"),
        (60.1, ""),
    ],
)
def test_the_level_of_its_own_severity_decides(busy_pct: float, words: str) -> None:
    policy = Policy(watch_below_headroom=0.3, act_below_headroom=0.2)
    inputs = values(engines=4, busy_pct=busy_pct)
    assert judge(BUSY, "PLEX1/CF01", DAY, inputs, policy).deciding_words == words
