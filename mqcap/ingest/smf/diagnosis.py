"""Errors for files that are no SMF dump: the likely cause by their first bytes, and a remedy."""

from functools import partial
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


def diagnose(file: str, head: bytes) -> InputError:
    """Return the error for a file that is no SMF dump, as precise as its first bytes allow.

    What is certain is asked before what is likely.
    """
    error = partial(InputError, file=file)
    packing = next((name for magic, name in _PACKED.items() if head.startswith(magic)), "")
    if not head:
        return error("the file is empty or cannot be unpacked", expected="a dump")
    if packing:
        return error(
            "not an SMF dump; the file is packed",
            found=f"a {packing} file",
            expected=_DUMP,
            remedy="Unpack it, or pack it with gzip or zip.",
        )
    if _was_translated(head):
        return error(
            "the dump was transferred as text, which destroys it",
            found="characters that were translated or line ends that were inserted",
            expected="the bytes as they were on the mainframe",
            remedy=BINARY_REMEDY,
        )
    if _XMIT in head[:16]:
        return error(
            "not an SMF dump; it is a file of TSO TRANSMIT (XMIT)",
            found="INMR01 at its beginning",
            expected="an SMF dump",
            remedy="Unpack it on the mainframe (RECEIVE) and transfer the result in binary.",
        )
    if head[0] in _TERSE_FIRST_BYTES:
        return error(
            "not an SMF dump; it looks like a file packed with TERSE",
            found=f"first byte {head[0]:02x}",
            expected="an SMF dump",
            remedy="Unpack it on the mainframe (AMATERSE UNPACK) and transfer it in binary.",
        )
    return error(
        "not an SMF dump",
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
