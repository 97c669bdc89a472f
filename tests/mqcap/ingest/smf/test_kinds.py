from __future__ import annotations

from mqcap.ingest.smf.kinds import PRODUCT_STRUCTURE, Kind, decoded_kinds
from mqcap.ingest.smf.layout import layouts


def test_a_kind_is_shown_as_type_and_subtype() -> None:
    assert str(Kind(115, 231)) == "115.231"


def test_statistics_accounting_and_facilities_are_decoded() -> None:
    assert {
        Kind(115, 1),
        Kind(115, 2),
        Kind(115, 231),
        Kind(116, 1),
        Kind(74, 4),
        Kind(74, 5),
    } <= set(decoded_kinds())


def test_triplets_point_to_layouts_and_never_to_the_product_header() -> None:
    for kind, structures in decoded_kinds().items():
        for position, layout in structures.items():
            assert layouts()[layout.name] is layout
            if kind.record_type != 74:
                assert position > 0
                assert layout.name != "QWHS"


def test_a_facility_record_begins_with_the_product_section() -> None:
    structures = decoded_kinds()[Kind(74, 4)]
    assert structures[0].name == PRODUCT_STRUCTURE
    assert {"R744F", "R744G", "R744S", "R744P"} <= {
        structure.name for structure in structures.values()
    }


def test_of_a_record_of_cache_activity_only_the_devices_are_decoded() -> None:
    assert decoded_kinds()[Kind(74, 5)] == {2: layouts()["R745D"]}
