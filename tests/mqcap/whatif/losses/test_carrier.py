"""The survivor that carries a loss best under a scenario."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mqcap.whatif.as_document import as_document
from mqcap.whatif.comparison import Baseline, WhatIfResult
from mqcap.whatif.losses.carrier import Carrying, carried, carried_text, marked
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.terminal import details, table
from tests.mqcap.whatif.sharing_group import CF01, CF02, CF03, facts_of


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> Baseline:
    return Baseline(facts_of(Path(tmp_path_factory.mktemp("carrier"))))


def result_of(baseline: Baseline, **scenario: Any) -> WhatIfResult:
    return baseline.compare(Scenario.model_validate(scenario))


def engines(facility: str, count: int) -> list[dict[str, Any]]:
    return [{"subject": facility, "engines": count}]


def test_the_best_survivor_is_that_of_the_scenario(baseline: Baseline) -> None:
    """CF03 with three engines is 48.6 % busy, CF01 with five 25.9 %."""
    [three] = carried(result_of(baseline, configuration=engines(CF03, 3), lose=CF02))
    assert (three.survivor, three.others) == (CF03, (CF01,))
    assert three.worse_counts == {CF03: 0, CF01: 1}
    [five] = carried(result_of(baseline, configuration=engines(CF01, 5), lose=CF02))
    assert (five.survivor, five.worse_counts[CF01]) == (CF01, 0)


def test_two_survivors_that_fail_alike_are_in_the_order_of_their_names(baseline: Baseline) -> None:
    [both] = carried(result_of(baseline, lose=CF02))
    assert both.worse_counts == {CF01: 1, CF03: 1}


def test_a_survivor_that_is_lost_too_carries_nothing(baseline: Baseline) -> None:
    assert carried(result_of(baseline, lose=[CF02, CF01])) == []
    assert carried(result_of(baseline)) == []


def test_results_of_the_other_survivors_are_marked() -> None:
    carrying = [Carrying(CF02, {CF03: 0, CF01: 2})]
    assert marked(CF03, carrying) == CF03
    assert marked(CF01, carrying) == f"{CF01} *"
    assert marked(f"{CF01}/QSG1APPL1", carrying) == f"{CF01}/QSG1APPL1 *"
    assert marked("PLEX1/CF011", carrying) == "PLEX1/CF011"
    assert marked(CF01, []) == CF01


def test_table_and_json_name_the_best_survivor(baseline: Baseline) -> None:
    result = result_of(baseline, configuration=engines(CF03, 3), lose=CF02)
    console = Console(file=StringIO(), width=400)
    console.print(table(result))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    [carrying] = carried(result)
    assert carried_text(carrying) == (
        "PLEX1/CF03 carries the loss of PLEX1/CF02 best (any one survivor is enough); rules that "
        "become worse: PLEX1/CF03 0 rules, PLEX1/CF01 1 rule. Results of the others are marked *."
    )
    assert f"  {carried_text(carrying)}" in list(details(result))
    assert "* PLEX1/CF01: PLEX1/CF03 carries the loss better." in text
    assert f"{CF01} *" in text
    assert f"{CF03} *" not in text
    assert as_document(result)["lost"][0]["best_survivor"] == CF03
    assert as_document(result_of(baseline, lose=CF03))["lost"][0]["best_survivor"] is not None
