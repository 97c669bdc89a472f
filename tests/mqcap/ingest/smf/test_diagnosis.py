"""Errors for files that are no SMF dump: cause and remedy by their first bytes."""

import pytest

from mqcap.ingest.smf.diagnosis import BINARY_REMEDY, diagnose
from mqcap.ingest.smf.framing import is_text_transfer

LINE = b"\x00\x85\x00\x00\x1e"
SIXTEEN = bytes(range(0x40, 0x50)).hex(" ")


TRANSLATED = "the dump was transferred as text, which destroys it"
TERSE = "not an SMF dump; it looks like a file packed with TERSE"
PACKED = "not an SMF dump; the file is packed"
OTHER = "not an SMF dump"


@pytest.mark.parametrize(
    ("head", "problem", "found", "remedy"),
    [
        (b"\x1f\x8b" + bytes(20), PACKED, "a gzip file", "Unpack it, or pack it with gzip or zip."),
        (b"PK\x03\x04" + bytes(20), PACKED, "a zip file", "Unpack it"),
        (b"BZh" + bytes(20), PACKED, "a bzip2 file", "Unpack it"),
        (b"\xfd7zXZ\x00" + bytes(20), PACKED, "a xz file", "Unpack it"),
        (b"\x28\xb5\x2f\xfd" + bytes(20), PACKED, "a zstd file", "Unpack it"),
        (b"\x1f\x9d" + bytes(20), PACKED, "a compress file", "Unpack it"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(20), PACKED, "a 7-Zip file", "Unpack it"),
        (b"", "the file is empty or cannot be unpacked", "", ""),
        *(
            (LINE + eyecatcher, TRANSLATED, "characters that were translated", BINARY_REMEDY)
            for eyecatcher in (b"QJST", b"QMST", b"QPST", b"QIS1", b"QCCT", b"QCST", b"QSST")
        ),
        (b"\x01" + LINE, TERSE, "first byte 01", "Unpack it on the mainframe (AMATERSE UNPACK)"),
        (b"\x02" + LINE, TERSE, "first byte 02", "Unpack it on the mainframe"),
        (b"\x05" + LINE, TERSE, "first byte 05", "Unpack it on the mainframe"),
        (b"\x03" + LINE, OTHER, "first bytes 03 00 85", BINARY_REMEDY),
        (bytes(range(0x40, 0x60)), OTHER, f"first bytes {SIXTEEN}", BINARY_REMEDY),
    ],
)
def test_the_first_bytes_tell_what_a_file_is_and_what_to_do(
    head: bytes, problem: str, found: str, remedy: str
) -> None:
    error = diagnose("d.smf", head)
    assert error.problem == f"d.smf: {problem}"
    assert (error.found or "").startswith(found)
    assert (error.remedy or "").startswith(remedy)
    assert ("RECFM=VBS" in (error.remedy or "")) is (problem == OTHER)


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
