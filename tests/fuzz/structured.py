"""Sound records around random sections: what lies in them reaches every layout's decoder."""

import random
from collections.abc import Mapping

from devtools.simulator.encode.fields import encode_sections
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import Layout
from tests.mqcap.ingest.dumps import cf_dump_records, mq_dump_records
from tests.mqcap.ingest.smf.test_header import STUB, qwhx, record, section, short_qwhs

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
