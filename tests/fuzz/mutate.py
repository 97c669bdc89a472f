"""Damaging dumps at random, with a liking for the places that decide how they are read."""

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


def mutate(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    """A damaged copy: one to six damages, now and then a splice with another dump."""
    damaged = bytearray(content)
    if rng.random() < 0.1:
        other = rng.choice(others)
        damaged = damaged[: _place(rng, damaged)] + other[rng.randrange(len(other)) :]
    for _ in range(rng.randint(1, 6)):
        if damaged:
            rng.choice(_DAMAGES)(rng, damaged)
    return bytes(damaged)


def _place(rng: random.Random, content: bytearray) -> int:
    """Anywhere, but every other time in the first bytes, where headers and triplets are."""
    reach = len(content) if rng.random() < 0.5 else min(len(content), 256)
    return rng.randrange(reach) if reach else 0


def _flip(rng: random.Random, content: bytearray) -> None:
    content[_place(rng, content)] ^= 1 << rng.randrange(8)


def _word(rng: random.Random, content: bytearray) -> None:
    place, word = _place(rng, content), rng.choice(_WORDS)
    content[place : place + len(word)] = word


def _overwrite(rng: random.Random, content: bytearray) -> None:
    place, size = _place(rng, content), rng.randint(1, 64)
    content[place : place + size] = rng.randbytes(size)


def _insert(rng: random.Random, content: bytearray) -> None:
    place = _place(rng, content)
    content[place:place] = rng.randbytes(rng.randint(1, 40))


def _delete(rng: random.Random, content: bytearray) -> None:
    place = _place(rng, content)
    del content[place : place + rng.randint(1, 400)]


def _cut(rng: random.Random, content: bytearray) -> None:
    del content[_place(rng, content) :]


def _repeat(rng: random.Random, content: bytearray) -> None:
    place = _place(rng, content)
    content[place:place] = content[place : place + rng.randint(1, 2000)]


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
