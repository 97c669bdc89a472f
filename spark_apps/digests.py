"""Which dates of ``metric_hourly`` have to be computed again.

Each date keeps a digest of all that its rows depend on: the files that touch it, where their
systems belong, the settings that enter a figure, and the declared metrics. A date whose digest
has changed is stale, whatever the reason: late data, a rerun, a backfill, another estate.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.metric import Metric
from mqcap.lake.layout import METRIC_SOURCES, Manifest, write_json

AGGREGATE_VERSION: Final = "3"
"""Raise it when the same sections would give other rows of a date."""


@dataclass(frozen=True)
class Placement:
    """What the site and the 74.4 records tell about where systems belong."""

    sysplex_by_smfid: Mapping[str, str] = field(default_factory=dict)
    sysplex_by_qmgr: Mapping[str, str] = field(default_factory=dict)
    chinit_31bit_limits_mib: Mapping[str, float] = field(default_factory=dict)


def placement(estate: Estate, sources: Iterable[Manifest]) -> Placement:
    """The settings first; systems that they do not list are placed by their 74.4 records."""
    by_smfid: dict[str, str] = {}
    for source in sorted(sources, key=lambda manifest: manifest.sha256):
        by_smfid.update(source.sysplex_by_smfid)
    by_smfid.update(estate.sysplex_by_smfid())
    owners: dict[str, set[str]] = {}
    limits: dict[str, float] = {}
    for plex in estate.sysplexes:
        for qmgr in plex.qmgrs:
            owners.setdefault(qmgr.name, set()).add(plex.sysplex)
            if qmgr.chinit_31bit_limit_mib is not None:
                limits[f"{plex.sysplex}/{qmgr.name}"] = qmgr.chinit_31bit_limit_mib
    by_qmgr = {name: next(iter(plexes)) for name, plexes in owners.items() if len(plexes) == 1}
    return Placement(by_smfid, by_qmgr, limits)


def digests(
    sources: Sequence[Manifest], place: Placement, metrics: Iterable[Metric]
) -> dict[date, str]:
    """For each UTC date that any source touches: the digest of what its rows depend on."""
    common = {
        "version": AGGREGATE_VERSION,
        "metrics": [metric.model_dump(mode="json") for metric in metrics],
        "sysplex_by_qmgr": dict(place.sysplex_by_qmgr),
        "limits": dict(place.chinit_31bit_limits_mib),
    }
    by_date: dict[date, list[Manifest]] = {}
    for source in sources:
        for day in source.hour_dates:
            by_date.setdefault(day, []).append(source)
    shared = _digest(common)
    return {day: _of_date(shared, touching, place) for day, touching in by_date.items()}


def recorded(lake: Path) -> dict[date, str]:
    """The digests that the last aggregation left."""
    found = {}
    for path in sorted((lake / METRIC_SOURCES).glob("hour_date=*.json")):
        day = date.fromisoformat(path.stem.partition("=")[2])
        found[day] = str(json.loads(path.read_text(encoding="utf-8"))["sources_digest"])
    return found


def record(lake: Path, day: date, digest: str) -> None:
    """Say that the rows of one date are those of this digest."""
    path = lake / METRIC_SOURCES / f"hour_date={day.isoformat()}.json"
    write_json(path, {"sources_digest": digest})


def stale_dates(wanted: Mapping[date, str], have: Mapping[date, str]) -> dict[date, str]:
    """Dates to rewrite, each with its new digest; a date that lost its files gets an empty one."""
    gone = {day: NOTHING for day in have if day not in wanted}
    return {
        day: digest for day, digest in sorted({**wanted, **gone}.items()) if have.get(day) != digest
    }


def _of_date(shared: str, touching: Sequence[Manifest], place: Placement) -> str:
    smfids = sorted({smfid for source in touching for smfid in source.smfids})
    return _digest(
        {
            "shared": shared,
            "files": sorted((source.sha256, source.decoder_version) for source in touching),
            "systems": {smfid: place.sysplex_by_smfid.get(smfid) for smfid in smfids},
        }
    )


def _digest(document: Mapping[str, object]) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


NOTHING: Final = _digest({})
"""Digest of a date that no file touches any more."""
