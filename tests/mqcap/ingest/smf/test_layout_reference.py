"""The layout files against the reference they were made from, where that is at hand."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa
import pytest

from mqcap.ingest.smf.columns import column_type
from mqcap.ingest.smf.decode import column_fields, decode
from mqcap.ingest.smf.layout import Field, Layout, layouts
from tests.many_values import for_each
from tests.shared import shared_cases, shared_dir

CORRECTED = {("WTAS", "wtasstrt"): "Start_Time"}
"""The reference gives the heading of another field."""
OF_PUBLIC_PAGES = {"R745D", "SMF74HDR5"}
"""Structures of cache activity, made from the vendor's pages that docs/inputs.md names."""
FACTS = ("name", "offset", "length", "type", "description", "csv_column", "certainty")
ARRAY_FACTS = ("count", "stride")
MQ_STRUCTURES = sorted(name for name, one in layouts().items() if one.eyecatcher)


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
