"""Lists as JSON and CSV, the same for every command."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

from mqcap.cli.shared.formats import ListForm, list_format, print_objects
from mqcap.domain.errors import ConfigurationError
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
