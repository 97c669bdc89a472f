"""``python -m devtools.advisories.renew FOLDER``: make the file anew from a copy of the database.

The folder is a checkout of the Python packaging advisory database (files ``vulns/NAME/*.yaml`` in
the OSV schema). Only what concerns a pinned package is kept, and nothing of the texts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name

from devtools.advisories.advisory import FILE, Advisories, Advisory
from tests.pins import pins


def main() -> int:
    """Write the file; 1 when the folder is no such checkout."""
    parser = argparse.ArgumentParser(description="Renew the advisories that are checked.")
    parser.add_argument("folder", type=Path, help="a checkout of the advisory database")
    folder = parser.parse_args().folder
    advisories = collected(folder, pins())
    if not advisories.advisories:
        sys.stderr.write(f"{folder}: no vulns/NAME/*.yaml of a pinned package; nothing written\n")
        return 1
    FILE.write_text(
        advisories.model_dump_json(indent=1, exclude_defaults=True) + "\n", encoding="utf-8"
    )
    sys.stdout.write(f"{FILE.name}: {len(advisories.advisories)} advisories\n")
    return 0


def collected(folder: Path, pinned: dict[str, str]) -> Advisories:
    """Return the advisories of the database on the pinned packages."""
    advisories = [
        advisory
        for name in sorted(pinned)
        for file in sorted((folder / "vulns" / name).glob("*.yaml"))
        for advisory in read(yaml.safe_load(file.read_text(encoding="utf-8")))
    ]
    return Advisories(
        source="Python packaging advisory database (CC-BY 4.0)",
        packages=tuple(sorted(pinned)),
        advisories=tuple(sorted(advisories, key=lambda advisory: (advisory.package, advisory.id))),
    )


def read(entry: dict[str, Any]) -> Iterator[Advisory]:
    """Yield an advisory per package of a database entry; none when it was withdrawn."""
    if entry.get("withdrawn"):
        return
    for affected in entry["affected"]:
        ranges = [item for item in affected.get("ranges", []) if item["type"] == "ECOSYSTEM"]
        yield Advisory(
            id=entry["id"],
            aliases=entry.get("aliases", ()),
            package=canonicalize_name(affected["package"]["name"]),
            published=entry.get("published"),
            ranges=tuple(tuple(item["events"]) for item in ranges),
            versions=() if ranges else affected.get("versions", ()),
        )


if __name__ == "__main__":
    sys.exit(main())
