"""What places of inputs and names in their files do not agree on."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mqcap.domain.estate import Estate
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.manifest import Manifest

INPUTS_KEY = "ingest.inputs"


def place_problems(
    source: Manifest, name: str, every: Collection[Manifest], estate: Estate
) -> Iterator[str]:
    """Yield a sentence for each system of a file whose sysplex is not known or contradicted.

    Args:
        source: The file.
        name: Under which it was delivered.
        every: All files of the lake, whose RMF records name sysplexes too.
        estate: Sysplexes and sites of the settings.
    """
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


def unlisted_sentence(name: str, what: str, site: str, key: str, listed: str) -> str:
    """Return the sentence about a name that the site of its input does not list."""
    return (
        f"{name}: {what} is not listed by {site}, of which the file is by {INPUTS_KEY}; its "
        f"figures are left out until that entry of estate lists it: {key}: [{{name: {listed}}}]."
    )


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
