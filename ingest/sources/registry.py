"""All kinds of input, and which of them a file is, decided by its content."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from domain.errors import InputError
from domain.source import Source
from ingest.smf.content import read_head
from ingest.sources import console_log, rmf, smf, stats_csv
from ingest.sources.strangers import EXPECTED, refuse_certain, stranger

_RAW_HEAD_BYTES: Final = 64

SOURCES: Final[tuple[Source, ...]] = (smf.SOURCE, stats_csv.SOURCE, rmf.SOURCE, console_log.SOURCE)
"""In the order in which they are asked; to add one, add its module's ``SOURCE`` here."""


def source_for(path: Path, zones: Mapping[str, str] | None = None) -> Source:
    """The source that reads this file.

    ``zones`` gives the time zone (``Europe/Berlin``) of each SMF id and sysplex, for inputs that
    carry only local time (console logs, formatter output, RMF reports); what is not in it is
    taken to run in UTC. Raises InputError, with what to ask the mainframe team for, when no
    source reads the file.
    """
    refuse_certain(path.name, _raw_head(path))
    for source in SOURCES:
        if source.accepts(path):
            return _with_zones(source, zones or {})
    if path.stat().st_size == 0:
        raise InputError(
            "the file is empty",
            file=path.name,
            expected=EXPECTED,
            remedy="Check that the dump job and the transfer ended well, and send it again.",
        )
    raise stranger(path.name, read_head(path), _raw_head(path))


def _raw_head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_RAW_HEAD_BYTES)


def _with_zones(source: Source, zones: Mapping[str, str]) -> Source:
    """The source, told the zones if it asks for them."""
    if isinstance(source, console_log.ConsoleLogSource):
        return console_log.ConsoleLogSource(zones)
    if isinstance(source, stats_csv.FormatterSource):
        return stats_csv.FormatterSource(zones)
    if isinstance(source, rmf.RmfSource):
        return rmf.RmfSource(zones)
    return source
