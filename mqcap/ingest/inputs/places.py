"""Sysplex or site of each location of inputs, as ``ingest.inputs`` of the settings has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.inputs.locations import (
    InputLocation,
    LocalLocation,
    UnlistedLocation,
    input_locations,
    is_address,
)
from mqcap.settings.ingest import PlacedInput


@dataclass(frozen=True)
class InputPlaces:
    """The locations of inputs that have a place."""

    entries: Mapping[str, PlacedInput]
    """By key of the settings."""
    keys: Mapping[str, tuple[str, ...]]
    """Keys of the entries that each location comes from, by its identity."""

    @classmethod
    def listed(cls, entries: Mapping[str, PlacedInput], *, addresses: bool = True) -> Self:
        """List the inputs as they are now, those of object stores only with ``addresses``.

        What cannot be listed has no locations. Raises nothing.
        """
        keys: dict[str, tuple[str, ...]] = {}
        for key, entry in entries.items():
            if is_address(entry.path) and not addresses:
                continue
            for location in input_locations([entry.path]):
                if not isinstance(location, UnlistedLocation):
                    identity = _identity(location)
                    keys[identity] = (*keys.get(identity, ()), key)
        return cls(entries, keys)

    def root_of(self, location: InputLocation) -> str:
        """Return the sysplex or site of a location; empty when no input with a place has it.

        Raises:
            ConfigurationError: inputs of two places have it.
        """
        found = [self.entries[key] for key in self.keys.get(_identity(location), ())]
        roots = sorted({entry.root for entry in found})
        if len(roots) > 1:
            keys = self.keys[_identity(location)]
            raise ConfigurationError(
                f"{location.name}: inputs of {' and of '.join(roots)} have this file",
                found="; ".join(f"{key}: {self.entries[key]}" for key in keys),
                expected="a file in the inputs of one sysplex or site",
                remedy="Make the folders or patterns of ingest.inputs distinct.",
            )
        return roots[0] if roots else ""


def _identity(location: InputLocation) -> str:
    """Return a name that does not depend on how the location was named."""
    if isinstance(location, LocalLocation):
        return str(Path(location.path).resolve())
    return location.name
