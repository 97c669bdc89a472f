"""On-call pages: one message per resource, with what to do."""

from __future__ import annotations

from mqcap.domain.plan import Plan
from mqcap.notifications.digest import digest
from mqcap.notifications.oncall_page import page_message, paging_groups
from mqcap.notifications.problem_group import ProblemGroup, problem_group
from mqcap.presentation.plans.text import plan_lines
from mqcap.settings import AlertSettings
from tests.factories import crossing, finding
from tests.mqcap.notifications.builders import (
    breached,
    cf_finding,
    log_plan,
    problem,
    results,
)

ALERTS = AlertSettings(
    mail_from="mqcap@example.com",
    page_to=("pager@example.com", "second@example.com"),
    page_url="http://localhost/capacity",
)


def paged(*subjects: str, plan: Plan | None = None) -> ProblemGroup:
    problems = [problem(finding(subject), breached(finding(subject))) for subject in subjects]
    return problem_group("PLEX1/CSQ1/active_log", problems, plan)


def content(group: ProblemGroup) -> str:
    return str(page_message(group, ALERTS).get_content()).replace("\r\n", "\n")


def test_only_a_new_breach_pages() -> None:
    over, soon = finding(), cf_finding(severity="act")
    today = results([over, soon], [breached(over), crossing(soon)])
    [only] = paging_groups(digest(today))
    assert [item.finding for item in only.problems] == [over]
    assert paging_groups(digest(today, today)) == ()


def test_a_breach_to_watch_does_not_page() -> None:
    assert paging_groups(digest(results([finding(severity="watch")]))) == ()


def test_each_resource_is_one_page() -> None:
    notice = digest(results([finding("PLEX1/CSQ1"), finding("PLEX2/CSQ1")]))
    subjects = [
        [item.finding.subject for item in group.problems] for group in paging_groups(notice)
    ]
    assert subjects == [["PLEX1/CSQ1"], ["PLEX2/CSQ1"]]


def test_a_page_is_the_plan_of_the_resource() -> None:
    notice = digest(results([finding()], [breached(finding())], plans=[log_plan()]))
    [group] = paging_groups(notice)
    message = page_message(group, ALERTS)
    assert message["Subject"] == (
        "PAGE PLEX1 CSQ1 active logs: Log growth that fills one log in 30 minutes; due 16 Mar"
    )
    assert content(group).splitlines() == [*plan_lines(log_plan()), ALERTS.page_url]


def test_a_page_without_a_plan_has_the_sentence_the_change_and_the_address() -> None:
    group = paged("PLEX1/CSQ1")
    message = page_message(group, ALERTS)
    assert message["Subject"].startswith("PAGE PLEX1 CSQ1 active logs: ")
    assert message["From"] == "mqcap@example.com"
    assert message["To"] == "pager@example.com, second@example.com"
    assert message["Auto-Submitted"] == "auto-generated"
    assert content(group) == (
        "PLEX1/CSQ1: 1.2 MiB/s at peak fills one log of 1,000 MiB in 13.9 minutes.\n"
        "Do: Allocate each active log with 2,160 MiB. CYL(3073)\n"
        "http://localhost/capacity\n"
    )


def test_further_problems_of_the_resource_are_one_line_each_and_at_most_nine() -> None:
    lines = content(paged(*(f"PLEX1/CSQ{number}" for number in range(12)))).splitlines()
    also = [line for line in lines if line.startswith("Also ")]
    assert len(also) == 9
    assert also[0].startswith("Also PLEX1/CSQ1 Log growth that fills one log in 30 minutes: ")


def test_a_rerun_has_the_same_message_id_and_another_resource_has_another() -> None:
    first, again, other = (
        page_message(paged("PLEX1/CSQ1").model_copy(update={"resource": path}), ALERTS)[
            "Message-ID"
        ]
        for path in ("PLEX1/CSQ1/active_log", "PLEX1/CSQ1/active_log", "PLEX1/CSQ2/active_log")
    )
    assert first == again != other
    assert first.startswith("<mqcap.2026-03-02.page.")
    assert first.endswith("@example.com>")
