"""``mqcap smf``: what files hold, and their rows as files."""

import gzip
import json
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

import pytest

from mqcap.cli.smf.rows import ConfiguredZones, plain_arguments, progress_shown, write_rows
from mqcap.ingest.check.dump_summary import summarise
from mqcap.ingest.check.report import advice
from mqcap.progress.json_log import VARIABLE
from mqcap.progress.shown import LINE_SECONDS_VARIABLE, show_on, work
from mqcap.settings import load_settings
from tests.mqcap.cli import command_line
from tests.mqcap.cli.command_line import invoked
from tests.mqcap.ingest.dumps import small_dump
from tests.mqcap.ingest.reading import is_accounted
from tests.mqcap.progress.displays import Noted


def output_of(*arguments: str) -> str:
    return command_line.output_of("smf", *arguments)


@pytest.mark.thorough
def test_check_names_systems_levels_and_framing(tmp_path: Path) -> None:
    text = output_of("check", str(small_dump(tmp_path, "bdw")))
    for fact in ("(bdw)", "PRD1", "MQP1", "10.0.0", "2 intervals of 1,800 s"):
        assert fact in text
    assert "NOT BALANCED" not in text
    assert "gap" not in text


@pytest.mark.thorough
def test_repeated_records_are_counted(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    assert summarise(dump).repeats == ()
    once = dump.read_bytes()
    dump.write_bytes(once + once)
    contents = summarise(dump)
    assert len(contents.repeats) == contents.totals.record_count // 2 - 2
    assert is_accounted(contents.totals)


@pytest.mark.parametrize(("cut", "times"), [(0, 1), (9, 3)], ids=["complete", "cut-off"])
def test_a_complete_packed_dump_is_unpacked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut: int, times: int
) -> None:
    content = gzip.compress(small_dump(tmp_path).read_bytes())
    (packed := tmp_path / "a.smf.gz").write_bytes(content[: len(content) - cut])
    opened: list[object] = []
    original = gzip.open

    def noted(raw: BinaryIO) -> gzip.GzipFile:
        opened.append(raw)
        return original(raw)

    monkeypatch.setattr(gzip, "open", noted)
    assert summarise(packed).is_unpacked is (cut == 0)
    assert len(opened) == times


@pytest.mark.thorough
def test_missing_intervals_are_gaps_of_their_writer(tmp_path: Path) -> None:
    contents = summarise(small_dump(tmp_path))
    assert list(contents.gaps()) == []
    writer, (first, second) = next(iter(sorted(contents.intervals.items())))
    later = tuple(moment + (second[1] - second[0]) for moment in second)
    contents.intervals[writer] = [first, (later[0], later[1])]
    assert list(contents.gaps()) == [(writer, first[1], later[0])]


@pytest.mark.thorough
def test_what_is_missing_becomes_advice(tmp_path: Path) -> None:
    of_layouts, of_rows = advice(summarise(small_dump(tmp_path)))
    assert of_layouts.startswith("Our layout of QCTADP")
    assert of_rows.startswith("Figures of some rows contradict each other")
    of_framing, *others = advice(summarise(small_dump(tmp_path, "nordw")))
    assert "site rdw" in of_framing
    assert others == [of_layouts, of_rows]


