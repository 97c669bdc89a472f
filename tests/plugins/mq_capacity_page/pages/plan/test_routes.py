"""The page of a plan: changes, rules, what it leaves open, and where it leads."""

from __future__ import annotations

import html
import re
from datetime import date
from pathlib import Path
from typing import Any

from mqcap.domain.plan import NotKept
from mqcap.store.plans import replace_plans
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of

ADDRESS = "/plan?resource=PLEX1/CSQ1/active_log"


def planned(folder: Path, **changed: Any) -> None:
    """Store this plan as the only one of the day."""
    engine = builder.empty_store(folder)
    replace_plans(engine, builder.DAY, [builder.plan(**changed)])
    engine.dispose()


def test_the_page_says_what_to_change_by_when_at_what_cost_and_until_when_it_lasts(
    filled: TestClient,
) -> None:
    text = text_of(filled.get(ADDRESS))
    for words in (
        "CSQ1 active logs",
        "16 x CYL(5825) Define 16 active logs of CYL(5825)",
        "Begin by 14 Feb 2026 (Payments MQ team)",
        "+139,792 cylinders (+98,291 MiB) of DASD, 10 h of work",
        "lasts until 9 Aug 2026",
        "90 % bound of the forecast; planned to 30 Jul 2026",
        "lies beyond the 90 % bound, towards the limit, with a probability of 10 %",
    ):
        assert words in text


def test_each_rule_has_its_state_today_and_with_the_plan_and_a_link_to_its_chart(
    filled: TestClient,
) -> None:
    answer = filled.get(ADDRESS)
    [row] = rows_of(answer)
    assert "LOG-FILL-30MIN mandatory" in row
    assert "a log lasts 27 min of 30 min." in row
    assert "a log lasts 54 min of 30 min." in row
    assert "9 Aug 2026" in row
    [chart] = re.findall(r'href="(series\?[^"]*)" aria-label="Chart of', answer.text)
    assert "statistic=peak" in chart
    assert filled.get(f"/{html.unescape(chart)}").status_code == 200


def test_what_more_buys_stands_below(filled: TestClient) -> None:
    below = text_of(filled.get(ADDRESS)).partition("Recommended")[2]
    assert "20 x CYL(5825)" in below
    assert "Buys LOG-DAY-ACTIVE (limit 24 h)" in below


def test_trying_the_plan_shows_its_settings_in_the_form(filled: TestClient) -> None:
    answer = filled.get(ADDRESS)
    tried = re.findall(r'href="(whatif\?[^"#]*)#difference"', answer.text)
    assert len(tried) == 2
    form = filled.get(f"/{html.unescape(tried[0])}")
    assert form.status_code == 200
    assert re.search(r'name="logs" value="16"', form.text)
    assert re.search(r'name="logsize" value="4095.7"', form.text)


def test_acknowledging_leads_to_the_form_of_the_worst_rule_with_its_resource_chosen(
    person: TestClient,
) -> None:
    [address] = re.findall(r'href="(finding\?[^"#]*)#acknowledge"', person.get(ADDRESS).text)
    assert "rule=LOG-FILL-30MIN" in address
    assert "scope=resource" in address
    assert person.get(f"/{html.unescape(address)}").status_code == 200


def test_what_cannot_be_kept_is_named_with_its_day_and_the_ways_out(
    site_folder: Path, filled: TestClient
) -> None:
    failing = NotKept(
        rule_id="LOG-RUNWAY-12H",
        subject="PLEX1/CSQ1",
        fails_from=date(2026, 5, 3),
        why="compress the log (COMPLOG=RLE)",
    )
    planned(site_folder, not_kept=(failing,), is_feasible=False)
    text = text_of(filled.get(ADDRESS))
    assert "LOG-RUNWAY-12H of PLEX1/CSQ1 fails from 3 May 2026" in text
    assert "Ways out: compress the log (COMPLOG=RLE)." in text


def test_arithmetic_and_rules_of_other_resources_are_shown(
    site_folder: Path, filled: TestClient
) -> None:
    planned(site_folder, arithmetic=("16 x 4,095.7 MiB",), affected=("BP-FREE-15 PLEX1/CSQ1/BP01",))
    text = text_of(filled.get(ADDRESS))
    assert "Arithmetic 16 x 4,095.7 MiB" in text
    assert "get worse BP-FREE-15 PLEX1/CSQ1/BP01" in text


def test_a_resource_without_a_plan_is_not_found(filled: TestClient) -> None:
    assert filled.get("/plan?resource=PLEX1/CSQ1/recovery").status_code == 404
    assert filled.get(f"{ADDRESS}&day=2026-01-30").status_code == 404
    assert filled.get("/plan").status_code == 422


def test_an_acknowledged_plan_says_so_on_card_page_finding_and_ticket(
    person: TestClient,
) -> None:
    assert "Acknowledge</a>" in person.get(ADDRESS).text
    words = "accepted risk until 2026-12-31 disks ordered"
    form = {"problem": "LOG-FILL-30MIN/PLEX1/CSQ1", "words": words}
    assert person.post("/answer", data=form).status_code == 303
    said = "Acknowledged by anna until 31 Dec 2026: disks ordered"
    answer = person.get(ADDRESS)
    assert said in text_of(answer)
    assert "Acknowledge</a>" not in answer.text
    cards = person.get("/").text.partition('<ul class="cards')[2].partition("</section>")[0]
    first, second = cards.index("CF01 coupling facility"), cards.index("CSQ1 active logs")
    assert first < second
    assert "Acknowledged by anna until 31 Dec 2026" in cards[second:]
    assert "Acknowledge</a>" in cards[first:second]
    assert "Acknowledge</a>" not in cards[second:]
    finding = text_of(person.get("/finding?rule=LOG-FILL-30MIN&subject=PLEX1/CSQ1"))
    assert "Risk accepted until Thu 31 Dec 2026 by anna: disks ordered" in finding
    assert "Open, acknowledged by anna until 31 Dec 2026" in text_of(person.get("/tickets"))
