"""The what-if form: an address becomes a scenario, its changes and a figure."""

import html
import re
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml

from mq_capacity_page.pages.whatif import view
from mq_capacity_page.pages.whatif.form import scenario_from
from mqcap.domain.metric import SubjectKind
from mqcap.whatif.scenario import Scenario
from tests.plugins.web import TestClient, rows_of, text_of

MANAGER = SubjectKind.queue_manager

SUBJECT = "PLEX1/CSQ1"

HOSTILE = "<script>alert('x')</script>&\"'"

SCENARIO = {"subject": SUBJECT, "growth": "20-60", "start": "2026-02-15"}


def address(path: str = "/whatif", **parameters: Any) -> str:
    return f"{path}?{urlencode({**SCENARIO, **parameters})}"


def test_fields_show_todays_values(filled: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"active_log_size_mib": 2_048.0, "dual_logging": True}
    monkeypatch.setattr(view, "values_today", lambda *_: values)
    shown = filled.get("/whatif?subject=PLEX1/CSQ1").text
    assert 'placeholder="now 2,048"' in shown
    assert ">unchanged (yes)</option>" in shown
    assert shown.count("placeholder=") == 1


def test_names_of_what_can_be_lost_are_offered(filled: TestClient) -> None:
    shown = filled.get("/whatif?subject=PLEX1/CSQ1").text
    offered = re.search(r'<datalist id="names-lose">(.*?)</datalist>', shown)
    assert offered is not None
    names = set(re.findall(r'value="([^"]*)"', offered[1]))
    assert names >= {"PLEX1/CF01", "PLEX1/CSQ1", "PLEX2/TST1"}
    assert 'name="lose" value="" list="names-lose"' in shown


def test_an_answer_shows_before_and_after_and_how_it_is_calculated(filled: TestClient) -> None:
    answer = filled.get(address(logsize="2048", logs="4"))
    assert answer.status_code == 200
    [row] = [row for row in rows_of(answer) if "Time to fill one active log" in row]
    assert "Unknown → ▲ Act" in row
    words = text_of(answer)
    assert "rate at 30 min = 2,048 MiB / 1,800 s = 1.138 MiB/s" in words
    assert "x (1 + 20 / 100) = x 1.2" in words


def test_figures_before_and_after_are_in_the_unit_of_planners(filled: TestClient) -> None:
    question = address(dasd="ESS 800", dasdsize="4096")
    [row] = [row for row in rows_of(filled.get(question)) if "the devices carry" in row]
    assert "26,775 MB/hour" in row.replace("\u00a0", " ")


def test_the_link_and_the_file_carry_the_scenario(filled: TestClient) -> None:
    answer = filled.get(address(logsize="2048", logs="4"))
    match = re.search(r'<a href="([^"]*)">Link to this scenario', answer.text)
    assert match is not None
    again = filled.get(f"/{html.unescape(match[1])}")
    assert rows_of(again) == rows_of(answer)
    text = re.search(r'Scenario as YAML">(.*?)</pre>', answer.text, re.DOTALL)
    assert text is not None
    scenario = Scenario.model_validate(yaml.safe_load(html.unescape(text[1])))
    given = {"growth": "20-60", "logsize": "2048", "logs": "4"}
    assert scenario == scenario_from(SUBJECT, MANAGER, "2026-02-15", given)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("?resource=PLEX1/CSQ1/active_log", "&subject=PLEX1%2FCSQ1&start=2026-02-14&"),
        ("?resource=PLEX1/CSQ1/active_log", "logs=16"),
        ("?resource=PLEX1/CSQ1/recovery", "whatif?subject=PLEX1%2FCSQ1&day=2026-01-31"),
        ("", "logs=16"),
    ],
    ids=["plan", "its-logs", "without-a-plan", "most-urgent"],
)
def test_a_resource_that_one_comes_from_fills_in_its_plan(
    filled: TestClient, asked: str, words: str
) -> None:
    moved = filled.get(f"/whatif{asked}", follow_redirects=False)
    assert moved.status_code == 303
    assert words in moved.headers["location"]


def test_the_page_of_a_resource_leads_to_its_own_plan(filled: TestClient) -> None:
    shown = filled.get("/resource?path=PLEX1/CSQ1/active_log").text
    assert 'href="whatif?resource=PLEX1%2FCSQ1%2Factive_log"' in shown


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"growth": "many"}, "Growth of everything measured is not a number"),
        ({"growth": "9-1"}, "must not be larger"),
        ({"rate": "10"}, "messages_per_s also needs message_bytes"),
        ({"logs": "900"}, "active_logs is out of range: found 900"),
        ({"level": "new"}, "CFCC level is not a whole number"),
    ],
)
def test_invalid_fields_are_reported_above_the_form(
    filled: TestClient, parameters: dict[str, str], words: str
) -> None:
    answer = filled.get(address(**parameters))
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert "Compare" in text_of(answer)


def test_hostile_values_are_shown_as_text(filled: TestClient) -> None:
    answer = filled.get(address(size=HOSTILE, structure=HOSTILE))
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text
    assert html.escape(HOSTILE)[:20] in answer.text
