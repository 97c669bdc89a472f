"""The rendered mail: its content, escaping, size limits and identical bytes."""

import os
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqcap.domain.finding import Severity
from mqcap.notifications import email_message
from mqcap.notifications.digest import Digest
from mqcap.notifications.email_message import (
    BUDGET,
    MAX_SUBJECT_LENGTH,
    MailTopic,
    subject_line,
    unknown_lines,
)
from mqcap.presentation.summary_text import count_words
from mqcap.settings import AlertSettings, MailBudget
from tests.factories import DAY, crossing, differing_sources, feed_day, finding
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import (
    MESSAGE_CONTEXT,
    NO_SITE,
    breached,
    cf_finding,
    digest,
    digest_of,
    problem_days_of,
    results,
)
from tests.summary_budget import MAIL_LINES, MAIL_WORDS

GOLDEN = Path(__file__).with_name("golden")
REFERENCES = {"LOG-FILL-30MIN/PLEX1/CSQ1": "MQCAP-4F09A1"}
RESOURCE = "PLEX1/CSQ1/active_log"


def parts(message: EmailMessage) -> tuple[str, str]:
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert rich is not None
    first, second = (str(part.get_content()).replace("\r\n", "\n") for part in (plain, rich))
    return first, second


def text_and_html(notice: Digest) -> tuple[str, str]:
    return parts(email_message.render(notice, MESSAGE_CONTEXT, references=REFERENCES))


