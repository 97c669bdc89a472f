"""Settings of any subject in the what-if form, and the changes of a plan as its parameters."""

from __future__ import annotations

import pytest

from mq_capacity_page.pages.whatif.fields import FURTHER
from mq_capacity_page.pages.whatif.form import scenario_from
from mq_capacity_page.pages.whatif.further import (
    as_typed,
    further_text,
    parameters_of,
    parse_further,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.plan import PlanChange
from mqcap.whatif.scenario import Scenario
from mqcap.whatif.setting_keys import keys_of, kinds_of
from tests.plan_factories import plan, plan_change

COPIES = tuple(
    plan_change(subject=f"PLEX1/{facility}/QSG1APPL1", settings={"structure_size_mib": 5_120})
    for facility in ("CF01", "CF02")
)
OF_EVERY_KIND = {
    "PLEX1/CSQ1": {
        "active_log_size_mib": 4_095.7, "active_logs": 16, "dual_logging": True, "maxarch": 1_000,
        "page_set_backup_hours": 96, "structure_backup_hours": 24, "outbuff_kb": 4_000,
        "smds_buffers": 200,
    },
    "PLEX1/CSQ1/CHINIT": {
        "channels_moved": 4_600, "adapters": 30, "dispatchers": 20, "ssltasks": 8, "maxchl": 9_000,
        "memlimit_gib": 3, "omvs_maxprocuser": 32_767,
    },
    "PLEX1/CSQ1/BP03": {"buffers": 60_000},
    "PLEX1/CSQ1/PS04": {"pages": 1_000_000},
    "PLEX1/CF01": {"engines": 2},
    "PLEX1/CF01/QSG1APPL1": {"structure_size_mib": 5_120},
}  # fmt: skip


def applied(changes: tuple[PlanChange, ...]) -> dict[tuple[str, str], object]:
    """Return every setting of the scenario that the page makes of the changes."""
    given = parameters_of(changes)
    subject = given.pop("subject")
    [kind] = [kind for kind in kinds_of(subject) if set(changes[0].settings) <= keys_of(kind)][:1]
    scenario = scenario_from(subject, kind, "", given)
    result: dict[tuple[str, str], object] = {
        (part.subject, key): value
        for part in scenario.configuration
        for key, value in part.settings.items()
    }
    return result | {(item.subject, "engines"): item.engines for item in scenario.hardware}


@pytest.mark.parametrize("subject", OF_EVERY_KIND)
def test_every_setting_of_a_plan_arrives_in_the_scenario_of_the_page(subject: str) -> None:
    change = plan_change(subject=subject, settings=OF_EVERY_KIND[subject])
    assert applied((change,)) == plan(changes=(change,)).settings


def test_both_copies_of_a_structure_arrive() -> None:
    given = parameters_of(COPIES)
    assert given == {
        "subject": "PLEX1/CF01/QSG1APPL1",
        "strsize": "5120",
        FURTHER: "PLEX1/CF02/QSG1APPL1 structure_size_mib=5120",
    }
    assert applied(COPIES) == plan(changes=COPIES).settings


def test_a_change_without_settings_fills_nothing_in() -> None:
    move = plan_change(subject="PLEX1/CSQ3", settings={})
    assert parameters_of((move,)) == {}
    assert parameters_of((move, *COPIES)) == parameters_of(COPIES)


def test_further_settings_are_read_back_as_they_were_written() -> None:
    text = further_text(
        [("PLEX1/CSQ1", {"active_logs": 16, "dual_logging": True}), ("PLEX1/CF01", {})]
    )
    assert text == "PLEX1/CSQ1 active_logs=16 dual_logging=yes"
    assert parse_further(f"{text}; PLEX1/CSQ2 mq_version=9.4.0 ;") == [
        {"subject": "PLEX1/CSQ1", "active_logs": 16, "dual_logging": True},
        {"subject": "PLEX1/CSQ2", "mq_version": "9.4.0"},
    ]


@pytest.mark.parametrize("text", ["PLEX1/CSQ1", "PLEX1/CSQ1 16", "active_logs=16; PLEX1/CSQ1 a b"])
def test_what_is_no_subject_with_settings_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ConfigurationError, match="structure_size_mib=5000"):
        parse_further(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [(4_095.7, "4095.7"), (2_048.0, "2048"), (16, "16"), (False, "no"), ("9.4", "9.4")],
)
def test_a_value_is_typed_with_all_its_digits(value: float | bool | str, text: str) -> None:
    assert as_typed(value) == text


def test_further_settings_alone_make_a_scenario() -> None:
    [kind] = kinds_of("PLEX1/CSQ1/BP03")
    made = scenario_from("PLEX1/CSQ1/BP03", kind, "", {FURTHER: "PLEX1/CSQ1 active_logs=16"})
    assert made == Scenario.model_validate(
        {"configuration": [{"subject": "PLEX1/CSQ1", "active_logs": 16}]}
    )
