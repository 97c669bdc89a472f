"""Kinds of record that are decoded, with the structures that their triplets point to."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from mqcap.ingest.smf.layout import Layout, layouts

MQ_STATISTICS: Final = 115
MQ_ACCOUNTING: Final = 116
RMF_ACTIVITY: Final = 74
PRODUCT_STRUCTURE: Final = "SMF74PRO"
FACILITY_STRUCTURE: Final = "R744F"

FIRST_TRIPLET_AT: Final = layouts()["SM115"].length
TRIPLET_BYTES: Final = sum(field.length for field in layouts()["SM115_1"].fields[:3])
_SELF_DEFINING: Final = re.compile(r"SM(\d+)_(\d+)")
_SUFFIX: Final = ".offset"
_QWHS: Final = "QWHS"


class Kind(NamedTuple):
    """Record type and subtype."""

    record_type: int
    record_subtype: int

    def __str__(self) -> str:
        return f"{self.record_type}.{self.record_subtype}"


CF_ACTIVITY: Final = Kind(RMF_ACTIVITY, 4)
CACHE_ACTIVITY: Final = Kind(RMF_ACTIVITY, 5)


@lru_cache(maxsize=1)
def decoded_kinds() -> Mapping[Kind, Mapping[int, Layout]]:
    """Return the structures of each decoded kind, by the position of their triplet.

    Triplet 0 of the MQ kinds (QWHS) and of 74.5 (the product section) is not among them, as its
    facts are in front of every row, nor are triplets whose structure is not documented.
    """
    structures = {
        Kind(int(match[1]), int(match[2])): _structures(layout, "")
        for name, layout in layouts().items()
        if (match := _SELF_DEFINING.fullmatch(name))
    }
    structures[CF_ACTIVITY] = _structures(layouts()["SMF74HDR"], "R744")
    cache = _structures(layouts()["SMF74HDR5"], "R745")
    structures[CACHE_ACTIVITY] = MappingProxyType(
        {place: layout for place, layout in cache.items() if layout.name != PRODUCT_STRUCTURE}
    )
    return MappingProxyType(structures)


def _structures(header: Layout, prefix: str) -> Mapping[int, Layout]:
    places = {}
    for field in header.fields:
        name = field.name.removesuffix(_SUFFIX)
        structure = PRODUCT_STRUCTURE if name == "PR" else prefix + name
        if field.name.endswith(_SUFFIX) and name != _QWHS and structure in layouts():
            places[(field.offset - FIRST_TRIPLET_AT) // TRIPLET_BYTES] = layouts()[structure]
    return MappingProxyType(places)
