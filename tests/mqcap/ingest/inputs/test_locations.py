"""Files, places and locations of inputs."""

import contextlib
import gzip
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from mqcap.domain.errors import ConfigurationError, InputError, ServiceUnavailable
from mqcap.ingest.inputs.files import InputPlaces, input_files
from mqcap.ingest.inputs.locations import (
    InputLocation,
    _shown_beside,
    input_locations,
    safe_name,
)
from mqcap.settings.ingest import PlacedInput
from tests.mqcap.ingest.inputs.reading import CONTENT, contents, dump_at, error_of, zipped


def test_a_folder_means_all_files_in_it_except_unfinished_ones(tmp_path: Path) -> None:
    for name in ("b.smf", "deep/a.smf", ".hidden", "c.part", "d.TMP"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(CONTENT)
    (tmp_path / "link.smf").symlink_to(tmp_path / "b.smf")
    assert list(contents(tmp_path)) == [str(tmp_path / "b.smf"), str(tmp_path / "deep/a.smf")]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    path = dump_at(tmp_path / "SYS1[1].smf")
    assert contents(path) == {str(path): CONTENT}


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path = dump_at(tmp_path / "a.smf")
    assert len(list(input_locations([path, tmp_path, f"{tmp_path}/*"]))) == 1


def test_links_that_lead_back_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.smf").write_bytes(CONTENT)
    for number in range(8):
        (tmp_path / f"loop{number}").symlink_to(tmp_path, target_is_directory=True)
    for given in (tmp_path, f"{tmp_path}/**/*.smf", f"{tmp_path}/**"):
        assert list(contents(given)) == [str(tmp_path / "a.smf")]
    (tmp_path / "self").symlink_to(tmp_path / "self")
    assert "Too many levels of symbolic links" in error_of(tmp_path / "self")


def test_what_is_no_file_is_refused_by_its_kind_and_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as opened, contextlib.chdir(tmp_path):
        opened.bind("socket")
        kinds = {"pipe": "a named pipe", "socket": "a socket", "/dev/zero": "a device"}
        for name, kind in kinds.items():
            assert f"{name}: this is no file; found {kind};" in error_of(name)
            [location] = input_locations([name])
            with pytest.raises(InputError, match=kind):
                location.fingerprint()


HOSTILE = (b"M\xc5NED.smf", b"two\nlines.smf", b"-x.smf", "\U0001f600.smf".encode(),
           b"l" * 251 + b".smf", b"\x1b[31m.smf", "\u202efms.smf".encode())  # fmt: skip


def test_any_name_of_a_file_is_one_that_can_be_printed_and_stored(tmp_path: Path) -> None:
    for name in HOSTILE:
        Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_bytes(CONTENT)  # noqa: PTH118 - bytes
    names = contents(tmp_path)
    assert len(names) == len(HOSTILE)
    assert str(tmp_path / "M\\xc5NED.smf") in names
    assert all(name.isprintable() and name.encode() for name in names)


def test_a_missing_file_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
    path = dump_at(tmp_path / "a.smf")
    contents_by_name = contents(tmp_path / "none.smf", f"{tmp_path}/*.none", path)
    assert contents_by_name[str(path)] == CONTENT
    assert "the file does not exist" in str(contents_by_name[str(tmp_path / "none.smf")])
    assert "no file matches the path" in str(contents_by_name[f"{tmp_path}/*.none"])


def test_an_empty_folder_or_pattern_is_reported_unless_it_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    for given in (str(tmp_path), f"{tmp_path}/*.smf"):
        assert "no file matches the path" in error_of(given)
        assert list(input_locations([given], may_be_empty=True)) == []
    assert len(list(input_locations([tmp_path / "none"], may_be_empty=True))) == 1


def refuse(*_: object, **_options: object) -> object:
    raise PermissionError(13, "Permission denied")


def test_a_file_that_may_not_be_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = dump_at(tmp_path / "a.smf")

    monkeypatch.setattr(Path, "open", refuse)
    assert error_of(path).endswith(
        "the file cannot be opened; found Permission denied. Let the user that runs mqcap read it."
    )


def test_a_folder_that_may_not_be_listed_says_so_and_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = os.scandir

    def unless_locked(path: str) -> object:
        if Path(path).name == "locked":
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    (tmp_path / "locked").mkdir()
    (tmp_path / "a.smf").write_bytes(CONTENT)
    monkeypatch.setattr(os, "scandir", unless_locked)
    first, second = input_locations([tmp_path], may_be_empty=True)
    assert first.name == str(tmp_path / "a.smf")
    with pytest.raises(InputError, match="locked: the folder cannot be opened; found Permission"):
        second.fingerprint()


def test_a_file_of_a_folder_without_access_is_an_input_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.smf").write_bytes(CONTENT)

    [location] = input_locations([tmp_path])
    monkeypatch.setattr(Path, "is_file", refuse)
    assert list(input_locations([tmp_path])) == [location]


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    """An empty object store with the addresses ``memory://``."""
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


def test_an_object_store_may_be_named_by_object_folder_or_pattern(
    memory: fsspec.AbstractFileSystem,
) -> None:
    for name in ("/smf/a.smf", "/smf/deep/b.smf", "/smf/c.part"):
        memory.pipe(name, CONTENT)
    assert contents("memory://smf/a.smf") == {"memory://smf/a.smf": CONTENT}
    assert contents("memory://smf") == {
        "memory://smf/a.smf": CONTENT,
        "memory://smf/deep/b.smf": CONTENT,
    }
    assert list(contents("memory://smf/*.smf")) == ["memory://smf/a.smf"]
    assert "no file matches the path" in error_of("memory://smf/*.none")
    assert "does not exist" in error_of("memory://smf/none.smf")


def test_an_object_that_was_changed_has_another_fingerprint(
    memory: fsspec.AbstractFileSystem,
) -> None:
    memory.pipe("/smf/a.smf", CONTENT)
    (location,) = input_locations(["memory://smf/a.smf"])
    before = location.fingerprint()
    assert location.fingerprint() == before
    memory.pipe("/smf/a.smf", CONTENT * 2)
    assert location.fingerprint() != before


@pytest.mark.parametrize(
    ("name", "listed", "shown"),
    [
        ("s3://bucket/smf", "bucket/smf/a.smf", "s3://bucket/smf/a.smf"),
        ("sftp://host/smf", "/smf/a.smf", "sftp://host/smf/a.smf"),
        ("https://host/smf/", "https://u:p@host/smf/a.smf?x=y", "https://host/smf/a.smf"),
    ],
)
def test_listed_objects_keep_their_host_and_lose_their_password(
    name: str, listed: str, shown: str
) -> None:
    assert _shown_beside(name, listed) == shown


def test_a_file_address_is_a_path(tmp_path: Path) -> None:
    path = dump_at(tmp_path / "a b.smf")
    assert contents(path.as_uri()) == {str(path): CONTENT}


def test_a_missing_package_is_named_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(_: str) -> object:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec, "url_to_fs", absent)
    (location,) = input_locations(["s3://key:secret@bucket/smf"])
    with pytest.raises(ConfigurationError, match="Install s3fs") as caught:
        location.fetch(Path())
    assert "s3://bucket/smf: the package that reads s3:// is not installed" in str(caught.value)
    assert "secret" not in str(caught.value)
    with pytest.raises(ConfigurationError):
        location.fingerprint()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("zos://SYS1.MAN1", "addresses with zos:// are not known"),
        ("zip://a.smf::memory://w.zip", "chained addresses are not read"),
    ],
)
def test_addresses_that_are_not_read_are_refused(address: str, sentence: str) -> None:
    assert sentence in error_of(address)


