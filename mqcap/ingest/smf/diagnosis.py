"""Errors for files that are no SMF dump: the likely cause by their first bytes, and a remedy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mqcap.domain.errors import InputError
from mqcap.ingest.smf.columns import CODE_PAGE
from mqcap.ingest.smf.dump_file import GZIP_MAGIC
from mqcap.ingest.smf.framing import detect, is_text_transfer

BINARY_REMEDY: Final = (
    "Ask for the dump again, transferred in binary with record descriptor words"
    " (FTP: binary, quote site rdw)."
)
_DUMP: Final = "an SMF dump: the output of IFASMFDP or IFASMFDL (DSORG=PS, RECFM=VBS)"
_TERSE_FIRST_BYTES: Final = frozenset({1, 2, 5})
_EYECATCHERS_IN_ASCII: Final = (b"QJST", b"QMST", b"QPST", b"QIS1", b"QCCT", b"QCST", b"QSST")
_XMIT: Final = "INMR01".encode(CODE_PAGE)
_PACKED: Final = {
    GZIP_MAGIC: "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x1f\x9d": "compress",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
}


@dataclass(frozen=True)
class _Reason:
    """A possible cause why a file is no dump."""

    fits: Callable[[bytes], bool]
    problem: str
    found: Callable[[bytes], str]
    remedy: str
    expected: str = _DUMP


def diagnose(file: str, head: bytes) -> InputError:
    """Return the error for a file that is no SMF dump, as precise as its first bytes allow."""
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


def _was_translated(head: bytes) -> bool:
    """Return whether the file was translated to text; its headers appear when that is undone."""
    if is_text_transfer(head) or any(word in head for word in _EYECATCHERS_IN_ASCII):
        return True
    texts = (head.decode("latin-1"), head.decode("utf-8", "ignore"))
    return any(detect(memoryview(text.encode(CODE_PAGE, "replace"))) is not None for text in texts)


def _is_terse(head: bytes) -> bool:
    return head[0] in _TERSE_FIRST_BYTES and not any(map(head.startswith, _PACKED))


def _packing(head: bytes) -> str:
    return next((name for magic, name in _PACKED.items() if head.startswith(magic)), "")


def _first_byte(head: bytes) -> str:
    return f"first byte {head[0]:02x}"


_REASONS: Final = (
    _Reason(
        lambda head: bool(_packing(head)),
        "not an SMF dump; the file is packed",
        lambda head: f"a {_packing(head)} file",
        "Unpack it, or pack it with gzip or zip.",
    ),
    _Reason(
        _was_translated,
        "the dump was transferred as text, which destroys it",
        lambda _: "characters that were translated or line ends that were inserted",
        BINARY_REMEDY,
        "the bytes as they were on the mainframe",
    ),
    _Reason(
        lambda head: _XMIT in head[:16],
        "not an SMF dump; it is a file of TSO TRANSMIT (XMIT)",
        lambda _: "INMR01 at its beginning",
        "Unpack it on the mainframe (RECEIVE) and transfer the result in binary.",
        "an SMF dump",
    ),
    _Reason(
        _is_terse,
        "not an SMF dump; it looks like a file packed with TERSE",
        _first_byte,
        "Unpack it on the mainframe (AMATERSE UNPACK) and transfer it in binary.",
        "an SMF dump",
    ),
)
"""In the order in which they are asked: what is certain before what is likely."""
