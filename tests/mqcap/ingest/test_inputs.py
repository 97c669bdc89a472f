from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from mqcap.domain.errors import CapacityError, ConfigurationError, InputError, ServiceUnavailable
from mqcap.ingest.inputs import archives
from mqcap.ingest.inputs.archives import MIB_BYTES, UnpackLimits
from mqcap.ingest.inputs.files import input_files
from mqcap.ingest.inputs.locations import LocalLocation, _shown_beside, input_locations, safe_name

CONTENT = b"a dump, for all that the inputs know"
LIMITS = UnpackLimits()


@pytest.fixture
def memory() -> Iterator[fsspec.AbstractFileSystem]:
    filesystem = fsspec.filesystem("memory")
    filesystem.store.clear()
    yield filesystem
    filesystem.store.clear()


def contents(*inputs: str | Path, limits: UnpackLimits = LIMITS) -> dict[str, bytes | str]:
    """What each input gives: its content, or the sentence that says why not."""
    told: dict[str, bytes | str] = {}
    with input_files(inputs, lambda: limits) as found:
        for file in found:
            try:
                told[file.name] = file.local().read_bytes()
            except CapacityError as error:
                told[file.name] = str(error)
            file.release()
    return told


def error_of(given: str | Path, limits: UnpackLimits = LIMITS) -> str:
    (text,) = contents(given, limits=limits).values()
    assert isinstance(text, str)
    return text


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_a_folder_stands_for_all_files_in_it_except_unfinished_ones(tmp_path: Path) -> None:
    for name in ("b.smf", "deep/a.smf", ".hidden", "c.part", "d.TMP"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(CONTENT)
    (tmp_path / "link.smf").symlink_to(tmp_path / "b.smf")
    assert list(contents(tmp_path)) == [str(tmp_path / "b.smf"), str(tmp_path / "deep/a.smf")]


def test_a_pattern_may_look_into_folders(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("a.smf", "deep/b.smf", "c.txt"):
        (tmp_path / name).write_bytes(CONTENT)
    assert len(contents(f"{tmp_path}/*.smf")) == 1
    assert len(contents(f"{tmp_path}/**/*.smf")) == 2


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    path = tmp_path / "SYS1[1].smf"
    path.write_bytes(CONTENT)
    assert contents(path) == {str(path): CONTENT}


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a.smf"
    path.write_bytes(CONTENT)
    assert len(list(input_locations([path, tmp_path, f"{tmp_path}/*"]))) == 1


def test_what_does_not_exist_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "a.smf"
    path.write_bytes(CONTENT)
    told = contents(tmp_path / "none.smf", f"{tmp_path}/*.none", path)
    assert told[str(path)] == CONTENT
    assert "the file does not exist" in str(told[str(tmp_path / "none.smf")])
    assert "no file matches the path" in str(told[f"{tmp_path}/*.none"])


def test_an_empty_folder_or_pattern_is_told_unless_it_may_be_empty(tmp_path: Path) -> None:
    (tmp_path / ".hidden").touch()
    for given in (str(tmp_path), f"{tmp_path}/*.smf"):
        assert "no file matches the path" in error_of(given)
        assert list(input_locations([given], may_be_empty=True)) == []
    assert len(list(input_locations([tmp_path / "none"], may_be_empty=True))) == 1


def test_a_file_that_may_not_be_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.smf"
    path.write_bytes(CONTENT)

    def refuse(*_: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert error_of(path).endswith(
        "the file cannot be opened; found Permission denied. Let the user that runs mqcap read it."
    )


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


def test_an_archive_may_stand_in_an_object_store(
    memory: fsspec.AbstractFileSystem, tmp_path: Path
) -> None:
    memory.pipe("/smf/w.zip", zipped(tmp_path / "w.zip", **{"a.smf": CONTENT}).read_bytes())
    assert contents("memory://smf") == {"memory://smf/w.zip!a.smf": CONTENT}


def test_an_object_that_was_changed_has_another_fingerprint(
    memory: fsspec.AbstractFileSystem,
) -> None:
    memory.pipe("/smf/a.smf", CONTENT)
    (location,) = input_locations(["memory://smf/a.smf"])
    before = location.fingerprint()
    assert location.fingerprint() == before
    memory.pipe("/smf/a.smf", CONTENT * 2)
    assert location.fingerprint() != before
    assert location.changed_at() is None


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
    path = tmp_path / "a b.smf"
    path.write_bytes(CONTENT)
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


def test_every_member_of_an_archive_is_a_file_of_its_own(tmp_path: Path) -> None:
    members = {"b.smf": CONTENT, "logs/a.txt": b"log", "packed.smf.gz": gzip.compress(CONTENT)}
    path = zipped(tmp_path / "week.zip", **members)
    told = contents(path)
    assert told == {f"{path}!{name}": content for name, content in members.items()}


def test_a_local_name_tells_archive_and_member(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"logs/a.txt": CONTENT})
    with input_files([path]) as found:
        (file,) = found
        local = file.local()
        assert local.name == "week.zip!a.txt"
    assert not local.exists()


@pytest.mark.parametrize(
    "name", ["../../escape.smf", "/tmp/escape.smf", "..\\escape.smf", "a/../../b", "..", "C:\\x"]
)
def test_names_that_climb_out_of_the_archive_are_harmless(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    path = zipped(folder / "week.zip", **{name: CONTENT})
    before = sorted(tmp_path.rglob("*"))
    with input_files([path]) as found:
        (file,) = found
        local = file.local()
        assert local.read_bytes() == CONTENT
        assert "mqcap-" in local.parent.parent.name
    assert sorted(tmp_path.rglob("*")) == before


def test_names_for_our_folders_have_no_way_out() -> None:
    assert [safe_name(text) for text in ("a/b.smf", "..", "a\\..\\x y", "\n", "/")] == [
        "b.smf", "unnamed", "x_y", "_", "unnamed",
    ]  # fmt: skip


def tar_of(content: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        facts = tarfile.TarInfo("a.smf")
        facts.size = len(content)
        archive.addfile(facts, io.BytesIO(content))
    return target.getvalue()


def test_archives_inside_archives_are_refused_and_the_others_go_on(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", **{"a.smf": CONTENT}).read_bytes()
    members = {
        "a.zip": inner,
        "b.tar": tar_of(CONTENT),
        "c.zip.gz": gzip.compress(inner),
        "d.gz.gz": gzip.compress(gzip.compress(CONTENT)),
        "e.smf": CONTENT,
    }
    told = list(contents(zipped(tmp_path / "week.zip", **members)).values())
    assert told[-1] == CONTENT
    for kind, text in zip(("zip", "tar", "zip", "gzip"), told, strict=False):
        assert f"a {kind} file inside an archive" in str(text)
        assert "archives inside archives are not opened" in str(text)


@pytest.mark.parametrize(
    ("head", "packing"),
    [
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"BZh9", "bzip2"),
        (b"\x1f\x9d\x90", "compress (.Z)"),
        (tar_of(CONTENT), "tar"),
    ],
    ids=["7z", "xz", "bz2", "Z", "tar"],
)
def test_other_packings_are_named(tmp_path: Path, head: bytes, packing: str) -> None:
    path = tmp_path / "packed"
    path.write_bytes(head + bytes(600))
    assert f"packed with {packing}; expected" in error_of(path)


def test_a_cut_or_empty_archive_is_told(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"a.smf": CONTENT * 99})
    path.write_bytes(path.read_bytes()[:-30])
    assert "the zip archive is truncated or corrupt" in error_of(path)
    assert "holds no files" in error_of(zipped(tmp_path / "none.zip"))


def test_a_damaged_member_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "week.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.smf", CONTENT)
        archive.writestr("b.smf", CONTENT[::-1])
    path.write_bytes(path.read_bytes().replace(CONTENT, CONTENT.upper()))
    first, second = contents(path).values()
    assert "the member cannot be unpacked; found Bad CRC-32" in str(first)
    assert second == CONTENT[::-1]


def test_an_encrypted_member_asks_for_an_archive_without_password(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"a.smf": CONTENT})
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert "the member is encrypted" in error_of(path)


SMALL = UnpackLimits(total_mib=1)


def test_an_archive_may_not_unpack_to_more_than_is_allowed_in_all(tmp_path: Path) -> None:
    half = bytes(range(256)) * 2_400
    members = dict.fromkeys(("a.smf", "b.smf", "c.smf"), half)
    first, *others = contents(zipped(tmp_path / "w.zip", **members), limits=SMALL).values()
    assert first == half
    assert all("more than 1 MiB" in str(text) for text in others)


def test_a_gzip_file_may_not_unpack_to_more_than_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(2 * MIB_BYTES)))
    text = error_of(path, SMALL)
    assert "it unpacks to more than is allowed; found more than 1 MiB" in text
    assert "ingest.unpacked_max_mib" in text
    assert isinstance(contents(path)[str(path)], bytes)


