"""Blocks of an email: one resource in at most four lines."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import InputValue, Severity
from mqcap.domain.input_source import LossSource
from mqcap.domain.problem import ProblemState
from mqcap.notifications.plan_blocks import (
    NEW,
    NO_OUTLOOK,
    STANDING,
    MailOutlook,
    data_note_of,
    plan_block,
    status_words,
    with_headings,
)
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.notifications.problem_text import LOSSES_WORDS
from mqcap.presentation.plans.text import change_text
from mqcap.settings import AlertSettings
from tests.factories import DAY, acknowledgement, crossing, finding
from tests.mqcap.notifications.builders import (
    breached,
    cf_finding,
    forecast,
    log_plan,
    resource_group,
)
from tests.plan_factories import plan_change

URL = "http://page"
YESTERDAY = DAY - timedelta(days=1)


def of_state(state: ProblemState, **changed: object) -> ProblemGroup:
    group = resource_group(finding(), breached(finding()))
    [item] = group.problems
    status = item.status.model_copy(update={"state": state, "raised_date": YESTERDAY, **changed})
    return group.model_copy(update={"problems": (item.model_copy(update={"status": status}),)})


def test_a_block_is_why_with_its_date_what_to_do_and_what_it_takes() -> None:
    group = resource_group(finding(), breached(finding()), plan=log_plan())
    block = plan_block(group, AlertSettings(), URL, ticket="MQCAP-1")
    assert block.why == (
        "13.9 min of 30 min: a log of 1,000 MiB lasts 13.9 min at the peak; "
        "over the limit since 2026-01-30."
    )
    assert block.lines == (
        f"Begin by 16 Mar 2026 (Payments MQ team): {change_text(plan_change())}.",
        "Takes +139,792 cylinders (+98,291 MiB) of DASD, 10 h of work; lasts until 8 Sep 2026.",
    )
    assert (block.resource, block.ticket) == ("PLEX1 CSQ1 active logs", "MQCAP-1")
    assert block.link.startswith("http://page/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1")


def test_a_resource_without_a_plan_has_its_finding_with_owner_and_due_day() -> None:
    soon = cf_finding()
    alerts = AlertSettings(owners={"PLEX1": "Sysplex team"})
    block = plan_block(resource_group(soon, crossing(soon)), alerts, URL)
    assert block.why == (
        "CF processor busy: 51 %, limit 60 %; "
        "expected 2026-04-29, earliest 2026-04-02, latest 2026-06-29."
    )
    assert block.lines == (
        "Decide by 19 Mar 2026 (Sysplex team): No change yet: expected 2026-04-29.",
    )


GROWTH = "Why it grew: +756 MB/hour (+21 %) since 1 Oct: PAY.IN +680 (90 %)"


def test_the_growth_ends_a_block_without_making_it_longer() -> None:
    group = resource_group(finding(), breached(finding()), plan=log_plan())
    without = plan_block(group, AlertSettings(), URL)
    block = plan_block(group, AlertSettings(), URL, outlook=MailOutlook(growth=GROWTH))
    assert (block.why, len(block.lines)) == (without.why, len(without.lines))
    assert block.lines[-1] == f"{without.lines[-1].rstrip('.')}. {GROWTH}."


def test_the_growth_has_a_line_of_its_own_where_there_is_room() -> None:
    soon = cf_finding()
    outlook = MailOutlook(growth=GROWTH)
    block = plan_block(resource_group(soon, crossing(soon)), AlertSettings(), URL, outlook=outlook)
    assert block.lines[1:] == (f"{GROWTH}.",)


def test_a_moved_date_and_incomplete_data_follow_the_date() -> None:
    soon = cf_finding()
    said = MailOutlook("was 2026-06-01 as of 2026-02-01: growth", "forecast on incomplete data")
    block = plan_block(resource_group(soon, crossing(soon)), AlertSettings(), URL, outlook=said)
    assert block.why.endswith(
        "; was 2026-06-01 as of 2026-02-01: growth; forecast on incomplete data."
    )


@pytest.mark.parametrize(
    ("state", "previous", "words"),
    [
        (ProblemState.new, YESTERDAY, "new"),
        (ProblemState.reopened, YESTERDAY, "back"),
        (ProblemState.worsening, YESTERDAY, "changed since 1 Mar 2026"),
        (ProblemState.worsening, None, "changed"),
        (ProblemState.lasting, YESTERDAY, "since 1 Mar 2026"),
        (ProblemState.improving, YESTERDAY, "better, since 1 Mar 2026"),
    ],
)
def test_the_status_says_new_changed_or_since_when(
    state: ProblemState, previous: date | None, words: str
) -> None:
    assert status_words(of_state(state), previous) == words


def test_a_changed_plan_of_a_standing_problem_is_a_change() -> None:
    group = of_state(ProblemState.lasting).model_copy(update={"is_plan_changed": True})
    assert status_words(group, YESTERDAY) == "changed since 1 Mar 2026"


def test_an_acknowledged_resource_has_its_note() -> None:
    group = of_state(ProblemState.acknowledged, acknowledgement=acknowledgement(note="NET-7"))
    assert status_words(group, YESTERDAY) == "acknowledged: NET-7"


def test_what_is_to_act_on_without_a_ticket_says_why() -> None:
    group = of_state(
        ProblemState.lasting, severity=Severity.watch, notified_severity=Severity.watch
    ).model_copy(update={"plan": log_plan()})
    assert group.severity is Severity.act
    assert status_words(group, YESTERDAY) == "since 1 Mar 2026, no ticket yet"
    test = group.model_copy(
        update={
            "problems": tuple(
                one.model_copy(update={"is_production": False}) for one in group.problems
            )
        }
    )
    assert status_words(test, YESTERDAY) == "since 1 Mar 2026, no ticket: not production"


def test_parts_of_the_list_have_headings_where_both_occur() -> None:
    new, standing = of_state(ProblemState.new), of_state(ProblemState.lasting)

    def headings(*groups: ProblemGroup) -> list[str]:
        blocks = [plan_block(group, AlertSettings(), "") for group in groups]
        return [block.heading for block in with_headings(blocks, groups)]

    assert headings(new, new) == ["", ""]
    assert headings(standing) == [""]
    assert headings(new, new, standing, standing) == [NEW, "", STANDING, ""]


def test_a_forecast_on_incomplete_data_says_so() -> None:
    lacking = forecast(cf_finding()).model_copy(
        update={"data_note": "3 of 240 days are incomplete."}
    )
    assert data_note_of(lacking) == ("forecast on incomplete data: 3 of 240 days are incomplete")
    refused = lacking.model_copy(update={"refusal": "too short"})
    assert data_note_of(refused) == (
        "measured, not forecast, on incomplete data: 3 of 240 days are incomplete"
    )


def test_nothing_is_said_about_complete_data_and_without_a_forecast() -> None:
    assert data_note_of(forecast(cf_finding())) == ""
    assert data_note_of(None) == ""
    assert not any(NO_OUTLOOK)


def test_the_link_of_a_loss_says_that_it_shows_every_survivor() -> None:
    inputs = (InputValue(name="with_load", value=73, origin=LossSource(lost="PLEX1/CF02")),)
    lost = finding("PLEX1/CF02", rule_id="LOSS-CF-BUSY", inputs=inputs)
    block = plan_block(resource_group(lost), AlertSettings(), URL)
    assert (block.link_words, "/losses?" in block.link) == (LOSSES_WORDS, True)
    assert "once it is lost" not in block.why


def test_the_link_of_a_finding_without_a_series_leads_to_the_finding_and_promises_no_chart() -> (
    None
):
    event = finding(rule_id="CONSOLE-LOG", series_id=None, observed=None, limit_value=None)
    block = plan_block(resource_group(event, plan=log_plan()), AlertSettings(), URL)
    assert block.link == (
        f"{URL}/finding?rule=CONSOLE-LOG&subject=PLEX1%2FCSQ1&day={event.site_date}"
    )
    assert block.link_words == "finding and problem history"


def test_the_link_of_a_chart_promises_a_limit_and_a_date_where_it_has_them() -> None:
    found = finding()
    never = crossing(
        found, state=CrossingState.not_within_horizon, expected_date=None, earliest_date=None
    )
    expected = {
        "chart with limit and date": (breached(found), crossing(found)),
        "chart with limit": (never,),
        "chart": (None,),
    }
    for words, crossings in expected.items():
        for its in crossings:
            group = resource_group(found, its)
            assert plan_block(group, AlertSettings(), URL).link_words == words


def test_the_date_in_a_headline_names_its_rule_where_the_sentence_is_about_another() -> None:
    lead = finding(rule_id="LOG-RUNWAY-12H")
    plan = log_plan()
    for rule_id, words in (("LOG-DAY-ACTIVE", "; LOG-RUNWAY-12H: "), ("LOG-RUNWAY-12H", "; ")):
        worst = plan.model_copy(update={"worst_rule": rule_id})
        why = plan_block(resource_group(lead, breached(lead), plan=worst), AlertSettings(), URL).why
        summary = worst.summary.rstrip(".")
        assert why == f"{summary}{words}over the limit since 2026-01-30."
