"""A scenario applied to measurements, forecasts and configuration."""

from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.whatif.comparison import Baseline
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    PAGE_SET,
    SHARING,
    STRUCTURE,
    messages,
    peak,
    world,
)

NOTHING: dict[str, Any] = {
    "growth": [{"subjects": ["PLEX1/*"], "pct": 0}],
    "workload": [
        messages(messages_per_s=0, moved="sent", page_set=PAGE_SET, outage_minutes=9),
        messages(messages_per_s=0, structure=STRUCTURE, outage_minutes=9, cfcc_level=25),
        {"subject": CHINIT, "channels": 0, "channel_kind": "client"},
    ],
    "hardware": [
        {"subject": CF, "engines": 2, "lspr_ratio": 1, "cfcc_level_from": 25, "cfcc_level": 25},
        {"subject": "PLEX1", "lspr_ratio": 1},
    ],
    "configuration": [
        {"subject": QUEUE_MANAGER, "active_log_size_mib": 2_048, "active_logs": 6},
        SHARING | {"sharecnv_from": 0, "sharecnv": 0},
    ],
}


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ({"workload": [messages(outage_minutes=5)]}, "place where messages accumulate"),
        ({"workload": [messages(outage_minutes=5, page_set="PLEX1/CSQ1/PS09")]}, "not measured"),
        ({"workload": [{"subject": "PLEX1/CSQ7", "channels": 1}]}, "not measured"),
        ({"workload": [messages(structure="PLEX1/CF09/X")]}, "engines of PLEX1/CF09 is unknown"),
        ({"growth": [{"subjects": ["PLEX9/*"], "pct": 1}]}, "selects no measured series"),
        (
            {"hardware": [{"subject": QUEUE_MANAGER, "dasd_class": "X", "message_bytes": 1}]},
            "no such row",
        ),
        (
            {"hardware": [{"subject": "PLEX1/CF9", "lspr_ratio": 2}]},
            "cf_busy_pct of PLEX1/CF9 is not measured",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_unknown_subject_is_an_error_that_names_it(
    known: DayFacts, part: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        world(known, **part)


@pytest.mark.parametrize("section", sorted(NOTHING))
def test_a_part_that_changes_nothing_gives_the_identical_result(
    known: DayFacts, section: str
) -> None:
    scenario = Scenario.model_validate({section: NOTHING[section]})
    assert judge_facts(overlay(known, scenario).facts) == judge_facts(known)
    assert Baseline(known).compare(scenario).differences == ()


@pytest.mark.parametrize(
    ("metric", "subject", "other", "grown"),
    [
        ("page_set_used_pct", PAGE_SET, "page_set_used_pages", 60_000.0),
        ("page_set_used_pages", PAGE_SET, "page_set_used_pct", 60.0),
        ("chinit_31bit_used_mib", CHINIT, "chinit_31bit_used_pct", 55.0),
        ("page_set_used_pct", CHINIT, "chinit_31bit_used_pct", 50.0),
    ],
)
def test_growth_of_a_usage_is_growth_of_it_in_its_other_units(
    known: DayFacts, metric: str, subject: str, other: str, grown: float
) -> None:
    growth = {"subjects": [PAGE_SET, subject], "metrics": [metric], "pct": 20}
    seen = overlay(known, Scenario.model_validate({"growth": [growth]}))
    assert peak(seen, other, subject) == pytest.approx(grown)
