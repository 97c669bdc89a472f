from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from rich.console import Console

from mqcap.domain.errors import ConfigurationError
from mqcap.judging.evaluate import DayFacts, judge_facts
from mqcap.whatif.answer import Baseline
from mqcap.whatif.effects import Bend, Shift
from mqcap.whatif.overlay import overlay
from mqcap.whatif.scenario import RANGES_MAX, Scenario
from mqcap.whatif.terminal import cells, details, table
from tests.mqcap.rulebook.builders import QUEUE_MANAGER, run, settings_of
from tests.mqcap.whatif.builders import (
    CF,
    CHINIT,
    PAGE_SET,
    SHARING,
    STRUCTURE,
    filled,
    known_in,
    messages,
    peak,
    world,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("whatif"))


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


@pytest.mark.parametrize("section", sorted(NOTHING))
def test_no_change_in_any_words_gives_the_identical_result(known: DayFacts, section: str) -> None:
    scenario = Scenario.model_validate({section: NOTHING[section]})
    assert judge_facts(overlay(known, scenario).known) == judge_facts(known)
    assert Baseline(known).answer(scenario).differences == ()


@settings(max_examples=20)
@given(low=st.floats(0, 500), more=st.floats(0, 500))
def test_a_range_of_rates_gives_the_answers_of_its_ends(
    known: DayFacts, low: float, more: float
) -> None:
    def log_rates(rate: Any) -> list[float]:
        workload = messages(messages_per_s=rate)
        scenario = Scenario.model_validate({"workload": [workload]})
        return [
            peak(overlay(known, one), "log_growth_mib_per_s", QUEUE_MANAGER)
            for one in scenario.corners()
        ]

    assert log_rates((low, low + more)) == [*log_rates(low), *log_rates(low + more)]


@given(
    value=st.floats(0, 100),
    factor=st.floats(0.1, 10),
    addition=st.floats(-50, 50),
    slope=st.floats(0, 1),
)
def test_shifts_keep_order_and_percentages(
    value: float, factor: float, addition: float, slope: float
) -> None:
    shift = Shift(factor, addition, Bend(70, slope))
    assert 0 <= shift.of(value, percent=True) <= 100
    assert shift.of(value, percent=True) <= shift.of(value + 1, percent=True)


def test_the_answer_prints_arithmetic_and_citation_of_every_figure(known: DayFacts) -> None:
    workload = messages(messages_per_s=(100, 400), moved="sent", channels=50)
    given_answer = Baseline(known).answer(Scenario.model_validate({"workload": [workload]}))
    text = "\n".join(details(given_answer))
    assert "LOG-BYTES-PUT-LOCAL(message_bytes=1,024, pattern=put_then_commit)" in text
    assert '[MP16 (14), "How much log space does my message use?"]' in text
    assert "log = 100 messages/s x 5,140 bytes / 1048576 = 0.4902 MiB/s" in text
    assert "log = 400 messages/s x 5,140 bytes / 1048576 = 1.961 MiB/s" in text
    assert "altogether: value + 0.4902 or value + 1.961" in text
    assert "CH-COST-PM1(message_bytes=1,024)" in text
    assert "advice: Define active logs of" in text


def test_the_command_prints_the_arithmetic(tmp_path: Path) -> None:
    filled(tmp_path)
    file = tmp_path / "scenario.yaml"
    file.write_text(
        "workload:\n  - {subject: PLEX1/CSQ1, messages_per_s: [50, 300], message_bytes: 2048, "
        "persistent: true}\n",
        encoding="utf-8",
    )
    result = run(tmp_path, settings_of(tmp_path), "whatif", str(file))
    assert result.exit_code == 0, result.output
    assert "How the scenario changes the series" in result.output
    assert "LOG-FILL-30MIN PLEX1/CSQ1 [MP16 (14)" in result.output


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
        ({"configuration": [{"subject": CF, "active_log": 1}]}, "no such setting"),
        ({"configuration": [{"subject": CHINIT, "sharecnv": 1}]}, "also needs"),
        ({"configuration": [{"subject": STRUCTURE, "offload": "SMDS"}]}, "needs message_bytes"),
        ({"configuration": [{"subject": "PLEX1", "active_logs": 4}]}, "such as PLEX1/CSQ1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_part_that_is_not_complete_says_what_it_needs(part: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Scenario.model_validate(part)


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ({"workload": [messages(outage_minutes=5)]}, "where the messages wait"),
        ({"workload": [messages(outage_minutes=5, page_set="PLEX1/CSQ1/PS09")]}, "not measured"),
        ({"workload": [{"subject": "PLEX1/CSQ7", "channels": 1}]}, "not measured"),
        ({"workload": [messages(structure="PLEX1/CF09/X")]}, "engines of PLEX1/CF09 are not"),
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
def test_what_is_not_known_is_an_error_that_names_it(
    known: DayFacts, part: dict[str, Any], problem: str
) -> None:
    with pytest.raises(ConfigurationError, match=problem):
        world(known, **part)


def test_ranges_stand_anywhere_a_number_does() -> None:
    hardware = [{"subject": CF, "engines": (1, 4)}]
    change = [{"subject": QUEUE_MANAGER, "archive_minutes": [2, 4]}]
    scenario = Scenario.model_validate({"hardware": hardware, "configuration": change})
    corners = list(scenario.corners())
    assert len(corners) == 4
    assert RANGES_MAX >= 2
    assert {one.hardware[0].engines for one in corners} == {1, 4}


def test_factor_addition_and_bend_are_told_in_their_order(known: DayFacts) -> None:
    parts = {
        "growth": [{"subjects": [STRUCTURE], "pct": 10}],
        "workload": [messages(structure=STRUCTURE, outage_minutes=1, cfcc_level=25)],
        "configuration": [{"subject": STRUCTURE, "offload": "SMDS", "message_bytes": 8_192}],
    }
    text = "\n".join(details(Baseline(known).answer(Scenario.model_validate(parts))))
    assert "altogether: value x 1.1 + 2.644, above 80 only 0.05882 of the rest" in text


def test_a_difference_that_is_listed_can_be_seen(known: DayFacts) -> None:
    grown = Scenario.model_validate({"growth": [{"subjects": ["PLEX1/*"], "pct": 10}]})
    answer = Baseline(known).answer(grown)
    assert answer.differences
    assert all(any("->" in cell for cell in cells(one)) for one in answer.differences)


def test_what_becomes_graver_is_printed_first_and_no_name_is_broken(known: DayFacts) -> None:
    grown = Scenario.model_validate({"growth": [{"subjects": ["PLEX1/*"], "pct": 60}]})
    answer = Baseline(known).answer(grown)
    changed = ["->" in cells(one).severity for one in answer.differences]
    assert True in changed
    assert False in changed
    shown = table(answer)
    console = Console(width=80, file=StringIO())
    console.print(shown)
    assert isinstance(console.file, StringIO)
    printed = console.file.getvalue()
    first = [str(cell).split("\n")[0] for cell in shown.columns[0].cells][: sum(changed)]
    graver = [one.rule_id for one, is_so in zip(answer.differences, changed, strict=True) if is_so]
    assert sorted(first) == sorted(graver)
    for one in answer.differences:
        assert one.rule_id in printed
        assert one.subject in printed
