from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from domain.errors import ConfigurationError, InputError
from pipeline.inbox import deliver
from pipeline.land import land
from settings import Settings, load_settings
from simulator import generate, small_spec
from store.database import Store, open_store
from store.reads import source_files

DAY = date(2026, 10, 15)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    return load_settings(lake=str(tmp_path / "lake"), ingest={"inbox": str(inbox)})


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path}/store.db")


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    result = generate(small_spec(), folder, first_date=DAY, last_date=DAY)
    return result.dumps[0]


def landed(settings: Settings) -> list[Path]:
    return sorted(path for path in Path(settings.lake).rglob("*") if path.is_file())


def test_a_dump_is_copied_unchanged_under_its_hash(
    settings: Settings, engine: Store, dump: Path
) -> None:
    deliver([dump], settings.ingest.inbox)
    assert land(settings, engine) == {"landed": 1, "known": 0, "rejected": []}
    [copy] = landed(settings)
    [row] = source_files(engine)
    assert copy.read_bytes() == dump.read_bytes()
    assert copy.stem == row.sha256
    assert (row.name, row.source, row.bytes_count) == (dump.name, "smf", dump.stat().st_size)


def test_the_same_content_under_another_name_changes_nothing(
    settings: Settings, engine: Store, dump: Path
) -> None:
    deliver([dump], settings.ingest.inbox)
    land(settings, engine)
    before = (source_files(engine), landed(settings))
    (settings.ingest.inbox / "again.smf").write_bytes(dump.read_bytes())
    assert land(settings, engine) == {"landed": 0, "known": 2, "rejected": []}
    assert (source_files(engine), landed(settings)) == before


def test_a_file_that_is_no_dump_is_reported_and_the_others_go_on(
    settings: Settings, engine: Store, dump: Path
) -> None:
    deliver([dump], settings.ingest.inbox)
    (settings.ingest.inbox / "a-letter.txt").write_text("Dear planner,\n", encoding="utf-8")
    (settings.ingest.inbox / "empty.smf").touch()
    counts = land(settings, engine)
    assert counts["landed"] == 1
    assert len(counts["rejected"]) == 2
    problems = {row.name: row.problem for row in source_files(engine)}
    assert "a-letter.txt" in str(problems["a-letter.txt"])
    assert "empty" in str(problems["empty.smf"])
    assert problems[dump.name] is None
    assert len(landed(settings)) == 1


def test_a_rejected_file_is_looked_at_again_every_time(settings: Settings, engine: Store) -> None:
    (settings.ingest.inbox / "empty.smf").touch()
    assert land(settings, engine)["rejected"] == land(settings, engine)["rejected"]


def test_a_file_still_being_transferred_is_left_alone(
    settings: Settings, engine: Store, dump: Path
) -> None:
    for name in ("SYS1.smf.part", ".SYS1.smf", "SYS1.tmp"):
        (settings.ingest.inbox / name).write_bytes(dump.read_bytes())
    assert land(settings, engine) == {"landed": 0, "known": 0, "rejected": []}


def test_a_missing_inbox_is_a_setting_to_correct(settings: Settings, engine: Store) -> None:
    settings.ingest.inbox.rmdir()
    with pytest.raises(ConfigurationError, match="MQCAP_INGEST__INBOX"):
        land(settings, engine)


def test_delivering_a_file_that_does_not_exist_names_it(settings: Settings) -> None:
    with pytest.raises(InputError, match=r"SYS9\.smf"):
        deliver([Path("SYS9.smf")], settings.ingest.inbox)
