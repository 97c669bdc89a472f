"""On-call pages: one message per resource, with what to do."""

from __future__ import annotations

from mqcap.domain.problem import Problem
from mqcap.notifications.digest import digest
from mqcap.notifications.oncall_page import page_message, paging_problems
from mqcap.settings import AlertSettings
from tests.factories import crossing, finding
from tests.mqcap.notifications.builders import breached, cf_finding, problem, results

ALERTS = AlertSettings(
    mail_from="mqcap@example.com",
    page_to=("pager@example.com", "second@example.com"),
    page_url="http://localhost/capacity",
)


def paged(*subjects: str) -> list[Problem]:
    return [problem(finding(subject), breached(finding(subject))) for subject in subjects]


def test_only_a_new_breach_pages() -> None:
    over, soon = finding(), cf_finding(severity="act")
    today = results([over, soon], [breached(over), crossing(soon)])
    [[only]] = paging_problems(digest(today))
    assert only.finding == over
    assert paging_problems(digest(today, today)) == ()


def test_a_breach_to_watch_does_not_page() -> None:
    assert paging_problems(digest(results([finding(severity="watch")]))) == ()


def test_each_resource_is_one_page() -> None:
    notice = digest(results([finding("PLEX1/CSQ1"), finding("PLEX2/CSQ1")]))
    subjects = [[one.finding.subject for one in problems] for problems in paging_problems(notice)]
    assert subjects == [["PLEX1/CSQ1"], ["PLEX2/CSQ1"]]


def test_a_page_has_the_sentence_the_change_and_the_address() -> None:
    message = page_message(paged("PLEX1/CSQ1"), ALERTS)
    assert message["Subject"].startswith("PAGE PLEX1 CSQ1 Log growth")
    assert message["From"] == "mqcap@example.com"
    assert message["To"] == "pager@example.com, second@example.com"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content().replace("\r\n", "\n") == (
        "PLEX1/CSQ1: 1.2 MiB/s at peak fills one log of 1,000 MiB in 13.9 minutes.\n"
        "Do: Allocate each active log with 2,160 MiB. CYL(3073)\n"
        "http://localhost/capacity\n"
    )


def test_further_problems_of_the_resource_are_one_line_each_and_at_most_nine() -> None:
    message = page_message(paged(*(f"PLEX1/CSQ{number}" for number in range(12))), ALERTS)
    also = [line for line in message.get_content().splitlines() if line.startswith("Also ")]
    assert len(also) == 9
    assert also[0].startswith("Also PLEX1/CSQ1 Log growth that fills one log in 30 minutes: ")
    assert "(+11 more)" in message["Subject"]


def test_a_rerun_has_the_same_message_id_and_another_resource_has_another() -> None:
    first, again, other = (
        page_message(paged(subject), ALERTS)["Message-ID"]
        for subject in ("PLEX1/CSQ1", "PLEX1/CSQ1", "PLEX1/CSQ2")
    )
    assert first == again != other
    assert first.startswith("<mqcap.2026-03-02.page.")
    assert first.endswith("@example.com>")
