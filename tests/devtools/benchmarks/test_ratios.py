"""What a benchmark says of its ratios beside those of the last release."""

import json
from pathlib import Path
from typing import Final

import pytest

from devtools.benchmarks.ratios import Ratio, Ratios, tell

LOOP: Final = "CPU of decode : loop"
RELEASED: Final = Ratios(release="0.1.0", ratios={"decode": {LOOP: 0.5}})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ratios.json"
    path.write_text(RELEASED.model_dump_json(), encoding="utf-8")
    return path


@pytest.mark.parametrize(("now", "worse"), [(0.599, 0), (0.6, 0), (0.601, 1)])
def test_a_ratio_is_worse_from_more_than_a_fifth_above_the_release_on(
    now: float, worse: int, file: Path
) -> None:
    before = file.read_bytes()
    assert tell("decode", {LOOP: now, "other": 1.0}, file) == worse
    assert file.read_bytes() == before


def test_ratios_are_a_table_for_the_reader_and_rows_for_that_of_all_benchmarks(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "table"
    monkeypatch.setenv("MQCAP_BENCH_TABLE", str(rows))
    tell("decode", {LOOP: 0.75, "CPU of a row : loop": 2.0}, file)
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "benchmark ratio now release",
        "decode CPU of decode : loop 0.75 0.5 WORSE",
        "decode CPU of a row : loop 2 -",
    ]
    assert [Ratio(*json.loads(row)) for row in rows.read_text("utf-8").splitlines()] == [
        Ratio("decode", LOOP, 0.75, 0.5),
        Ratio("decode", "CPU of a row : loop", 2.0, None),
    ]


def test_what_was_measured_can_be_stored_with_the_installed_release(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQCAP_BENCH", "write")
    for release, ratio, kept in (("0.1.0", 1.23456, RELEASED.ratios), ("0.2.0", 2.0, {})):
        monkeypatch.setattr("devtools.benchmarks.ratios.version", lambda _, now=release: now)
        tell("plans", {"CPU of plans : loop": ratio}, file)
        assert Ratios.model_validate_json(file.read_text(encoding="utf-8")) == Ratios(
            release=release,
            ratios={**kept, "plans": {"CPU of plans : loop": float(f"{ratio:.3g}")}},
        )
