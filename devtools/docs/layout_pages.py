"""The pages of ``docs/layouts``, made of the layout files: every structure with its fields.

Nothing here knows a field; ``make docs-site`` writes the pages.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from devtools.docs.markdown import page, table
from mqcap.ingest.smf.columns import column_type
from mqcap.ingest.smf.kinds import CF_ACTIVITY, MQ_ACCOUNTING, RMF_ACTIVITY, decoded_kinds
from mqcap.ingest.smf.layout import Field, FieldType, Layout, layouts

_TYPES: Final = {
    FieldType.EBCDIC: "text",
    FieldType.STCK: "TOD clock",
    FieldType.STCKOFF: "signed TOD units",
    FieldType.TIMEVAL: "TOD units",
    FieldType.PACKED: "packed decimal",
    FieldType.HFP64: "hexadecimal float",
    FieldType.HFP32: "short hexadecimal float",
    FieldType.BYTES: "bytes",
    FieldType.REPEAT: "array",
    **dict.fromkeys((FieldType.U8, FieldType.U16, FieldType.U32, FieldType.U64), "unsigned"),
    **dict.fromkeys((FieldType.I16, FieldType.I32, FieldType.I64), "signed"),
}
_UNITS: Final = {
    FieldType.STCK: "instant, UTC",
    FieldType.TIMEVAL: "microseconds",
    FieldType.STCKOFF: "microseconds",
}
"""Units that every value of a type has."""
_MARKS: Final = {None: "V", "A": "A", "B": "**B**", "C": "**C**"}
_TITLES: Final = {
    "statistics-115.md": "MQ statistics (type 115)",
    "accounting-116.md": "MQ accounting (type 116)",
    "coupling-facility-74-4.md": "Coupling facility activity (type 74 subtype 4)",
    "cache-74-5.md": "Cache activity (type 74 subtype 5)",
    "headers.md": "Record headers and self-defining sections",
}
_STATISTICS, _ACCOUNTING, _FACILITY, _CACHE, _HEADERS = _TITLES
_WRITTEN: Final = (
    "Written by `make docs-site` from `mqcap/ingest/smf/layouts/`: change those, not this page."
)
_LEGEND: Final = f"""\
{_WRITTEN}

Offsets count from the start of the section; in headers from the start of the record, its 4-byte
descriptor word included. Numbers are big-endian. The column is the name in the datasets, in CSV
and in Parquet. A field is null in records of a level before its own, and where its bytes say
"not available" (given as *null when*).

How certain a field is:

| mark | meaning |
| --- | --- |
| V | checked value by value against IBM's formatter and dumps |
| A | offset and length as printed by the vendor |
| **B** | order and type from the vendor's mapping, offset computed from the lengths |
| **C** | offset assumed |

A figure that rests on a field marked **B** or **C** never drives an alert alone.
"""


def pages() -> dict[str, str]:
    """The text of every page by its file name."""
    members: dict[str, list[Layout]] = {name: [] for name in _TITLES}
    for _, layout in sorted(layouts().items()):
        members[_page_of(layout)].append(layout)
    head = f"{_WRITTEN} Marks and terms: [README.md](README.md)."
    by_file = {
        name: page(f"# {title}\n\n{head}\n", *map(_structure, members[name]))
        for name, title in _TITLES.items()
    }
    return {"README.md": _index(members), **by_file}


def _page_of(layout: Layout) -> str:
    kinds = {kind for kind, places in decoded_kinds().items() if layout in set(places.values())}
    types = {kind.record_type for kind in kinds}
    if layout.name == "QWHC":
        return _ACCOUNTING
    if not types:
        return _HEADERS
    if RMF_ACTIVITY in types:
        return _FACILITY if CF_ACTIVITY in kinds else _CACHE
    return _ACCOUNTING if types == {MQ_ACCOUNTING} else _STATISTICS


def _index(members: Mapping[str, list[Layout]]) -> str:
    records = (
        (kind, ", ".join(f"{place} {_link(layout)}" for place, layout in sorted(places.items())))
        for kind, places in sorted(decoded_kinds().items())
    )
    structures = (
        (_link(layout), _sizes(layout), sum(1 for _ in _listed(layout)))
        for several in members.values()
        for layout in several
    )
    uncertain = sum(
        1 for layout in layouts().values() for field in layout.fields if _is_uncertain(field)
    )
    return page(
        f"# SMF layouts\n\n{_LEGEND}\n## Records\n\n",
        table("record | sections, by triplet", records),
        "\n## Structures\n\n",
        table("structure | bytes, and the level from which on | fields", structures),
        f"\n{uncertain} fields are marked **B** or **C**.\n",
    )


def _structure(layout: Layout) -> Iterator[str]:
    facts = [layout.used_by, f"{_sizes(layout)} bytes", layout.note]
    if layout.eyecatcher:
        facts.insert(1, f"eye catcher `{layout.eyecatcher}`")
    if any(_is_uncertain(field) for field in layout.fields):
        facts.append("**some fields are uncertain: see the marks**")
    yield from ("", f"## {layout.name}", "")
    yield from ("; ".join(fact.rstrip(".") for fact in facts if fact) + ".", "")
    yield from table(
        "field | column | offset | bytes | type | unit | from | mark | meaning",
        (_row(layout, field, place) for field, place in _listed(layout)),
    )


def _listed(layout: Layout) -> Iterator[tuple[Field, str]]:
    """The fields with their offsets, those of an array once, behind it."""
    for field in layout.fields:
        yield field, str(field.offset)
        for inner in field.fields:
            yield inner, f"{field.offset}+{field.stride}n+{inner.offset}"


def _row(layout: Layout, field: Field, place: str) -> tuple[str, ...]:
    is_column = field.type is not FieldType.REPEAT and not field.is_reserved
    meaning = field.description.replace("|", "\\|")
    if field.type is FieldType.REPEAT:
        meaning = f"{field.count} entries of {field.stride} bytes. {meaning}".strip()
    if field.absent:
        absent = ", ".join(str(value) for value in field.absent)
        meaning = f"{meaning} (*null when* {absent})"
    return (
        field.name,
        f"`{field.column}` {column_type(field)}" if is_column else "",
        place,
        str(field.length),
        _TYPES[field.type],
        field.unit or _UNITS.get(field.type, ""),
        _first_level(layout, field),
        _MARKS[field.certainty],
        meaning,
    )


def _first_level(layout: Layout, field: Field) -> str:
    """The first level whose sections hold the field; empty when all do."""
    levels = list(layout.versions)
    fitting = [level for level in levels if layout.versions[level] >= field.end]
    if len(fitting) == len(levels):
        return ""
    is_from_there_on = fitting == levels[len(levels) - len(fitting) :]
    return fitting[0] if is_from_there_on and fitting else ", ".join(fitting)


def _sizes(layout: Layout) -> str:
    """Lengths by version, such as ``576 (8.0), 596 (9.1.4)``, or the one length."""
    if not layout.versions:
        return str(layout.length)
    return ", ".join(f"{length} ({level})" for level, length in layout.versions.items())


def _link(layout: Layout) -> str:
    return f"[{layout.name}]({_page_of(layout)}#{layout.name.lower()})"


def _is_uncertain(field: Field) -> bool:
    return field.certainty in {"B", "C"}
