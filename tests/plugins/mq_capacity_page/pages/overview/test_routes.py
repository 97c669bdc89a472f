"""The overview: rows, filters, counts, changes."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from pathlib import Path

import pytest

from mq_capacity_page.pages.overview import view
from mq_capacity_page.pages.overview.view import FIRST_ROWS
from mqcap.domain.crossing import CrossingState
from mqcap.domain.finding import Finding, Severity
from mqcap.store.findings import replace_findings
from mqcap.store.plans import replace_plans
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of

BEFORE = builder.DAY - timedelta(days=1)


def suggestion(subject: str = "PLEX1/CSQ1/BP02") -> Finding:
    """What a buffer pool that is too large gets."""
    return builder.finding(
        rule_id="BP-OVERSIZE-50",
        subject=subject,
        severity=Severity.suggestion,
        title="A buffer pool that can shrink",
        observed=20.0,
        limit_value=50.0,
        unit="%",
        breach=False,
        headroom_ratio=None,
        series_id=None,
    )


def test_the_page_says_what_is_worse_than_the_day_before(
    site_folder: Path, filled: TestClient
) -> None:
    assert "No earlier day was evaluated" in text_of(filled.get("/"))
    engine = builder.empty_store(site_folder)
    quiet = builder.finding(site_date=BEFORE, severity=Severity.ok)
    replace_findings(engine, BEFORE, [quiet])
    engine.dispose()
    text = text_of(filled.get("/"))
    assert "Since Fri 30 Jan 2026" in text
    assert "CSQ1 Time to fill one active log: OK → Act" in text
    assert "2 worse, 0 better" in text


def test_the_page_shows_the_heat_table_with_words_beside_the_colours(filled: TestClient) -> None:
    first = rows_of(filled.get("/"), "heat")[0]
    assert first.startswith("CSQ1 PLEX1")
    assert "▲ Act" in first
    assert "over the limit" in first


def test_the_page_lists_a_suggestion_without_headroom_and_not_as_over(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    replace_findings(engine, builder.DAY, [*builder.judged(), suggestion()])
    engine.dispose()
    listed = rows_of(filled.get("/"), "fleet")
    [row] = [item for item in listed if "A buffer pool that can shrink" in item]
    assert row.startswith("» Suggestion")
    assert "over the limit" not in row
    assert "%" not in row.partition("50 %")[2].partition("Define")[0]
    only = filled.get("/?severity=suggestion")
    [fleet] = rows_of(only, "heat")[:1]
    assert "» Suggestion" in fleet
    assert rows_of(only, "fleet") == [row]


def test_the_page_sums_up_the_completeness_of_the_day(filled: TestClient) -> None:
    text = text_of(filled.get("/"))
    assert "Data incomplete: 3 feeds lack records of this day" in text
    assert "✓ Complete 1 feed" in text


def test_a_cell_of_something_dated_says_by_when(filled: TestClient) -> None:
    row = next(row for row in rows_of(filled.get("/"), "heat") if row.startswith("CF01"))
    assert "by 11 Feb 2026" in row
    assert CrossingState.will_cross.value not in row


def test_a_cell_without_a_plan_is_dated_by_its_crossing(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    replace_plans(engine, builder.DAY, [])
    engine.dispose()
    row = next(row for row in rows_of(filled.get("/"), "heat") if row.startswith("CF01"))
    assert "due now" in row


def test_the_overview_begins_with_what_is_to_be_done(filled: TestClient) -> None:
    text = text_of(filled.get("/"))
    todo = text.partition("To do")[2].partition("The fleet")[0]
    assert todo.startswith(" 2 plans (production); all: 3, held against the 90 % bound")
    assert "beyond the 90 % bound, towards the limit, with a probability of 10 %." in todo
    first, second = todo.index("CSQ1 active logs"), todo.index("CF01 coupling facility")
    assert first < second
    for words in (
        "At the peak of 2.5 MiB/s a log lasts 27 min of 30 min.",
        "16 x CYL(5825) Define 16 active logs",
        "Begin by 14 Feb 2026 (Payments MQ team) ; lasts until 9 Aug 2026",
        "+139,792 cylinders (+98,291 MiB) of DASD, 10 h of work",
        "Recommended: 20 x CYL(5825), for LOG-DAY-ACTIVE (limit 24 h); +186,392 cylinders",
        "Try in what-if Acknowledge Details",
    ):
        assert words in todo[first:second]
    assert "TST1" not in todo


def test_a_card_has_the_change_and_its_day_before_what_is_wrong(filled: TestClient) -> None:
    card = filled.get("/").text.partition('<li class="card')[2].partition("</li>\n</ul>")[0]
    places = [card.index(part) for part in ('class="typed"', "Begin by ", 'class="why"')]
    assert places == sorted(places)


def test_every_link_of_a_card_answers(filled: TestClient) -> None:
    page = filled.get("/").text
    cards = page.partition('<ul class="cards')[2].partition("</section>")[0]
    links = set(re.findall(r'href="((?:whatif|finding|plan)\?[^"#]*)', cards))
    assert len(links) == 6
    known = [link for link in links if "engines" not in link]  # of CF01 they are not configured
    assert {filled.get(f"/{html.unescape(link)}").status_code for link in known} == {200}


def test_cards_obey_the_filters(filled: TestClient) -> None:
    assert "TST1 active logs" in text_of(filled.get("/?system_class=all"))
    only = text_of(filled.get("/?severity=watch"))
    assert "all: 3; 1 of these filters" in only
    assert "Define 16 active logs" not in only
    assert "No resource of these filters has to be changed." in text_of(
        filled.get("/?severity=unknown")
    )


def test_a_finding_shows_the_change_of_its_resource_not_its_own(filled: TestClient) -> None:
    [row] = [row for row in rows_of(filled.get("/"), "fleet") if "Time to fill" in row]
    assert "16 x CYL(5825) by 14 Feb 2026, plan of CSQ1 active logs" in row
    assert "CYL(6400)" not in row
    assert "4500 MiB" not in row


def test_a_finding_without_a_plan_shows_its_own_change(
    site_folder: Path, filled: TestClient
) -> None:
    engine = builder.empty_store(site_folder)
    replace_plans(engine, builder.DAY, [])
    engine.dispose()
    [row] = [row for row in rows_of(filled.get("/"), "fleet") if "Time to fill" in row]
    assert "CYL(6400)" in row


def test_the_overview_lists_the_most_urgent_finding_first(filled: TestClient) -> None:
    first = rows_of(filled.get("/"), "fleet")[0]
    assert "Act" in first
    assert "CSQ1" in first
    assert "over the limit" in first
    assert "over the limit since 2026-01-20" in first
    assert "16 x CYL(5825)" in first
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


def test_only_the_most_urgent_rows_are_printed_until_all_are_asked_for(
    filled: TestClient,
) -> None:
    answer = filled.get("/?rows=1")
    assert len(rows_of(answer, "fleet")) == 1
    assert "The 1 most urgent of 3." in text_of(answer)
    assert f"rows={FIRST_ROWS + 1}" in answer.text


def test_a_missing_measurement_is_counted(filled: TestClient) -> None:
    assert "3 of 3 series measured" in text_of(filled.get("/"))


def test_an_earlier_day_is_one_click_away(site_folder: Path, client: TestClient) -> None:
    engine = builder.filled_store(site_folder)
    earlier = builder.DAY.replace(day=29)
    quiet = builder.finding(site_date=earlier, severity=Severity.ok)
    replace_findings(engine, earlier, [quiet])
    engine.dispose()
    assert "?day=2026-01-29" in client.get("/").text
    assert "?day=2026-01-31" in client.get("/?day=2026-01-29").text


def test_of_very_many_findings_the_first_are_shown_and_a_file_has_all(
    filled: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "MOST_ROWS", 2)
    answer = filled.get("/?rows=100&sysplex=PLEX1")
    assert len(rows_of(answer, "fleet")) == 2
    assert "The 2 most urgent of 3." in text_of(answer)
    [address] = re.findall(r'href="(api/findings[^"]*)"', answer.text)
    assert len(filled.get(html.unescape(address)).text.splitlines()) == 1 + 3
