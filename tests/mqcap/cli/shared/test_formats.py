"""What commands share: lists as JSON and CSV, exit codes and completion."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from mqcap.cli.app import app
from mqcap.cli.shared.completion import rule_ids, topics
from mqcap.cli.shared.exit_codes import MEANINGS, ExitCode, UnknownValueError, exit_code_of
from mqcap.cli.shared.formats import ListForm, list_format, print_objects
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    InputError,
    OutcomeUnknown,
    ServiceUnavailable,
)
from tests.mqcap.cli.test_app import ALL

LISTS = {
    "report", "findings", "plan", "lose", "scorecard", "unit-costs", "transports", "drivers",
    "runs", "rules list", "rules coverage", "tickets list", "outbox list",
}  # fmt: skip


class Thing(BaseModel):
    name: str
    day: date | None = None
    parts: tuple[str, ...] = ()


THINGS = [Thing(name="a, b", day=date(2026, 1, 31), parts=("x", "y")), Thing(name="é")]


def test_json_is_a_list_of_objects(capsys: pytest.CaptureFixture[str]) -> None:
    print_objects(ListForm.json, THINGS)
    assert json.loads(capsys.readouterr().out) == [
        {"name": "a, b", "day": "2026-01-31", "parts": ["x", "y"]},
        {"name": "é", "day": None, "parts": []},
    ]


def test_csv_has_the_same_keys_as_columns(capsys: pytest.CaptureFixture[str]) -> None:
    print_objects(ListForm.csv, THINGS)
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == [
        {"name": "a, b", "day": "2026-01-31", "parts": "x; y"},
        {"name": "é", "day": "", "parts": ""},
    ]


def test_without_objects_csv_has_its_headings_and_json_is_an_empty_list(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_objects(ListForm.csv, [], ["name", "day"])
    print_objects(ListForm.json, [])
    assert capsys.readouterr().out == "name,day\n[]\n"


def test_keys_that_only_some_objects_have_are_columns_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_objects(ListForm.csv, [{"a": 1}, {"b": {"c": 2}}])
    assert capsys.readouterr().out == 'a,b\n1,\n,"{""c"": 2}"\n'


def test_a_table_is_not_of_objects() -> None:
    assert not ListForm.table.is_for_programs
    with pytest.raises(ValueError, match="is not a form of objects"):
        print_objects(ListForm.table, THINGS)


def test_an_unknown_form_names_those_that_there_are() -> None:
    assert list_format("csv") is ListForm.csv
    with pytest.raises(ConfigurationError, match="found pdf; expected table or json or csv"):
        list_format("pdf")


@pytest.mark.parametrize("words", sorted(LISTS))
def test_every_list_has_the_three_forms(words: str) -> None:
    [option] = [each for each in ALL[words].params if "--format" in each.opts]
    shown = f"{option.metavar or ''} {option.help}"
    assert {word for word in ("table", "json", "csv") if word not in shown} == set()


def test_no_other_command_lists_in_one_form_only() -> None:
    def is_list(command: Any) -> bool:
        return any("--format" in each.opts for each in command.params)

    assert {words for words, command in ALL.items() if is_list(command)} == {
        *LISTS, "whatif", "why",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("no dump"), 1),
        (ConfigurationError("no such rule"), 1),
        (UnknownValueError("no such format"), 2),
        (CapacityError("else"), 1),
        (ServiceUnavailable("no answer"), 3),
        (OutcomeUnknown("no confirmation"), 3),
    ],
)
def test_each_kind_of_error_has_a_code_of_its_own(error: CapacityError, code: int) -> None:
    assert exit_code_of(error) == code


def test_every_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(ExitCode)


def test_rules_are_offered_in_any_case() -> None:
    assert rule_ids("log-fill-3") == ["LOG-FILL-30MIN"]
    assert len(rule_ids("")) > 100
    assert rule_ids("ZZ") == []


def test_topics_are_offered() -> None:
    assert topics("log_f") == ["log_fill"]


@pytest.mark.thorough
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_commands_and_names(shell: str) -> None:
    def offered(words: str, number: int) -> str:
        line = {
            "_MQCAP_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": words,
            "COMP_CWORD": str(number),
            "_TYPER_COMPLETE_ARGS": words,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        return CliRunner().invoke(app, [], env=line, prog_name="mqcap").output

    assert "tickets" in offered("mqcap tick", 1)
    assert "LOG-FILL-30MIN" in offered("mqcap rules show LOG-FILL", 3)
