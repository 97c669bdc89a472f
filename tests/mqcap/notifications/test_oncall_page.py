"""On-call pages: one message per resource, with what to do."""

from __future__ import annotations

from mqcap.domain.plan import Plan
from mqcap.notifications.digest import digest
from mqcap.notifications.oncall_page import WIDTH, page_message, paging_groups
from mqcap.notifications.problem_group import ProblemGroup, problem_group
from mqcap.presentation.summary_text import detail_lines
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


def test_a_page_is_the_row_of_the_resource_in_full_with_its_address() -> None:
    notice = digest(results([finding()], [breached(finding())], plans=[log_plan()]))
    [group] = paging_groups(notice)
    message = page_message(group, ALERTS)
    assert message["Subject"] == (
        "PAGE CSQ1 active logs: One log fills too fast; 16 x CYL(5825) by 16 Mar 2026"
    )
    *lines, address = content(group).splitlines()
    assert lines == detail_lines(group.row, WIDTH)
    assert address.startswith("http://localhost/capacity/resource?path=")


def test_a_page_without_a_plan_has_the_change_of_the_finding() -> None:
    group = paged("PLEX1/CSQ1")
    message = page_message(group, ALERTS)
    assert message["Subject"] == "PAGE CSQ1 active logs: One log fills too fast; CYL(3073) now"
    assert message["From"] == "mqcap@example.com"
    assert message["To"] == "pager@example.com, second@example.com"
    assert message["Auto-Submitted"] == "auto-generated"
    assert "Change: CYL(3073)" in content(group)


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
