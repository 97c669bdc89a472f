"""Inputs that earlier runs of landing have read, so that unchanged ones are not read again.

The file holds, by name of the input, its fingerprint (size and time of change, or what an object
store reports) and the hashes of its contents, several for an archive. It may be lost: then
everything is read again, once.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mqcap.lake.files import write_json
from mqcap.lake.layout import seen_inputs_path
from mqcap.lake.location import Location

_FINGERPRINT: Final = "fingerprint"
_CONTENTS: Final = "contents"


@dataclass
class SeenInputs:
    """Inputs that were read without a problem, by name."""

    path: Location
    _entries: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def load(cls, lake: Location) -> SeenInputs:
        """Return what the last run left in this lake; nothing when that cannot be read."""
        path = seen_inputs_path(lake)
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            entries = {}
        return cls(path, entries if isinstance(entries, dict) else {})

    def contents(self, name: str, fingerprint: str) -> list[str]:
        """Return the content hashes of an unchanged input; none when it is new or has changed."""
        entry = self._entries.get(name, {})
        return list(entry[_CONTENTS]) if entry.get(_FINGERPRINT) == fingerprint else []

    def add(self, name: str, fingerprint: str, contents: Sequence[str]) -> None:
        """Remember the content hashes of an input."""
        self._entries[name] = {_FINGERPRINT: fingerprint, _CONTENTS: list(contents)}

    def save(self, only: Collection[str] | None = None) -> None:
        """Write the entries; with ``only``, those of these names, all others are forgotten."""
        entries = self._entries.items()
        write_json(
            self.path, {name: entry for name, entry in entries if only is None or name in only}
        )
