"""Registry of inputs: the source that reads a file, decided by its content, and what else it is.

Every package ``mqcap.ingest.<kind>`` with a module ``source`` that has a ``SOURCE`` is an input.
"""

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from mqcap import ingest
from mqcap.domain.errors import InputError
from mqcap.domain.source import Source
from mqcap.ingest.smf import source as smf
from mqcap.ingest.smf.diagnosis import diagnose
from mqcap.ingest.smf.dump_file import GZIP_MAGIC, read_head
from mqcap.ingest.text import encoding_of

_RAW_HEAD_BYTES: Final = 64
_XMIT_MARK: Final = "INMR01".encode("cp037")
_XMIT_MARK_OFFSET: Final = 2
_TEXT_MIN_RATIO: Final = 0.98
"""Share of printable characters above which a content counts as text (ours)."""
_PRINTABLE: Final = frozenset({*b"\t\r\n\f\x1a", *range(0x20, 0x7F)})
_TEXTS: Final = (
    (
        re.compile(r"\A\s*\Z"),
        "the file holds nothing but blanks and line ends",
        "Check that the job and the transfer ended well, and send it again.",
    ),
    (
        re.compile(r"\A//\S*\s+JOB\s|^//\S*\s+EXEC\s", re.MULTILINE),
        "job control statements, not what the job wrote",
        "Send the data set of the DD statement DUMPOUT (or what the job prints), not the job.",
    ),
    (
        re.compile(r"\bIFA0\d\dI|SUMMARY ACTIVITY REPORT"),
        "the messages of the SMF dump program, not the dump",
        "Send the data set that IFASMFDP or IFASMFDL wrote, in binary (quote site rdw).",
    ),
    (
        re.compile(r"\bCSQ[A-Z]\d{3}I\s"),
        "answers of MQ for z/OS to commands, without the prefix of a console log",
        "Give it to mqcap estate discover.",
    ),
    (
        re.compile(r"CREATE TABLE MQSMF\.|DROP\s+TABLE MQSMF\."),
        "the table definitions of mqsmfcsv, which hold no figures",
        "Send the files SMF-*.csv beside it; this one is not needed.",
    ),
    (
        re.compile(r"<ddsml\b|<postprocessor\b"),
        "an RMF report in XML that is not about coupling facilities, or has a document type",
        "Run the Postprocessor with REPORTS(CF) or SYSRPTS(CF), or send the 74.4 records.",
    ),
    (
        re.compile(r"\ADate;Time;LPAR|\ADate\tTime\tLPAR", re.IGNORECASE),
        "CSV of mqsmfcsv that was saved again with another separator",
        "Send the file as the formatter wrote it, not saved by another program.",
    ),
    (
        re.compile(r"\A\s*<(!DOCTYPE html|html)\b", re.IGNORECASE),
        "a web page: perhaps the sign-in or error page of the server it came from",
        "Check address and credentials of the download.",
    ),
    (
        re.compile(""),
        "a text that is no log or report known here",
        "Check that it is the right file; of CSV files the heading line must be there.",
    ),
)
"""Kinds of texts: pattern, name and remedy."""
_MAGICS: Final = {b"%PDF": "a PDF document", b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture"}


@runtime_checkable
class LocalTimeSource(Source, Protocol):
    """A source of inputs that carry only local time."""

    def in_zones(self, zones: Mapping[str, str]) -> Source:
        """Return the same source with the time zone of each SMF id and sysplex."""


def sources() -> Iterator[Source]:
    """Yield all sources in the order in which they are asked: dumps, then by their ``order``.

    Dumps are by far the largest inputs: the others are imported only when a file is none.
    """
    yield smf.SOURCE
    packages = pkgutil.iter_modules(ingest.__path__, f"{ingest.__name__}.")
    names = [f"{package.name}.source" for package in packages if package.ispkg]
    others = [
        importlib.import_module(name).SOURCE
        for name in names
        if name != smf.__name__ and find_spec(name)
    ]
    yield from sorted(others, key=lambda source: source.order)


def source_for(path: Path, zones: Mapping[str, str] | None = None) -> Source:
    """Return the source that reads this file.

    ``zones`` gives the time zone (``Europe/Berlin``) of each SMF id and sysplex, for inputs that
    carry only local time (console logs, formatter output, RMF reports); a system that is not in it
    is taken to run in UTC. Raises InputError, with what to ask the mainframe team for, when no
    source reads the file.
    """
    with path.open("rb") as file:
        raw_head = file.read(_RAW_HEAD_BYTES)
    for source in () if _is_transmit_file(raw_head) else sources():
        if source.accepts(path):
            if zones is not None and isinstance(source, LocalTimeSource):
                return source.in_zones(zones)
            return source
    raise _unrecognised(path.name, read_head(path), raw_head, expected_inputs())


def expected_inputs() -> str:
    """Return the inputs that are read, as a phrase for messages: ``an SMF dump, … or …``."""
    *most, last = (source.description for source in sources())
    return f"{', '.join(most)} or {last}"


def _is_transmit_file(head: bytes) -> bool:
    """Return whether a file was made by TSO TRANSMIT.

    It must not be searched for records, though some may be inside.
    """
    return head[_XMIT_MARK_OFFSET:].startswith(_XMIT_MARK)


def _unrecognised(file: str, head: bytes, raw_head: bytes, expected: str) -> InputError:
    """Return the error for a file that no source reads.

    ``raw_head`` is ``head`` before unpacking; ``expected`` lists the inputs that are read.
    """
    problem, remedy, found = "", "", ""
    if _is_transmit_file(raw_head):
        problem = "a file made by TSO TRANSMIT (XMIT)"
        remedy = (
            "RECEIVE it on the mainframe and transfer the data set in binary"
            " (FTP: binary, quote site rdw)."
        )
    elif not raw_head:
        problem = "the file is empty"
        remedy = "Check that the dump job and the transfer ended well, and send it again."
    elif raw_head.startswith(GZIP_MAGIC) and not head:
        problem, found = "the gzip file cannot be unpacked", "corrupt data at its beginning"
        remedy = "Transfer it again in binary: a text-mode transfer destroys it."
    elif what := next((what for magic, what in _MAGICS.items() if head.startswith(magic)), ""):
        problem = what
    elif head.count(0) == len(head):
        problem = "the file holds nothing but binary zeros"
        remedy = "The transfer or the disk broke off: send it again."
    else:
        return _text_error(file, head, expected) or diagnose(file, head)
    return InputError(problem, file=file, found=found, expected=expected, remedy=remedy)


def _text_error(file: str, head: bytes, expected: str) -> InputError | None:
    """Return the error for readable text in any code page; ``None`` for other content."""
    text = head.decode(encoding_of(head), "replace").lstrip("\ufeff")
    if _is_text(text.replace("\ufffd", "\0").encode("ascii", "replace")):
        what, remedy = next((what, remedy) for shape, what, remedy in _TEXTS if shape.search(text))
        first = next((line for line in text.splitlines() if line.strip()), "")
        found = f"first line {first.strip()[:60]!r}" if what == _TEXTS[-1][1] else ""
        return InputError(what, file=file, found=found, expected=expected, remedy=remedy)
    if _is_text(head.translate(_FROM_EBCDIC)):
        return InputError(
            "text in EBCDIC: a log or report that was transferred in binary",
            file=file,
            found=head[:32].decode("cp037").strip() or "blanks",
            expected=f"{expected}; text in ASCII",
            remedy="Logs and reports are text: transfer them in text mode (FTP: ascii).",
        )
    return None


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
