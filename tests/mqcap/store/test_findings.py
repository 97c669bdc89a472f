import json
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.finding import InputValue, Severity
from mqcap.store import upsert
from mqcap.store.crossings import replace_crossings
from mqcap.store.day_documents import EVERY
from mqcap.store.documents import as_document, dump_json, parse_finding, unreadable_rows
from mqcap.store.findings import (
    count_findings,
    day_or_latest,
    finding_dates,
    finding_meant,
    findings_about,
    findings_below,
    latest_site_date,
    next_findings_date,
    previous_findings_date,
    read_finding_summaries,
    read_findings,
    replace_findings,
    require_finding,
    require_findings,
)
from mqcap.store.models import FindingSummary
from mqcap.store.observations import replace_observations
from mqcap.store.plans import previous_plans, read_losses, read_plans, replace_losses, replace_plans
from mqcap.store.problems import problem_progress, replace_problems
from tests.factories import DAY, NOON, crossing, finding, observation, problem_day
from tests.plan_factories import loss, plan

ONE_DAY = timedelta(days=1)
NEXT_DAY = DAY + ONE_DAY
LATER = DAY + 3 * ONE_DAY
OF_RULE = "a subject of this rule:"


def test_an_empty_store_has_no_day(engine: Engine) -> None:
    assert read_findings(engine, DAY) == finding_dates(engine) == []
    assert read_finding_summaries(engine, DAY) == {}
    assert latest_site_date(engine) is None


def test_findings_come_back_by_rule_and_subject_and_are_counted(engine: Engine) -> None:
    first, second = finding("PLEX1/CSQ1"), finding("PLEX1/CSQ2")
    other_rule = finding("PLEX1/CSQ9", rule_id="LOG-COUNT-OVERLAP")
    assert replace_findings(engine, DAY, [second, first, other_rule]) == 3
    assert read_findings(engine, DAY) == [other_rule, first, second]
    assert (count_findings(engine, DAY), count_findings(engine, NEXT_DAY)) == (3, 0)


def test_replacing_findings_makes_problems_from_the_day_on_invalid(engine: Engine) -> None:
    for day in (DAY, NEXT_DAY):
        replace_findings(engine, day, [finding(site_date=day)])
        replace_problems(engine, day, [problem_day(site_date=day)])
    assert problem_progress(engine, NEXT_DAY).missing_dates == ()
    replace_findings(engine, NEXT_DAY, [])
    assert problem_progress(engine, NEXT_DAY) == (DAY, ())
    replace_findings(engine, DAY, [finding()])
    assert problem_progress(engine, NEXT_DAY) == (None, (DAY,))


def test_findings_below_a_subject_are_its_own_and_those_of_its_parts(engine: Engine) -> None:
    subjects = ("PLEX1/CSQ1", "PLEX1/CSQ1/PSID04", "PLEX1/CSQ10", "PLEX2/CSQ1")
    replace_findings(engine, DAY, [finding(subject) for subject in subjects])
    below = findings_below(engine, DAY, "PLEX1/CSQ1")
    assert [row.subject for row in below] == ["PLEX1/CSQ1", "PLEX1/CSQ1/PSID04"]
    assert len(findings_below(engine, DAY, "PLEX1")) == 3
    assert findings_below(engine, NEXT_DAY, "PLEX1") == []


