"""Functions that the command groups share."""

from __future__ import annotations

import io
from datetime import date, datetime
from pathlib import Path

import pytest
from rich.console import Console
from sqlalchemy import Engine

from mqcap.cli import common
from mqcap.cli.site_store import day_or_newest
from mqcap.domain.errors import ConfigurationError, InputError
from mqcap.settings import Settings
from mqcap.store.observations import replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, observation, series_facts
from tests.mqcap.cli.command_line import invoked


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


def test_a_given_day_needs_no_store() -> None:
    settings = Settings.model_validate(
        {"estate": [], "store": {"url": "sqlite:////nowhere/at/all"}}
    )
    assert day_or_newest(settings, datetime.fromisoformat("2026-03-02")) == date(2026, 3, 2)


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
    ("named", "origin"),
    [(False, " (the default: the settings have no store.url)"), (True, "")],
)
def test_a_command_that_reads_names_the_store_that_is_missing_and_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool, origin: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if named:
        monkeypatch.setenv("MQCAP_STORE__URL", "sqlite:///var/store.db")
    error = invoked("report").exception
    assert isinstance(error, ConfigurationError)
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