def test_an_archive_of_very_many_files_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "many.zip", **{f"{number}.smf": b"" for number in range(20)})
    assert len(contents(path, limits=UnpackLimits(members=20))) == 20
    text = error_of(path, UnpackLimits(members=19))
    assert "holds too many files; found 20; expected at most 19" in text


def test_the_names_in_an_archive_are_read_twice_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(tmp_path / "w.zip", **{f"{number}.smf": CONTENT for number in range(30)})
    opened = []
    plain = zipfile.ZipFile.__init__

    def counted(self: zipfile.ZipFile, *given: Any, **named: Any) -> None:
        opened.append(given)
        plain(self, *given, **named)

    monkeypatch.setattr(zipfile.ZipFile, "__init__", counted)
    assert len(contents(path)) == 30
    assert len(opened) == 2


@pytest.mark.parametrize("form", ["gz", "zip"])
def test_a_file_may_not_explode(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "RATIO_FLOOR_BYTES", MIB_BYTES)
    bomb = bytes(2 * MIB_BYTES)
    path = tmp_path / f"bomb.{form}"
    if form == "gz":
        path.write_bytes(gzip.compress(bomb, compresslevel=1))
    else:
        zipped(path, **{"a.smf": bomb})
    assert "ingest.unpacked_max_ratio" in error_of(path, UnpackLimits(ratio=100))


def test_a_cut_gzip_file_is_left_to_its_reader(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(bytes(range(256)) * 999)[:-20])
    assert contents(path) == {str(path): path.read_bytes()}


def test_a_place_that_is_gone_says_so(tmp_path: Path) -> None:
    location = LocalLocation("gone.smf", tmp_path / "gone.smf")
    with pytest.raises(InputError, match=r"gone\.smf: the file does not exist"):
        location.fingerprint()


def test_an_office_document_is_told_as_such(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.xlsx", **{"[Content_Types].xml": b"<x/>", "sheet.xml": b"<y/>"})
    assert "a document of an office program" in error_of(path)