def test_a_store_that_fails_may_be_tried_again(
    memory: fsspec.AbstractFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.pipe("/smf/a.smf", CONTENT)
    (location,) = input_locations(["memory://smf/a.smf"])

    def fail(*_: object, **__: object) -> object:
        raise TimeoutError("no answer")

    monkeypatch.setattr(type(memory), "_open", fail)
    with pytest.raises(ServiceUnavailable, match="the store did not give the file"):
        location.fetch(Path())


def test_names_for_our_folders_have_no_way_out() -> None:
    assert [safe_name(text) for text in ("a/b.smf", "..", "a\\..\\x y", "\n", "/")] == [
        "b.smf", "unnamed", "x_y", "_", "unnamed",
    ]  # fmt: skip


def test_a_local_name_contains_archive_and_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"logs/a.txt": CONTENT})
    with input_files([path]) as result:
        (file,) = result
        local = file.local()
        assert local.name == "week.zip!a.txt"
    assert not local.exists()


def test_a_cut_gzip_file_is_left_to_its_reader(tmp_path: Path) -> None:
    path = dump_at(tmp_path / "cut.gz", gzip.compress(bytes(range(256)) * 999)[:-20])
    assert contents(path) == {str(path): path.read_bytes()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a/1.smf", "b/2.smf", "3.smf"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path


def listed(*entries: PlacedInput, addresses: bool = True) -> InputPlaces:
    return InputPlaces(
        {f"ingest.inputs.{number}": entry for number, entry in enumerate(entries)},
        addresses=addresses,
    )


def location(path: Path | str) -> InputLocation:
    [found] = input_locations([path])
    return found


def test_a_file_has_the_place_of_the_folder_or_pattern_that_has_it(folder: Path) -> None:
    places = listed(
        PlacedInput(path=str(folder / "a"), sysplex="PLEXA"),
        PlacedInput(path=str(folder / "b" / "*.smf"), site="EAST"),
        PlacedInput(path=str(folder / "none"), sysplex="PLEXC"),
    )
    assert places.root_of(location(folder / "a" / "1.smf")) == "PLEXA"
    assert places.root_of(location(folder / "b" / "2.smf")) == "EAST"
    assert places.root_of(location(folder / "3.smf")) == ""


def test_a_file_has_its_place_however_it_is_named_and_by_how_many_inputs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = listed(
        PlacedInput(path=str(folder / "a"), sysplex="PLEXA"),
        PlacedInput(path=str(folder / "*" / "1.smf"), sysplex="PLEXA"),
    )
    monkeypatch.chdir(folder / "b")
    assert places.root_of(location("../a/1.smf")) == "PLEXA"


def test_a_file_of_inputs_of_two_places_is_named_with_both_keys(folder: Path) -> None:
    places = listed(
        PlacedInput(path=str(folder / "a"), sysplex="PLEXA"),
        PlacedInput(path=str(folder / "*" / "1.smf"), site="EAST"),
    )
    with pytest.raises(ConfigurationError) as caught:
        places.root_of(location(folder / "a" / "1.smf"))
    text = str(caught.value)
    assert "1.smf: inputs of EAST and of PLEXA have this file" in text
    assert "ingest.inputs.0: {path: " in text
    assert "ingest.inputs.1: {path: " in text


def test_objects_have_places_too_unless_no_address_is_asked_for() -> None:
    with fsspec.open("memory://bucket-of-places/plexa/1.smf", "wb") as file:
        file.write(b"x")
    entry = PlacedInput(path="memory://bucket-of-places/plexa", sysplex="PLEXA")
    found = location("memory://bucket-of-places/plexa/1.smf")
    assert listed(entry).root_of(found) == "PLEXA"
    assert listed(entry, addresses=False).root_of(found) == ""
    unlisted = PlacedInput(path="no-such-store://plexa", sysplex="PLEXA")
    assert listed(unlisted).root_of(location(unlisted.path)) == ""
