"""Errors for files that no source reads: the likely content by its first bytes, and a remedy."""

import re
from typing import Final, NamedTuple

from mqcap.domain.errors import InputError
from mqcap.ingest.smf.diagnosis import diagnose
from mqcap.ingest.smf.dump_file import GZIP_MAGIC
from mqcap.ingest.text import encoding_of

_XMIT_MARK: Final = "INMR01".encode("cp037")
_XMIT_MARK_OFFSET: Final = 2
_TEXT_MIN_RATIO: Final = 0.98
"""Share of printable characters above which a content counts as text (ours)."""
_PRINTABLE: Final = frozenset({*b"\t\r\n\f\x1a", *range(0x20, 0x7F)})
_AS_TEXT: Final = "Logs and reports are text: transfer them in text mode (FTP: ascii)."
_AS_IT_WAS: Final = "Send the file as the formatter wrote it, not saved by another program."


class _TextKind(NamedTuple):
    """A kind of text: its pattern, its name and the remedy."""

    shape: re.Pattern[str]
    what: str
    remedy: str


_TEXTS: Final = (
    _TextKind(
        re.compile(r"\A\s*\Z"),
        "the file holds nothing but blanks and line ends",
        "Check that the job and the transfer ended well, and send it again.",
    ),
    _TextKind(
        re.compile(r"\A//\S*\s+JOB\s|^//\S*\s+EXEC\s", re.MULTILINE),
        "job control statements, not what the job wrote",
        "Send the data set of the DD statement DUMPOUT (or what the job prints), not the job.",
    ),
    _TextKind(
        re.compile(r"\bIFA0\d\dI|SUMMARY ACTIVITY REPORT"),
        "the messages of the SMF dump program, not the dump",
        "Send the data set that IFASMFDP or IFASMFDL wrote, in binary (quote site rdw).",
    ),
    _TextKind(
        re.compile(r"\bCSQ[A-Z]\d{3}I\s"),
        "answers of MQ for z/OS to commands, without the prefix of a console log",
        "Give it to mqcap estate discover.",
    ),
    _TextKind(
        re.compile(r"CREATE TABLE MQSMF\.|DROP\s+TABLE MQSMF\."),
        "the table definitions of mqsmfcsv, which hold no figures",
        "Send the files SMF-*.csv beside it; this one is not needed.",
    ),
    _TextKind(
        re.compile(r"<ddsml\b|<postprocessor\b"),
        "an RMF report in XML that is not about coupling facilities, or has a document type",
        "Run the Postprocessor with REPORTS(CF) or SYSRPTS(CF), or send the 74.4 records.",
    ),
    _TextKind(
        re.compile(r"\ADate;Time;LPAR|\ADate\tTime\tLPAR", re.IGNORECASE),
        "CSV of mqsmfcsv that was saved again with another separator",
        _AS_IT_WAS,
    ),
    _TextKind(
        re.compile(r"\A\s*<(!DOCTYPE html|html)\b", re.IGNORECASE),
        "a web page: perhaps the sign-in or error page of the server it came from",
        "Check address and credentials of the download.",
    ),
)
_MAGICS: Final = {b"%PDF": "a PDF document", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture"}


def is_transmit_file(head: bytes) -> bool:
    """Return whether a file was made by TSO TRANSMIT.

    It must not be searched for records, though some may be inside.
    """
    return head[_XMIT_MARK_OFFSET:].startswith(_XMIT_MARK)


def unrecognised_error(file: str, head: bytes, raw_head: bytes, expected: str) -> InputError:
    """Return the error for a file that no source reads.

    ``raw_head`` is ``head`` before unpacking; ``expected`` lists the inputs that are read.
    """
    if is_transmit_file(raw_head):
        return InputError(
            "a file made by TSO TRANSMIT (XMIT)",
            file=file,
            expected=expected,
            remedy="RECEIVE it on the mainframe and transfer the data set in binary"
            " (FTP: binary, quote site rdw).",
        )
    if not raw_head:
        return InputError(
            "the file is empty",
            file=file,
            expected=expected,
            remedy="Check that the dump job and the transfer ended well, and send it again.",
        )
    if raw_head.startswith(GZIP_MAGIC) and not head:
        return InputError(
            "the gzip file cannot be unpacked",
            file=file,
            found="corrupt data at its beginning",
            expected=expected,
            remedy="Transfer it again in binary: a text-mode transfer destroys it.",
        )
    for magic, what in _MAGICS.items():
        if head.startswith(magic):
            return InputError(what, file=file, expected=expected)
    if head.count(0) == len(head):
        return InputError(
            "the file holds nothing but binary zeros",
            file=file,
            expected=expected,
            remedy="The transfer or the disk broke off: send it again.",
        )
    return _text_error(file, head, expected) or diagnose(file, head)


def _text_error(file: str, head: bytes, expected: str) -> InputError | None:
    """Return the error for readable text in any code page; ``None`` for other content."""
    text = head.decode(encoding_of(head), "replace").lstrip("\ufeff")
    if _is_text(text.replace("\ufffd", "\0").encode("ascii", "replace")):
        return _ascii_text_error(file, text, expected)
    if _is_text(head.translate(_FROM_EBCDIC)):
        return InputError(
            "text in EBCDIC: a log or report that was transferred in binary",
            file=file,
            found=head[:32].decode("cp037").strip() or "blanks",
            expected=f"{expected}; text in ASCII",
            remedy=_AS_TEXT,
        )
    return None


def _ascii_text_error(file: str, text: str, expected: str) -> InputError:
    for kind in _TEXTS:
        if kind.shape.search(text):
            return InputError(kind.what, file=file, expected=expected, remedy=kind.remedy)
    first = next((line for line in text.splitlines() if line.strip()), "")
    return InputError(
        "a text that is no log or report known here",
        file=file,
        found=f"first line {first.strip()[:60]!r}",
        expected=expected,
        remedy="Check that it is the right file; of CSV files the heading line must be there.",
    )


def _is_text(head: bytes) -> bool:
    printable = sum(byte in _PRINTABLE for byte in head)
    return printable >= _TEXT_MIN_RATIO * len(head)


def _ebcdic_table() -> bytes:
    """Return the ASCII code of each byte of code page 037; 0 for other characters."""
    line_ends = {0x15: 0x0A, 0x25: 0x0A, 0x0D: 0x0D, 0x05: 0x09}
    decoded = (bytes([byte]).decode("cp037") for byte in range(256))
    plain = [ord(text) if 0x20 <= ord(text) < 0x7F else 0 for text in decoded]
    return bytes(line_ends.get(byte, plain[byte]) for byte in range(256))


_FROM_EBCDIC: Final = _ebcdic_table()
