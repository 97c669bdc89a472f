"""Mappings, some values of which are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class DeferredMapping(Mapping[K, V]):
    """A mapping, some values of which are computed when first read, for all made from it too."""

    def __init__(
        self, known: Mapping[K, V], computed: Mapping[K, Callable[[], V]] = MappingProxyType({})
    ) -> None:
        """Take the known values; ``computed`` replaces those of its keys."""
        self.read: Final[dict[K, Callable[[], V]]] = {
            **(
                known.read
                if isinstance(known, DeferredMapping)
                else {key: partial(_itself, value) for key, value in known.items()}
            ),
            **{key: cache(compute) for key, compute in computed.items()},
        }

    def __getitem__(self, key: K) -> V:
        return self.read[key]()

    def __iter__(self) -> Iterator[K]:
        return iter(self.read)

    def __len__(self) -> int:
        return len(self.read)

    def __contains__(self, key: object) -> bool:
        return key in self.read


def part_of(values: Mapping[K, V], keys: Iterable[K]) -> DeferredMapping[K, V]:
    """Return the part of a mapping with some of its keys, in their order; nothing is computed."""
    whole = DeferredMapping(values)
    return DeferredMapping({}, {key: whole.read[key] for key in keys})


def _itself(value: V) -> V:
    return value
