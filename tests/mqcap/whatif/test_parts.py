"""Parts of a scenario: ranges, and values that are refused."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.whatif.parts import AddedWorkload, ConfigurationChange, ScenarioGrowth
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import CF, CHINIT, STRUCTURE, messages


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ({"workload": [{"subject": QUEUE_MANAGER, "messages_per_s": 1}]}, "message_bytes and per"),
        ({"workload": [messages(messages_per_s=-1)]}, "must not be negative"),
        ({"workload": [messages(message_bytes=0)]}, "larger than 0"),
        ({"workload": [messages(structure=STRUCTURE, outage_minutes=1)]}, "needs cfcc_level"),
        ({"growth": [{"subjects": ["*"], "pct": float("nan")}]}, "finite number"),
        ({"workload": [messages(messages_per_s=(1, float("inf")))]}, "finite number"),
        ({"hardware": [{"subject": CF, "cfcc_level": 25}]}, "belong together"),
        ({"hardware": [{"subject": CF, "dasd_class": "ESS 800"}]}, "needs message_bytes"),
        (
            {"configuration": [{"subject": CF, "active_log": 1}]},
            "no such setting: active_log; expected active_log_size_mib or active_logs",
        ),
        ({"configuration": [{"subject": CHINIT, "sharecnv": 1}]}, "also needs"),
        ({"configuration": [{"subject": STRUCTURE, "offload": "SMDS"}]}, "needs message_bytes"),
        ({"configuration": [{"subject": "PLEX1", "active_logs": 4}]}, "such as PLEX1/CSQ1"),
        (
            {"configuration": [{"subject": CHINIT, "mq_level_from": "pre-9.4"}]},
            "also needs mq_level and sharecnv",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_incomplete_part_names_what_it_needs(part: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Scenario.model_validate(part)


def test_a_range_is_ordered() -> None:
    with pytest.raises(ValidationError, match="must not be larger than the second"):
        Scenario.model_validate({"growth": [{"subjects": ["*"], "pct": [30, 10]}]})


def test_growth_needs_a_subject() -> None:
    with pytest.raises(ValidationError, match="subjects"):
        Scenario.model_validate({"growth": [{"subjects": [], "pct": 10}]})


@pytest.mark.parametrize("section", ["growth", "workload", "hardware"])
def test_an_unknown_key_of_a_part_is_refused(section: str) -> None:
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Scenario.model_validate({section: [{"subject": CF, "speed": 1}]})


def test_a_part_cannot_be_changed_after_it_was_read() -> None:
    part = ScenarioGrowth(subjects=("*",), pct=10)
    with pytest.raises(ValidationError, match="frozen"):
        part.pct = 20  # type: ignore[misc]


def test_engines_and_logs_are_settings_of_different_subjects() -> None:
    with pytest.raises(ValidationError, match="engines belong to a coupling facility"):
        ConfigurationChange(subject=CF, engines=2, active_logs=4)


def test_estate_values_are_the_keys_that_are_set() -> None:
    change = ConfigurationChange.model_validate(
        {"subject": QUEUE_MANAGER, "active_logs": 4, "dual_logging": False, "archive_minutes": 3}
    )
    assert change.estate_values == {"active_logs": 4, "dual_logging": False, "archive_minutes": 3}
    assert ConfigurationChange(subject=CHINIT).estate_values == {}


def test_a_measured_size_is_a_setting_but_no_key_of_the_estate() -> None:
    change = ConfigurationChange.model_validate(
        {"subject": CHINIT, "adapters": 30, "omvs_maxprocuser": 200}
    )
    assert change.settings == {"adapters": 30, "omvs_maxprocuser": 200}
    assert change.estate_values == {"omvs_maxprocuser": 200}


def test_added_messages_have_the_defaults_of_a_committed_put_and_get() -> None:
    workload = AddedWorkload.model_validate(messages())
    assert (workload.put, workload.get) == ("put_then_commit", "get_then_commit")
    assert (workload.moved, workload.batch_size, workload.tls) == ("no", 1, False)
