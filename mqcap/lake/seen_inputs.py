"""What earlier runs of landing have seen, so that unchanged files are not read again.

``landing/looked_at.json`` keeps, by name, the fingerprint (size and time of change, or what an
object store tells) and the hashes of the contents, several for an archive. It may be lost: then
everything is read again, once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mqcap.lake.landing import LANDING

FILE_NAME: Final = "looked_at.json"
_FINGERPRINT: Final = "fingerprint"
_CONTENTS: Final = "contents"


@dataclass
class LookedAt:
    """The memory of landing; only files that gave no problem are in it."""

    path: Path
    _seen: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def load(cls, lake: Path) -> LookedAt:
        """What the last run left in this lake; nothing when that cannot be read."""
        path = lake / LANDING / FILE_NAME
        try:
            seen = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            seen = {}
        return cls(path, seen if isinstance(seen, dict) else {})

    def contents(self, name: str, fingerprint: str) -> list[str]:
        """Hashes of the contents of an unchanged file or archive; none when it has changed."""
        entry = self._seen.get(name, {})
        return list(entry[_CONTENTS]) if entry.get(_FINGERPRINT) == fingerprint else []

    def keep(self, name: str, fingerprint: str, contents: Sequence[str]) -> None:
        """Remember what was found."""
        self._seen[name] = {_FINGERPRINT: fingerprint, _CONTENTS: list(contents)}

    def save(self, only: Collection[str] | None = None) -> None:
        """Write the memory; ``only`` forgets all other names."""
        kept = {name: seen for name, seen in self._seen.items() if only is None or name in only}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        temporary.write_text(json.dumps(kept, indent=1, sort_keys=True), encoding="utf-8")
        temporary.replace(self.path)
