"""Text of tickets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mqcap.domain.finding import Severity
from mqcap.domain.plan import PlanRule
from mqcap.domain.problem import ProblemState
from mqcap.notifications.ticket_text import ticket_of
from mqcap.presentation.plans.text import plan_lines
from mqcap.settings import AlertSettings
from tests.factories import DAY, crossing, finding
from tests.mqcap.notifications.builders import breached, cf_finding, log_plan, problem
from tests.plan_factories import plan_change

KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"


def days(count: int) -> timedelta:
    return timedelta(days=count)


def test_a_ticket_has_everything_needed_to_act() -> None:
    over = finding()
    made = ticket_of([problem(over, breached(over))], "http://page")
    assert made.dedupe_key == "PLEX1/CSQ1/active_log"
    assert made.members == (KEY,)
    assert made.due_date == DAY
    for words in (
        over.summary,
        "Observed: Log growth 4,320 MB/hour (1.2 MiB/s), peak of 2026-02-27",
        "Limit: 2,001.6 MB/hour (0.556 MiB/s)",
        "over the limit since 2026-01-30",
        "Kind: measured, new",
        "7 consecutive complete days in order",
        "LOG-FILL-30MIN, MP16",
        "1,000 MiB / 1,800 s",
        "Type: CYL(3073)",
        "Log compression is not considered.",
        "http://page/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1&day=2026-03-02",
        "http://page/explain?rule=LOG-FILL-30MIN&subject=PLEX1%2FCSQ1&day=2026-03-02",
    ):
        assert words in made.body


def test_a_ticket_of_what_happened_says_what_and_has_no_empty_figures() -> None:
    full = finding(is_event=True, observed=None, limit_value=None, title="Out of log space")
    for plan in (None, log_plan(is_event=True)):
        text = ticket_of([problem(full, breached(finding()))], plan=plan).body
        assert "Reported: Out of log space" in text
        assert "Observed:" not in text
        assert "Limit:" not in text


def test_a_ticket_names_the_hour_of_the_peak_and_the_owner_of_the_change() -> None:
    over = problem(finding(), breached(finding()))
    hour = datetime(2026, 2, 27, 14, tzinfo=UTC)
    measured = over.model_copy(
        update={"status": over.status.model_copy(update={"peak_hour_utc": hour})}
    )
    owners = {"PLEX1": "Sysplex team", "PLEX1/CSQ1": "Payments"}
    text = ticket_of([measured], alerts=AlertSettings(owners=owners)).body
    assert "peak of 2026-02-27, in the hour from 2026-02-27 14:00 UTC" in text
    assert "Owner: Payments" in text
    facility = ticket_of([problem(cf_finding())], alerts=AlertSettings(owners=owners)).body
    assert "Owner: Sysplex team" in facility
    assert "Owner" not in ticket_of([measured]).body


def test_a_ticket_is_due_its_lead_time_before_the_earliest_crossing() -> None:
    soon = cf_finding(severity=Severity.act)
    made = ticket_of([problem(soon, crossing(soon))])
    assert made.due_date == DAY + days(31 - 14)
    assert "expected 2026-04-29, earliest 2026-04-02, latest 2026-06-29" in made.body
    assert (
        "Change by: 2026-03-19 (earliest crossing 2026-04-02 less 14 days of lead time)"
        in made.body
    )
    assert "Probability: 10 % within 30 days" in made.body


def test_a_ticket_names_its_resource_and_all_its_problems() -> None:
    lead, other = problem(finding()), problem(finding(rule_id="LOG-RUNWAY-12H"))
    made = ticket_of([lead, other])
    assert made.members == (lead.key, other.key)
    assert made.title == (
        "PLEX1 CSQ1 active logs: Log growth that fills one log in 30 minutes and 1 more"
    )
    assert "same hour" not in made.body
    assert f"Also {other.key}: " in made.body


def test_what_was_hit_in_the_same_hour_is_a_remark() -> None:
    made = ticket_of([problem(finding())], same_hour=["PLEX1 CSQ2 active logs"])
    assert "Other resources over a limit in the same hour: PLEX1 CSQ2 active logs." in made.body
    assert made.members == (KEY,)


def test_a_ticket_was_first_seen_when_its_first_problem_was() -> None:
    lead, other = problem(finding()), problem(finding(rule_id="LOG-RUNWAY-12H"))
    earlier = other.status.model_copy(update={"raised_date": DAY - days(3)})
    made = ticket_of([lead, other.model_copy(update={"status": earlier})])
    assert made.first_seen_date == DAY - days(3)


RULES = (
    PlanRule(
        rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", title="Fill one log",
        is_mandatory=True, before=Severity.act, after=Severity.ok,
        before_text="13.9 min of 30 min.", after_text="57 min of 30 min.",
    ),
    PlanRule(
        rule_id="LOG-DAY-ACTIVE", subject="PLEX1/CSQ1", title="A day of log in active logs",
        is_mandatory=False, before=Severity.watch, after=Severity.ok,
        before_text="9 of 24 h.", after_text="40 of 24 h.",
    ),
    PlanRule(
        rule_id="LOG-COUNT-MIN", subject="PLEX1/CSQ1", title="Number of active logs",
        is_mandatory=False, before=Severity.ok, after=Severity.ok,
        before_text="8 logs.", after_text="16 logs.",
    ),
)  # fmt: skip


def test_a_ticket_with_a_plan_is_named_after_its_change_and_is_due_with_it() -> None:
    made = ticket_of([problem(finding(unit="min", observed=13.9, limit_value=30.0))],
                     plan=log_plan(due_date=DAY + days(20)))  # fmt: skip
    assert made.title == "PLEX1 CSQ1 active logs: 13.9 min, limit 30 min; 16 x CYL(5825) by 22 Mar"
    assert made.due_date == DAY + days(20)


def test_the_text_of_a_plan_has_its_lines_rules_side_effects_figures_and_links() -> None:
    changes = (plan_change(side_effects="pre-format the data sets"),)
    plan = log_plan(rules=RULES, changes=changes, affected=("LOG-MAXARCH more archives.",))
    text = ticket_of([problem(finding(), breached(finding()))], "http://page", plan=plan).body
    assert text.splitlines()[:3] == plan_lines(plan)
    day = "A day of log in active logs"
    for line in (
        "- LOG-FILL-30MIN, Fill one log: Act now, OK with the plan. Then: 57 min of 30 min.",
        f"- LOG-DAY-ACTIVE, {day}: Watch now, OK with the plan. Now: 9 of 24 h. Then: 40 of 24 h.",
        "- LOG-COUNT-MIN, Number of active logs: OK with and without the plan.",
        "- pre-format the data sets",
        "- makes worse: LOG-MAXARCH more archives.",
        "- Observed: Log growth 4,320 MB/hour (1.2 MiB/s), peak of 2026-02-27",
        "- When: over the limit since 2026-01-30",
        '- Rule: LOG-FILL-30MIN, MP16, "Active logs"',
        "- 1,000 MiB / 1,800 s = 0.5556 MiB/s",
        "This ticket is closed after 7 consecutive complete days in order.",
    ):
        assert line in text.splitlines()
    assert "http://page/series?series=log_growth_mib_per_s%2FPLEX1%2FCSQ1" in text
    sentences = [line for line in text.splitlines() if line]
    assert len(sentences) == len(set(sentences))


def test_a_comment_says_what_is_new_or_that_the_plan_has_changed() -> None:
    item = problem(finding())
    assert ticket_of([item], plan=log_plan()).update_text.startswith("New: LOG-FILL-30MIN.")
    status = item.status.model_copy(update={"state": ProblemState.lasting})
    standing = item.model_copy(update={"status": status})
    text = ticket_of([standing], plan=log_plan(changed_on=DAY)).update_text
    assert text.startswith("The plan has changed.")
    assert plan_lines(log_plan())[1] in text


def test_the_notified_day_of_a_plan_is_that_of_its_change_or_its_newest_problem() -> None:
    worse = problem(finding())
    later = {"raised_date": DAY, "notified_date": DAY + days(9)}
    worse = worse.model_copy(update={"status": worse.status.model_copy(update=later)})
    assert ticket_of([worse]).notified_date == DAY + days(9)
    assert ticket_of([worse], plan=log_plan()).notified_date == DAY
    assert ticket_of([worse], plan=log_plan(changed_on=DAY + days(3))).notified_date == DAY + days(
        3
    )
