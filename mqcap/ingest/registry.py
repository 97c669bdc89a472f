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
from mqcap.ingest.smf.dump_file import read_head
from mqcap.ingest.smf.framing import detect, is_text_transfer
from mqcap.ingest.text import encoding_of

_XMIT: Final = "INMR01".encode("cp037")
"""In front of a file made by TSO TRANSMIT, which may hold records and is not searched for them."""
_BINARY: Final = (
    "Ask for the dump again, transferred in binary with record descriptor words"
    " (FTP: binary, quote site rdw)."
)
_TERSE_FIRST_BYTES: Final = frozenset({1, 2, 5})
_EYECATCHERS_IN_ASCII: Final = (b"QJST", b"QMST", b"QPST", b"QIS1", b"QCCT", b"QCST", b"QSST")
_TEXT_MIN_RATIO: Final = 0.98
"""Share of printable characters above which a content counts as text (ours)."""
_PRINTABLE: Final = re.compile(r"[\t\r\n\f\x1a\x20-\x7e]")
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
        is_transmitted = _XMIT in file.read(16)
    for source in () if is_transmitted else sources():
        if source.accepts(path):
            if zones is not None and isinstance(source, LocalTimeSource):
                return source.in_zones(zones)
            return source
    raise _unrecognised(path, read_head(path))


def expected_inputs() -> str:
    """Return the inputs that are read, as a phrase for messages: ``an SMF dump, … or …``."""
    *most, last = (source.description for source in sources())
    return f"{', '.join(most)} or {last}"


def _unrecognised(path: Path, head: bytes) -> InputError:
    """Return the error for a file that no source reads; what is certain before what is likely."""
    found, remedy = "", "The transfer or the disk broke off: send it again."
    if _XMIT in head[:16]:
        problem = "a file made by TSO TRANSMIT (XMIT)"
        remedy = (
            "RECEIVE it on the mainframe and transfer the data set in binary"
            " (FTP: binary, quote site rdw)."
        )
    elif not path.stat().st_size:
        problem = "the file is empty"
        remedy = "Check that the dump job and the transfer ended well, and send it again."
    elif not head:
        problem, found = "the gzip file cannot be unpacked", "corrupt data at its beginning"
        remedy = "Transfer it again in binary: a text-mode transfer destroys it."
    elif what := next((what for magic, what in _MAGICS.items() if head.startswith(magic)), ""):
        problem, remedy = what, ""
    elif not head.strip(b"\0"):
        problem = "the file holds nothing but binary zeros"
    else:
        return _by_characters(path.name, head)
    return InputError(
        problem, file=path.name, found=found, expected=expected_inputs(), remedy=remedy
    )


def _by_characters(file: str, head: bytes) -> InputError:
    found, expected = "", expected_inputs()
    text = head.decode(encoding_of(head), "replace").lstrip("\ufeff")
    if _is_text(text.replace("\ufffd", "\0").encode("ascii", "replace").decode()):
        problem, remedy = next((what, to_do) for shape, what, to_do in _TEXTS if shape.search(text))
        first = next((line for line in text.splitlines() if line.strip()), "")
        found = f"first line {first.strip()[:60]!r}" if problem == _TEXTS[-1][1] else ""
    elif _is_text(head.decode("cp037").replace("\x85", "\n")):
        problem = "text in EBCDIC: a log or report that was transferred in binary"
        found = head[:32].decode("cp037").strip() or "blanks"
        expected += "; text in ASCII"
        remedy = "Logs and reports are text: transfer them in text mode (FTP: ascii)."
    elif _was_translated(head):
        problem = "the dump was transferred as text, which destroys it"
        found = "characters that were translated or line ends that were inserted"
        expected, remedy = "the bytes as they were on the mainframe", _BINARY
    elif head[0] in _TERSE_FIRST_BYTES:
        problem = "not an SMF dump; it looks like a file packed with TERSE"
        found, expected = f"first byte {head[0]:02x}", "an SMF dump"
        remedy = "Unpack it on the mainframe (AMATERSE UNPACK) and transfer it in binary."
    else:
        problem, found = "not an SMF dump", f"first bytes {head[:16].hex(' ')}"
        expected = "a record or block descriptor word, or a record header with a packed date"
        remedy = (
            f"{_BINARY} It must be the output of IFASMFDP or IFASMFDL (DSORG=PS,"
            " RECFM=VBS): a SYS1.MANx data set (VSAM) or a log stream cannot be read as it is."
        )
    return InputError(problem, file=file, found=found, expected=expected, remedy=remedy)


def _was_translated(head: bytes) -> bool:
    """Return whether the file was translated to text; its headers appear when that is undone."""
    if is_text_transfer(head) or any(word in head for word in _EYECATCHERS_IN_ASCII):
        return True
    texts = (head.decode("latin-1"), head.decode("utf-8", "ignore"))
    return any(detect(memoryview(text.encode("cp037", "replace"))) is not None for text in texts)


def _is_text(text: str) -> bool:
    return len(_PRINTABLE.findall(text)) >= _TEXT_MIN_RATIO * len(text)
