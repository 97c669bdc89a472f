"""Subjects: paths from a sysplex or site to what a figure, a finding or a plan is about."""

from __future__ import annotations

from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

SERIES_SEPARATOR: Final = "/"
"""Between two names of a subject, and between a metric or a rule and its subject."""


class Subject(str):
    """Path from a sysplex or site on, such as ``PLEX1/CSQ1/BP00``; a text for store and JSON."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read a field of this type from any text."""
        return core_schema.no_info_after_validator_function(cls, handler(str))

    @classmethod
    def of(cls, *names: str) -> Subject:
        """Return the subject with these names, the sysplex or site first."""
        return cls(SERIES_SEPARATOR.join(names))

    @property
    def names(self) -> list[str]:
        """Names of the path, the sysplex or site first; at least one."""
        return self.split(SERIES_SEPARATOR)

    @property
    def sysplex(self) -> str:
        """Its sysplex or site: the first name."""
        return self.partition(SERIES_SEPARATOR)[0]

    @property
    def name(self) -> str:
        """Its own name: the last one."""
        return self.rpartition(SERIES_SEPARATOR)[2]

    @property
    def in_sysplex(self) -> str:
        """Its path within its sysplex or site, ``CSQ1/BP00``; empty for a sysplex."""
        return self.partition(SERIES_SEPARATOR)[2]

    @property
    def owner(self) -> Subject:
        """The queue manager, facility or host that it is, or is a part of: its first two names."""
        return self.of(*self.names[:2])

    @property
    def owner_name(self) -> str:
        """Name of its owner, without the sysplex; empty for a sysplex."""
        return self.in_sysplex.partition(SERIES_SEPARATOR)[0]

    @property
    def whole(self) -> Subject:
        """What it is a part of: all names but its own; empty for a sysplex."""
        return Subject(self.rpartition(SERIES_SEPARATOR)[0])

    @property
    def and_above(self) -> list[Subject]:
        """The subject itself, then each that it is a part of, up to its sysplex."""
        return [self.of(*self.names[:count]) for count in range(len(self.names), 0, -1)]

    def is_part_of(self, whole: str) -> bool:
        """Return true for a subject below ``whole``; a subject is no part of itself."""
        return self.startswith(f"{whole}{SERIES_SEPARATOR}")

    def is_within(self, whole: str) -> bool:
        """Return true for ``whole`` itself and for each of its parts."""
        return self == whole or self.is_part_of(whole)
