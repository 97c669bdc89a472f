"""Pages for a signed-in reader: found, empty, unknown, store down."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mq_capacity_page.web.context import current_context
from mqcap.domain.finding import Severity
from mqcap.store.files import upsert_source_files
from mqcap.store.findings import replace_findings
from mqcap.store.outbox import save_delivery
from tests.plugins import builder
from tests.plugins.served.web import TestClient, rows_of, text_of

PAGES = [
    "/",
    "/series",
    f"/series?series={builder.LOG}",
    f"/series?series={builder.QUIET}",
    "/subject?name=PLEX1/CSQ1",
    "/tickets",
    "/mail",
    "/data",
    "/reports",
    "/whatif",
    "/whatif?subject=PLEX1/CSQ1&growth=10-30",
    "/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1",
    "/explain?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1&day=2026-01-31",
]
SERIES_LOG = f"/series?series={builder.LOG}"


@pytest.mark.parametrize("address", PAGES)
def test_a_page_answers(filled: TestClient, address: str) -> None:
    answer = filled.get(address)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(
    "address", ["/", "/series", "/whatif", "/tickets", "/mail", "/data", "/completeness"]
)
def test_an_empty_store_says_what_to_do(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "daily DAG" in text_of(answer)


def test_the_overview_lists_the_most_urgent_finding_first(filled: TestClient) -> None:
    first = rows_of(filled.get("/"), "fleet")[0]
    assert "Act" in first
    assert "CSQ1" in first
    assert "over the limit" in first
    assert "over the limit since 2026-01-20" in first
    assert "CYL(6400)" in first
    assert "MQCAP-7" in first


def test_the_overview_shows_log_growth_in_mb_per_hour_and_in_mib_per_second(
    filled: TestClient,
) -> None:
    text = text_of(filled.get("/"))
    assert "9,000 MB/hour" in text
    assert "2.5 MiB/s" in text
    assert "1 MB = 1 MiB = 1,048,576 bytes" in text


def test_the_overview_names_the_zones_of_its_day(filled: TestClient) -> None:
    text = text_of(filled.get("/"))
    assert "Sat 31 Jan 2026" in text
    assert "PLEX1 in Europe/Copenhagen" in text


def test_the_overview_shows_the_range_of_dates(filled: TestClient) -> None:
    row = next(row for row in rows_of(filled.get("/"), "fleet") if "CF01" in row)
    assert "expected 2026-03-04" in row
    assert "in 32 days" in row
    assert "earliest 2026-02-12, perhaps not at all within the horizon" in row


def test_test_systems_are_hidden_until_asked_for(filled: TestClient) -> None:
    hidden, shown = filled.get("/"), filled.get("/?system_class=all")
    assert not any("TST1" in row for row in rows_of(hidden, "fleet"))
    assert "1 of other classes are not shown" in text_of(hidden)
    assert any("TST1" in row for row in rows_of(shown, "fleet"))


@pytest.mark.parametrize(
    ("query", "subjects"),
    [
        ("severity=watch", ["CF01"]),
        ("severity=act", ["CSQ1"]),
        ("resource=CF+processor", ["CF01"]),
        ("sysplex=PLEX2&system_class=all", ["TST1"]),
        ("sysplex=PLEX1&severity=unknown", ["CSQ1"]),
        ("severity=ok", []),
        ("sysplex=NOWHERE", []),
    ],
)
def test_filters_leave_only_what_they_name(
    filled: TestClient, query: str, subjects: list[str]
) -> None:
    answer = filled.get(f"/?{query}")
    assert [
        next(name for name in subjects if name in row) for row in rows_of(answer, "fleet")
    ] == subjects
    if not subjects:
        assert "No finding matches these filters" in text_of(answer)


def test_the_counts_are_those_of_the_rows(filled: TestClient) -> None:
    text = text_of(filled.get("/"))
    for words in ("1 ▲ Act", "1 ◆ Watch", "1 ? Unknown", "0 ✓ OK"):
        assert words in text


def test_severity_is_a_word_and_a_sign_not_only_a_colour(filled: TestClient) -> None:
    for row in rows_of(filled.get("/?system_class=all"), "fleet"):
        assert re.search(r"[▲◆?✓] (Act|Watch|Unknown|OK)", row)


def test_a_day_without_findings_points_to_the_last_one_before(filled: TestClient) -> None:
    text = text_of(filled.get("/?day=2026-02-20"))
    assert "No findings on this day" in text
    assert "Sat 31 Jan 2026" in text


def test_a_blank_day_is_the_latest_one(filled: TestClient) -> None:
    assert "Sat 31 Jan 2026" in text_of(filled.get("/?day="))


def test_a_day_that_is_no_date_is_answered_with_a_page(filled: TestClient) -> None:
    answer = filled.get("/?day=tomorrow")
    assert answer.status_code == 422
    assert "Invalid parameter" in text_of(answer)


def test_only_the_most_urgent_rows_are_printed_until_all_are_asked_for(
    filled: TestClient,
) -> None:
    answer = filled.get("/?rows=1")
    assert len(rows_of(answer, "fleet")) == 1
    assert "The 1 most urgent of 3." in text_of(answer)
    assert "rows=3" in answer.text


def test_a_missing_measurement_is_counted(filled: TestClient) -> None:
    assert "3 of 3 series measured" in text_of(filled.get("/"))


def test_the_series_page_shows_the_rule_its_sum_and_its_source(filled: TestClient) -> None:
    text = text_of(filled.get(SERIES_LOG))
    for words in (
        "Log growth of CSQ1",
        "limit = 4050 MiB / 1800 s = 2.25 MiB/s",
        'MP16 (14), "Active logs"',
        "Every log switch takes a checkpoint.",
        "Define active logs of 4500 MiB.",
        "CYL(6400)",
        "6.2 % on the hold-out",
        "59 days; 2 excluded as outliers",
        "nominal coverage 80 %; covered 83 % of the hold-out days",
    ):
        assert words in text


def test_the_series_page_says_why_there_is_no_forecast(filled: TestClient) -> None:
    text = text_of(filled.get(f"/series?series={builder.LOG_TEST}"))
    assert "No forecast: only 12 days were measured; 60 are needed" in text


def test_a_series_without_values_has_no_chart(filled: TestClient) -> None:
    answer = filled.get(f"/series?series={builder.QUIET}")
    assert "Not measured up to this day" in text_of(answer)
    assert "plotly" not in answer.text


def test_the_series_page_names_what_a_finding_lacks(filled: TestClient) -> None:
    text = text_of(filled.get("/subject?name=PLEX1/CSQ1"))
    assert "active_logs: set it in the estate (DISPLAY LOG)" in text


def test_a_subject_page_lists_the_subjects_below_it(filled: TestClient) -> None:
    text = text_of(filled.get("/subject?name=PLEX1"))
    assert "CF01" in text
    assert "CSQ1" in text
    assert "TST1" not in text


@pytest.mark.parametrize(
    "address",
    [
        "/series?series=log_growth_mib_per_s/PLEX1/NONE",
        "/subject?name=NOWHERE",
        "/figure?series=nothing&day=2026-01-31",
        "/mail-content?delivery=none",
        "/mail-content?delivery=d1",
        "/static/application.py",
        "/static/..%2Fgateway.py",
        "/nothing",
    ],
)
def test_what_is_not_known_is_not_found(filled: TestClient, address: str) -> None:
    assert filled.get(address).status_code == 404


def test_series_are_found_by_a_part_of_their_name(filled: TestClient) -> None:
    rows = rows_of(filled.get("/series?find=cf01"))
    assert len(rows) == 2
    assert all("CF01" in row for row in rows)
    assert len(rows_of(filled.get("/series?find=Log+growth"))) == 2
    assert "No matching series" in text_of(filled.get("/series?find=zzz"))


def test_tickets_are_shown_by_state(filled: TestClient) -> None:
    assert "CSQ1 fills a log in 27 min" in text_of(filled.get("/tickets?state=open"))
    assert "No closed tickets" in text_of(filled.get("/tickets?state=closed"))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "sent 2026-02-01 05:00 UTC"),
        ({"sent_at_utc": None, "replay": True}, "replay: not sent"),
        ({"sent_at_utc": None, "error": "connection refused"}, "not sent: connection refused"),
        ({"sent_at_utc": None}, "not sent yet"),
    ],
)
def test_the_mail_page_says_what_became_of_a_mail(
    site_folder: Path, client: TestClient, changed: dict[str, object], words: str
) -> None:
    engine = builder.filled_store(site_folder)
    save_delivery(engine, builder.delivery(**changed))
    engine.dispose()
    assert words in text_of(client.get("/mail"))


def test_the_data_page_accounts_for_bytes_and_shows_problems(filled: TestClient) -> None:
    text = text_of(filled.get("/data"))
    assert "2,469,134 bytes" in text
    assert "12 bytes at byte 99 are no record" in text
    assert [("SYS2" in row) for row in rows_of(filled.get("/data?problems=true"))] == [True]


def test_an_earlier_day_is_one_click_away(site_folder: Path, client: TestClient) -> None:
    engine = builder.filled_store(site_folder)
    earlier = builder.DAY.replace(day=29)
    quiet = builder.finding(site_date=earlier, severity=Severity.ok)
    replace_findings(engine, earlier, [quiet])
    engine.dispose()
    assert "?day=2026-01-29" in client.get("/").text
    assert "?day=2026-01-31" in client.get("/?day=2026-01-29").text


def test_a_store_that_is_down_gives_a_page_that_says_so(
    site_folder: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "postgresql://capacity:secret@127.0.0.1:1/none"
    monkeypatch.setenv("MQCAP_STORE__URL", url)
    current_context.cache_clear()
    answer = client.get("/")
    assert answer.status_code == 503
    assert "The store does not answer" in text_of(answer)
    assert "secret" not in answer.text
    assert answer.headers["retry-after"]


def test_a_store_that_comes_back_is_found_again(
    site_folder: Path, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setenv("MQCAP_STORE__URL", "postgresql://nobody@127.0.0.1:1/none")
        assert client.get("/").status_code == 503
    assert client.get("/").status_code == 200


def test_settings_that_do_not_fit_give_a_page_that_names_the_key(
    site_folder: Path, client: TestClient
) -> None:
    (site_folder / "platform.yaml").write_text("sitte: {}\n", encoding="utf-8")
    answer = client.get("/")
    assert answer.status_code == 500
    assert "sitte" in text_of(answer)


def test_a_measured_day_leads_to_the_files_behind_it(site_folder: Path, filled: TestClient) -> None:
    engine = builder.empty_store(site_folder)
    begin = datetime(2026, 1, 30, 23, tzinfo=UTC)
    shown = builder.source_file(first_interval_utc=begin, last_interval_utc=begin)
    upsert_source_files(engine, [shown])
    engine.dispose()
    assert f"at={builder.DAY}" in filled.get(SERIES_LOG).text
    assert "data?about=2026-01-31" in filled.get(f"/trace?series={builder.LOG}&at=2026-01-31").text
    about = filled.get("/data?about=2026-01-31")
    assert [("SYS1" in row) for row in rows_of(about)] == [True]
    assert "Only files with intervals of Sat 31 Jan 2026" in text_of(about)
    assert rows_of(filled.get("/data?about=2026-01-28")) == []
