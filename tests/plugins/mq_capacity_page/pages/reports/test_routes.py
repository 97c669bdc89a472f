"""Reports and mails of a day."""

import shutil
from datetime import date
from email.message import EmailMessage
from pathlib import Path

import pytest

from mq_capacity_page.pages.reports.view import mail_preview
from mq_capacity_page.web.security import SEALED_POLICY
from mqcap.domain.errors import ServiceUnavailable
from mqcap.reports.document import ReportFormat, ReportKind
from mqcap.settings import Settings, load_settings
from mqcap.steps.runner import reports
from tests.plugins import builder
from tests.plugins.web import TestClient, text_of

DAY = builder.DAY.isoformat()


@pytest.fixture
def settings(site_folder: Path, filled_file: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    shutil.copy(filled_file, site_folder / builder.STORE_FILE)
    monkeypatch.setenv("MQCAP_REPORTS__FOLDER", str(site_folder / "reports"))
    return load_settings()


@pytest.mark.parametrize("kind", ReportKind)
def test_a_report_has_the_figure_and_the_limit_of_a_row(
    filled: TestClient, kind: ReportKind
) -> None:
    text = text_of(filled.get(f"/report?kind={kind}&day={DAY}"))
    assert "9,000 of 8,100 MB/hour" in text.replace("\N{NO-BREAK SPACE}", " ")


def test_the_step_writes_what_is_due_and_waits_for_a_day_that_is_not_judged(
    settings: Settings, filled: TestClient
) -> None:
    written = [Path(report) for report in reports(settings, builder.DAY)]
    for file in written:
        kind, form = file.stem.split("-")[1], file.suffix[1:]
        page = filled.get(f"/report?kind={kind}&day={DAY}&form={form}")
        assert page.content == file.read_bytes(), file.name
    names = [file.name for file in written]
    assert names == [f"mqcap-{kind}-{DAY}.{form}" for kind in ("daily", "monthly")
                     for form in ReportFormat]  # fmt: skip
    with pytest.raises(ServiceUnavailable):
        reports(settings, date(2026, 3, 1))


def test_a_report_from_the_page_is_a_sealed_page_or_a_download(filled: TestClient) -> None:
    shown = filled.get(f"/report?kind=daily&day={DAY}")
    assert shown.headers["content-security-policy"] == SEALED_POLICY
    taken = filled.get(f"/report?kind=daily&day={DAY}&form=xlsx")
    assert taken.headers["content-disposition"].startswith("attachment; filename=")


def test_a_day_without_findings_has_no_report(filled: TestClient) -> None:
    assert filled.get("/report?kind=daily&day=2026-03-01").status_code == 404


def message(html: str | None = None) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Two things"
    mail.set_content("Two things, plain")
    if html is not None:
        mail.add_alternative(html, subtype="html")
    return mail


def test_a_message_has_its_plain_and_its_html_part() -> None:
    shown = mail_preview(message("<h1>Two things</h1>").as_string())
    assert shown.text.strip() == "Two things, plain"
    assert shown.html is not None
    assert shown.html.strip() == "<h1>Two things</h1>"


def test_a_plain_message_has_no_html_part() -> None:
    assert mail_preview(message().as_string()).html is None


@pytest.mark.parametrize(
    ("content", "text", "html"),
    [
        ("One thing needs action.", "One thing needs action.", None),
        ("  <p>One</p>", "", "  <p>One</p>"),
        ("", "", None),
    ],
    ids=["text", "html", "empty"],
)
def test_content_without_headers_is_text_or_html(content: str, text: str, html: str | None) -> None:
    shown = mail_preview(content)
    assert (shown.text, shown.html) == (text, html)


def test_attached_pictures_are_embedded_in_the_html() -> None:
    mail = message('<img src="cid:chart1"><img src="cid:other">')
    rich = mail.get_body(("html",))
    assert rich is not None
    rich.add_related(b"\x89PNG", "image", "png", cid="<chart1>")
    html = mail_preview(mail.as_string()).html
    assert html is not None
    assert "data:image/png;base64,iVBORw==" in html
    assert "cid:chart1" not in html
    assert "cid:other" in html
