"""All kinds of input, and which of them a file is, decided by its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from mqcap.domain.errors import InputError
from mqcap.domain.source import Source
from mqcap.ingest.smf import source as smf
from mqcap.ingest.smf.dump_file import read_head
from mqcap.ingest.unrecognised import EXPECTED, refuse_certain, stranger

_RAW_HEAD_BYTES: Final = 64


@runtime_checkable
class LocalTimeSource(Source, Protocol):
    """A source of inputs that carry only local time."""

    def in_zones(self, zones: Mapping[str, str]) -> Source:
        """The same source, told the time zone of each SMF id and sysplex."""


def sources() -> Iterator[Source]:
    """In the order in which they are asked; to add one, add its module's ``SOURCE`` here.

    Dumps come first and are by far the largest inputs: the others are imported when a file is none.
    """
    yield smf.SOURCE
    from mqcap.ingest.console import source as console_log  # noqa: PLC0415 - as said
    from mqcap.ingest.mqsmfcsv import source as stats_csv  # noqa: PLC0415 - as said
    from mqcap.ingest.rmf import source as rmf  # noqa: PLC0415 - as said

    yield from (stats_csv.SOURCE, rmf.SOURCE, console_log.SOURCE)


def source_for(path: Path, zones: Mapping[str, str] | None = None) -> Source:
    """The source that reads this file.

    ``zones`` gives the time zone (``Europe/Berlin``) of each SMF id and sysplex, for inputs that
    carry only local time (console logs, formatter output, RMF reports); what is not in it is
    taken to run in UTC. Raises InputError, with what to ask the mainframe team for, when no
    source reads the file.
    """
    refuse_certain(path.name, _raw_head(path))
    for source in sources():
        if source.accepts(path):
            if zones is not None and isinstance(source, LocalTimeSource):
                return source.in_zones(zones)
            return source
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
