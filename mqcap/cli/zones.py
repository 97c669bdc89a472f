"""Time zones of the settings for commands that rarely need them: dumps say their own times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property


class ZonesOfSettings(Mapping[str, str]):
    """Time zone of each SMF id and sysplex; the settings are read when the first is asked for.

    Raises ConfigurationError then, when they contradict themselves.
    """

    def __getitem__(self, name: str) -> str:
        return self._zones[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._zones)

    def __len__(self) -> int:
        return len(self._zones)

    @cached_property
    def _zones(self) -> Mapping[str, str]:
        from mqcap.settings import (  # noqa: PLC0415 - takes longer than reading most dumps
            load_settings,
        )

        return load_settings().whole_estate().zone_by_system()
