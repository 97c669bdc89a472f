"""The application: errors as one line, version, help, settings, and what commands share."""

import errno
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import typer
from rich.console import Console
from sqlalchemy import Engine
from typer.testing import CliRunner

from mqcap.cli import app, common
from mqcap.cli.common import ExitCode
from mqcap.cli.lazy_group import COMMANDS, SECTIONS
from mqcap.cli.site_store import day_or_newest
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.presentation import display_units
from mqcap.progress.shown import show_on
from mqcap.settings import Settings
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, observation, series_facts
from tests.mqcap.cli.command_line import invoked, output_of, refusal
from tests.mqcap.progress.displays import Noted

ROOT = typer.main.get_command(app.app)
LONG = {
    "report": "read findings",
    "report daily --format html --out FOLDER": "write reports",
    "findings": "read findings",
    "scorecard": "events and forecasts",
    "plan": "read plans",
    "lose": "read losses",
    "explain LOG-FILL-30MIN PLEX1/CSQ1": "explain",
    "change-pack": "write statements",
    "unit-costs": "unit costs",
    "transports": "transports of channels",
    "drivers": "read forecasts",
    "metrics": "count runs and findings",
    "audit-record 2026-03-02": "collect the audit record",
    "estate discover": "look through data and output",
    "verify": "verify forecasts",
    "store check": "check the store",
    "doctor": "check store",
}
"""Commands that can take more than five seconds at a large site, and what they show first."""


