"""A withdrawn file counts no more until it is loaded again."""

from __future__ import annotations

import shutil
from datetime import date, timedelta
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.lake.manifest import manifests
from mqcap.lake.retention_state import RetentionState
from mqcap.settings import Settings, load_settings
from mqcap.steps.land import land
from mqcap.steps.withdraw import withdraw
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files
from spark_apps.decode import pending
from spark_apps.decode_file import DecodeOptions, decode_file
from tests.mqcap.ingest.dumps import small_dump
from tests.stores import new_store


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "inbox").mkdir()
    ingest = {"inbox": str(tmp_path / "inbox"), "settle_seconds": 0}
    return load_settings(lake=str(tmp_path / "lake"), ingest=ingest)


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path / "store.db")


def loaded(settings: Settings, engine: Store, inputs: list[str] | None = None) -> int:
    """Land and decode; returns how many files were decoded."""
    land(settings, engine, inputs)
    lake = Path(settings.lake)
    return len([decode_file(file, DecodeOptions(lake, 0.0)) for file in pending(lake)])


def rows_in(settings: Settings) -> list[str]:
    lake = Path(settings.lake)
    return sorted(str(path.relative_to(lake)) for path in lake.rglob("*.parquet"))


@pytest.mark.parametrize("by_hash", [True, False])
def test_its_rows_are_gone_until_it_is_loaded_again_by_name(
    settings: Settings, engine: Store, *, by_hash: bool
) -> None:
    dump = small_dump(settings.ingest.inbox)
    assert loaded(settings, engine) == 1
    rows, [file] = rows_in(settings), read_source_files(engine)
    for _ in range(2):
        done = withdraw(settings, engine, file.sha256[:8].upper() if by_hash else dump.name)
    assert (done["sha256"], done["dates_that_stay"]) == (file.sha256, 0)
    assert (rows_in(settings), manifests(Path(settings.lake))) == ([], [])
    assert "takes it back" in str(read_source_files(engine)[0].problem)
    assert loaded(settings, engine) == 0
    assert loaded(settings, engine, [str(dump)]) == 1
    assert (rows_in(settings), read_source_files(engine)) == (rows, [file])


def test_a_file_that_retention_removed_from_landing_can_be_taken_back(
    settings: Settings, engine: Store
) -> None:
    dump = small_dump(settings.ingest.inbox)
    loaded(settings, engine)
    lake, [file] = Path(settings.lake), read_source_files(engine)
    [path] = (lake / "landing").glob("source=*/*/*.smf")
    RetentionState(removed={file.sha256: str(path.relative_to(lake))}).save(lake)
    path.unlink()
    withdraw(settings, engine, dump.name)
    assert [loaded(settings, engine), loaded(settings, engine, [str(dump)])] == [0, 1]


def test_a_name_that_nothing_or_several_files_have_is_refused_with_the_hashes(
    settings: Settings, engine: Store, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"SYS1\.smf: no delivered file has this name or hash"):
        withdraw(settings, engine, "SYS1.smf")
    dump = small_dump(tmp_path)
    for number, folder in enumerate((tmp_path / "a", tmp_path / "b")):
        folder.mkdir()
        (folder / "SYS1.smf").write_bytes(dump.read_bytes() * (number + 1))
        loaded(settings, engine, [str(folder)])
    shutil.rmtree(tmp_path / "a")
    with pytest.raises(InputError, match="2 delivered files have this name") as raised:
        withdraw(settings, engine, "SYS1.smf")
    assert all(file.sha256[:12] in str(raised.value) for file in read_source_files(engine))


def test_days_whose_records_were_removed_stay_and_a_file_of_such_days_is_refused(
    settings: Settings, engine: Store
) -> None:
    dump = small_dump(settings.ingest.inbox)
    loaded(settings, engine)
    lake = Path(settings.lake)
    [manifest] = manifests(lake)
    last: date = max(manifest.hour_dates)
    RetentionState(interval_from=last + timedelta(days=1)).save(lake)
    for path in rows_in(settings):
        (lake / path).unlink()
    with pytest.raises(InputError, match=r"removed.*store\.retention\.interval_days"):
        withdraw(settings, engine, dump.name)
