"""Scenarios from YAML, and the corners of their ranges."""

from __future__ import annotations

import textwrap
from datetime import date
from pathlib import Path

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.whatif import scenario
from mqcap.whatif.scenario import RANGES_MAX, SECTIONS, Scenario, read_scenario, scenario_of
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import CF


def test_a_range_may_replace_any_number() -> None:
    hardware = [{"subject": CF, "engines": (1, 4)}]
    change = [{"subject": QUEUE_MANAGER, "archive_minutes": [2, 4]}]
    scenario = Scenario.model_validate({"hardware": hardware, "configuration": change})
    corners = list(scenario.corners())
    assert len(corners) == 4
    assert RANGES_MAX >= 2
    assert {corner.hardware[0].engines for corner in corners} == {1, 4}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("grow: []", "grow"),
        ("growth: [{subjects: [PLEX1/CSQ1], pct: [9, 1]}]", "must not be larger"),
        ("growth: [{subjects: [], pct: 1}]", "at least 1"),
        ("configuration: [{subject: PLEX1/CF01, engines: 2, active_logs: 4}]", "engines belong"),
        ("title: [", "cannot be read"),
    ],
)
def test_an_invalid_value_is_refused_with_its_location(
    tmp_path: Path, text: str, problem: str
) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=problem):
        read_scenario(file)


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


def test_a_scenario_without_ranges_is_its_own_corner() -> None:
    grown = Scenario.model_validate({"growth": [{"subjects": ["*"], "pct": 10}]})
    assert list(grown.corners()) == [grown]
    assert list(Scenario().corners()) == [Scenario()]


def test_corners_combine_the_ends_of_all_ranges_in_order() -> None:
    growth = [{"subjects": ["*"], "pct": [10, 20]}, {"subjects": [CF], "pct": [1, 2]}]
    corners = Scenario.model_validate({"growth": growth}).corners()
    assert [tuple(part.pct for part in corner.growth) for corner in corners] == [
        (10, 1), (10, 2), (20, 1), (20, 2),
    ]  # fmt: skip


def test_two_subjects_are_no_range() -> None:
    grown = Scenario.model_validate({"growth": [{"subjects": ["A/*", "B/*"], "pct": 10}]})
    assert len(list(grown.corners())) == 1


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
    [(b"growth: [", "a YAML file"), (b"\xff\xfe\x00", "a YAML file"), (b"- 1", "is invalid")],
)
def test_a_file_that_is_no_scenario_is_an_error_with_its_name(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    file = tmp_path / "scenario.yaml"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError) as raised:
        read_scenario(file)
    assert str(file) in str(raised.value)
    assert problem in str(raised.value)


def test_a_setting_that_does_not_exist_is_answered_with_the_near_one() -> None:
    text = "configuration: [{subject: PLEX1/CSQ1, log_compression: 20}]"
    with pytest.raises(ConfigurationError) as raised:
        scenario_of(text, "scenario.yaml")
    expected = "configuration.0: no such setting: log_compression; expected log_compression_pct "
    assert expected in str(raised.value)


def test_a_missing_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.yaml cannot be read"):
        read_scenario(tmp_path / "none.yaml")
