"""The what-if page: as a model, and as an address that becomes a scenario with its changes."""

import html
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
import yaml

from mq_capacity_page.pages.whatif import view
from mq_capacity_page.pages.whatif.form import scenario_from
from mq_capacity_page.pages.whatif.view import (
    MAX_COMPARED,
    WhatifRequest,
    compare_scenarios,
    saved_view,
    subject_kinds,
    whatif_view,
)
from mq_capacity_page.web import context as context_module
from mq_capacity_page.web.context import PageContext, evaluate_scenario
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, Verdict, judge_facts
from mqcap.store.annotations import save_scenario
from mqcap.store.models import SavedScenario
from mqcap.store.step_runs import save_step_run
from mqcap.whatif import comparison
from mqcap.whatif.scenario import Scenario
from tests import factories
from tests.plugins import builder
from tests.plugins.web import TestClient, rows_of, text_of

SUBJECT = "PLEX1/CSQ1"


def request(series: str = "", start: str = "", **fields: str) -> WhatifRequest:
    return WhatifRequest(SUBJECT, builder.DAY, start, series, fields)


def test_without_a_subject_the_form_offers_all_by_kind(context: PageContext) -> None:
    view = whatif_view(context, WhatifRequest("", builder.DAY, "", "", {}))
    assert view.subjects == {
        "coupling_facility": ["PLEX1/CF01", "PLEX1/CF01/QSG1APPL1"],
        "queue_manager": ["PLEX1/CSQ1", "PLEX2/TST1"],
    }
    assert (view.groups, view.link, view.is_empty) == ([], {}, True)


