"""Today's values of the keys of a configuration change."""

from typing import Any

import pytest

from mqcap.domain.estate import Estate
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.typed_settings import todays_values
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    OTHER_CF,
    PAGE_SET,
    POOL,
    STRUCTURE,
    WITH_SIZES,
    known_in,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("today"), WITH_SIZES)


@pytest.mark.parametrize(
    ("subject", "kind", "expected"),
    [
        (POOL, SubjectKind.buffer_pool, {"buffers": 10_000}),
        (PAGE_SET, SubjectKind.page_set, {"pages": 100_000}),
        (STRUCTURE, SubjectKind.structure, {"structure_size_mib": 512}),
        (
            CHINIT,
            SubjectKind.channel_initiator,
            {
                "adapters": 8,
                "dispatchers": 5,
                "maxchl": 600,
                "memlimit_gib": 2_000 / 1_024,
                "chinit_31bit_limit_mib": 1_400,
            },
        ),
        (CF, SubjectKind.coupling_facility, {"engines": 2}),
        (OTHER_CF, SubjectKind.coupling_facility, {"engines": 2}),
    ],
)
def test_sizes_are_those_of_the_last_measured_day(
    known: DayFacts, subject: str, kind: SubjectKind, expected: dict[str, Any]
) -> None:
    values = todays_values(known, subject, kind)
    assert {key: values.get(key) for key in expected} == expected


def test_a_configured_value_goes_before_a_measured_one(known: DayFacts) -> None:
    estate = Estate.model_validate(
        {
            "sysplexes": [
                {
                    "sysplex": "PLEX1",
                    "qmgrs": [{"name": "CSQ1", "active_logs": 8, "dual_logging": False}],
                    "cfs": [{"name": "CF02", "engines": 3}],
                }
            ]
        }
    )
    configured = known._replace(estate=estate)
    manager = todays_values(configured, QUEUE_MANAGER, SubjectKind.queue_manager)
    assert (manager["active_logs"], manager["dual_logging"]) == (8, False)
    assert "active_log_size_mib" not in manager
    assert todays_values(configured, OTHER_CF, SubjectKind.coupling_facility)["engines"] == 3


@pytest.mark.parametrize(
    ("subject", "kind", "keys"),
    [
        (POOL, SubjectKind.buffer_pool, ["buffers"]),
        (PAGE_SET, SubjectKind.page_set, ["pages"]),
        (STRUCTURE, SubjectKind.structure, ["structure_size_mib"]),
        (CHINIT, SubjectKind.channel_initiator, ["adapters", "dispatchers", "maxchl"]),
    ],
)
def test_todays_values_as_a_scenario_change_no_result(
    known: DayFacts, subject: str, kind: SubjectKind, keys: list[str]
) -> None:
    values = {key: todays_values(known, subject, kind)[key] for key in keys}
    part = {"subject": subject, **values}
    same = overlay(known, Scenario.model_validate({"configuration": [part]}))
    before = [(each.finding.severity, each.finding.observed) for each in judge_facts(known)]
    after = [(each.finding.severity, each.finding.observed) for each in judge_facts(same.facts)]
    assert after == before
