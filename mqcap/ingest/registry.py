"""Registry of inputs: the source that reads a file, decided by its content.

Every package ``mqcap.ingest.<kind>`` with a module ``source`` that has a ``SOURCE`` is an input.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

from mqcap import ingest
from mqcap.domain.source import Source
from mqcap.ingest.smf import source as smf
from mqcap.ingest.smf.dump_file import read_head
from mqcap.ingest.unrecognised import is_transmit_file, unrecognised_error

_RAW_HEAD_BYTES: Final = 64


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
    yield from sorted(_other_sources(), key=lambda source: source.order)


def source_for(path: Path, zones: Mapping[str, str] | None = None) -> Source:
    """Return the source that reads this file.

    ``zones`` gives the time zone (``Europe/Berlin``) of each SMF id and sysplex, for inputs that
    carry only local time (console logs, formatter output, RMF reports); a system that is not in it
    is taken to run in UTC. Raises InputError, with what to ask the mainframe team for, when no
    source reads the file.
    """
    raw_head = _raw_head(path)
    for source in () if is_transmit_file(raw_head) else sources():
        if source.accepts(path):
            if zones is not None and isinstance(source, LocalTimeSource):
                return source.in_zones(zones)
            return source
    raise unrecognised_error(path.name, read_head(path), raw_head, expected_inputs())


def expected_inputs() -> str:
    """Return the inputs that are read, as a phrase for messages: ``an SMF dump, … or …``."""
    *most, last = (source.description for source in sources())
    return f"{', '.join(most)} or {last}"


def _other_sources() -> Iterator[Source]:
    for package in pkgutil.iter_modules(ingest.__path__, f"{ingest.__name__}."):
        module_name = f"{package.name}.source"
        if package.ispkg and module_name != smf.__name__ and find_spec(module_name):
            yield importlib.import_module(module_name).SOURCE


def _raw_head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_RAW_HEAD_BYTES)
