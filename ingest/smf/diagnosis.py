"""Why a file is no SMF dump, and what to ask the mainframe team for: judged by its beginning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from domain.errors import InputError
from ingest.smf.columns import CODE_PAGE
from ingest.smf.content import GZIP_MAGIC, HEAD_BYTES

BINARY_REMEDY: Final = (
    "Ask for the dump again, transferred in binary with record descriptor words"
    " (FTP: binary, quote site rdw)."
)
_DUMP: Final = "an SMF dump: the output of IFASMFDP or IFASMFDL (DSORG=PS, RECFM=VBS)"
_REPLACEMENT: Final = b"\xef\xbf\xbd"
_FEW: Final = 8
_TERSE_FIRST_BYTES: Final = frozenset({1, 2, 5})
_EYECATCHERS: Final = ("QJST", "QMST", "QPST", "QIS1", "QCCT", "QCST", "QSST")
_EYECATCHERS_IN_ASCII: Final = tuple(name.encode() for name in _EYECATCHERS)
_EYECATCHERS_IN_EBCDIC: Final = tuple(name.encode(CODE_PAGE) for name in _EYECATCHERS)
_PACKED: Final = {
    GZIP_MAGIC: "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x1f\x9d": "compress",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
}
_TRANSMIT: Final = "INMR01".encode(CODE_PAGE)
_TRANSMIT_REACH: Final = 16
_TEXT_SHARE: Final = 0.95
_BLANK_IN_EBCDIC: Final = 0x40


@dataclass(frozen=True)
class _Reason:
    """One thing a file may be instead of a dump."""

    fits: Callable[[bytes], bool]
    problem: str
    found: Callable[[bytes], str]
    remedy: str
    expected: str = _DUMP


def diagnose(file: str, head: bytes) -> InputError:
    """The error for a file that is no SMF dump, as precise as its beginning allows."""
    if not head:
        return InputError("the file is empty or cannot be unpacked", file=file, expected="a dump")
    for reason in _REASONS:
        if reason.fits(head):
            return InputError(
                reason.problem,
                file=file,
                found=reason.found(head),
                expected=reason.expected,
                remedy=reason.remedy,
            )
    return InputError(
        "not an SMF dump",
        file=file,
        found=f"first bytes {head[:16].hex(' ')}",
        expected="a record or block descriptor word, or a record header with a packed date",
        remedy=(
            f"{BINARY_REMEDY} It must be the output of IFASMFDP or IFASMFDL (DSORG=PS,"
            " RECFM=VBS): a SYS1.MANx data set (VSAM) or a log stream cannot be read as it is."
        ),
    )


def is_text_transfer(head: bytes) -> bool:
    """Whether bytes were replaced or line ends inserted, as a text-mode transfer does."""
    line_ends, with_return = head.count(b"\n"), head.count(b"\r\n")
    all_with_return = with_return == line_ends and with_return > _FEW
    return head.count(_REPLACEMENT) > _FEW or all_with_return


def _was_translated(head: bytes) -> bool:
    return is_text_transfer(head) or any(word in head for word in _EYECATCHERS_IN_ASCII)


def _is_terse(head: bytes) -> bool:
    return head[0] in _TERSE_FIRST_BYTES and not any(map(head.startswith, _PACKED))


def _is_printed(head: bytes) -> bool:
    """Text of this side: characters and line ends only."""
    ascii_share = sum(byte < 128 for byte in head) / len(head)
    try:
        text = head.decode("utf-8", "strict" if len(head) < HEAD_BYTES else "ignore")
    except UnicodeDecodeError:
        text = head.decode("latin-1") if ascii_share >= _TEXT_SHARE else "\0"
    return all(character.isprintable() or character.isspace() for character in text)


def _is_ebcdic_text(head: bytes) -> bool:
    """Text of the other side, such as a listing: letters, digits, blanks, no eye catcher."""
    text = head.decode(CODE_PAGE)
    kept = sum(character.isascii() and character.isprintable() for character in text)
    no_records = not any(word in head for word in _EYECATCHERS_IN_EBCDIC)
    return no_records and kept >= _TEXT_SHARE * len(head)


def _packing(head: bytes) -> str:
    return next((name for magic, name in _PACKED.items() if head.startswith(magic)), "")


def _first_line(head: bytes) -> str:
    """The beginning of a text, on one line."""
    return repr(" ".join(head[:60].decode("latin-1").split()))


def _first_byte(head: bytes) -> str:
    return f"first byte {head[0]:02x}"


_REASONS: Final = (
    _Reason(
        lambda head: not head.strip(b"\x00"),
        "the file holds nothing but zeros",
        lambda head: f"{len(head)} bytes of zeros at its beginning",
        "The data set was allocated but never written, or a hole was transferred: check the"
        " return code of the dump job and send its output.",
    ),
    _Reason(
        lambda head: bool(_packing(head)),
        "not an SMF dump; the file is packed",
        lambda head: f"a {_packing(head)} file",
        "Unpack it, or pack it with gzip or zip.",
    ),
    _Reason(
        lambda head: _TRANSMIT in head[:_TRANSMIT_REACH],
        "not an SMF dump; it is the output of TSO TRANSMIT (XMIT)",
        lambda _: "INMR01 control records",
        "RECEIVE it on the mainframe and send the data set itself, in binary.",
    ),
    _Reason(
        _was_translated,
        "the dump was transferred as text, which destroys it",
        lambda _: "characters that were translated or line ends that were inserted",
        BINARY_REMEDY,
        "the bytes as they were on the mainframe",
    ),
    _Reason(
        _is_terse,
        "not an SMF dump; it looks like a file packed with TERSE",
        _first_byte,
        "Unpack it on the mainframe (AMATERSE UNPACK) and transfer it in binary.",
        "an SMF dump",
    ),
    _Reason(
        _is_printed,
        "not an SMF dump; it is a text that no reader knows",
        _first_line,
        "If it should be a dump, the transfer sent something else (a job's listing, an error"
        " page, a member): check the name of the data set. Logs, RMF reports and CSV or JSON of"
        " mqsmfcsv are read when they begin as these do.",
        "a dump, a console log, an RMF report or output of mqsmfcsv",
    ),
    _Reason(
        _is_ebcdic_text,
        "not an SMF dump; it is text in EBCDIC, such as a listing or JCL",
        lambda head: _first_line(head.decode(CODE_PAGE).encode("latin-1", "replace")),
        "Ask for the data set behind DD DUMPOUT (OUTDD) of the dump job, not its SYSPRINT; logs"
        " and reports have to be transferred as text.",
    ),
)
"""In the order in which they are asked: what is certain before what is likely."""
