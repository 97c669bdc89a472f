"""From the fields of the what-if form to a scenario."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from mq_capacity_page.pages.whatif.fields import groups_of
from mq_capacity_page.pages.whatif.form import (
    as_yaml,
    document_from,
    form_parameters,
    scenario_from,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.whatif.scenario import Scenario

MANAGER = SubjectKind.queue_manager

SUBJECT = "PLEX1/CSQ1"


def document(kind: SubjectKind = MANAGER, start: str = "", **given: str) -> dict[str, Any]:
    return document_from(SUBJECT, kind, start, given)


def test_fields_become_sections_of_the_scenario() -> None:
    made = document(
        rate="1,000", size="2048", persistent="yes", moved="sent", channels="20-40", chsize="4096",
        tls="yes", logsize="4000", dual="no", dasd="ESS 800", dasdsize="4096", sharefrom="10",
        shareto="1", conversations="500", convsize="1024",
    )  # fmt: skip
    assert made["workload"] == [
        {"subject": SUBJECT, "messages_per_s": 1_000.0, "message_bytes": 2_048.0,
         "persistent": True, "moved": "sent"},
        {"subject": SUBJECT, "channels": (20.0, 40.0), "message_bytes": 4_096.0, "tls": True},
    ]  # fmt: skip
    assert made["hardware"] == [
        {"subject": SUBJECT, "dasd_class": "ESS 800", "message_bytes": 4_096.0}
    ]
    assert [sorted(part) for part in made["configuration"]] == [
        ["active_log_size_mib", "dual_logging", "subject"],
        ["client_conversations", "message_bytes", "sharecnv", "sharecnv_from", "subject"],
    ]


@pytest.mark.parametrize("text", ["PLEX1/CF02, CSQ2", "PLEX1/CF02 CSQ2"])
def test_what_is_lost_is_a_list_of_names(text: str) -> None:
    assert document(lose=text)["lose"] == ["PLEX1/CF02", "CSQ2"]
    made = scenario_from(SUBJECT, MANAGER, "", {"lose": text})
    assert made.lose == ("PLEX1/CF02", "CSQ2")
    assert yaml.safe_load(as_yaml(made)) == {"lose": ["PLEX1/CF02", "CSQ2"]}


def test_fields_that_only_describe_make_no_part() -> None:
    assert document(size="2048", put="put10_commit", dasdsize="4096") == {"start": None}


@pytest.mark.parametrize("text", ["50-80", "50 - 80", "50 to 80", "50\N{EN DASH}80"])
def test_a_range_may_be_written_in_several_ways(text: str) -> None:
    assert document(growth=text)["growth"][0]["pct"] == (50.0, 80.0)


def test_a_negative_growth_is_one_number() -> None:
    assert document(growth="-10")["growth"][0]["pct"] == -10.0


@pytest.mark.parametrize("text", ["1.2.3", "fifty", "5-", "1-2-3"])
def test_anything_else_is_not_a_number(text: str) -> None:
    with pytest.raises(ConfigurationError, match="is not a number"):
        document(growth=text)


def test_parameters_of_other_subjects_and_blank_ones_are_dropped() -> None:
    groups = groups_of(SubjectKind.coupling_facility)
    values = {"engines": "2", "logs": "4", "ratio": "  ", "nonsense": "1"}
    assert form_parameters(groups, values) == {"engines": "2"}


def test_a_scenario_becomes_a_file_that_reads_back_as_itself() -> None:
    scenario = scenario_from(SUBJECT, MANAGER, "2026-02-15", {"growth": "20-60", "logs": "4"})
    assert Scenario.model_validate(yaml.safe_load(as_yaml(scenario))) == scenario


def test_a_scenario_that_is_not_complete_names_what_it_needs() -> None:
    with pytest.raises(ConfigurationError, match="messages_per_s also needs message_bytes"):
        scenario_from(SUBJECT, MANAGER, "", {"rate": "10"})


def test_a_level_must_be_an_integer() -> None:
    with pytest.raises(ConfigurationError, match="CFCC level is not a whole number"):
        document(level="1.5")