def commands(group: Any = ROOT, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every command below a group with the words that call it."""
    for name, command in getattr(group, "commands", {}).items():
        words = f"{path} {name}".strip()
        yield words, command
        yield from commands(command, words)


ALL = dict(commands())
HISTORY = Path("CHANGELOG.md")
"""Names what releases had."""
DOCUMENTS = sorted({*Path().glob("*.md"), *Path("docs").rglob("*.md")} - {HISTORY})


def test_an_error_of_ours_is_one_line_and_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["mqcap", "settings", "check"])
    monkeypatch.setenv("MQCAP_SETTINGS_FILE", str(tmp_path / "[/nowhere]"))
    with pytest.raises(SystemExit) as ended:
        app.main()
    printed = capsys.readouterr().err
    assert ended.value.code == 1
    assert "[/nowhere]" in printed
    assert "Traceback" not in printed


@pytest.mark.parametrize(
    ("number", "code"), [(errno.EACCES, ExitCode.failed), (errno.ENOSPC, ExitCode.unavailable)]
)
def test_a_file_that_cannot_be_written_is_one_line_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: int, code: ExitCode
) -> None:
    def refused() -> None:
        raise OSError(number, "refused", "/out/a.csv")

    monkeypatch.setattr(app, "app", refused)
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == code
    assert re.match("error: the command .* /out/a.csv; found refused; ", capsys.readouterr().err)


def test_an_error_of_the_system_that_is_not_known_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def reset() -> None:
        raise ConnectionResetError(errno.ECONNRESET, "reset")

    monkeypatch.setattr(app, "app", reset)
    with pytest.raises(ConnectionResetError):
        app.main()


def test_a_service_that_does_not_answer_has_an_exit_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["mqcap", "tickets", "list"])
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("MQCAP_STORE__URL", f"sqlite:///{tmp_path}/folder")
    with pytest.raises(SystemExit) as ended:
        app.main()
    assert ended.value.code == ExitCode.unavailable
    assert capsys.readouterr().err.startswith("error: ")


@pytest.mark.thorough
def test_help_and_usage_errors_are_plain_text_of_80_columns() -> None:
    for arguments in (["--help"], ["report", "--help"], ["reprt"], ["report", "--dya", "1"]):
        output = CliRunner().invoke(app.app, arguments).output
        assert output.isascii()
        assert max(map(len, output.splitlines())) <= 80
    assert "Did you mean 'report'" in CliRunner().invoke(app.app, ["reprt"]).output


def test_the_version_is_that_of_the_installed_distribution() -> None:
    assert output_of("--version") == f"mqcap {version('mqcap')}\n"


def test_no_command_is_hidden() -> None:
    assert [words for words, command in ALL.items() if command.hidden] == []


def test_the_help_has_every_command_once_with_the_first_line_of_its_own_help() -> None:
    in_sections = [name for section in SECTIONS.values() for name in section]
    assert sorted(in_sections) == sorted(COMMANDS)
    for name, entry in COMMANDS.items():
        assert entry.help == " ".join(ALL[name].help.split("\n\n")[0].split()), name
    printed = CliRunner().invoke(app.app, ["--help"]).output.partition("\nDaily:")[2]
    assert all(f"{name} " in printed and each.help in printed for name, each in COMMANDS.items())


@pytest.mark.thorough
def test_the_help_imports_no_command_and_so_is_there_at_once() -> None:
    program = (
        "import sys; from mqcap.cli.entry import main; sys.argv = ['mqcap', '--help']\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print(*(name for name in ('mqcap.settings', 'sqlalchemy', 'pandas', 'mqcap.cli.steps')"
        " if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("words", ALL)
def test_help_is_a_sentence_without_markup_and_names_every_option(words: str) -> None:
    command = ALL[words]
    result = invoked(*words.split(), "--help")
    assert result.exit_code == 0
    assert "`" not in result.output
    assert command.help
    assert command.help.partition("\n")[0].rstrip()[-1] in ".;:,"
    for option in command.params:
        assert getattr(option, "help", None), f"{words}: {option.name} has no help"


def test_an_unknown_command_is_a_usage_error() -> None:
    result = invoked("predict")
    assert result.exit_code == 2
    assert "No such command 'predict'" in result.output


def test_times_are_those_of_the_site_and_utc_on_demand() -> None:
    assert not display_units.current().always_utc
    invoked("--utc", "rules", "list")
    assert display_units.current().always_utc
    display_units.use_zones_of(Settings.model_validate({"site": {"timezone": "Europe/Berlin"}}))
    assert display_units.current().zone == "UTC"


def shown_in(document: Path) -> list[str]:
    """What follows ``mqcap`` in the blocks and sentences of a document."""
    text = document.read_text(encoding="utf-8")
    fenced = "".join(re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL))
    lines = re.findall(r"^mqcap (.+)$", fenced, flags=re.MULTILINE)
    return [re.split("[;|&#]", line)[0] for line in lines + re.findall(r"`mqcap ([^`]+)`", text)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_command_of_a_document_exists_with_its_options(document: Path) -> None:
    for shown in shown_in(document):
        words = re.sub(r"[\[\](),]", " ", shown).split()
        command: Any = ROOT
        while hasattr(command, "commands") and words and re.match("[a-z]", words[0]):
            assert words[0] in command.commands, f"mqcap {shown}"
            command = command.commands[words.pop(0)]
        known = {name for option in command.params for name in option.opts + option.secondary_opts}
        named = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert named <= known | {"--help"}, f"mqcap {shown}"


def test_documents_show_commands() -> None:
    assert len(shown_in(Path("README.md"))) > 15
    assert sum(len(shown_in(document)) for document in DOCUMENTS) > 100


@pytest.mark.thorough
def test_a_command_that_can_take_long_says_what_it_does_beside_its_result(
    notified: Settings, tmp_path: Path
) -> None:
    """Each command of ``LONG`` shows its work first, and nothing of it on standard output."""
    for words, what in LONG.items():
        display = Noted()
        with patch("mqcap.cli.app.shown_on", lambda *_, shown=display: show_on(shown)):
            result = invoked(*words.replace("FOLDER", str(tmp_path)).split(" "))
        assert display.calls[0] == f"{what} begun", words
        assert what not in result.stdout, words


def test_text_is_printed_as_it_is_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = "[bold]APP.Q[/bold] :bomb: " + "x" * 200
    common.print_text(text)
    assert capsys.readouterr().out == f"{text}\n"


def test_a_document_is_printed_with_its_characters_and_only_as_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    common.print_json({"who": "Bjørn", "days": [1]})
    assert capsys.readouterr().out == '{\n  "who": "Bjørn",\n  "days": [\n    1\n  ]\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        common.print_json({"ratio": float("inf")})


def test_progress_and_errors_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    common.print_status("land: {}")
    common.print_error(InputError("no [SMF] dump", file="a.smf"))
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "land: {}\nerror: a.smf: no [SMF] dump.\n"


def test_control_characters_do_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    common.print_text("a\x1b[2Jb")
    common.print_error("a\x1b[2Jb")
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err


def test_the_default_is_the_newest_day_with_observations(
    settings: Settings, engine: Engine
) -> None:
    upsert_series(engine, [series_facts()])
    replace_observations(engine, [DAY], [observation()], {})
    assert day_or_newest(settings, None) == DAY


def test_without_observations_the_error_names_the_store_and_says_how_to_load(
    settings: Settings, engine: Engine
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        day_or_newest(settings, None)
    assert str(raised.value) == (
        f"no day to process; found a store without observations: {engine.url}. "
        "Load data first: mqcap load FILE, or put files into the inbox."
    )


@pytest.mark.parametrize(
    ("named", "origin"), [(False, " (the default: the settings have no store.url)"), (True, "")]
)
def test_a_command_that_reads_names_the_store_that_is_missing_and_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool, origin: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if named:
        monkeypatch.setenv("MQCAP_STORE__URL", "sqlite:///var/store.db")
    error = refusal("report")
    assert str(error) == (
        f"there is no store to read; found no file {tmp_path / 'var' / 'store.db'}{origin}; "
        "expected the store that loads and daily runs write. Load data first: mqcap load FILE; or "
        "name the store that has them: store.url in the settings file, or MQCAP_STORE__URL."
    )
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_answers_without_data_makes_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert invoked("metrics").exit_code == 0
    assert (tmp_path / "var" / "store.db").is_file()


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        ("one two", 7, ["one two"]),
        ("one two", 6, ["one", "  two"]),
        ("  one two", 8, ["  one", "    two"]),
        ("", 9, [""]),
        ("at most 9 %", 9, ["at most", "  9 %"]),
        ("LOG-FILL-30MIN PLEX1/CSQ1", 5, ["LOG-FILL-30MIN", "  PLEX1/CSQ1"]),
    ],
)
def test_lines_are_wrapped_between_words_and_no_word_is_cut(
    line: str, width: int, lines: list[str]
) -> None:
    assert common.wrapped(line, width) == lines


def test_on_a_terminal_sentences_and_errors_are_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    wide = Console(file=shown, force_terminal=True, width=20, color_system=None)
    monkeypatch.setattr(common, "out", wide)
    monkeypatch.setattr(common, "err", wide)
    monkeypatch.setattr(common, "terminal", lambda: wide)
    common.print_lines("one long sentence of words\n\n  and another one of words")
    common.print_error("no such rule; found LOG-FILL")
    assert shown.getvalue().splitlines() == [
        "one long sentence of",
        "  words",
        "",
        "  and another one of",
        "    words",
        "error: no such rule;",
        "  found LOG-FILL",
    ]


def test_the_settings_are_printed_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQCAP_STORE__URL", "postgresql://user:hunter2@db/mqcap")
    text = output_of("settings", "check")
    assert "horizon_days" in text
    assert "hunter2" not in text