def test_an_empty_form_changes_nothing_and_evaluates_no_rule(
    context: PageContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(comparison, "judge_facts")
    view = whatif_view(context, request())
    assert view.is_empty
    assert list(view.lines) == []
    assert view.unchanged == len(builder.judged())
    assert view.problem == ""
    assert {field.name for group in view.groups for field in group.fields} >= {"growth", "logs"}


def test_the_link_holds_only_fields_of_the_form(context: PageContext) -> None:
    view = whatif_view(context, request(start="2026-02-15", growth="10", nonsense="1", logs=" "))
    assert view.link == {
        "subject": SUBJECT,
        "day": "2026-01-31",
        "growth": "10",
        "start": "2026-02-15",
    }
    assert "pct: 10.0" in view.yaml


def test_the_chosen_series_is_drawn_first(context: PageContext) -> None:
    view = whatif_view(context, request(builder.LOG, growth="10"))
    assert view.series[0] == builder.LOG
    assert builder.QUIET not in view.series


NASTY = (
    "[", "{", "*x", "&a", "!!python/object:os", "2026-13-45", "1" * 5000, "9" * 400, "9" * 300,
    "1e999", "nan",
    "-1", "0", "\u0663", "-", "..", ":", "'", '"', "%", "\x07", "PLEX1/CSQ1 maxarch=[",
    "PLEX1/CSQ1 maxarch=nan", "PLEX1/CSQ1 maxarch=1e999", "PLEX1/CSQ1 subject=1", "; ;", "= =",
    "PLEX1/CSQ1 active_logs=" + "9" * 400, "PLEX1/CSQ1 maxarch={a: 1}", "PLEX1 start=2026-01-01",
)  # fmt: skip
"""Values that no field takes, or that a parser takes for something else."""


@pytest.mark.thorough
def test_whatever_a_field_holds_the_answer_is_a_result_or_one_sentence(
    context: PageContext,
) -> None:
    failed = []
    for subject in subject_kinds(context):
        form = whatif_view(context, WhatifRequest(subject, builder.DAY, "", "", {}))
        names = [field.name for group in form.groups for field in group.fields]
        for name, value in ((name, value) for name in names for value in NASTY):
            given = WhatifRequest(subject, builder.DAY, "", "", {name: value})
            try:
                view = whatif_view(context, given)
            except Exception as error:  # noqa: BLE001 - any is a failure of this test
                failed.append(f"{subject} {name}={value[:30]}: {error!r:.80}")
            else:
                assert "\n" not in view.problem
    assert not failed, failed


def scenario(name: str, **parameters: str) -> SavedScenario:
    return SavedScenario(
        name=name,
        subject="PLEX1/CSQ1",
        parameters=parameters or {"growth": "100"},
        who="anna",
        saved_at_utc=datetime(2026, 1, 31, tzinfo=UTC),
    )


@pytest.fixture(autouse=True)
def forget_context() -> None:
    """Each test has a store of its own; evaluations read the settings of the process."""
    context_module.current_context.cache_clear()


def test_a_scenario_is_listed_with_its_link_and_in_the_words_of_the_form(
    context: PageContext, filled: TestClient
) -> None:
    save_scenario(context.engine, scenario("Twice", growth="100", start="2026-03-01"))
    shown = filled.get("/scenarios").text
    address = "whatif?subject=PLEX1%2FCSQ1&amp;day=2026-01-31&amp;growth=100&amp;start=2026-03-01"
    assert f'<a href="{address}">Twice</a>' in shown
    assert "<td>Growth of everything measured 100 %; start 2026-03-01</td>" in shown
    assert " checked" not in shown
    assert " checked" in filled.get("/scenarios?name=Twice").text


def test_a_stored_scenario_that_cannot_be_evaluated_is_one_sentence(context: PageContext) -> None:
    unreadable = scenario("Unreadable", more="PLEX1/CSQ1 maxarch")
    gone = scenario("Gone").model_copy(update={"subject": "PLEX1/CSQ9"})
    for each in (unreadable, gone):
        save_scenario(context.engine, each)
    view = saved_view(context, builder.DAY, ["Unreadable", "Gone"])
    assert [problem.split(";")[0] for problem in view.problems] == [
        "Gone: PLEX1/CSQ9 is not measured any more.",
        "Unreadable: the further settings cannot be read",
    ]


def test_no_more_than_a_few_are_compared(context: PageContext) -> None:
    names = [f"s{number}" for number in range(MAX_COMPARED + 1)]
    for name in names:
        save_scenario(context.engine, scenario(name))
    view = saved_view(context, None, names)
    assert len(view.selected) == MAX_COMPARED
    assert len(view.rows) == MAX_COMPARED + 1
    assert list(view.comparison) == []


@pytest.mark.thorough
def test_a_comparison_has_a_cell_for_each_scenario(context: PageContext) -> None:
    scenarios = [scenario("much", logsize="2048", logs="4"), scenario("nothing")]
    rows = compare_scenarios(context, scenarios, builder.DAY, [])
    assert rows != []
    assert all(len(row) == 2 for row in rows)
    [fill] = [cell for cell, _ in rows if cell and cell.rule_id == "LOG-FILL-30MIN"]
    assert fill is not None
    ranks = [max(cell.severity.rank for cell in row if cell) for row in rows]
    assert ranks == sorted(ranks, reverse=True)


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[DayFacts]:
    """The facts of each evaluation that is made, cached ones not among them."""
    made: list[DayFacts] = []

    def counted(known: DayFacts) -> list[Verdict]:
        made.append(known)
        return judge_facts(known)

    monkeypatch.setattr(comparison, "judge_facts", counted)
    return made


def scenario_kept(logs: int = 7, growth: str = "20-60") -> Scenario:
    given = {"logs": str(logs), "growth": growth}
    return scenario_from("PLEX1/CSQ1", SubjectKind.queue_manager, "2026-02-15", given)


def test_a_day_is_evaluated_once_for_all_its_scenarios(
    context: PageContext, evaluated: list[DayFacts]
) -> None:
    first = evaluate_scenario(context, builder.DAY, scenario_kept(7))
    assert len(evaluated) == 3  # as it is, and both ends of the growth
    assert evaluate_scenario(context, builder.DAY, scenario_kept(7)) is first
    assert len(evaluated) == 3
    evaluate_scenario(context, builder.DAY, scenario_kept(8))
    assert len(evaluated) == 5


def test_after_a_step_has_run_the_day_is_evaluated_again(
    context: PageContext, evaluated: list[DayFacts]
) -> None:
    run = factories.step_run()
    save_step_run(context.engine, run)
    before = evaluate_scenario(context, builder.DAY, scenario_kept())
    later = run.model_copy(update={"ended_at_utc": run.ended_at_utc + timedelta(seconds=1)})
    save_step_run(context.engine, later)
    assert evaluate_scenario(context, builder.DAY, scenario_kept()) is not before
    assert len(evaluated) == 6


def test_a_scenario_that_does_not_fit_the_day_is_an_error_each_time(context: PageContext) -> None:
    unknown = Scenario.model_validate({"hardware": [{"subject": "PLEX9/CF09", "engines": 2}]})
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="PLEX9/CF09"):
            evaluate_scenario(context, builder.DAY, unknown)


MANAGER = SubjectKind.queue_manager

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
