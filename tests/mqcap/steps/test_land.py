import os
import shutil
import time
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import fsspec
import pytest

from devtools.simulator import generate, small_spec
from mqcap.domain.errors import ConfigurationError
from mqcap.lake.landed_places import landed_files
from mqcap.lake.layout import landed_paths
from mqcap.settings import Settings, load_settings
from mqcap.settings.ingest import PlacedInput
from mqcap.steps import land as land_module
from mqcap.steps.land import land, seen_inputs
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files
from tests.stores import new_store

DAY = date(2026, 10, 15)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.delenv("MQCAP_SETTINGS_FILE", raising=False)
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    ingest = {"inbox": str(inbox), "settle_seconds": 0}
    return load_settings(lake=str(tmp_path / "lake"), ingest=ingest)


@pytest.fixture
def engine(tmp_path: Path) -> Store:
    return new_store(tmp_path / "store.db")


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    result = generate(small_spec(), folder, first_date=DAY, last_date=DAY)
    return result.dumps[0]


def landed(settings: Settings) -> list[Path]:
    return sorted(landed_paths(Path(settings.lake)).values())


def counts(landed: int = 0, known: int = 0) -> dict[str, object]:
    return {"landed": landed, "known": known, "rejected": [], "waiting": []}


def test_a_dump_is_copied_under_its_hash(settings: Settings, engine: Store, dump: Path) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    assert land(settings, engine) == counts(landed=1)
    [copy] = landed(settings)
    [row] = read_source_files(engine)
    assert copy.read_bytes() == dump.read_bytes()
    assert copy.stem == row.sha256
    assert (row.name, row.source, row.bytes_count) == (dump.name, "smf", dump.stat().st_size)


@pytest.mark.parametrize(
    "name", [b"M\xc5NED.smf", b"a." + b"s" * 250, b"two\nlines.s\nf", "文\U0001f600.文".encode()]
)
def test_no_name_stops_landing(settings: Settings, engine: Store, dump: Path, name: bytes) -> None:
    shutil.copy(os.fsencode(dump), os.fsencode(settings.ingest.inbox) + b"/" + name)
    assert [land(settings, engine)["landed"] for _ in range(2)] == [1, 0]
    [row] = read_source_files(engine)
    assert row.name.isprintable()
    assert row.name.encode()
    assert len(landed(settings)) == 1


def test_the_same_content_renamed_is_nothing(settings: Settings, engine: Store, dump: Path) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    land(settings, engine)
    before = (read_source_files(engine), landed(settings))
    (settings.ingest.inbox / "again.smf").write_bytes(dump.read_bytes())
    assert land(settings, engine) == counts(known=2)
    assert (read_source_files(engine), landed(settings)) == before


def test_a_file_that_is_no_dump_is_reported(settings: Settings, engine: Store, dump: Path) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    (settings.ingest.inbox / "a-letter.txt").write_text("Dear planner,\n", encoding="utf-8")
    (settings.ingest.inbox / "empty.smf").touch()
    landing = land(settings, engine)
    assert landing["landed"] == 1
    assert len(landing["rejected"]) == 2
    problems = {row.name: row.problem for row in read_source_files(engine)}
    assert "a-letter.txt" in str(problems["a-letter.txt"])
    assert "empty" in str(problems["empty.smf"])
    assert problems[dump.name] is None
    assert len(landed(settings)) == 1


def test_a_file_in_transfer_is_left_alone(settings: Settings, engine: Store, dump: Path) -> None:
    for name in ("SYS1.smf.part", ".SYS1.smf", "SYS1.tmp"):
        (settings.ingest.inbox / name).write_bytes(dump.read_bytes())
    assert land(settings, engine) == counts()


def test_a_missing_inbox_is_a_setting_to_correct(settings: Settings, engine: Store) -> None:
    settings.ingest.inbox.rmdir()
    with pytest.raises(ConfigurationError, match="MQCAP_INGEST__INBOX"):
        land(settings, engine)


def pack(archive: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            target.writestr(name, content)
    return archive


def test_members_of_an_archive_are_own_files(settings: Settings, engine: Store, dump: Path) -> None:
    content = dump.read_bytes()
    pack(
        settings.ingest.inbox / "week.zip", **{"d/SYS1.smf": content, "../letter": b"Dear planner"}
    )
    landing = land(settings, engine)
    assert (landing["landed"], len(landing["rejected"])) == (1, 1)
    assert landing["rejected"][0].startswith("week.zip!letter: ")
    assert {row.name: row.problem is None for row in read_source_files(engine)} == {
        "week.zip!d/SYS1.smf": True,
        "week.zip!../letter": False,
    }
    [copy] = landed(settings)
    assert (copy.read_bytes(), copy.suffix) == (content, ".smf")


def test_an_unreadable_archive_is_reported(settings: Settings, engine: Store, dump: Path) -> None:
    archive = pack(settings.ingest.inbox / "week.zip", **{"SYS1.smf": dump.read_bytes()})
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-40])
    for _ in range(2):
        [sentence] = land(settings, engine)["rejected"]
        assert "week.zip: the zip archive is truncated or corrupt" in sentence
    assert [row.name for row in read_source_files(engine) if row.problem] == ["week.zip"]
    archive.write_bytes(whole)
    assert land(settings, engine) == counts(landed=1)


