"""What a load has to report about its files, by the names under which they were delivered."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mqcap.domain.estate import Estate
from mqcap.domain.estate.places import Place
from mqcap.domain.numbers import figure
from mqcap.lake.manifest import Manifest


def load_problems(
    loaded: Collection[Manifest], names: Mapping[str, str], estate: Estate
) -> Iterator[str]:
    """Yield a sentence for each file that gave nothing, and for what no figure is made of.

    ``names`` are the delivered names by content hash. A queue manager that is in no place of the
    estate, or in several, has samples in the lake and no figures until the settings place it.
    """
    sites = estate.sites_of_qmgrs()
    for manifest in sorted(loaded, key=lambda each: names.get(each.sha256, each.name)):
        name = names.get(manifest.sha256, manifest.name)
        if manifest.problem is not None:
            yield manifest.problem.replace(manifest.name, name)
        for qmgr in manifest.qmgrs:
            yield from _unplaced(name, qmgr, sites.get(qmgr, ()))
        placed = {sites[qmgr][0] for qmgr in manifest.qmgrs if len(sites.get(qmgr, ())) == 1}
        for place in estate.places:
            if place.site in placed and manifest.scrape_step_seconds > place.scrape_seconds:
                yield _coarse(name, manifest.scrape_step_seconds, place)


def refused(loaded: Collection[Manifest]) -> bool:
    """Return whether any file gave nothing."""
    return any(manifest.problem is not None for manifest in loaded)


def _coarse(name: str, step_seconds: float, place: Place) -> str:
    return (
        f"{name}: the step of {figure(step_seconds)} s is above the scrape_seconds of "
        f"{place.site} ({figure(place.scrape_seconds)}): samples between are missing, so what "
        "mq_prometheus counted since a scrape is left out there; gauges count. Ask with that step."
    )


def _unplaced(name: str, qmgr: str, sites: tuple[str, ...]) -> Iterator[str]:
    if not sites:
        yield (
            f"{name}: queue manager {qmgr} is in no site of the settings; its figures are left "
            f"out until an entry of estate lists it: qmgrs: [{{name: {qmgr}}}]."
        )
    elif len(sites) > 1:
        yield (
            f"{name}: queue manager {qmgr} is in several sites ({', '.join(sites)}); its figures "
            "are left out until one of them lists it."
        )
