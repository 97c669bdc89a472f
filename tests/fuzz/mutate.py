"""Damaging dumps at random, with a liking for the places that decide how they are read."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

Damager = Callable[[random.Random, bytearray], None]

_WORDS: tuple[bytes, ...] = (
    b"\x00\x00",
    b"\xff\xff",
    b"\x7f\xff",
    b"\x80\x00",
    b"\x00\x01",
    b"\x00\x04",
    b"\x7f\xf8",
)
"""Lengths, counts and offsets at the edges of what is possible."""


def mutate(chance: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """A damaged copy: one to six damages, now and then a splice with another dump."""
    damaged = bytearray(content)
    if chance.random() < 0.1:
        other = chance.choice(others)
        damaged = damaged[: _place(chance, damaged)] + other[chance.randrange(len(other)) :]
    for _ in range(chance.randint(1, 6)):
        if damaged:
            chance.choice(_DAMAGES)(chance, damaged)
    return bytes(damaged)


def _place(chance: random.Random, content: bytearray) -> int:
    """Anywhere, but every other time in the first bytes, where headers and triplets are."""
    reach = len(content) if chance.random() < 0.5 else min(len(content), 256)
    return chance.randrange(reach) if reach else 0


def _flip(chance: random.Random, content: bytearray) -> None:
    content[_place(chance, content)] ^= 1 << chance.randrange(8)


def _word(chance: random.Random, content: bytearray) -> None:
    place, word = _place(chance, content), chance.choice(_WORDS)
    content[place : place + len(word)] = word


def _overwrite(chance: random.Random, content: bytearray) -> None:
    place, size = _place(chance, content), chance.randint(1, 64)
    content[place : place + size] = chance.randbytes(size)


def _insert(chance: random.Random, content: bytearray) -> None:
    place = _place(chance, content)
    content[place:place] = chance.randbytes(chance.randint(1, 40))


def _delete(chance: random.Random, content: bytearray) -> None:
    place = _place(chance, content)
    del content[place : place + chance.randint(1, 400)]


def _cut(chance: random.Random, content: bytearray) -> None:
    del content[_place(chance, content) :]


def _repeat(chance: random.Random, content: bytearray) -> None:
    place = _place(chance, content)
    content[place:place] = content[place : place + chance.randint(1, 2000)]


_DAMAGES: tuple[Damager, ...] = (
    _flip,
    _flip,
    _word,
    _word,
    _overwrite,
    _insert,
    _delete,
    _cut,
    _repeat,
)
