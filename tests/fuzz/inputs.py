"""Random inputs: damaged dumps, and sound records around random sections.

Damages like the places that decide how a dump is read. What lies in random sections reaches every
layout's decoder.
"""

import random
from collections.abc import Mapping, Sequence

from devtools.simulator.encode.fields import encode_sections
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import Layout
from tests.mqcap.ingest.dumps import cf_dump_records, mq_dump_records
from tests.mqcap.ingest.smf.test_header import STUB, qwhx, record, section, short_qwhs

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
            _damage(rng, damaged)
    return bytes(damaged)


def _place(rng: random.Random, content: bytearray) -> int:
    """Anywhere, but every other time in the first bytes, where headers and triplets are."""
    reach = len(content) if rng.random() < 0.5 else min(len(content), 256)
    return rng.randrange(reach) if reach else 0


def _damage(rng: random.Random, content: bytearray) -> None:
    """Flip a bit, write a word, overwrite, insert, delete, cut the rest off, or repeat a part."""
    place, size, word = _place(rng, content), rng.randint(1, 64), rng.choice(_WORDS)
    damages = [
        (1, bytes([content[place] ^ 1 << rng.randrange(8)])),
        (len(word), word),
        (size, rng.randbytes(size)),
        (0, rng.randbytes(size)),
        (rng.randint(1, 400), b""),
        (len(content), b""),
        (0, content[place : place + rng.randint(1, 2000)]),
    ]
    [(gone, new)] = rng.choices(damages, weights=(2, 2, 1, 1, 1, 1, 1))
    content[place : place + gone] = new


_SHORT = frozenset({Kind(116, 0), Kind(116, 1), Kind(116, 2)})
_STUBS = frozenset({Kind(115, 5), Kind(115, 6), Kind(115, 7)})
_LONGEST_RECORD = 32_000


def random_dump(rng: random.Random) -> bytes:
    """Records of random kinds whose sections have a sound head and random fields."""
    kinds = sorted(kind for kind in decoded_kinds() if kind.record_type != 74)
    made = [_record(rng, rng.choice(kinds)) for _ in range(rng.randint(2, 6))]
    made.extend(rng.sample(cf_dump_records() + mq_dump_records(), 2))
    rng.shuffle(made)
    return b"".join(_randomised(rng, item) if item[5] == 74 else item for item in made)


def _record(rng: random.Random, kind: Kind) -> bytes:
    """Return a record with sections behind every triplet of its kind, as many as fit."""
    places: Mapping[int, Layout] = decoded_kinds()[kind]
    count = max(places) + 1
    sections: dict[int, bytes] = {}
    room = _LONGEST_RECORD
    for position, layout in places.items():
        content = _section(rng, layout)
        if rng.random() < 0.85 and len(content) < room:
            sections[position] = content
            room -= len(content)
    return record(
        (kind.record_type, kind.record_subtype), _header(rng, kind, count), sections, count
    )


def _header(rng: random.Random, kind: Kind, count: int) -> bytes:
    if kind in _STUBS:
        return STUB + (qwhx() if rng.random() < 0.5 else b"")
    if kind in _SHORT:
        return short_qwhs(count) + section("QWHC") + rng.choice([b"", qwhx()])
    columns = {
        "qwhslen": 52,
        "qwhsnsda": count,
        "qwhsstck": rng.choice([0, 1_741_611_600_000_000, rng.getrandbits(50)]),
        "qwhstime": rng.choice([0, 1_741_591_800_000_000, rng.getrandbits(50)]),
        "qwhsdurn": rng.choice([0, 1_800_000_000, rng.getrandbits(63)]),
        "qwhsflag1": rng.choice([0, 0x40]),
    }
    return section("QWHS", **columns) + rng.choice([b"", qwhx()])


def _section(rng: random.Random, layout: Layout) -> bytes:
    """A section of a random level: head as it should be, the rest random."""
    lengths = [*layout.versions.values(), layout.length]
    length = rng.choice([*lengths, rng.randint(8, layout.length + 30)])
    head = encode_sections(layout, {}, min(length, layout.length), 1).tobytes()
    sound = 8 if layout.eyecatcher else 0
    rest = bytearray(rng.randbytes(length - sound))
    if rng.random() < 0.3:
        rest = bytearray(len(rest))
    return head[:sound] + bytes(rest)


def _randomised(rng: random.Random, record: bytes) -> bytes:
    """A facility record with random bytes behind its product section."""
    begin = 124 + 104
    size = rng.randint(0, len(record) - begin)
    place = rng.randint(begin, len(record) - size)
    return record[:place] + rng.randbytes(size) + record[place + size :]
