"""The survivors of the losses of a scenario, ranked."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mqcap.planning.losses.carrier import carried
from mqcap.planning.losses.make import losses_of_day
from mqcap.whatif.as_document import as_document
from mqcap.whatif.comparison import Baseline, WhatIfResult
from mqcap.whatif.losses.carrier import carried_text
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
    assert three.states[CF01] == "CF busy 129.3 %, limit 30 %; work stops at once"
    [five] = carried(result_of(baseline, configuration=engines(CF01, 5), lose=CF02))
    assert (five.survivor, five.states[CF03]) == (CF01, "CF busy 72.93 %, limit 60 %")


@pytest.mark.thorough
def test_without_changes_the_best_survivor_is_that_of_the_losses_of_the_day(
    baseline: Baseline,
) -> None:
    for loss in losses_of_day(baseline.facts):
        found = carried(result_of(baseline, lose=loss.lost))
        assert [each.survivor for each in found] == loss.ranked_survivors[: len(found)]


def test_of_several_corners_the_worst_one_counts(baseline: Baseline) -> None:
    """CF03 is 73 % busy with two engines and 49 % with three, CF01 with five always 26 %."""
    both = [{"subject": CF03, "engines": [2, 3]}, *engines(CF01, 5)]
    [carrying] = carried(result_of(baseline, configuration=both, lose=CF02))
    assert (carrying.survivor, carrying.states[CF03]) == (CF01, "CF busy 72.93 %, limit 60 %")


def test_a_survivor_that_is_lost_too_carries_nothing(baseline: Baseline) -> None:
    assert carried(result_of(baseline, lose=[CF02, CF01])) == []
    assert carried(result_of(baseline)) == []


def test_table_and_json_name_the_best_survivor(baseline: Baseline) -> None:
    result = result_of(baseline, configuration=engines(CF03, 3), lose=CF02)
    console = Console(file=StringIO(), width=400)
    every = carried(result)
    console.print(table(result, every))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert f"  {carried_text(every[0])}" in list(details(result, every))
    assert "* PLEX1/CF01: PLEX1/CF03 carries the loss better." in text
    assert f"{CF01} *" in text
    assert f"{CF03} *" not in text
    assert as_document(result, every)["lost"][0]["best_survivor"] == CF03
    assert as_document(result)["lost"][0]["best_survivor"] is None
