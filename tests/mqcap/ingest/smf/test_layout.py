"""Layouts of records and their columns."""

import json
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest

from mqcap.ingest.smf.columns import column_type
from mqcap.ingest.smf.decode import column_fields
from mqcap.ingest.smf.kinds import Kind, decoded_kinds
from mqcap.ingest.smf.layout import (
    Field,
    Layout,
    dtype_of,
    flat_fields,
    layouts,
    level_length,
)
from tests.many_values import for_each
from tests.mqcap.ingest.dumps import decode
from tests.shared import shared_cases, shared_dir

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
CORRECTED = {("WTAS", "wtasstrt"): "Start_Time"}
"""The reference gives the heading of another field."""
OF_PUBLIC_PAGES = {"R745D", "SMF74HDR5"}
"""Structures of cache activity, made from the vendor's pages that docs/inputs.md names."""
FACTS = ("name", "offset", "length", "type", "description", "csv_column", "certainty")
ARRAY_FACTS = ("count", "stride")
MQ_STRUCTURES = sorted(name for name, one in layouts().items() if one.eyecatcher)


@pytest.mark.parametrize("name", sorted(GOLDEN_LENGTHS))
def test_the_length_follows_the_product_level(name: str) -> None:
    levels = GOLDEN_LENGTHS[name]
    assert {level: level_length(layouts()[name], level) for level in levels} == levels


@for_each("name", sorted(layouts()))
def test_fields_lie_one_behind_the_other_and_have_names_of_their_own(name: str) -> None:
    layout = layouts()[name]
    fields = list(flat_fields(layout))
    assert len(fields) == len({field.column for field in fields})
    assert all(before.end == after.offset for before, after in pairwise(fields))
    assert dtype_of(layout, fields[-1].end).itemsize == fields[-1].end


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


def reference() -> dict[str, dict[str, Any]]:
    shared = shared_dir()
    path = None if shared is None else shared / "reference" / "smf_layouts.json"
    if path is None or not path.is_file():
        return {}
    result: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))["structures"]
    return result


REFERENCE = reference()


def facts_of(structure: str, field: Field) -> dict[str, Any]:
    own: dict[str, Any] = {name: getattr(field, name) for name in FACTS}
    if field.fields:
        own |= {name: getattr(field, name) for name in ARRAY_FACTS}
        own["fields"] = [facts_of(structure, inner) for inner in field.fields]
    return own


def wanted_of(structure: str, document: dict[str, Any]) -> dict[str, Any]:
    wanted = {name: document.get(name) for name in FACTS}
    place = (structure, document["name"])
    wanted["csv_column"] = CORRECTED.get(place, wanted["csv_column"])
    if "fields" in document:
        wanted |= {name: document[name] for name in ARRAY_FACTS}
        wanted["fields"] = [wanted_of(structure, inner) for inner in document["fields"]]
    return wanted


@pytest.mark.parametrize("name", shared_cases(sorted(REFERENCE)))
def test_every_field_is_that_of_the_reference(name: str) -> None:
    layout, document = layouts()[name], REFERENCE[name]
    wanted = [wanted_of(name, field) for field in document["fields"]]
    assert [facts_of(name, field) for field in layout.fields] == wanted
    assert (layout.length, layout.eyecatcher) == (document["length"], document["eyecatcher"])
    assert document.get("id") in {layout.id, *layout.other_ids}
    if "versions" in document:
        assert set(layout.versions.values()) == set(document["versions"].values())


@pytest.mark.parametrize("names", shared_cases([pytest.param(REFERENCE, id="all")]))
def test_there_are_no_other_structures(names: dict[str, Any]) -> None:
    assert set(layouts()) - OF_PUBLIC_PAGES == set(names)
    fields = [
        field
        for name, layout in layouts().items()
        if name not in OF_PUBLIC_PAGES
        for field in layout.fields
    ]
    assert len(fields) + sum(len(field.fields) for field in fields) == 1_484


@pytest.mark.parametrize("name", MQ_STRUCTURES)
def test_an_older_level_leaves_null_what_it_does_not_have(name: str) -> None:
    """At every length that any level has; never -1, never 1970."""
    layout = layouts()[name]
    for length in sorted({*layout.versions.values(), layout.length}):
        for content in (bytes(length), b"\xff" * length, b"\x81" * length):
            table = decode(layout, content, length)
            _check(layout, length, table)


def _check(layout: Layout, length: int, table: pa.Table) -> None:
    assert table.schema.names == [field.column for field in column_fields(layout)]
    for field in column_fields(layout):
        values = table[field.column].to_pylist()
        assert table.schema.field(field.column).type == column_type(field)
        if layout.repeat is None and field.end > length:
            assert set(values) <= {None}, field.name
        assert not any(getattr(value, "year", 2000) == 1970 for value in values), field.name
        assert not set(values) & set(field.absent), field.name


@for_each("name", sorted(layouts()))
def test_times_have_a_unit_and_names_are_lower_case(name: str) -> None:
    for field in column_fields(layouts()[name]):
        assert field.column == field.column.lower()
        microseconds = "microseconds" in field.description and field.type.value != "stck"
        has_unit = field.unit is not None or field.type.value in {"timeval", "stckoff"}
        assert has_unit or not microseconds, field.name
