"""What commands share: formats, the folder of drawings, a local run."""

import atexit
import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner

from mqcap.cli.app import VARIABLE, app, choose_drawing_folder
from mqcap.cli.common import MEANINGS, ExitCode, UnknownValueError, exit_code_of
from mqcap.cli.shared import local_run
from mqcap.cli.shared.formats import ListForm, print_objects
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    InputError,
    OutcomeUnknown,
    ServiceUnavailable,
)
from mqcap.rulebook.describe import rule_ids, topics
from mqcap.settings.loader import write_environment_file
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


def test_every_list_has_the_three_forms_and_no_other_command_but_two_has_one() -> None:
    options = {
        words: f"{option.metavar or ''} {option.help}"
        for words, command in ALL.items()
        for option in command.params
        if "--format" in option.opts
    }
    assert set(options) == {*LISTS, "whatif", "why"}
    for words in LISTS:
        assert {form for form in ListForm if form not in options[words]} == set(), words


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


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No folder is named, and the home is one of this test; afterwards all is as before."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.delenv(VARIABLE)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_who_has_a_home_uses_it() -> None:
    choose_drawing_folder()
    assert VARIABLE not in os.environ


def test_a_folder_that_is_named_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/proc/none")
    monkeypatch.setenv(VARIABLE, "named")
    choose_drawing_folder()
    assert os.environ[VARIABLE] == "named"


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME"])
def test_who_has_none_has_one_until_the_process_ends(tmp_path: Path, variable: str) -> None:
    """A file stands where the folder should be: nobody can make it, an administrator neither."""
    (tmp_path / "file").write_text("")
    code = (
        "import os; from mqcap.cli.app import choose_drawing_folder as choose;"
        f"choose(); print(os.environ['{VARIABLE}'], os.path.isdir(os.environ['{VARIABLE}']))"
    )
    environment = {**os.environ, variable: str(tmp_path / "file" / "home")}
    answer = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    folder, is_there = answer.stdout.split()
    assert is_there == "True"
    assert not Path(folder).exists()


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with the file of a local run and an environment without settings."""
    for name in (*local_run.PLACES, "MQCAP_SPARK__MASTER"):
        monkeypatch.setenv(name, "")  # so that its absence is restored too
        monkeypatch.delenv(name)
    variables = {"MQCAP_LAKE": str(tmp_path / "lake"), "MQCAP_SPARK__MASTER": "local[2]"}
    (tmp_path / "var").mkdir()
    write_environment_file(tmp_path / local_run.LOCAL_FILE, variables)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_its_settings_are_used_and_said_once(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert local_run.site_settings().lake == str(checkout / "lake")
    assert local_run.site_settings().lake == str(checkout / "lake")
    assert capsys.readouterr().err == "Settings of the local run: var/mqcap.env\n"


def test_folders_below_the_checkout_are_in_it(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkout / "docs" / "layouts").mkdir(parents=True)
    monkeypatch.chdir(checkout / "docs" / "layouts")
    assert local_run.site_settings().lake == str(checkout / "lake")
    assert capsys.readouterr().err == "Settings of the local run: ../../var/mqcap.env\n"


def test_a_variable_of_the_environment_wins(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_SPARK__MASTER", "local[1]")
    settings = local_run.site_settings()
    assert (settings.lake, settings.spark.master) == (str(checkout / "lake"), "local[1]")


@pytest.mark.parametrize("name", local_run.PLACES)
@pytest.mark.parametrize("value", ["", "elsewhere"])
def test_who_names_settings_lake_or_store_gets_nothing_of_the_local_run(
    checkout: Path, name: str, value: str
) -> None:
    assert local_run.local_file(checkout, {}) == checkout / "var" / "mqcap.env"
    assert local_run.local_file(checkout, {name: value}) is None


def test_a_file_of_another_user_is_not_used(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = (checkout / local_run.LOCAL_FILE).stat().st_uid
    monkeypatch.setattr(local_run, "_trusted", lambda: {owner + 1})
    assert local_run.site_settings().lake == local_run.site_settings().lake == "var/lake"
    said = capsys.readouterr().err
    assert said == "Settings: the defaults; var/mqcap.env is another user's.\n"


def test_files_of_the_user_and_of_root_are_trusted() -> None:
    assert local_run._trusted() == {os.geteuid(), 0}


@pytest.mark.thorough
def test_its_database_is_started_for_the_command(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / "var" / "postgres").mkdir()
    ending: list[Callable[[], None]] = []
    monkeypatch.setattr(atexit, "register", ending.append)
    settings = local_run.site_settings()
    assert "postgresql" in settings.store.url.get_secret_value()
    running = checkout / "var" / "postgres" / "postmaster.pid"
    assert running.is_file()
    ending[-1]()
    assert not running.exists()
    monkeypatch.delenv("MQCAP_LAKE")
    monkeypatch.delenv("MQCAP_STORE__URL")
    local_run.site_settings(with_store=False)
    assert not running.exists()
