"""The form of the what-if."""

from typing import Any, get_args

import pytest
import yaml

from mq_capacity_page.pages.whatif.form import (
    AMOUNT,
    CHOICE,
    FURTHER,
    GROUPS,
    LOSE,
    as_typed,
    as_yaml,
    document_from,
    field_words,
    form_parameters,
    further_text,
    groups_of,
    parameters_of,
    parse_further,
    scenario_from,
)
from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import PlanChange
from mqcap.whatif.effects import calculate
from mqcap.whatif.parts import GetPattern, PutPattern, keys_of, kinds_of
from mqcap.whatif.scenario import Scenario
from tests.plan_factories import plan, plan_change

MANAGER = SubjectKind.queue_manager

SUBJECT = "PLEX1/CSQ1"
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


@pytest.mark.parametrize(
    ("text", "pct"),
    [
        *((text, (50.0, 80.0)) for text in ("50-80", "50 - 80", "50 to 80", "50\N{EN DASH}80")),
        ("-10", -10.0),
    ],
)
def test_a_range_may_be_written_in_several_ways_and_a_number_may_be_negative(
    text: str, pct: float | tuple[float, float]
) -> None:
    assert document(growth=text)["growth"][0]["pct"] == pct


@pytest.mark.parametrize(
    ("given", "words"),
    [
        *(({"growth": text}, "is not a number") for text in ("1.2.3", "fifty", "5-", "1-2-3")),
        ({"level": "1.5"}, "CFCC level is not a whole number"),
        ({"rate": "10"}, "messages_per_s also needs message_bytes"),
    ],
)
def test_what_is_no_number_no_level_or_not_complete_is_refused(
    given: dict[str, str], words: str
) -> None:
    with pytest.raises(ConfigurationError, match=words):
        scenario_from(SUBJECT, MANAGER, "", given)


def test_parameters_of_other_subjects_and_blank_ones_are_dropped() -> None:
    groups = groups_of(SubjectKind.coupling_facility)
    values = {"engines": "2", "logs": "4", "ratio": "  ", "nonsense": "1"}
    assert form_parameters(groups, values) == {"engines": "2"}


def test_a_scenario_becomes_a_file_that_reads_back_as_itself() -> None:
    scenario = scenario_from(SUBJECT, MANAGER, "2026-02-15", {"growth": "20-60", "logs": "4"})
    assert Scenario.model_validate(yaml.safe_load(as_yaml(scenario))) == scenario


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


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"growth": "20"}, ["Growth of everything measured 20 %"]),
        ({"put": "put_then_commit", "sharecnv": "1"}, []),
        ({"kind": "client", "persistent": "on"}, ["Kind client", "Persistent"]),
        ({"start": "2027-01-01", "gone": "7"}, ["start 2027-01-01", "gone 7"]),
        ({"logsize": "4000", "logs": "4"}, ["Active log 4000 MiB", "Active logs per copy 4"]),
        ({"put": "put10_commit", "offload": "SMDS"}, ["Put put10 commit", "Offload to SMDS"]),
        ({"adapters": "1"}, ["CHIADAPS 1 adapter"]),
        ({LOSE: "CF02"}, ["Lost coupling facilities or members CF02"]),
    ],
    ids=["unit", "untouched", "chosen", "no-field", "amounts", "underscores", "one", "loss"],
)
def test_a_saved_scenario_is_shown_in_the_words_of_the_form(
    given: dict[str, str], words: list[str]
) -> None:
    assert field_words(given) == words


def test_every_field_has_a_name_of_its_own_within_a_kind_of_subject() -> None:
    for kind in SubjectKind:
        names = [field.name for group in groups_of(kind) for field in group.fields]
        assert len(names) == len(set(names)), kind


def test_every_kind_of_subject_can_grow() -> None:
    assert all(GROUPS[0] in groups_of(kind) for kind in SubjectKind)


def test_only_fields_to_choose_from_have_choices_and_all_of_them_do() -> None:
    fields = [field for group in GROUPS for field in group.fields]
    assert {field.name for field in fields if field.choices} == {
        field.name for field in fields if field.kind == CHOICE
    }


def choices(*keys: str) -> set[str]:
    """What can be chosen for a key of a scenario; blank, which leaves it as it is, left out."""
    fields = [field for group in GROUPS for field in group.fields if field.key in keys]
    return {choice for field in fields for choice in field.choices} - {""}


@pytest.mark.parametrize("dasd", sorted(choices("dasd_class", "dasd_class_from")))
def test_mp16_has_a_log_rate_of_every_dasd_to_choose_from(dasd: str) -> None:
    ceiling = calculate("LOG-DASD-CEILING", dasd_type=dasd, message_bytes=4_096)
    assert ceiling.figures["max_mb_per_s"] > 0


def test_the_ways_to_put_and_get_are_those_of_a_scenario() -> None:
    assert choices("put") == set(get_args(PutPattern))
    assert choices("get") == set(get_args(GetPattern))


def test_names_of_subjects_are_suggested_by_a_kind_that_exists() -> None:
    suggested = {field.suggests for group in GROUPS for field in group.fields if field.suggests}
    assert suggested <= set(SubjectKind)
    assert suggested != set()


def test_every_setting_of_the_form_is_one_of_a_scenario() -> None:
    for kind in SubjectKind:
        fields = [field for group in groups_of(kind) for field in group.fields]
        keys = {field.key for field in fields if field.part == "configuration"}
        assert keys - {"offload", "message_bytes"} <= keys_of(kind), kind


def test_every_amount_has_a_unit_beside_it_and_a_loss_says_what_is_typed() -> None:
    fields = [field for group in GROUPS for field in group.fields]
    bare = {field.key for field in fields if field.kind == AMOUNT and not field.unit}
    assert bare == {"cfcc_level", "cfcc_level_from", "engines"}  # their labels say what they are
    assert next(field.unit for field in fields if field.name == LOSE).startswith("names")
