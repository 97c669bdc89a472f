from __future__ import annotations

from itertools import pairwise

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import (
    column_names,
    dtype_of,
    flat_fields,
    layouts,
    level_length,
)
from tests.many_values import for_each

GOLDEN_LENGTHS = {
    "QJST": {"8.0.0": 576, "9.1.4": 596, "9.3.5": 596, "9.4.0": 720, "10.0.0": 720},
    "QMST": {"8.0.0": 72, "9.0.3": 104, "9.4.1": 104, "9.4.3": 300, "9.4.5": 328, "10.0.0": 328},
    "QQST": {"8.0.0": 0, "9.3.0": 84, "9.3.1": 120, "9.3.3": 552, "9.4.3": 672, "10.0.0": 672},
    "QCCT": {"8.0.0": 48, "9.3.4": 48, "9.3.5": 64, "10.0.0": 64},
    "QCST": {"8.0.0": 324, "9.4.5": 324, "10.0.0": 340},
    "QESD": {"8.0.0": 328, "9.3.0": 336},
    "WQST": {"8.0.0": 2792, "9.3.0": 2788, "9.3.2": 2800},
    "QIS1": {"8.0.0": 0, "9.0.0": 104, "10.0.0": 104},
    "QPST": {"8.0.0": 104, "10.0.0": 104},
    "R744P": {"10.0.0": 68},
}


def test_all_structures_are_there() -> None:
    assert len(layouts()) == 55


@pytest.mark.parametrize("name", sorted(GOLDEN_LENGTHS))
def test_the_length_follows_the_product_level(name: str) -> None:
    levels = GOLDEN_LENGTHS[name]
    assert {level: level_length(layouts()[name], level) for level in levels} == levels


@for_each("name", sorted(layouts()))
def test_fields_lie_one_behind_the_other_and_have_names_of_their_own(name: str) -> None:
    layout = layouts()[name]
    names = column_names(layout)
    assert len(names) == len(set(names))
    fields = list(flat_fields(layout))
    assert all(before.end == after.offset for before, after in pairwise(fields))
    assert dtype_of(layout, fields[-1].end).itemsize == fields[-1].end


def test_a_section_without_room_for_any_field_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="holds no field of QJST"):
        dtype_of(layouts()["QJST"], 1)


def test_the_self_defining_sections_state_which_triplet_is_which_structure() -> None:
    kinds = {
        kind: {place: result.name for place, result in places.items()}
        for kind, places in decoded_kinds().items()
    }
    assert kinds[Kind(115, 1)] == {9: "QSST", 11: "QJST"}
    assert kinds[Kind(115, 231)] == {1: "QCCT", 2: "QCTDSP", 3: "QCTADP", 4: "QCTSSL", 5: "QCTDNS"}
    assert kinds[Kind(74, 4)][6] == "R744P"
    assert kinds[Kind(74, 5)] == {2: "R745D"}
    assert len(kinds) == 15