def test_a_limit_that_is_raised_takes_the_problem_of_the_archive_away(
    settings: Settings, engine: Store, dump: Path
) -> None:
    members = {"SYS1.smf": dump.read_bytes(), "big.smf": dump.read_bytes() + bytes(1 << 20)}
    pack(settings.ingest.inbox / "week.zip", **members)
    ingest = settings.ingest.model_copy(update={"unpacked_max_mib": 1})
    landing = land(settings.model_copy(update={"ingest": ingest}), engine)
    assert "ingest.unpacked_max_mib" in landing["rejected"][0]
    assert [row.source for row in read_source_files(engine) if row.problem] == ["archive"]
    land(settings, engine)
    assert [row.name for row in read_source_files(engine) if row.problem] == []


def test_what_has_not_changed_is_not_read_again(
    settings: Settings, engine: Store, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    pack(settings.ingest.inbox / "w.zip", **{"SYS2.smf": dump.read_bytes()[:-100]})
    assert land(settings, engine) == counts(landed=2)
    read: list[Path] = []
    monkeypatch.setattr(land_module, "sha256_of", read.append)
    assert land(settings, engine) == counts(known=2)
    assert read == []


def test_a_file_that_changed_is_read_again(settings: Settings, engine: Store, dump: Path) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    land(settings, engine)
    (settings.ingest.inbox / dump.name).write_bytes(dump.read_bytes()[:-100])
    assert land(settings, engine) == counts(landed=1)


def test_a_lake_that_was_lost_is_filled_again_and_a_lost_store_learns_the_files_again(
    settings: Settings, engine: Store, dump: Path, tmp_path: Path
) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    land(settings, engine)
    before = [copy] = landed(settings)
    copy.unlink()
    assert land(settings, engine) == counts(landed=1)
    assert landed(settings) == before
    other = new_store(tmp_path / "other.db")
    assert land(settings, other) == counts(landed=1)
    assert [row.name for row in read_source_files(other)] == [dump.name]
    assert landed(settings) == before


@pytest.fixture
def slow_settings(settings: Settings) -> Settings:
    ingest = settings.ingest.model_copy(update={"settle_seconds": 30.0})
    return settings.model_copy(update={"ingest": ingest})


def while_waiting(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[float]:
    """Let ``act`` happen while landing waits for files to come to rest."""
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        act()

    monkeypatch.setattr(time, "sleep", sleep)
    return pauses


def test_a_file_that_still_grows_is_left_for_the_next_run(
    slow_settings: Settings, engine: Store, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing, whole = slow_settings.ingest.inbox / "a.smf", slow_settings.ingest.inbox / "b.smf"
    growing.write_bytes(dump.read_bytes()[:-100])
    whole.write_bytes(dump.read_bytes())
    pauses = while_waiting(monkeypatch, lambda: growing.write_bytes(dump.read_bytes()[:-50]))
    assert land(slow_settings, engine) == counts(landed=1) | {"waiting": [str(growing)]}
    assert pauses == [30.0]
    while_waiting(monkeypatch, lambda: None)
    assert land(slow_settings, engine) == counts(landed=1, known=1)


def test_a_file_that_came_to_rest_long_ago_is_not_waited_for(
    slow_settings: Settings, engine: Store, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy2(dump, slow_settings.ingest.inbox)
    os.utime(slow_settings.ingest.inbox / dump.name, (1, 1))
    pauses = while_waiting(monkeypatch, lambda: None)
    assert land(slow_settings, engine) == counts(landed=1)
    assert pauses == []


def test_a_file_that_changes_while_it_is_copied_is_not_landed(
    settings: Settings, engine: Store, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy2(dump, settings.ingest.inbox)
    delivered = settings.ingest.inbox / dump.name
    copyfile = shutil.copyfile

    def copy_and_grow(source: Path, target: Path) -> None:
        copyfile(source, target)
        with delivered.open("ab") as file:
            file.write(b"more")

    monkeypatch.setattr(shutil, "copyfile", copy_and_grow)
    assert land(settings, engine) == counts() | {"waiting": [str(delivered)]}
    assert landed(settings) == []
    assert read_source_files(engine) == []


def test_a_file_that_vanishes_is_reported_and_the_others_go_on(
    slow_settings: Settings, engine: Store, dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = slow_settings.ingest.inbox / "a.smf"
    for path in (gone, slow_settings.ingest.inbox / "b.smf"):
        path.write_bytes(dump.read_bytes())
    while_waiting(monkeypatch, gone.unlink)
    landing = land(slow_settings, engine)
    assert landing["landed"] == 1
    assert "the file does not exist" in landing["rejected"][0]


def test_inputs_of_settings_are_as_the_inbox(settings: Settings, engine: Store, dump: Path) -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/arrivals/SYS1.smf", dump.read_bytes())
    inputs = ("memory://arrivals", "zos://nowhere")
    ingest = settings.ingest.model_copy(update={"inputs": inputs})
    settings = settings.model_copy(update={"ingest": ingest})
    landing = land(settings, engine)
    assert landing["landed"] == 1
    assert "zos://nowhere" in landing["rejected"][0]
    [row] = read_source_files(engine)
    assert row.name == "memory://arrivals/SYS1.smf"
    assert land(settings, engine)["known"] == 1
    memory.rm("/arrivals", recursive=True)


def test_given_inputs_land_from_their_place(settings: Settings, engine: Store, dump: Path) -> None:
    settings.ingest.inbox.rmdir()
    assert land(settings, engine, [f"{dump.parent}/*.smf"])["landed"] >= 1
    assert land(settings, engine, [str(dump)]) == counts(known=1)


def test_inputs_that_are_gone_are_forgotten(settings: Settings, engine: Store, dump: Path) -> None:
    path = Path(shutil.copy2(dump, settings.ingest.inbox))
    land(settings, engine)
    path.unlink()
    for inputs, remembered in (([str(dump)], {str(path), str(dump)}), (None, set())):
        land(settings, engine, inputs)
        assert set(seen_inputs(Path(settings.lake))) == remembered


def test_the_formatters_file_name_stays_with_its_rows(settings: Settings, engine: Store) -> None:
    row = '"2025/03/10","08:30:00,120000","PRD1","MQP1","QSGP",="100000","2025/03/10",'
    row += '"08:00:00,115000",1800,"MQP1CHIN","QSGP",4402,9999,4000,4000,9999,200,740,1150,2048,\n'
    (settings.ingest.inbox / "SMF-QCCT.csv").write_text(row)
    assert land(settings, engine) == counts(landed=1)
    [copy] = landed(settings)
    assert copy.name == f"{read_source_files(engine)[0].sha256}.SMF-QCCT.csv"


@pytest.fixture
def placed(settings: Settings, dump: Path) -> Settings:
    for name in ("a", "b"):
        (settings.ingest.inbox / name).mkdir()
    (settings.ingest.inbox / "a" / "1.smf").write_bytes(dump.read_bytes())
    return of_inputs(settings, a="PLEXA", b="PLEXB")


def of_inputs(settings: Settings, **sysplexes: str) -> Settings:
    inputs = tuple(
        PlacedInput(path=str(settings.ingest.inbox / name), sysplex=sysplex)
        for name, sysplex in sysplexes.items()
    )
    ingest = settings.ingest.model_copy(update={"inputs": inputs})
    return settings.model_copy(update={"ingest": ingest})


def roots(settings: Settings) -> list[str]:
    return [file.root for file in landed_files(Path(settings.lake))]


def test_a_file_of_an_input_with_a_sysplex_always_has_it(placed: Settings, engine: Store) -> None:
    assert land(placed, engine, [str(placed.ingest.inbox / "a" / "1.smf")]) == counts(landed=1)
    assert roots(placed) == ["PLEXA"]
    assert land(placed, engine) == counts(known=1)
    assert roots(placed) == ["PLEXA"]


def test_a_file_gets_its_sysplex_when_settings_name_it(placed: Settings, engine: Store) -> None:
    for inputs, root in (({}, ""), ({"a": "PLEXA"}, "PLEXA"), ({"a": "PLEXC"}, "PLEXC"), ({}, "")):
        land(of_inputs(placed, **inputs), engine)
        assert roots(placed) == [root]


def test_a_content_in_inputs_of_two_sysplexes_is_rejected(placed: Settings, engine: Store) -> None:
    land(placed, engine)
    shutil.copy(placed.ingest.inbox / "a" / "1.smf", placed.ingest.inbox / "b" / "2.smf")
    [sentence] = land(placed, engine)["rejected"]
    assert "2.smf: the same content is an input of PLEXA" in sentence
    assert roots(placed) == ["PLEXA"]


@pytest.mark.parametrize("is_known", [True, False])
def test_a_file_in_inputs_of_two_sysplexes_is_rejected_with_both_keys(
    placed: Settings, engine: Store, *, is_known: bool
) -> None:
    if is_known:
        land(placed, engine)
    [sentence] = land(of_inputs(placed, a="PLEXA", **{"a/*": "PLEXB"}), engine)["rejected"]
    assert "1.smf: inputs of PLEXA and of PLEXB have this file" in sentence
    assert "ingest.inputs.0" in sentence
    assert "ingest.inputs.1" in sentence
    assert roots(placed) == (["PLEXA"] if is_known else [])
