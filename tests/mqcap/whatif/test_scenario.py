"""Names, parts and keys of a scenario."""

import textwrap
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif import scenario
from mqcap.whatif.overlay import with_full_names
from mqcap.whatif.parts import ConfigurationChange, estate_keys_of, keys_of, kinds_of
from mqcap.whatif.scenario import RANGES_MAX, SECTIONS, Scenario, read_scenario, scenario_of
from sizing.rulebook.entry import value_sources_of
from sizing.rulebook.input_sources import FromEstate
from sizing.rulebook.registry import all_rules
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    OTHER_CF,
    PAGE_SET,
    POOL,
    STRUCTURE,
    messages,
)


@pytest.mark.parametrize("text", ["", "{title: Later, start: 2027-01-01}", "growth: []"])
def test_a_file_without_a_change_is_an_error_that_says_what_a_scenario_needs(text: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        scenario_of(text, "empty.yaml")
    assert str(raised.value) == (
        "scenario empty.yaml changes nothing; found no change in it; expected at least one of "
        "growth, workload, hardware, configuration or lose. Write a change into it, as "
        "docs/plans.md shows, such as growth: [{subjects: [PLEX1/CSQ1], pct: 20}]."
    )


def test_a_scenario_that_only_loses_something_and_one_with_a_start_are_valid() -> None:
    assert scenario_of("lose: PLEX1/CF02", "x").lose == ("PLEX1/CF02",)
    assert Scenario.model_validate({"start": "2027-01-01"}).start == date(2027, 1, 1)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("nonsense: 1", "nonsense: no such key, expected title, start, growth, workload, hardware"),
        ("grwth: []", "grwth: no such key, expected growth."),
        (
            "workload: [{subject: PLEX1/CSQ1, mesages_per_s: 4}]",
            "workload.0.mesages_per_s: no such key, expected messages_per_s",
        ),
        (
            "growth: [{subjects: [PLEX1/CSQ1], pct: 1, zzz: 2}]",
            "growth.0.zzz: no such key, expected subjects, metrics, pct.",
        ),
    ],
)
def test_an_unknown_key_is_answered_with_the_near_keys_or_all(text: str, answer: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        scenario_of(text, "x")
    assert answer in str(raised.value)


def test_corners_combine_the_ends_of_all_ranges_in_order() -> None:
    growth = [{"subjects": ["*"], "pct": [10, 20]}, {"subjects": [CF], "pct": [1, 2]}]
    corners = Scenario.model_validate({"growth": growth}).corners()
    assert [tuple(part.pct for part in corner.growth) for corner in corners] == [
        (10, 1), (10, 2), (20, 1), (20, 2),
    ]  # fmt: skip


def test_more_ranges_than_can_be_evaluated_are_refused() -> None:
    growth = [{"subjects": [f"P{n}/*"], "pct": [1, 2]} for n in range(RANGES_MAX + 1)]
    with pytest.raises(ConfigurationError) as raised:
        list(Scenario.model_validate({"growth": growth}).corners())
    assert str(raised.value) == (
        "too many ranges in one scenario; found 6; expected at most 5. "
        "Replace the ranges that matter least by single values."
    )


def test_the_example_of_the_documentation_is_a_valid_scenario() -> None:
    text = (scenario.__doc__ or "").partition("::\n")[2].partition("\nAny amount")[0]
    example = scenario_of(textwrap.dedent(text), "example")
    assert example.title == "Two more branches"
    assert [len(getattr(example, name)) for name in SECTIONS] == [1, 3, 2, 3]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"growth: [", "a YAML file"),
        (b"\xff\xfe\x00", "a YAML file"),
        (b"- 1", "is invalid"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_scenario_is_an_error_with_its_name(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    file = tmp_path / "scenario.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigurationError) as raised:
        read_scenario(file)
    assert str(file) in str(raised.value)
    assert problem in str(raised.value)


def test_the_end_of_a_subject_is_enough_where_it_is_unique(known: DayFacts) -> None:
    short = messages(
        subject="CSQ1", structure="QSG1APPL1", duplexed_in="CF02", page_set="CSQ1/PS03"
    )
    [part] = with_full_names(known, Scenario.model_validate({"workload": [short]})).workload
    assert (part.subject, part.structure) == (QUEUE_MANAGER, STRUCTURE)
    assert (part.duplexed_in, part.page_set) == (OTHER_CF, PAGE_SET)
    hardware = Scenario.model_validate({"hardware": [{"subject": "CF01", "engines": 4}]})
    assert with_full_names(known, hardware).hardware[0].subject == CF


def test_full_names_and_unknown_ones_stay(known: DayFacts) -> None:
    given = Scenario.model_validate(
        {
            "workload": [messages()],
            "hardware": [{"subject": "PLEX1", "lspr_ratio": 2}, {"subject": "F01", "engines": 1}],
        }
    )
    assert with_full_names(known, given) == given
    assert with_full_names(known, Scenario()) == Scenario()


def test_a_name_that_two_subjects_end_in_is_refused_with_both(known: DayFacts) -> None:
    other = known.observed.days("cf_busy_pct", CF)[0]._replace(subject="PLEX2/CF01")
    days = [*known.observed.every_day(), other]
    twice = known._replace(observed=type(known.observed)(days, known.observed.last, 35))
    given = Scenario.model_validate({"hardware": [{"subject": "CF01", "engines": 4}]})
    with pytest.raises(ConfigurationError, match=r"CF01 is not unique; .* PLEX1/CF01 PLEX2/CF01"):
        with_full_names(twice, given)


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ({"workload": [{"subject": QUEUE_MANAGER, "messages_per_s": 1}]}, "message_bytes and per"),
        ({"workload": [messages(messages_per_s=-1)]}, "must not be negative"),
        ({"workload": [messages(message_bytes=0)]}, "larger than 0"),
        ({"workload": [messages(structure=STRUCTURE, outage_minutes=1)]}, "needs cfcc_level"),
        ({"growth": [{"subjects": ["*"], "pct": float("nan")}]}, "finite number"),
        ({"growth": [{"subjects": ["*"], "pct": [9, 1]}]}, "must not be larger"),
        ({"growth": [{"subjects": [], "pct": 1}]}, "at least 1"),
        ({"configuration": [{"subject": CF, "engines": 2, "active_logs": 4}]}, "engines belong"),
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


def test_a_measured_size_is_a_setting_but_no_key_of_the_estate() -> None:
    change = ConfigurationChange.model_validate(
        {"subject": CHINIT, "adapters": 30, "omvs_maxprocuser": 200}
    )
    assert change.settings == {"adapters": 30, "omvs_maxprocuser": 200}
    assert change.estate_values == {"omvs_maxprocuser": 200}


def test_the_form_of_a_subject_tells_its_kinds() -> None:
    kind = SubjectKind
    assert kinds_of(CHINIT) == (kind.channel_initiator,)
    assert kinds_of(POOL) == (kind.buffer_pool,)
    assert kinds_of(PAGE_SET) == (kind.page_set,)
    both = (kind.structure, kind.distributed_queue)
    assert kinds_of(STRUCTURE) == kinds_of("EAST/QM1/APP.IN") == both
    assert kinds_of("EAST/QM1/CHANNEL/A") == (kind.distributed_channel,)
    assert kind.distributed_queue in kinds_of("EAST/QM1/CHANNEL")
    assert {kind.queue_manager, kind.coupling_facility} <= set(kinds_of(CF))
    assert kinds_of("PLEX1") == ()


def test_every_estate_key_of_a_rule_can_be_set() -> None:
    asked = {
        (rule.traits.subject_kind, source.key)
        for rule in all_rules().values()
        for sources in value_sources_of(rule.inputs).values()
        for source in sources
        if isinstance(source, FromEstate)
    }
    of_group = {(SubjectKind.structure, "group_queue_managers")}
    assert len(asked) > 50
    assert {pair for pair in asked if pair[1] not in keys_of(pair[0])} == of_group


def test_names_and_lists_of_the_estate_are_no_settings() -> None:
    every = {key for kind in SubjectKind for key in keys_of(kind)}
    assert not every & {"name", "number", "planned", "buffer_pools", "structures"}
    assert estate_keys_of(SubjectKind.page_set) == frozenset()
