"""What a benchmark says of its ratios beside those of the last release."""

import json
from pathlib import Path
from typing import Final

import pytest

from devtools.benchmarks.__main__ import table_lines
from devtools.benchmarks.ratios import (
    Compared,
    Ratios,
    compared,
    line,
    tell,
)

RELEASED: Final = Ratios(release="0.1.0", ratios={"decode": {"CPU of decode : loop": 0.5}})


@pytest.mark.parametrize(("now", "worse"), [(0.599, False), (0.6, False), (0.601, True)])
def test_a_ratio_is_worse_from_more_than_a_fifth_above_the_release_on(
    now: float, worse: bool
) -> None:
    [ratio] = compared("decode", {"CPU of decode : loop": now}, RELEASED)
    assert ratio.is_worse is worse


def test_a_worse_ratio_is_told_with_both_figures_and_the_release() -> None:
    assert line(Compared("CPU of decode : loop", 0.75, 0.5), "0.1.0") == (
        "WORSE THAN THE RELEASE: CPU of decode : loop: 0.75, +50% against 0.5 of release 0.1.0"
    )
    assert line(Compared("CPU of decode : loop", 0.25, 0.5), "0.1.0") == (
        "CPU of decode : loop: 0.25, -50% against 0.5 of release 0.1.0"
    )


def test_a_ratio_that_the_release_did_not_have_is_not_worse() -> None:
    [ratio] = compared("plans", {"CPU of decode : loop": 9.0}, RELEASED)
    assert not ratio.is_worse
    assert line(ratio, "0.1.0") == "CPU of decode : loop: 9, not measured at release 0.1.0"


def test_the_number_of_worse_ratios_is_returned_and_the_file_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ratios.json"
    file.write_text(RELEASED.model_dump_json(), encoding="utf-8")
    before = file.read_bytes()
    assert tell("decode", {"CPU of decode : loop": 0.61, "other": 1.0}, file) == 1
    assert capsys.readouterr().out.startswith("WORSE THAN THE RELEASE")
    assert tell("decode", {"CPU of decode : loop": 0.5}, file) == 0
    assert file.read_bytes() == before


def test_what_was_measured_can_be_stored_with_the_installed_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ratios.json"
    file.write_text(RELEASED.model_dump_json(), encoding="utf-8")
    monkeypatch.setenv("MQCAP_BENCH", "write")
    monkeypatch.setattr("devtools.benchmarks.ratios.version", lambda _: "0.1.0")
    tell("plans", {"CPU of plans : loop": 1.23456}, file)
    stored = {**RELEASED.ratios, "plans": {"CPU of plans : loop": 1.23}}
    assert json.loads(file.read_text(encoding="utf-8"))["ratios"] == stored
    monkeypatch.setattr("devtools.benchmarks.ratios.version", lambda _: "0.2.0")
    tell("plans", {"CPU of plans : loop": 2.0}, file)
    assert Ratios.model_validate_json(file.read_text(encoding="utf-8")) == Ratios(
        release="0.2.0", ratios={"plans": {"CPU of plans : loop": 2.0}}
    )


def test_the_ratios_of_all_benchmarks_are_one_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, file = tmp_path / "table", tmp_path / "ratios.json"
    file.write_text(RELEASED.model_dump_json(), encoding="utf-8")
    monkeypatch.setenv("MQCAP_BENCH_TABLE", str(table))
    tell("decode", {"CPU of decode : loop": 0.75}, file)
    tell("load", {"CPU of a row : loop": 2.0}, file)
    rows = [json.loads(row) for row in table.read_text(encoding="utf-8").splitlines()]
    lines = table_lines((row[0], Compared(*row[1:])) for row in rows)
    assert [" ".join(line.split()) for line in lines] == [
        "benchmark ratio now release",
        "decode CPU of decode : loop 0.75 0.5 WORSE",
        "load CPU of a row : loop 2 -",
    ]
