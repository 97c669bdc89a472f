"""What a load has to report about its files, by the names under which they were delivered."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from mqcap.domain.datasets import ZOS_SAMPLE
from mqcap.domain.distributed.site_figure import UNITS
from mqcap.domain.estate import Estate
from mqcap.domain.numbers import counted, figure
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.manifest import Manifest
from mqcap.store.models import SourceFileFacts

INPUTS_KEY: Final = "ingest.inputs"
SMF_OF_SAMPLES: Final = tuple(
    f"section_{name}" for name in ("qcct", "qesd", "qis1", "qmst", "qpst", "qqst")
)
"""Datasets of SMF that have what a monitor samples on z/OS: channels, page sets, pools."""


def load_problems(
    loaded: Collection[Manifest], names: Mapping[str, str], estate: Estate
) -> Iterator[str]:
    """Yield a sentence for what no figure is made of; ``names`` as delivered by content hash."""
    sites, of_ztpf = estate.sites_of_qmgrs(), estate.sites_of_ztpf()
    estate_sites = {place.site for place in estate.places}
    for manifest in sorted(loaded, key=lambda file: names.get(file.sha256, file.name)):
        name = names.get(manifest.sha256, manifest.name)
        yield from _unused_figures(name, manifest, estate)
        site = manifest.root if manifest.root in estate_sites else ""
        root = manifest.root if manifest.root in estate.zones() else ""
        for key, what, found, listed, of in (
            ("qmgrs", "queue manager", manifest.qmgrs, sites, site),
            ("ztpf", "z/TPF system", manifest.ztpf_systems, of_ztpf, root),
        ):
            for one in found:
                entry = f"{key}: [{{name: {one}}}]"
                yield from _unplaced(f"{name}: {what} {one}", listed.get(one, ()), of, entry)
        placed = {
            site or sites[qmgr][0]
            for qmgr in manifest.qmgrs
            if (site in sites.get(qmgr, ()) if site else len(sites.get(qmgr, ())) == 1)
        }
        for place in estate.places:
            if place.site in placed and manifest.scrape_step_seconds > place.scrape_seconds:
                yield (
                    f"{name}: the step of {figure(manifest.scrape_step_seconds)} s is above the "
                    f"scrape_seconds of {place.site} ({figure(place.scrape_seconds)}): samples "
                    "between are missing, so what mq_prometheus counted since a scrape is left out "
                    "there; gauges count. Ask with that step."
                )


def beside_smf(
    loaded: Collection[Manifest], in_lake: Collection[Manifest], names: Mapping[str, str]
) -> Iterator[str]:
    """Yield a sentence when files have samples of z/OS of dates that SMF, in any file, has too."""
    of_smf = {
        day
        for manifest in in_lake
        if any(manifest.rows.get(dataset) for dataset in SMF_OF_SAMPLES)
        for day in manifest.hour_dates
    }
    sampled = [
        manifest
        for manifest in loaded
        if manifest.rows.get(ZOS_SAMPLE.name) and of_smf.intersection(manifest.hour_dates)
    ]
    if sampled:
        first, *others = sorted(names.get(file.sha256, file.name) for file in sampled)
        more = f" and {counted(len(others), 'other file')}" if others else ""
        dates = {day for manifest in sampled for day in manifest.hour_dates}
        yield (
            f"{first}{more}: SMF was loaded for {len(dates & of_smf)} of the "
            f"{counted(len(dates), 'UTC date')} sampled; in an hour in which SMF has the same "
            "figure, SMF counts and the samples do not."
        )


def refused(loaded: Collection[Manifest]) -> bool:
    """Return whether any file gave nothing."""
    return any(manifest.problem is not None for manifest in loaded)


def _unused_figures(name: str, manifest: Manifest, estate: Estate) -> Iterator[str]:
    units = {**UNITS, **{figure.figure: figure.unit for figure in estate.site_figures}}
    steps = {figure.figure for figure in estate.site_figures if figure.step_seconds}
    roots = {part.root for part in estate.parts}
    yielded: set[str] = set()
    for fact in manifest.site_figures:
        reason = ""
        if fact.figure not in units:
            reason = "declared in no entry of site_figures of the settings"
        elif fact.unit not in {"", units[fact.figure]}:
            reason = f"in {fact.unit}; its unit is {units[fact.figure]}"
        elif fact.root not in roots:
            reason = f"of {fact.root}, which is no sysplex or site of the estate"
        elif not fact.has_step and fact.figure not in steps:
            reason = (
                f"of subjects of {fact.root} with a single value in the file, so that the time "
                "it stands for is not known: send two or more of each, or declare step_seconds"
            )
        if reason and (sentence := f"{fact.figure} is {reason}") not in yielded:
            yielded.add(sentence)
            yield f"{name}: site figure {sentence}; it is left out."


def _unplaced(what: str, sites: tuple[str, ...], root: str, entry: str) -> Iterator[str]:
    if root:
        if root not in sites:
            yield (
                f"{what} is not listed by {root}, of which the file is by {INPUTS_KEY}; its "
                f"figures are left out until that entry of estate lists it: {entry}."
            )
    elif not sites:
        yield (
            f"{what} is in no site of the settings; its figures are left out until an entry of "
            f"estate lists it: {entry}."
        )
    elif len(sites) > 1:
        yield (
            f"{what} is in several sites ({', '.join(sites)}); its figures are left out until an "
            f"entry of {INPUTS_KEY} says of which of them the file is."
        )


def reported_before(
    rejected: Iterable[str], earlier: Iterable[SourceFileFacts], now: Iterable[SourceFileFacts]
) -> set[str]:
    """Return sentences about contents rejected before: ``earlier`` and ``now`` are as stored."""
    known = {file.sha256: file.problem for file in earlier if file.problem}
    new = [file.problem for file in now if file.problem and file.sha256 not in known]
    return {
        sentence
        for sentence in rejected
        if any(sentence in problem for problem in known.values())
        and not any(sentence in problem for problem in new)
    }


def place_problems(
    source: Manifest, name: str, every: Collection[Manifest], estate: Estate
) -> Iterator[str]:
    """Yield a sentence per system whose sysplex is unknown, or contradicted by ``every`` file."""
    root = roots_of_files(estate, [source], frozenset()).get(source.sha256, "")
    if source.root and not root:
        yield (
            f"{name}: {INPUTS_KEY} had the file of {source.root}, which estate does not have; it "
            "is taken as a file of no entry."
        )
    if root in {plex.sysplex for plex in estate.sysplexes}:
        yield from _of_others(source, name, root, estate)
    elif not root:
        yield from _of_several(source, name, every, estate)


def _of_others(source: Manifest, name: str, root: str, estate: Estate) -> Iterator[str]:
    listed = estate.sysplexes_of_smfids()
    plexes = {plex.sysplex for plex in estate.sysplexes}
    for smfid in source.smfids:
        recorded = source.sysplex_by_smfid.get(smfid, "")
        others = [recorded] if recorded in plexes else list(listed.get(smfid, ()))
        if others and root not in others:
            by = "by its RMF records" if recorded in plexes else "in estate"
            yield (
                f"{name}: system {smfid} is of {' and '.join(others)} {by} and of {root} by "
                f"{INPUTS_KEY}, which counts. Correct the entry if the file is not of {root}."
            )


def _of_several(
    source: Manifest, name: str, every: Collection[Manifest], estate: Estate
) -> Iterator[str]:
    shared = sysplexes_of_systems(estate, every).shared
    if roots_of_files(estate, [source], shared):
        return
    listed = estate.sysplexes_of_smfids()
    for smfid in sorted(shared.intersection(source.smfids)):
        recorded = {other.sysplex_by_smfid.get(smfid) for other in every if not other.root}
        plexes = listed.get(smfid) or sorted(filter(None, recorded))
        yield (
            f"{name}: system {smfid} is in several sysplexes ({', '.join(plexes)}) and the file in "
            f"no entry of {INPUTS_KEY} with a sysplex. Its records are left out, but for those of "
            "queue managers that one of them lists, until an entry has its folder as path."
        )
