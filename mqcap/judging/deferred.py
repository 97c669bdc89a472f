"""Mappings, some values of which are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, Generic, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class _Deferred(Generic[V]):
    """A value that is computed once, by whichever mapping reads it first."""

    def __init__(self, compute: Callable[[], V]) -> None:
        self.value: Final = cache(compute)


class DeferredMapping(Mapping[K, V]):
    """A mapping, some values of which are computed when first read, for all made from it too."""

    def __init__(
        self, known: Mapping[K, V], computed: Mapping[K, Callable[[], V]] = MappingProxyType({})
    ) -> None:
        """Take the known values; ``computed`` replaces those of its keys."""
        self._values: Final[dict[K, V | _Deferred[V]]] = {
            **(known.uncomputed() if isinstance(known, DeferredMapping) else known),
            **{key: _Deferred(compute) for key, compute in computed.items()},
        }

    def __getitem__(self, key: K) -> V:
        """Return a value, computed where it was not yet."""
        value = self._values[key]
        if isinstance(value, _Deferred):
            known: V = value.value()
            self._values[key] = known
            return known
        return value

    def __iter__(self) -> Iterator[K]:
        """Iterate over the keys; nothing is computed."""
        return iter(self._values)

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        """Return whether there is such a key; nothing is computed."""
        return key in self._values

    @overload
    def get(self, key: K, /) -> V | None: ...

    @overload
    def get(self, key: K, /, default: V | D) -> V | D: ...

    def get(self, key: K, /, default: V | D | None = None) -> V | D | None:
        """Return a value, or the default without such a key."""
        return self[key] if key in self._values else default

    def uncomputed(self) -> Mapping[K, V | _Deferred[V]]:
        """Return the values as they are; nothing is computed."""
        return self._values

    def part(self, keys: Iterable[K]) -> DeferredMapping[K, V]:
        """Return the part with some of the keys, in their order; nothing is computed."""
        result: DeferredMapping[K, V] = DeferredMapping({})
        result.__dict__["_values"] = {key: self._values[key] for key in keys}
        return result


def part_of(values: Mapping[K, V], keys: Iterable[K]) -> DeferredMapping[K, V]:
    """Return the part of a mapping with some of its keys, in their order; nothing is computed."""
    return DeferredMapping(values).part(keys)