def test_findings_about_subjects_are_not_those_of_their_parts(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    subjects = ("PLEX1/CSQ1", "PLEX1/CSQ1/PSID04", "PLEX1/CSQ2", "PLEX1/CSQ3")
    replace_findings(engine, DAY, [finding(subject) for subject in subjects])
    asked = ["PLEX1/CSQ3", "PLEX1/CSQ1", "PLEX1/CSQ1", "PLEX9/CSQ9"]
    for most in (1, 500):
        monkeypatch.setattr(upsert, "KEYS_PER_STATEMENT", most)
        about = findings_about(engine, DAY, asked)
        assert [row.subject for row in about] == ["PLEX1/CSQ1", "PLEX1/CSQ3"]
    assert findings_about(engine, NEXT_DAY, asked) == findings_about(engine, DAY, []) == []


def test_a_summary_has_the_expected_date_of_the_crossing(engine: Engine) -> None:
    plain = finding("PLEX1/CSQ2", severity=Severity.watch, headroom_ratio=None)
    replace_findings(engine, DAY, [finding(), plain])
    replace_crossings(engine, DAY, [crossing()])
    replace_crossings(engine, NEXT_DAY, [crossing("PLEX1/CSQ2", cutoff_date=NEXT_DAY)])
    dated = FindingSummary(Severity.act, -1.158, crossing().expected_date, "MiB/s")
    assert read_finding_summaries(engine, DAY) == {
        ("LOG-FILL-30MIN", "PLEX1/CSQ1"): dated,
        ("LOG-FILL-30MIN", "PLEX1/CSQ2"): FindingSummary(Severity.watch, None, None, "MiB/s"),
    }


def test_the_latest_day_is_that_of_findings_before_that_of_observations(engine: Engine) -> None:
    replace_observations(engine, [NEXT_DAY], [observation(day=NEXT_DAY)], {})
    assert latest_site_date(engine) == NEXT_DAY
    replace_findings(engine, DAY, [finding()])
    assert latest_site_date(engine) == DAY


def test_days_with_findings_are_listed_between_two_days_and_around_one(engine: Engine) -> None:
    days = [DAY, DAY + 2 * ONE_DAY, DAY + 5 * ONE_DAY]
    for day in reversed(days):
        replace_findings(engine, day, [finding(site_date=day), finding("X/Y", site_date=day)])
    assert finding_dates(engine) == days
    assert finding_dates(engine, NEXT_DAY, days[1]) == [days[1]]
    assert finding_dates(engine, first=days[1]) == days[1:]
    assert finding_dates(engine, last=days[1]) == days[:2]
    assert previous_findings_date(engine, days[1]) == DAY
    assert previous_findings_date(engine, DAY) is None
    assert next_findings_date(engine, days[1]) == days[2]
    assert next_findings_date(engine, days[2]) is None


def test_the_day_asked_for_is_taken_before_the_latest_and_one_is_needed(engine: Engine) -> None:
    with pytest.raises(ConfigurationError, match=r"holds no observations.*mqcap load"):
        day_or_latest(engine, None)
    replace_findings(engine, NEXT_DAY, [finding(site_date=NEXT_DAY)])
    assert day_or_latest(engine, DAY) == DAY
    assert day_or_latest(engine, NOON - ONE_DAY) == DAY - ONE_DAY
    assert day_or_latest(engine, None) == NEXT_DAY


def test_a_day_without_findings_is_an_error_with_the_command_that_helps(engine: Engine) -> None:
    for days, found in (
        ([], "a store without findings"),
        ([DAY], "findings of 2026-03-02"),
        ([LATER], "findings of 2026-03-02 to 2026-03-05"),
    ):
        for day in days:
            replace_findings(engine, day, [finding(site_date=day)])
            assert require_findings(engine, day) == [finding(site_date=day)]
        with pytest.raises(ConfigurationError, match="2026-03-03") as raised:
            require_findings(engine, NEXT_DAY)
        assert (raised.value.found, raised.value.expected) == (found, "a day with findings")
        assert "mqcap run --day 2026-03-03" in raised.value.remedy


def test_the_end_of_a_subject_names_it_where_only_one_of_the_rule_ends_so() -> None:
    findings = [finding(), finding(rule_id="LOG-COUNT-OVERLAP"), finding("PLEX1/ACSQ1")]
    assert require_finding(findings, "LOG-FILL-30MIN", "CSQ1") is findings[0]
    assert require_finding(findings, "log-fill-30min", "plex1/csq1") is findings[0]


@pytest.mark.parametrize("subject", ["PLEX1/CSQ1", "plex1/csq1", "BP00"])
def test_a_finding_is_found_stored_as_among_all_of_its_day(engine: Engine, subject: str) -> None:
    of_day = [finding(), finding("PLEX1/CSQ2/BP00"), finding(rule_id="LOG-COUNT-OVERLAP")]
    replace_findings(engine, DAY, of_day)
    among = require_finding(of_day, "LOG-FILL-30MIN", subject)
    assert finding_meant(engine, DAY, "LOG-FILL-30MIN", subject) == among
    for day, words in ((DAY, "no such finding"), (NEXT_DAY, "no rule was evaluated")):
        with pytest.raises(ConfigurationError, match=words):
            finding_meant(engine, day, "CF-BUSY-1", subject)


def test_the_owner_names_what_only_one_subject_of_the_rule_has() -> None:
    own = [finding("PLEX1/CSQ1/BP00"), finding("PLEX1/CSQ11/BP00"), finding("PLEX2/CSQ1/BP00")]
    assert require_finding(own, "LOG-FILL-30MIN", "csq11") is own[1]
    assert require_finding(own, "LOG-FILL-30MIN", "plex2/csq1") is own[2]
    with pytest.raises(ConfigurationError) as raised:
        require_finding(own, "LOG-FILL-30MIN", "CSQ1")
    assert raised.value.expected == "a subject of this rule: PLEX1/CSQ1/BP00 PLEX2/CSQ1/BP00"


@pytest.mark.parametrize(
    ("subject", "rule_id", "expected"),
    [
        ("PLEX1/CSQ9", "LOG-FILL-30MIN", f"{OF_RULE} PLEX1/CSQ1 PLEX1/CSQ2 PLEX2/CSQ1"),
        ("CSQ1", "LOG-FILL-30MIN", f"{OF_RULE} PLEX1/CSQ1 PLEX2/CSQ1"),
        ("", "LOG-FILL-30MIN", f"{OF_RULE} PLEX1/CSQ1 PLEX2/CSQ1 PLEX1/CSQ2"),
        ("PLEX1/CSQ2", "CF-BUSY-1", "a rule of this subject: LOG-FILL-30MIN"),
        ("CSQ2", "CF-BUSY-1", "a rule of this subject: LOG-FILL-30MIN"),
        ("PLEX1/CSQ7", "LOG-FILL", "a rule with findings: LOG-FILL-30MIN"),
        ("PLEX1/CF01", "CF-BUSY-1", "a rule with findings: LOG-COUNT-OVERLAP LOG-FILL-30MIN"),
    ],
)
def test_a_finding_that_there_is_not_is_answered_with_those_that_there_are(
    subject: str, rule_id: str, expected: str
) -> None:
    other_rule = finding("PLEX1/CSQ7", rule_id="LOG-COUNT-OVERLAP")
    findings = [finding(), finding("PLEX2/CSQ1"), finding("PLEX1/CSQ2"), other_rule]
    with pytest.raises(ConfigurationError) as raised:
        require_finding(findings, rule_id, subject)
    assert raised.value.found == f"{rule_id} {subject}"
    assert raised.value.expected == expected


def test_a_long_list_of_alternatives_is_cut_after_eight() -> None:
    findings = [finding(f"PLEX1/Q{number}") for number in range(11)]
    assert require_finding(findings, "LOG-FILL-30MIN", "PLEX1/Q10") is findings[10]
    with pytest.raises(ConfigurationError) as raised:
        require_finding(findings, "LOG-FILL-30MIN", "PLEX1/QX")
    assert raised.value.expected.endswith("PLEX1/Q7 and 3 more")
    with pytest.raises(ConfigurationError) as raised:
        require_finding(findings, "LOG-FILL-30MIN", "PLEX1/Q100")
    assert raised.value.expected.startswith("a subject of this rule: PLEX1/Q10 PLEX1/Q0 ")


def test_plans_and_losses_of_a_day_are_read_most_urgent_first(engine: Engine) -> None:
    act = loss(lost="PLEX1/CSQ2", severity=Severity.act)
    assert replace_losses(engine, DAY, [loss(), act]) == 2
    assert read_losses(engine, DAY) == [act, loss()]
    watch = plan(resource="PLEX1/CSQ2/active_log", severity=Severity.watch)
    late = plan(resource="PLEX1/CSQ0/active_log", due_date=DAY + timedelta(days=30))
    assert replace_plans(engine, DAY, [watch, late, plan()]) == 3
    assert read_plans(engine, DAY) == [plan(), late, watch]


def test_previous_plans_are_those_of_the_last_day_before_with_any(engine: Engine) -> None:
    replace_plans(engine, DAY, [plan()])
    replace_plans(engine, LATER, [plan(site_date=LATER)])
    assert previous_plans(engine, LATER) == {"PLEX1/CSQ1/active_log": plan()}
    assert previous_plans(engine, DAY) == {}


def test_the_same_content_is_the_same_text_and_a_number_that_json_cannot_hold_is_refused() -> None:
    assert dump_json({"b": [1, 2.5], "a": "Ä"}) == '{"a": "Ä", "b": [1, 2.5]}'
    for figure in (float("nan"), float("inf"), float("-inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            dump_json({"figure": figure})


def test_a_model_with_such_a_number_becomes_a_document_with_null() -> None:
    document = as_document(finding(inputs=(InputValue(name="rate", value=float("inf")),)))
    assert document["inputs"][0]["value"] is None
    assert json.loads(dump_json(document)) == document


def test_equal_findings_share_one_object() -> None:
    text = dump_json(as_document(finding("PLEX1/SHARED")))
    assert parse_finding(text) is parse_finding(str(text))


@pytest.mark.parametrize("text", ["{}", "nonsense", "[]"])
def test_a_document_that_holds_something_else_is_a_value_error(text: str) -> None:
    for documents in EVERY:
        with pytest.raises(ValueError, match=r"validation|expected ident|Expecting value|tag"):
            documents.parse(text)


def test_rows_are_counted_with_their_table_and_at_most_five_days_each_named_once() -> None:
    assert unreadable_rows("loss", [DAY]) == "1 row of loss cannot be read, on 2026-03-02"
    days = [DAY + timedelta(days=number // 2) for number in range(12)]
    words = unreadable_rows("plan", days)
    assert words.startswith("12 rows of plan cannot be read, on 2026-03-02, 2026-03-03, ")
    assert words.count("2026") == 5