@pytest.mark.parametrize(("number", "name"), [(0, "mail.txt"), (1, "mail.html")])
def test_the_mail_is_the_golden_one(number: int, name: str) -> None:
    notice = builders.estate_digest()
    charts: dict[str, bytes] = {row.resource: b"png" for row in email_message.chart_rows(notice)}
    moves = ["CF01 busy: was 28 May 2026 as of 1 Mar 2026: level 3 points higher after 1 new day"]
    message = email_message.render(
        notice, MESSAGE_CONTEXT, charts=charts, references=REFERENCES, moves=moves
    )
    rendered = parts(message)[number]
    golden = GOLDEN / name
    if os.environ.get("MQCAP_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(rendered, encoding="utf-8")
    assert rendered == golden.read_text(encoding="utf-8")


def test_the_same_digest_gives_the_same_bytes_with_the_date_of_its_day() -> None:
    first, second = (
        email_message.render(builders.estate_digest(), MESSAGE_CONTEXT, charts={RESOURCE: b"png"})
        for _ in range(2)
    )
    assert first.as_bytes() == second.as_bytes()
    assert first["Date"].datetime.isoformat() == "2026-03-03T00:00:00+00:00"
    assert str(DAY) in first["Message-ID"]
    assert first["Message-ID"].endswith("@example.com>")


def test_a_quiet_day_has_a_mail_that_nothing_is_over_a_limit() -> None:
    notice = digest(results([finding(severity=Severity.ok)]))
    assert subject_line(notice) == "OK: nothing over a limit or about to pass one, 2 Mar 2026"
    for text in text_and_html(notice):
        assert "Nothing is over its limit" in text


def test_a_queue_named_script_is_harmless() -> None:
    nasty = "PLEX1/<script>alert('x')</script>&\"'"
    shown = finding(nasty, title="<b>title</b>", summary=f"{nasty} <img src=x>", advice="<i>")
    unjudged = finding("<u>", rule_id="R", severity=Severity.unknown, missing=("<em>",))
    fine = finding("<ok>", rule_id="S", severity=Severity.ok)
    before = results([fine.model_copy(update={"severity": Severity.act})])
    notice = digest(results([shown, unjudged, fine]), before)
    html = text_and_html(notice)[1]
    for tag in ("<script", "<img src=x", "<b>title", "<i>", "<u>", "<em>", "<ok>"):
        assert tag not in html
    assert "&lt;script&gt;" in html


def test_a_name_with_a_line_break_adds_no_header() -> None:
    notice = digest(results([finding("PLEX1/A\r\nBcc: everybody@example.com")]))
    message = email_message.render(notice, MESSAGE_CONTEXT)
    assert message["Bcc"] is None
    assert message_from_bytes(message.as_bytes(), policy=policy.SMTP)["Bcc"] is None


@pytest.mark.thorough
@given(st.text(max_size=40))
def test_any_text_in_a_name_gives_a_mail_with_one_line_of_subject(name: str) -> None:
    notice = digest(results([finding(f"PLEX1/{name}", title=name)]))
    message = email_message.render(notice, MESSAGE_CONTEXT)
    assert len(subject_line(notice).splitlines()) <= 1
    assert len(subject_line(notice)) <= MAX_SUBJECT_LENGTH
    raw = message.as_bytes()
    assert set(message_from_bytes(raw, policy=policy.SMTP).keys()) == set(message.keys())


def test_new_and_changed_rows_come_before_those_that_stand() -> None:
    standing, new = finding("PLEX1/CSQ1"), cf_finding("PLEX1/CF01")
    before = results([standing], day=DAY - timedelta(days=1))
    soon = crossing(new, earliest_date=DAY + timedelta(days=30))
    text = text_and_html(digest(results([standing, new], [soon]), before, builders.QUICK))[0]
    order = ("NEW OR CHANGED", "Watch  PLEX1/CF01", "UNCHANGED", "Act  CSQ1 active logs")
    assert sorted(order, key=text.index) == list(order)


def test_the_first_line_is_the_most_urgent_plan_and_the_second_counts() -> None:
    notice = digest(results([finding()], [breached(finding())], plans=[builders.log_plan()]))
    lines = text_and_html(notice)[0].splitlines()
    to_do = "16 x CYL(5825) by 16 Mar 2026, Payments MQ team."
    assert lines[:3] == [
        f"CSQ1 active logs: One log fills too fast. {to_do}",
        f"{count_words([notice.groups[0].row])} 1 new, 0 changed, 0 resolved. 0 checks in order.",
        "Example bank: MQ capacity, 2 Mar 2026",
    ]


def first_day(count: int) -> Digest:
    today = builders.first_results(count)
    return digest_of(today, problem_days_of(today, [], NO_SITE, judged_before=3))


@pytest.mark.parametrize(("count", "words"), [(8, MAIL_WORDS), (72, None)])
def test_however_many_plans_there_are_the_mail_stays_within_its_budget(
    count: int, words: int | None
) -> None:
    notice = first_day(count)
    assert len(notice.groups) == 3 * count
    text, html = text_and_html(notice)
    assert len(text.splitlines()) <= MAIL_LINES
    assert len(html.encode()) <= BUDGET.html_kib * 1_024
    rows = [line for line in text.splitlines() if line.startswith("Act  ")]
    assert len(rows) == html.count('<tr class="row')
    assert len(rows) == 3 * count or f"and {3 * count - len(rows)} more" in text
    assert words is None or len(text.split()) <= words


def test_a_budget_that_is_too_small_for_any_block_still_lists_what_there_is() -> None:
    alerts = AlertSettings(mail_budget=MailBudget(html_kib=20))
    context = MESSAGE_CONTEXT.model_copy(update={"alerts": alerts})
    text, html = parts(email_message.render(first_day(11), context))
    assert len(html.encode()) <= 20 * 1_024
    assert "and 28 more" in text or "Q000 active logs" in text


def test_a_mail_about_data_has_nothing_about_capacity() -> None:
    notice = digest(results([finding(severity=Severity.ok)], feeds=[feed_day()]))
    text, html = parts(email_message.render(notice, MESSAGE_CONTEXT, about=MailTopic.data))
    assert "MQ data, 2 Mar 2026" in text
    assert "over its limit" not in text + html
    back = digest(results([finding(severity=Severity.ok)]))
    assert subject_line(notice, MailTopic.data).startswith("DATA INCOMPLETE PLEX1 CSQ1")
    assert subject_line(back, MailTopic.data).startswith("DATA COMPLETE: ")


def test_an_open_problem_that_was_not_measured_is_named() -> None:
    notice = digest(results([]), results([finding()], day=DAY - timedelta(days=1)))
    assert "OPEN, BUT NOT MEASURED\nCSQ1 active logs" in text_and_html(notice)[0]


def test_what_is_not_checked_is_a_line_per_setting_and_reason() -> None:
    unjudged = [
        finding(f"PLEX1/Q{n}", severity=Severity.unknown, missing=("size: set it",)) for n in (1, 2)
    ]
    odd = finding("PLEX1/Q3", severity=Severity.unknown)
    late = finding("PLEX1/Q4", severity=Severity.unknown, is_data_incomplete=True)
    assert unknown_lines(digest(results([*unjudged, odd, late]))) == [
        "1 check without the records of the day",
        "PLEX1/Q1 and 1 more: Set it",
        f"PLEX1/Q3: {odd.title}",
    ]


def test_the_mail_has_a_section_of_its_own_for_data() -> None:
    text, html = text_and_html(digest(results([finding()], feeds=[feed_day()])))
    assert "MISSING RECORDS" in text
    assert "87.5 % arrived. Ask for the dump again." in text
    assert "Missing records" in html
    text, html = text_and_html(digest(results([finding()], feeds=[differing_sources()])))
    assert "SOURCES THAT DIFFER" in text
    assert "1 figure differs between two sources" in text
    assert "PLEX1/CSQ1, Two sources of one figure: they differ." in text
    assert "Sources that differ" in html
    assert "Missing records" not in html


def test_a_quiet_mail_with_missing_data_limits_its_statement() -> None:
    quiet = finding(severity=Severity.ok, observed=0.2, breach=False, headroom_ratio=0.6)
    text, _ = text_and_html(digest(results([quiet], feeds=[feed_day()])))
    assert "As far as records have arrived, nothing is over its limit" in text