def test_a_dump_that_is_cut_off_is_to_be_sent_again(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    dump.write_bytes(dump.read_bytes()[:-30])
    assert any("The dump is truncated" in sentence for sentence in advice(summarise(dump)))


@pytest.mark.parametrize("packed", [False, True])
def test_a_check_of_half_a_dump_fails_and_says_that_the_rest_is_missing(
    tmp_path: Path, *, packed: bool
) -> None:
    dump = small_dump(tmp_path)
    whole = gzip.compress(dump.read_bytes()) if packed else dump.read_bytes()
    dump.write_bytes(whole)
    assert invoked("smf", "check", str(dump)).exit_code == 0
    dump.write_bytes(whole[: len(whole) // 2])
    result = invoked("smf", "check", str(dump))
    assert result.exit_code == 1
    assert "the file is cut off behind" in result.output
    assert "how much that is, is not known" in result.output


@pytest.mark.thorough
def test_an_unreadable_file_fails_with_a_remedy_and_the_others_are_shown(tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\x02 packed on the mainframe" * 9)
    dump = small_dump(tmp_path)
    result = invoked("smf", "check", str(bad), "none", str(dump))
    assert result.exit_code == 1
    assert "AMATERSE" in result.output
    assert "does not exist" in result.output
    assert "10.0.0" in result.output


@pytest.mark.thorough
def test_rows_come_out_as_csv_and_parquet(tmp_path: Path) -> None:
    dump = small_dump(tmp_path)
    assert "QJST.csv: " in output_of("to-csv", str(dump), "-o", str(tmp_path / "csv"))
    output_of("to-parquet", str(dump), "-o", str(tmp_path / "parquet"))
    names = [{path.stem for path in (tmp_path / form).iterdir()} for form in ("csv", "parquet")]
    assert names[0] == names[1] >= {"QJST", "QPST", "QCCT", "R744P"}


LOG = "N 0000000 PRD1     2025069 08:{minute}:00.17 STC04712 00000090  {text}\n"


def test_messages_of_console_logs_are_printed_in_order_of_time(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    shortage = "*CSQJ110E !MQP1 LAST COPY1 ACTIVE LOG DATA SET IS 75 PERCENT FULL"
    pool = "CSQP020E !MQP1 CSQP1RSW Buffer pool 3 is too small"
    log.write_text(LOG.format(minute=30, text=shortage) + LOG.format(minute=10, text=pool))
    first, second = output_of("messages", str(log)).splitlines()
    assert first.startswith("2025-03-10 08:10:00 PRD1     MQP1 CSQP020E")
    assert second.endswith("IS 75 PERCENT FULL")
    assert "CSQJ110E" not in output_of("messages", str(log), "-m", "CSQP020E")
    result = invoked("smf", "messages", str(small_dump(tmp_path)))
    assert result.exit_code == 1
    assert "no console log; found input of kind smf" in result.output


@pytest.mark.thorough
def test_in_a_pipe_a_row_is_one_line_of_plain_text(tmp_path: Path) -> None:
    text = output_of("check", str(small_dump(tmp_path, "bdw")))
    assert text.isascii()
    [facts] = [line.strip() for line in text.splitlines() if line.startswith(" records ")]
    assert facts.startswith("records")
    assert "by type: " in facts
    assert max(map(len, text.splitlines())) > 80


@pytest.mark.thorough
def test_how_much_of_a_dump_is_read_is_shown(tmp_path: Path) -> None:
    dump, display = small_dump(tmp_path), Noted()
    with patch("mqcap.cli.app.shown_on", lambda *_: show_on(display)):
        invoked("smf", "check", str(dump))
    mib = f"{dump.stat().st_size / 1_048_576:g}"
    assert display.calls[0] == f"read {dump} begun"
    assert display.calls[-3:] == [f"{mib} of {mib} MiB", f"read {dump} ended", "closed"]


def test_how_much_of_a_log_is_read_is_shown(tmp_path: Path) -> None:
    log, display = tmp_path / "log.txt", Noted()
    log.write_text(LOG.format(minute=30, text="some text") * 20_001)
    with patch("mqcap.cli.app.shown_on", lambda *_: show_on(display)):
        invoked("smf", "messages", str(log))
    begun, *shares, ended, _ = display.calls
    mib = log.stat().st_size / 1_048_576
    assert (begun, ended) == (f"read {log} begun", f"read {log} ended")
    read = [float(share.split(" ")[0]) / mib for share in shares]
    assert all(0 <= after - before < 0.25 for before, after in pairwise([0, *read]))
    assert read[-1] == pytest.approx(1, abs=0.1)
    assert all(share.endswith(f" of {mib:g} MiB") for share in shares)


def test_a_folder_that_cannot_be_written_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = small_dump(tmp_path)
    assert write_rows([str(dump)], dump / "out", "csv") == 1
    assert "out: the rows cannot be written; found [Errno" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ("a.smf -o out b.smf", (["a.smf", "b.smf"], Path("out"))),
        ("--out out a.smf", (["a.smf"], Path("out"))),
        ("a.smf --out=out", None),
        ("a.smf -o out --help", None),
        ("a.smf", None),
        ("-o out", None),
        ("a.smf -o", None),
    ],
)
def test_only_plain_lines_are_taken_without_the_library(
    line: str, taken: tuple[list[str], Path] | None
) -> None:
    assert plain_arguments(line.split()) == taken


def test_zones_are_those_of_the_estate() -> None:
    assert dict(ConfiguredZones()) == load_settings().complete_estate().zone_by_system()


def test_an_unreadable_input_leaves_the_others_and_makes_the_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dump = small_dump(tmp_path)
    other = tmp_path / "notes.bin"
    other.write_bytes(bytes(100))
    assert write_rows([str(other), str(dump)], tmp_path / "out", "csv") == 1
    printed = capsys.readouterr().err
    assert "notes.bin" in printed.splitlines()[0]
    assert "QJST.csv: " in printed
    assert (tmp_path / "out" / "QJST.csv").is_file()


def test_what_is_printed_is_json_where_the_environment_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "json")
    dump = small_dump(tmp_path)
    (tmp_path / "notes.bin").write_bytes(bytes(100))
    write_rows([str(tmp_path / "notes.bin"), str(dump)], tmp_path / "out", "csv")
    error, *lines = map(json.loads, capsys.readouterr().err.splitlines())
    assert (error["level"], error["error"]) == ("error", "InputError")
    assert any("QJST.csv: " in line["message"] for line in lines)


def test_without_a_readable_input_nothing_is_written(tmp_path: Path) -> None:
    other = tmp_path / "notes.bin"
    other.write_bytes(bytes(100))
    assert write_rows([str(other)], tmp_path / "out", "csv") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("form", ["", "json"])
def test_long_work_is_lines_of_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    monkeypatch.setenv(VARIABLE, form)
    monkeypatch.setenv(LINE_SECONDS_VARIABLE, "0.01")
    printed = ""
    with progress_shown(), work("read inputs", 4, "MiB") as shown:
        shown.advance()
        while "\n" not in printed:
            printed += capsys.readouterr().err
    line = printed.splitlines()[0]
    text = json.loads(line)["message"] if form else line
    assert text.startswith("read inputs: 25 %, 1 of 4 MiB, 0:00:0")
