"""Describe an input file for a person: what it holds, and that every byte is accounted for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table

from ingest.sources.registry import source_for
from pipeline.lake_paths import sha256_of


def describe(file: Path) -> RenderableType:
    """A table of one file. Raises InputError when no source accepts it."""
    source = source_for(file)
    reading = source.read(file, sha256_of(file))
    rows: Counter[str] = Counter()
    systems: set[str] = set()
    for dataset, table in reading.tables():
        rows[dataset] += table.num_rows
        if "smfid" in table.column_names:
            systems |= {str(value) for value in table.column("smfid").unique().to_pylist()}
    summary = reading.summary()
    facts = Table(title=str(file), show_header=False, title_justify="left")
    facts.add_row("source, framing", f"{source.name}, {summary.framing}")
    facts.add_row("systems", ", ".join(sorted(systems)))
    facts.add_row("intervals", f"{summary.first_interval_utc} to {summary.last_interval_utc} UTC")
    facts.add_row("records", f"{summary.record_count:,}")
    total = summary.decoded_bytes + summary.skipped_bytes + summary.quarantined_bytes
    facts.add_row(
        "bytes",
        f"{summary.content_bytes:,} = {summary.decoded_bytes:,} decoded "
        f"+ {summary.skipped_bytes:,} skipped + {summary.quarantined_bytes:,} quarantined"
        + ("" if total == summary.content_bytes else f" (NOT BALANCED: {total:,})"),
    )
    for dataset in sorted(rows):
        facts.add_row(dataset, f"{rows[dataset]:,} rows")
    return Group(facts, *summary.problems)
