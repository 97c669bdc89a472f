"""Errors for files that are no SMF dump: cause and remedy by their first bytes."""

import pytest

from mqcap.ingest.smf.diagnosis import BINARY_REMEDY, diagnose
from mqcap.ingest.smf.framing import is_text_transfer

LINE = b"\x00\x85\x00\x00\x1e"


@pytest.mark.parametrize(
    ("magic", "name"),
    [
        (b"\x1f\x8b", "gzip"),
        (b"PK\x03\x04", "zip"),
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x1f\x9d", "compress"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    ],
)
def test_a_packed_file_is_named_by_its_packer(magic: bytes, name: str) -> None:
    error = diagnose("d.smf", magic + b"\x00" * 20)
    assert error.problem == "d.smf: not an SMF dump; the file is packed"
    assert error.found == f"a {name} file"
    assert error.remedy == "Unpack it, or pack it with gzip or zip."


def test_an_empty_file_has_no_first_bytes_to_judge() -> None:
    error = diagnose("d.smf", b"")
    assert error.problem == "d.smf: the file is empty or cannot be unpacked"
    assert error.expected == "a dump"


@pytest.mark.parametrize("word", [b"QJST", b"QMST", b"QPST", b"QIS1", b"QCCT", b"QCST", b"QSST"])
def test_an_eye_catcher_in_ascii_shows_a_transfer_as_text(word: bytes) -> None:
    error = diagnose("d.smf", LINE + word)
    assert error.problem == "d.smf: the dump was transferred as text, which destroys it"
    assert error.remedy == BINARY_REMEDY


@pytest.mark.parametrize(("first", "terse"), [(1, True), (2, True), (5, True), (3, False)])
def test_the_first_byte_of_a_tersed_file_asks_to_unpack_it_on_the_mainframe(
    first: int, terse: bool
) -> None:
    error = diagnose("d.smf", bytes([first]) + LINE)
    assert ("TERSE" in error.problem) is terse
    assert ("AMATERSE UNPACK" in error.remedy) is terse
    assert error.found.startswith(f"first byte {first:02x}" if terse else "first bytes")


def test_any_other_file_is_described_by_its_first_sixteen_bytes() -> None:
    error = diagnose("d.smf", bytes(range(0x40, 0x60)))
    assert error.problem == "d.smf: not an SMF dump"
    assert error.found == f"first bytes {bytes(range(0x40, 0x50)).hex(' ')}"
    assert "RECFM=VBS" in error.remedy


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (b"\xef\xbf\xbd" * 8, False),
        (b"\xef\xbf\xbd" * 9, True),
        (b"a\r\n" * 8, False),
        (b"a\r\n" * 9, True),
        (b"a\r\n" * 9 + b"b\n", False),
        (b"a\n" * 100, False),
        (b"", False),
    ],
    ids=["8-replaced", "9-replaced", "8-ends", "9-ends", "mixed-ends", "unix-ends", "empty"],
)
def test_more_than_a_few_replaced_bytes_or_line_ends_are_a_transfer_as_text(
    head: bytes, text: bool
) -> None:
    assert is_text_transfer(head) is text
