"""Digests of the sources of each date of ``metric_hourly``, and which dates are stale.

Each date keeps a digest of all that its rows depend on: the files that touch it, where their
systems belong, the settings that enter a figure, and the declared metrics. A date whose digest has
changed is stale, whatever the reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from mqcap.domain.estate import Estate
from mqcap.domain.metric import Metric
from mqcap.domain.subject import Subject
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.manifest import Manifest
from mqcap.settings.analysis import AttributionSettings
from spark_apps.qmgr_settings import SettingPeriod, in_force_on, setting_periods
from spark_apps.site_figure_placement import SiteFigurePlacement, site_figure_placement
from spark_apps.transforms.site_midnights import SiteDays


@dataclass(frozen=True)
class DistributedPlacement:
    """Places of queue managers, and what their figures need of the settings."""

    site_by_qmgr: Mapping[str, str] = field(default_factory=dict)
    """The place that lists a queue manager; one that several places list has none."""
    scrape_seconds: Mapping[str, float] = field(default_factory=dict)
    """By place."""
    hosts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """True name of a host by place and label, which has full stops where the name has hyphens."""
    periods: tuple[SettingPeriod, ...] = ()
    site_by_ztpf: Mapping[str, str] = field(default_factory=dict)
    """The place or sysplex that lists a z/TPF system; one that several list has none."""

    def facts_of(self, qmgr: str, day: date) -> list[object]:
        """Return all that the figures of a queue manager on a UTC date depend on beside files."""
        site = self.site_by_qmgr.get(qmgr)
        hosts = sorted(item for item in self.hosts.items() if item[0][0] == site)
        periods = [
            [max(period.from_utc.date(), day).isoformat(), *period[4:]]
            for period in self.periods
            if (period.site, period.qmgr) == (site or "", qmgr) and in_force_on(period, day)
        ]
        return [site, self.scrape_seconds.get(site or ""), hosts, periods]

    def of_root(self, root: str, estate: Estate) -> DistributedPlacement:
        """Return what files see whose input belongs to a sysplex or site: what that one lists.

        A sysplex lists no distributed queue managers; those are found by name.
        """
        ztpf = {name: root for name, roots in estate.sites_of_ztpf().items() if root in roots}
        if root not in self.scrape_seconds:
            return replace(self, site_by_ztpf=ztpf)
        qmgrs = {name: root for name, roots in estate.sites_of_qmgrs().items() if root in roots}
        return replace(self, site_by_qmgr=qmgrs, site_by_ztpf=ztpf)


def distributed_placement(estate: Estate, sources: Iterable[Manifest]) -> DistributedPlacement:
    """Return the places of the estate, with the settings that files have brought."""
    owners = estate.sites_of_qmgrs()
    site_by_qmgr = {name: sites[0] for name, sites in owners.items() if len(sites) == 1}
    sites = {place.site for place in estate.places}

    def site_of(root: str, qmgr: str) -> str:
        if root in sites:
            return root if root in owners.get(qmgr, ()) else ""
        return site_by_qmgr.get(qmgr, "")

    return DistributedPlacement(
        site_by_qmgr=site_by_qmgr,
        scrape_seconds={place.site: place.scrape_seconds for place in estate.places},
        hosts={
            (place.site, host.name.replace("-", ".")): host.name
            for place in estate.places
            for host in place.hosts
        },
        periods=setting_periods(sources, site_of),
        site_by_ztpf={
            name: sites[0] for name, sites in estate.sites_of_ztpf().items() if len(sites) == 1
        },
    )


AGGREGATE_VERSION: Final = "7"
"""Raise it when the same sections would give other rows of a date."""
_PRESENTED: Final = {"label", "fields", "lowest_of"}
"""Fields of a metric that only present it. They do not enter the digest: dates that an earlier
release aggregated would all be stale."""


@dataclass(frozen=True)
class Placement:
    """The sysplex of each system and queue manager; ``for_file`` returns it as one file sees it."""

    sysplex_by_smfid: Mapping[str, str] = field(default_factory=dict)
    sysplex_by_qmgr: Mapping[str, str] = field(default_factory=dict)
    chinit_31bit_limits_mib: Mapping[str, float] = field(default_factory=dict)
    site_days: SiteDays = field(default_factory=SiteDays)
    """Time zones by which parts of metrics belong to a site date."""
    parts_per_day: int = AttributionSettings().parts_per_day
    bridge_queues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    log_volumes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    distributed: DistributedPlacement = field(default_factory=DistributedPlacement)
    site_figures: SiteFigurePlacement = field(default_factory=SiteFigurePlacement)
    sysplex: str = ""
    """Sysplex of all records of z/OS; empty: that of their system or queue manager."""
    shared_smfids: frozenset[str] = frozenset()
    """SMF ids of several sysplexes: records with them belong to none of these by themselves."""
    root_by_file: Mapping[str, str] = field(default_factory=dict)
    """Sysplex or site of the files that are all of one, by content hash."""
    by_root: Mapping[str, Placement] = field(default_factory=dict)
    """What files of each of these sysplexes and sites see."""

    def for_file(self, sha256: str) -> Placement:
        """Return where the systems and queue managers of a delivered file belong."""
        return self.by_root.get(self.root_by_file.get(sha256, ""), self)


def placement(
    estate: Estate,
    sources: Iterable[Manifest],
    site_zone: str = "UTC",
    attribution: AttributionSettings | None = None,
) -> Placement:
    """Return where systems belong: by the settings, else by their RMF records (74.4, 74.5).

    An input's sysplex or site counts before these. Names that occur in several sysplexes are placed
    by it only, or by the RMF records of the same file.
    """
    sources = tuple(sources)
    by_smfid, shared_smfids = sysplexes_of_systems(estate, sources)
    managers = {
        Subject.of(plex.sysplex, own.name): own for plex in estate.sysplexes for own in plex.qmgrs
    }
    limits: dict[str, float] = {
        name: qmgr.chinit_31bit_limit_mib
        for name, qmgr in managers.items()
        if qmgr.chinit_31bit_limit_mib is not None
    }
    by_qmgr = estate.sysplex_by_qmgr()
    zones = estate.zones()
    parts_per_day = (attribution or AttributionSettings()).parts_per_day
    every = Placement(
        by_smfid,
        by_qmgr,
        limits,
        SiteDays(zones, site_zone),
        parts_per_day,
        {name: qmgr.ims_bridge_queues for name, qmgr in managers.items() if qmgr.ims_bridge_queues},
        {name: qmgr.log_volumes for name, qmgr in managers.items() if qmgr.log_volumes},
        distributed_placement(estate, sources),
        site_figure_placement(estate),
        shared_smfids=shared_smfids,
    )
    root_by_file = roots_of_files(estate, sources, shared_smfids)
    sites = {place.site for place in estate.places}
    by_root = {
        root: replace(
            every,
            sysplex="" if root in sites else root,
            distributed=every.distributed.of_root(root, estate),
        )
        for root in sorted(set(root_by_file.values()))
    }
    return replace(every, root_by_file=root_by_file, by_root=by_root)


def date_digests(
    sources: Sequence[Manifest], place: Placement, metrics: Iterable[Metric]
) -> dict[date, str]:
    """Return, for each UTC date that any source touches, the digest of what its rows depend on."""
    common = {
        "version": AGGREGATE_VERSION,
        "metrics": [metric.model_dump(mode="json", exclude=_PRESENTED) for metric in metrics],
        "sysplex_by_qmgr": dict(place.sysplex_by_qmgr),
        "limits": dict(place.chinit_31bit_limits_mib),
        "zones": {**place.site_days.zones, "": place.site_days.default_zone},
        "parts_per_day": place.parts_per_day,
    }
    if place.bridge_queues:
        common["bridge_queues"] = dict(place.bridge_queues)
    if place.log_volumes:
        common["log_volumes"] = dict(place.log_volumes)
    by_date: dict[date, list[Manifest]] = {}
    for source in sources:
        for day in source.hour_dates:
            by_date.setdefault(day, []).append(source)
    shared = _digest(common)
    return {day: _of_date(day, shared, touching, place) for day, touching in by_date.items()}


def stale_dates(current: Mapping[date, str], recorded: Mapping[date, str]) -> dict[date, str]:
    """Return the dates whose digest is not the recorded one, with it; NO_SOURCES without files."""
    gone = {day: NO_SOURCES for day in recorded if day not in current}
    return {
        day: digest
        for day, digest in sorted({**current, **gone}.items())
        if recorded.get(day) != digest
    }


def _of_date(day: date, shared: str, touching: Sequence[Manifest], place: Placement) -> str:
    document: dict[str, object] = {
        "shared": shared,
        "files": [
            (source.sha256, source.decoder_version)
            for source in sorted(touching, key=lambda source: (source.source, source.arrival))
        ],
    }
    by_root: dict[str, list[Manifest]] = {"": []}
    for source in touching:
        by_root.setdefault(place.root_by_file.get(source.sha256, ""), []).append(source)
    document |= _names_in(day, by_root.pop(""), place)
    figures = [fact for source in touching for fact in source.site_figures]
    if figures:
        document["site_figures"] = place.site_figures.facts_of(figures)
    if by_root:
        document["roots"] = {
            root: {
                "files": sorted(source.sha256 for source in sources),
                **_names_in(day, sources, place.by_root[root]),
            }
            for root, sources in by_root.items()
        }
    return _digest(document)


def _names_in(day: date, sources: Sequence[Manifest], place: Placement) -> dict[str, object]:
    """Return where the systems and queue managers of files belong, and their settings."""
    smfids = sorted({smfid for source in sources for smfid in source.smfids})
    document: dict[str, object] = {
        "systems": {smfid: place.sysplex or place.sysplex_by_smfid.get(smfid) for smfid in smfids}
    }
    if shared := sorted(place.shared_smfids.intersection(smfids)):
        document["shared_smfids"] = shared
    if qmgrs := sorted({qmgr for source in sources for qmgr in source.qmgrs}):
        document["qmgrs"] = {qmgr: place.distributed.facts_of(qmgr, day) for qmgr in qmgrs}
    if systems := sorted({system for source in sources for system in source.ztpf_systems}):
        document["ztpf"] = {name: place.distributed.site_by_ztpf.get(name) for name in systems}
    return document


def _digest(document: Mapping[str, object]) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


NO_SOURCES: Final = _digest({})
"""Digest of a date that no file touches any more."""
