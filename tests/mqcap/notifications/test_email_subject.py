"""The page of who is on call, and subjects of mails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import Severity
from mqcap.domain.plan import Plan
from mqcap.notifications.email_message import (
    MAX_SUBJECT_LENGTH,
    MailTopic,
    group_subject,
    subject_line,
)
from mqcap.notifications.emails import WIDTH, page_message, paging_groups
from mqcap.notifications.problem_group import ProblemGroup
from mqcap.presentation.summary_text import detail_lines
from mqcap.settings import AlertSettings
from tests.factories import crossing, differing_sources, finding
from tests.mqcap.notifications.builders import (
    breached,
    cf_finding,
    digest,
    log_plan,
    problem,
    problem_group,
    resource_group,
    results,
)
from tests.plan_factories import plan_change

ALERTS = AlertSettings(
    mail_from="mqcap@example.com",
    page_to=("pager@example.com", "second@example.com"),
    page_url="http://localhost/capacity",
)


def test_the_subject_has_what_is_wrong_the_operand_and_the_due_day() -> None:
    others = [finding("PLEX1/CSQ2"), cf_finding()]
    notice = digest(results([finding(), *others], [breached(finding())], plans=[log_plan()]))
    assert subject_line(notice) == (
        "ACT CSQ1 active logs: One log fills too fast; 16 x CYL(5825) by 16 Mar 2026 (+2 more)"
    )


@pytest.mark.parametrize(
    ("operand", "end"),
    [
        ("16 x CYL(5825)", "One log fills too fast; 16 x CYL(5825) by 16 Mar 2026 (+8 more)"),
        ("x" * 28, f"One log fills too fast; {'x' * 28} by 16 Mar 2026"),
        ("x" * 40, f"{'x' * 40} by 16 Mar 2026"),
        ("x" * 80, "One log fills too fast"),
    ],
)
def test_what_does_not_fit_is_left_out_and_not_cut(operand: str, end: str) -> None:
    plan = log_plan(changes=(plan_change(typed=operand),))
    line = group_subject(resource_group(finding(), plan=plan), 8)
    assert line.startswith(f"ACT CSQ1 active logs: {end}")
    assert len(line) <= MAX_SUBJECT_LENGTH


@pytest.mark.thorough
@given(st.text(max_size=120), st.text(max_size=60))
def test_every_subject_is_one_short_line(name: str, operand: str) -> None:
    plan = log_plan(f"PLEX1/{name}", changes=(plan_change(typed=operand),))
    line = group_subject(resource_group(finding(f"PLEX1/{name}"), plan=plan), 3)
    assert len(line) <= MAX_SUBJECT_LENGTH
    assert len(line.splitlines()) <= 1


def test_an_event_that_has_ended_gives_way_to_what_still_asks_for_action() -> None:
    event = finding(
        "PLEX1/CSQ2", rule_id="CONSOLE-ARCHIVE", title="Archiving failed", is_event=True,
        has_ended=True, observed=None, limit_value=None, series_id=None, changes=(),
    )  # fmt: skip
    assert subject_line(digest(results([event, finding()]))).startswith("ACT CSQ1 active logs: ")
    alone = subject_line(digest(results([event])))
    assert alone.startswith("ACT CSQ2 archive logs: Archiving failed; ")


def test_sources_that_differ_have_a_subject_of_their_own() -> None:
    differs = digest(results([finding(severity=Severity.ok)], feeds=[differing_sources()]))
    assert subject_line(differs, MailTopic.data).startswith("DATA DIFFERS PLEX1 CSQ1")


def paged(*subjects: str, plan: Plan | None = None) -> ProblemGroup:
    problems = [problem(finding(subject), breached(finding(subject))) for subject in subjects]
    return problem_group("PLEX1/CSQ1/active_log", problems, plan)


def content(group: ProblemGroup) -> str:
    return str(page_message(group, ALERTS).get_content()).replace("\r\n", "\n")


def test_only_a_new_breach_pages_and_each_resource_by_itself() -> None:
    over, soon = finding(), cf_finding(severity="act")
    today = results([over, soon], [breached(over), crossing(soon)])
    [only] = paging_groups(digest(today))
    assert [item.finding for item in only.problems] == [over]
    assert paging_groups(digest(today, today)) == ()
    assert paging_groups(digest(results([finding(severity="watch")]))) == ()
    groups = paging_groups(digest(results([over, finding("PLEX2/CSQ1")])))
    paged = [[item.finding.subject for item in group.problems] for group in groups]
    assert paged == [["PLEX1/CSQ1"], ["PLEX2/CSQ1"]]


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
    assert "Do: CYL(3073) now." in content(group)


def test_a_rerun_has_the_same_message_id_and_another_resource_has_another() -> None:
    group = paged("PLEX1/CSQ1")
    elsewhere = group.model_copy(update={"resource": "PLEX1/CSQ2/active_log"})
    first, again, other = (
        page_message(of, ALERTS)["Message-ID"] for of in (group, group, elsewhere)
    )
    assert first == again != other
    assert first.startswith("<mqcap.2026-03-02.page.")
    assert first.endswith("@example.com>")
