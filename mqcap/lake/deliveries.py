"""When each delivered file was received, and which of them have been withdrawn.

Of two files that contradict each other the one received last counts; a withdrawn file counts no
more, and stays in landing. A file of an older release has no entry: it was received when its day
began.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from mqcap.domain.errors import InputError
from mqcap.lake.files import write_json
from mqcap.lake.layout import deliveries_path
from mqcap.lake.location import Location

_RECEIVED: Final = "received_utc"
_WITHDRAWN: Final = "withdrawn_utc"


@dataclass
class Deliveries:
    """Deliveries by content hash."""

    path: Location
    _entries: dict[str, dict[str, str]] = field(default_factory=dict)
    _is_changed: bool = False

    @classmethod
    def load(cls, lake: Location) -> Deliveries:
        """Return what landing has left in this lake. Raises InputError when it is damaged."""
        path = deliveries_path(lake)
        try:
            return cls(path, json.loads(path.read_bytes()))
        except FileNotFoundError:
            return cls(path)
        except ValueError as error:
            raise InputError(
                "when delivered files were received cannot be read",
                file=str(path),
                found=str(error),
                remedy="Put it back from a backup. Without one remove it: of files that contradict "
                "each other the day of receipt decides, and withdrawn files count again.",
            ) from error

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

    def save(self) -> None:
        """Write the entries, if any has changed."""
        if self._is_changed:
            write_json(self.path, self._entries, durable=True)

    def _set(self, sha256: str, key: str) -> None:
        entry = self._entries.setdefault(sha256, {})
        if key not in entry:
            entry[key] = datetime.now(UTC).isoformat()
            self._is_changed = True
