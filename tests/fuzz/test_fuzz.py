import random
from dataclasses import replace
from pathlib import Path

import pytest

from mqcap.domain.source import SourceSummary
from mqcap.ingest.smf.source import SmfReading
from tests.fuzz.check import check_file
from tests.fuzz.inputs import mutate
from tests.fuzz.run import LOOKED_AT_AGAIN, Fuzzer, seeds

pytestmark = pytest.mark.thorough


def test_the_first_inputs_of_a_fixed_seed_pass(tmp_path: Path) -> None:
    fuzzer = Fuzzer(seed=1, folder=tmp_path)
    failures = [fuzzer.one() for _ in range(48)]
    assert [failure for failure in failures if failure] == []
    assert fuzzer.counts.pop(LOOKED_AT_AGAIN) > 0
    assert fuzzer.counts.total() == 48
    assert "dumps read" in fuzzer.counts


def test_the_same_seed_damages_the_same_way(tmp_path: Path) -> None:
    dumps = seeds(tmp_path)
    once, again = (mutate(random.Random(7), dumps[0], dumps) for _ in range(2))  # noqa: S311
    assert once == again != dumps[0]


def test_unaccounted_bytes_fail_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "dump.smf"
    path.write_bytes(seeds(tmp_path)[0])
    assert check_file(path)
    honest = SmfReading.summary

    def off_by_one(reading: SmfReading) -> SourceSummary:
        summary = honest(reading)
        return replace(summary, skipped_bytes=summary.skipped_bytes + 1)

    monkeypatch.setattr(SmfReading, "summary", off_by_one)
    with pytest.raises(AssertionError, match="are not"):
        check_file(path)


def test_a_failing_input_is_kept_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(_path: Path) -> bool:
        raise ValueError("crashed")

    monkeypatch.setattr("tests.fuzz.run.check_file", crash)
    monkeypatch.setattr("tests.fuzz.run.KEPT", tmp_path / "kept")
    fuzzer = Fuzzer(seed=2, folder=tmp_path)
    failures = [failure for _ in range(20) if (failure := fuzzer.one())]
    assert failures
    assert all("crashed" in failure for failure in failures)
    assert len(list((tmp_path / "kept").iterdir())) == fuzzer.counts["failed"] == len(failures)
