from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.rulebook.describe import describe, read_vectors
from sizing.advice import Advice, all_advice
from sizing.misprints import Misprint, all_misprints
from sizing.rulebook.registry import entries
from tests.many_values import for_each
from tests.mqcap.cli.command_line import COMMAND

VECTORS = Path(__file__).parents[2] / "sizing" / "vectors.json"


def run(*arguments: str, columns: str = "240") -> tuple[int, str]:
    result = CliRunner(env={"COLUMNS": columns}).invoke(COMMAND, list(arguments))
    return result.exit_code, result.output


def vectors(tmp_path: Path, **changed: object) -> Path:
    vector = {
        "rule": "LOG-FILL-30MIN",
        "inputs": {"log_size_mib": 4096, "log_rate_mib_per_s": 2.5},
        "expected": {"fill_time_s": 1638.4, "breach": True},
        "tolerance": {"rel": 1e-9},
    }
    file = tmp_path / "vectors.json"
    file.write_text(json.dumps([vector | changed]), encoding="utf-8")
    return file


def test_a_rule_is_shown_with_inputs_limit_strictness_and_source() -> None:
    code, text = run("rules", "show", "LOG-FILL-30MIN")
    assert code == 0
    assert "log_size_mib [MiB] (required, > 0 and <= 4096): estate: active_log_size_mib" in text
    assert "measured: log_growth_mib_per_s (peak) of SMF 115 subtype 1" in text
    assert "below the limit; a value exactly at it is allowed" in text
    assert "How large should the active logs be?" in text
    assert "interval_s [s]" in text


def test_an_input_that_only_the_user_knows_shows_its_question() -> None:
    assert "asked: OUTBUFF, from DISPLAY LOG" in describe("LOG-OUTBUFF-WTB")


def test_an_input_that_is_learnt_says_when_it_is_used() -> None:
    origin = "learnt: chinit_31bit_kib_per_channel, where its interval is narrow enough"
    assert origin in describe("CHI-80-31BIT")


def test_a_limit_that_must_not_be_reached_says_so() -> None:
    assert "exactly at it is a breach" in describe("CFS-FULL")


@for_each("flag", all_misprints(), ids=lambda flag: flag.flag)
def test_every_flag_is_shown_with_its_reading_where_it_applies(flag: Misprint) -> None:
    known = set(entries()) | set(all_advice())
    ids = [item for item in flag.ids if item in known]
    shown = [describe(identity) for identity in ids]
    assert all(f"flag {flag.flag}: " in text for text in shown)


@for_each("advice", all_advice().values(), ids=lambda advice: advice.id)
def test_advice_is_listed_with_what_it_helps(advice: Advice) -> None:
    assert "kind: advice" in describe(advice.id)
    helped = [describe(item) for item in advice.helps]
    assert all(f"advice {advice.id}: " in text for text in helped)


def test_an_unknown_rule_is_an_error_that_points_to_the_list() -> None:
    with pytest.raises(ConfigurationError, match="mqcap rules list"):
        describe("LOG-NOTHING")


def test_all_worked_examples_of_the_suite_pass() -> None:
    code, text = run("rules", "verify", str(VECTORS))
    assert (code, text.splitlines()[1:]) == (0, ["failed: 0", "without implementation: 0"])


def test_a_difference_is_printed_and_ends_with_one(tmp_path: Path) -> None:
    code, text = run("rules", "verify", str(vectors(tmp_path, expected={"fill_time_s": 1.0})))
    assert code == 1
    assert "LOG-FILL-30MIN: fill_time_s: expected 1.0, got 1638.4" in text


def test_a_rule_without_implementation_is_named_and_ends_with_one(tmp_path: Path) -> None:
    code, text = run("rules", "verify", str(vectors(tmp_path, rule="LOG-NOT-YET")))
    assert code == 1
    assert text.splitlines()[-2:] == ["without implementation: 1", "  LOG-NOT-YET"]


@pytest.mark.parametrize("content", ["{", "[1]", "{}"])
def test_a_file_of_another_form_is_refused_with_its_name(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json"):
        read_vectors(file)


def test_a_rule_that_only_suggests_says_that_it_is_no_breach() -> None:
    text = describe("BP-OVERSIZE-50")
    assert "suggestion, never a breach: a value below the limit; exactly at it is one" in text
    assert "severity of a breach" not in text


def test_a_rule_whose_figure_must_be_measured_says_why() -> None:
    text = describe("LOG-OUTBUFF-WTB")
    assert "a first step, to be measured, because the counter says that tasks waited" in text
    assert "to be measured" not in describe("LOG-FILL-30MIN")
