"""``mqcap init``, ``airflow`` and ``doctor``."""

import shlex
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from mqcap.cli import site as module
from mqcap.cli.app import app
from mqcap.installation.check import Check, CheckState
from tests.mqcap.cli.command_line import invoked, output_of


def given(folder: Path) -> list[str]:
    return [
        "init", "--site", "North", "--zone", "Europe/Oslo", "--sysplex", "PLEX1", "--sysplex",
        "PLEX2", "--inbox", str(folder / "in"), "--mail", "mq@example.com", "--out",
        str(folder / "platform.yaml"),
    ]  # fmt: skip


def test_what_is_given_is_written_and_the_next_commands_are_printed(tmp_path: Path) -> None:
    printed = output_of(*given(tmp_path))
    document = yaml.safe_load((tmp_path / "platform.yaml").read_text("utf-8"))
    assert [entry["sysplex"] for entry in document["estate"]] == ["PLEX1", "PLEX2"]
    assert document["alerts"]["mail_to"] == ["mq@example.com"]
    assert f"export MQCAP_SETTINGS_FILE={tmp_path / 'platform.yaml'}" in printed
    assert "mqcap doctor" in printed


def test_a_file_in_a_path_with_a_blank_is_printed_as_one_word(tmp_path: Path) -> None:
    printed = output_of(*given(tmp_path / "my site"))
    [line] = [line for line in printed.splitlines() if line.startswith("export ")]
    assert shlex.split(line)[1] == f"MQCAP_SETTINGS_FILE={tmp_path / 'my site' / 'platform.yaml'}"


def test_without_a_terminal_what_is_needed_must_be_given(tmp_path: Path) -> None:
    result = invoked("init", "--zone", "UTC", "--out", str(tmp_path / "platform.yaml"))
    assert result.exit_code == 1
    assert "--site is not given" in str(result.exception)
    result = invoked("init", "--site", "N", "--zone", "UTC", "--out", str(tmp_path / "p.yaml"))
    assert result.exit_code == 0
    document = yaml.safe_load((tmp_path / "p.yaml").read_text("utf-8"))
    assert document["ingest"]["inbox"] == str(tmp_path / "inbox")
    assert (document["estate"], document["alerts"]["mail_to"]) == ([], [])


class Terminal:
    """Stands for ``sys``, with a terminal as standard input."""

    class stdin:  # noqa: N801 - a name of sys
        @staticmethod
        def isatty() -> bool:
            return True


def test_on_a_terminal_the_rest_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "sys", Terminal)
    typed = ["South", "Africa/Johannesburg", "PLEXA PLEXB", "EAST", str(tmp_path / "in"), ""]
    arguments = ["init", "--out", str(tmp_path / "platform.yaml")]
    result = CliRunner().invoke(app, arguments, input="\n".join(typed) + "\n")
    assert result.exit_code == 0, result.output
    document = yaml.safe_load((tmp_path / "platform.yaml").read_text("utf-8"))
    assert document["site"] == {"name": "South", "timezone": "Africa/Johannesburg"}
    assert [entry.get("sysplex") for entry in document["estate"]] == ["PLEXA", "PLEXB", None]
    assert document["estate"][-1]["site"] == "EAST"
    assert document["ingest"]["inbox"] == str(tmp_path / "in")
    assert document["alerts"]["mail_to"] == []


def test_a_zone_that_does_not_exist_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "sys", Terminal)
    typed = ["South", "Europe/Olso", "Europe/Oslo", "PLEXA", "", "", ""]
    arguments = ["init", "--out", str(tmp_path / "platform.yaml")]
    result = CliRunner().invoke(app, arguments, input="\n".join(typed) + "\n")
    assert result.exit_code == 0, result.output
    assert "Europe/Olso" in result.output.partition("Error: ")[2]
    document = yaml.safe_load((tmp_path / "platform.yaml").read_text("utf-8"))
    assert document["site"]["timezone"] == "Europe/Oslo"


def test_a_file_that_exists_is_named_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "sys", Terminal)
    (tmp_path / "platform.yaml").touch()
    result = CliRunner().invoke(app, ["init", "--out", str(tmp_path / "platform.yaml")], input="")
    assert "exists already" in str(result.exception)
    assert "Name of the site" not in result.output


def test_the_files_are_written_once(tmp_path: Path) -> None:
    first = output_of("airflow", "install-dags", str(tmp_path))
    assert first.count("written   ") == 4
    assert "4 of 4 files written" in first
    second = output_of("airflow", "install-dags", str(tmp_path))
    assert second.count("unchanged ") == 4
    assert "0 of 4 files written" in second


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    result = invoked("airflow", "install-dags", str(tmp_path / "none"))
    assert result.exit_code == 1


FINE = Check(CheckState.fine, "store", "sqlite")
MISSING = Check(CheckState.to_do, "pool x", "not there", "airflow pools set x 1 'a b'")
LINES = "to do     pool x: not there\n          airflow pools set x 1 'a b'\n"


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    ("checks", "code", "printed"),
    [([FINE], 0, "fine      store: sqlite\n"), ([MISSING, FINE], 1, f"{LINES}fine      store: ")],
)
@pytest.mark.parametrize("command", ["doctor", "airflow check"])
def test_each_check_is_printed_and_what_must_be_done_makes_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, command: str, checks: list[Check], code: int, printed: str
) -> None:
    for name in ("examine", "check_airflow"):
        monkeypatch.setattr(f"mqcap.cli.site.{name}", lambda _: checks)
    result = invoked(*command.split())
    assert (result.exit_code, result.output.startswith(printed)) == (code, True)
