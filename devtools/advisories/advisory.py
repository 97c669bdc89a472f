"""An advisory: which versions of a package are known to be vulnerable (OSV schema, its ranges)."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

from packaging.version import Version
from pydantic import BaseModel, ConfigDict

FILE: Final = Path(__file__).with_name("advisories.json")


class Advisory(BaseModel):
    """A vulnerability advisory, as far as needed to check a version."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    aliases: tuple[str, ...] = ()
    package: str
    """Canonical name (PEP 503)."""
    published: datetime | None = None
    """``None`` where the database does not say."""
    ranges: tuple[tuple[dict[str, str], ...], ...] = ()
    """Events in each range: ``introduced``, ``fixed`` or ``last_affected``, with a version."""
    versions: tuple[str, ...] = ()
    """Affected versions one by one; where there are ranges too, both count."""

    def affects(self, version: str) -> bool:
        """Return True when this version is vulnerable."""
        asked = Version(version)
        return version in self.versions or any(_is_inside(events, asked) for events in self.ranges)

    @property
    def fixed_in(self) -> tuple[str, ...]:
        """Versions with a fix; empty when none is known."""
        return tuple(
            event["fixed"] for events in self.ranges for event in events if "fixed" in event
        )


class Advisories(BaseModel):
    """The file: where it comes from, whom it was asked about, and what is known of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    packages: tuple[str, ...]
    """Names that were looked up; nothing is known about any other package."""
    advisories: tuple[Advisory, ...]

    def against(self, pins: dict[str, str]) -> list[Advisory]:
        """Return the advisories that affect a pinned version."""
        return [
            advisory
            for advisory in self.advisories
            if advisory.package in pins and advisory.affects(pins[advisory.package])
        ]


def load(file: Path = FILE) -> Advisories:
    """The advisories of a file. Raises ValidationError that names the field that is wrong."""
    return Advisories.model_validate_json(file.read_bytes())


def _is_inside(events: tuple[dict[str, str], ...], version: Version) -> bool:
    """The OSV evaluation: the last event at or before the version decides."""
    is_affected = False
    for event in sorted(events, key=_order):
        [(kind, text)] = event.items()
        at = _version(text)
        if kind == "introduced" and version >= at:
            is_affected = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            is_affected = False
    return is_affected


def _order(event: dict[str, str]) -> tuple[Version, bool]:
    [(kind, text)] = event.items()
    return _version(text), kind == "introduced"


def _version(text: str) -> Version:
    """Version of a text; ``3.0.3-NA``, a version without an update in the list, is 3.0.3."""
    return Version(text.removesuffix("-NA"))
