"""Members of archives, and limits of unpacking."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from mqcap.ingest.inputs import archives
from mqcap.ingest.inputs.archives import MIB_BYTES, UnpackLimits
from mqcap.ingest.inputs.files import input_files
from tests.mqcap.ingest.inputs.reading import CONTENT, contents, dump_at, error_of, zipped


def tar_of(content: bytes) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        facts = tarfile.TarInfo("a.smf")
        facts.size = len(content)
        archive.addfile(facts, io.BytesIO(content))
    return target.getvalue()


SMALL = UnpackLimits(total_mib=1)


def test_every_member_of_an_archive_is_a_file_of_its_own(tmp_path: Path) -> None:
    members = {"b.smf": CONTENT, "logs/a.txt": b"log", "packed.smf.gz": gzip.compress(CONTENT)}
    path = zipped(tmp_path / "week.zip", **members)
    contents_by_name = contents(path)
    assert contents_by_name == {f"{path}!{name}": content for name, content in members.items()}


@pytest.mark.parametrize(
    "name", ["../../escape.smf", "/tmp/escape.smf", "..\\escape.smf", "a/../../b", "..", "C:\\x"]
)
def test_names_that_climb_out_of_the_archive_are_harmless(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in" / "here"
    folder.mkdir(parents=True)
    path = zipped(folder / "week.zip", **{name: CONTENT})
    before = sorted(tmp_path.rglob("*"))
    with input_files([path]) as result:
        (file,) = result
        local = file.local()
        assert local.read_bytes() == CONTENT
        assert "mqcap-" in local.parent.parent.name
    assert sorted(tmp_path.rglob("*")) == before


def test_archives_inside_archives_are_refused_and_the_others_go_on(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", **{"a.smf": CONTENT}).read_bytes()
    members = {
        "a.zip": inner,
        "b.tar": tar_of(CONTENT),
        "c.zip.gz": gzip.compress(inner),
        "d.gz.gz": gzip.compress(gzip.compress(CONTENT)),
        "e.smf": CONTENT,
    }
    texts = list(contents(zipped(tmp_path / "week.zip", **members)).values())
    assert texts[-1] == CONTENT
    for kind, text in zip(("zip", "tar", "zip", "gzip"), texts, strict=False):
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
    path = dump_at(tmp_path / "packed", head + bytes(600))
    assert f"packed with {packing}; expected" in error_of(path)


def test_a_cut_or_empty_archive_is_reported(tmp_path: Path) -> None:
    path = zipped(tmp_path / "week.zip", **{"a.smf": CONTENT * 99})
    path.write_bytes(path.read_bytes()[:-30])
    assert "the zip archive is truncated or corrupt" in error_of(path)
    assert "holds no files" in error_of(zipped(tmp_path / "none.zip"))


def test_a_corrupt_member_is_reported_and_the_others_go_on(tmp_path: Path) -> None:
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


def test_an_archive_may_not_unpack_to_more_than_is_allowed_in_all(tmp_path: Path) -> None:
    half = bytes(range(256)) * 2_400
    members = dict.fromkeys(("a.smf", "b.smf", "c.smf"), half)
    first, *others = contents(zipped(tmp_path / "w.zip", **members), limits=SMALL).values()
    assert first == half
    assert all("more than 1 MiB" in str(text) for text in others)


def test_a_gzip_file_may_not_unpack_to_more_than_is_allowed(tmp_path: Path) -> None:
    path = dump_at(tmp_path / "bomb.gz", gzip.compress(bytes(2 * MIB_BYTES)))
    text = error_of(path, SMALL)
    assert "it unpacks to more than is allowed; found more than 1 MiB" in text
    assert "ingest.unpacked_max_mib" in text
    assert isinstance(contents(path)[str(path)], bytes)


def test_an_archive_of_very_many_files_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "many.zip", **{f"{number}.smf": b"" for number in range(20)})
    assert len(contents(path, limits=UnpackLimits(members=20))) == 20
    text = error_of(path, UnpackLimits(members=19))
    assert "holds too many files; found 20; expected at most 19" in text


def test_the_names_in_an_archive_are_read_once_however_many_there_are(
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
    assert len(opened) == 1


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


def test_an_office_document_is_recognised(tmp_path: Path) -> None:
    path = zipped(tmp_path / "b.xlsx", **{"[Content_Types].xml": b"<x/>", "sheet.xml": b"<y/>"})
    assert "a document of an office program" in error_of(path)
