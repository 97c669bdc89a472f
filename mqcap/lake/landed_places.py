"""Sysplex or site of delivered files, and when each was received, or withdrawn.

Of two files that contradict each other the one received last counts. A file of an older release has
no entry: it was received when its day began.
"""

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import ClassVar, Final, Self

from pydantic import BaseModel

from mqcap.domain.errors import InputError
from mqcap.lake.files import write_json
from mqcap.lake.layout import (
    DELIVERIES,
    PLACES,
    landed_file_paths,
    landed_received_date,
    landed_sha256,
    landing_document,
)
from mqcap.lake.location import Location

_log = logging.getLogger(__name__)
_ROOT: Final = "root"
_INPUT: Final = "input"


@dataclass
class _Landed:
    path: Location
    _entries: dict[str, dict[str, str]] = field(default_factory=dict)
    _is_changed: bool = False
    file: ClassVar[str]
    problem: ClassVar[str]
    remedy: ClassVar[str]
    """Of a damaged file."""

    @classmethod
    def load(cls, lake: Location) -> Self:
        """Return what landing has left in this lake. Raises InputError when it is damaged."""
        path = landing_document(lake, cls.file)
        try:
            return cls(path, json.loads(path.read_bytes()))
        except FileNotFoundError:
            return cls(path)
        except ValueError as error:
            raise InputError(
                cls.problem, file=str(path), found=str(error), remedy=cls.remedy
            ) from error

    def save(self) -> None:
        """Write the entries, if any has changed."""
        if self._is_changed:
            write_json(self.path, self._entries, durable=True)


class LandedPlaces(_Landed):
    """Places of delivered files by content hash; of inputs without a place there is none."""

    file = PLACES
    problem = "the places of delivered files cannot be read"
    remedy = "Remove the file and landing/looked_at.json beside it, and land the inputs again."

    def root(self, sha256: str) -> str:
        """Return sysplex or site of a file; empty when its input has none."""
        return self._entries.get(sha256, {}).get(_ROOT, "")

    def put(self, sha256: str, root: str, name: str, is_there: Callable[[str], bool]) -> None:
        """Record the place of a file, empty for none, that was found as the input ``name``.

        Settings may change the place of an input. That of another input which ``is_there`` stays:
        InputError for one of another sysplex or site.
        """
        known = self._entries.get(sha256)
        if known is None or known[_ROOT] == root:
            if known is None and root:
                self._write(sha256, root, name)
            return
        if known[_INPUT] == name:
            self._write(sha256, root, name)
        elif root and not is_there(known[_INPUT]):
            gone = "%s: of %s from now on; it was an input of %s (%s), which is gone."
            _log.warning(gone, name, root, known[_ROOT], known[_INPUT])
            self._write(sha256, root, name)
        elif root:
            raise InputError(
                f"the same content is an input of {known[_ROOT]}",
                file=name,
                found=f"{known[_INPUT]} of {known[_ROOT]}, this one of {root} (ingest.inputs)",
                expected="each file under the sysplex or site that it is about, and not twice",
                remedy="Remove one of the two.",
            )

    def _write(self, sha256: str, root: str, name: str) -> None:
        self._is_changed = True
        if root:
            self._entries[sha256] = {_ROOT: root, _INPUT: name}
        else:
            del self._entries[sha256]


class LandedFile(BaseModel, frozen=True, arbitrary_types_allowed=True):
    """A file as delivered: ``landing/source=S/received_date=D/<sha256><suffix>``."""

    path: Location
    sha256: str
    received_date: date
    bytes_count: int
    received_utc: datetime | None = None
    root: str = ""
    """Sysplex or site of the input that it came from; empty: none is configured."""


def landed_files(lake: Location) -> Iterator[LandedFile]:
    """Yield every delivered file that is not withdrawn, in order of its path."""
    places, deliveries = LandedPlaces.load(lake), Deliveries.load(lake)
    for path in landed_file_paths(lake):
        sha256 = landed_sha256(path)
        if deliveries.is_withdrawn(sha256):
            continue
        yield LandedFile(
            path=path,
            sha256=sha256,
            received_date=landed_received_date(path),
            bytes_count=path.stat().st_size,
            received_utc=deliveries.received_utc(sha256),
            root=places.root(sha256),
        )


_RECEIVED: Final = "received_utc"
_WITHDRAWN: Final = "withdrawn_utc"


class Deliveries(_Landed):
    """Deliveries by content hash."""

    file = DELIVERIES
    problem = "when delivered files were received cannot be read"
    remedy = (
        "Put it back from a backup. Without one remove it: of files that contradict each other the "
        "day of receipt decides, and withdrawn files count again."
    )

    def received_utc(self, sha256: str) -> datetime | None:
        """Return when a file was received first; ``None`` where that is not known."""
        text = self._entries.get(sha256, {}).get(_RECEIVED)
        return datetime.fromisoformat(text) if text else None

    def is_withdrawn(self, sha256: str) -> bool:
        """Return whether a file counts no more."""
        return _WITHDRAWN in self._entries.get(sha256, {})

    def receive(self, sha256: str) -> None:
        """Record that a file is received now, unless it was before."""
        self._set(sha256, _RECEIVED)

    def withdraw(self, sha256: str) -> None:
        """Record that a file counts no more from now on."""
        self._set(sha256, _WITHDRAWN)

    def take_back(self, sha256: str) -> bool:
        """Record that a file counts again; returns whether it had been withdrawn."""
        was_withdrawn = self._entries.get(sha256, {}).pop(_WITHDRAWN, None) is not None
        self._is_changed |= was_withdrawn
        return was_withdrawn

    def _set(self, sha256: str, key: str) -> None:
        entry = self._entries.setdefault(sha256, {})
        if key not in entry:
            entry[key] = datetime.now(UTC).isoformat()
            self._is_changed = True
