"""Where distributed queue managers and their hosts belong, from the settings of the site."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from mqcap.domain.estate import Estate
from mqcap.lake.manifest import Manifest
from spark_apps.qmgr_settings import SettingPeriod, in_force_on, setting_periods


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
