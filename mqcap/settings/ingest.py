"""Settings of the arrival of files, and of where the files of an input belong."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Annotated, Self

from pydantic import Discriminator, Field, Tag, model_validator

from mqcap.domain.estate import Estate, Sysplex
from mqcap.settings.models import Address, SettingsSection


def _sysplexes_of_qmgrs(sysplexes: Iterable[Sysplex]) -> dict[str, tuple[str, ...]]:
    """Return the sysplexes that share a queue manager and whose systems have no or equal ids."""
    by_name: dict[str, list[Sysplex]] = {}
    for plex in sysplexes:
        for name in {qmgr.name: None for qmgr in plex.qmgrs}:
            by_name.setdefault(name, []).append(plex)
    found: dict[str, tuple[str, ...]] = {}
    for name, plexes in by_name.items():
        alike = {
            plex.sysplex
            for pair in combinations(plexes, 2)
            if not all(plex.smfids for plex in pair)
            or not set(pair[0].smfids).isdisjoint(pair[1].smfids)
            for plex in pair
        }
        found[name] = tuple(plex.sysplex for plex in plexes if plex.sysplex in alike)
    return found


class PlacedInput(SettingsSection):
    """Source of files that are all of one sysplex or one site, whatever names are in them."""

    path: Address
    """Folder, pattern, or address of an object store (s3://…)."""
    sysplex: str | None = None
    site: str | None = None

    @model_validator(mode="after")
    def _of_one_place(self) -> Self:
        if (self.sysplex is None) is (self.site is None):
            raise ValueError("expected either sysplex or site")
        return self

    @property
    def root(self) -> str:
        """Name of the sysplex or site."""
        return self.sysplex or self.site or ""

    def __str__(self) -> str:
        """Return path and place as in the settings."""
        key = "sysplex" if self.sysplex is not None else "site"
        return f"{{path: {self.path}, {key}: {self.root}}}"


InputEntry = Annotated[
    Annotated[Address, Tag("path")] | Annotated[PlacedInput, Tag("placed")],
    Discriminator(lambda value: "placed" if isinstance(value, dict | PlacedInput) else "path"),
]


class IngestSettings(SettingsSection):
    """Arrival of files: the landing folder, and the limits of what is accepted."""

    inbox: Path = Path("var/inbox")
    """Folder into which dumps and logs are delivered."""
    rejected_bytes_max_ratio: Annotated[float, Field(ge=0, le=1)] = 0.001
    """Share of quarantined bytes above which a file fails (ours)."""
    inputs: tuple[InputEntry, ...] = ()
    """Further sources of files: folders, patterns, or addresses of object stores (s3://…); with
    ``path`` and ``sysplex`` or ``site`` where all files of a source belong to one of these."""
    log_growth_tolerance_pct: Annotated[float, Field(gt=0)] = 10.0
    """Largest accepted difference of log growth between records and log switches (ours)."""
    settle_seconds: Annotated[float, Field(ge=0, le=600)] = 2.0
    """A file must not change for so long before it is landed (ours)."""
    unpacked_max_mib: Annotated[int, Field(ge=1)] = 65_536
    """Largest unpacked size of one gzip file or zip archive (ours)."""
    unpacked_max_ratio: Annotated[float, Field(gt=1)] = 250.0
    """Largest number of unpacked bytes per packed byte, above 64 MiB (ours)."""

    @property
    def input_paths(self) -> tuple[str, ...]:
        """Folders, patterns and addresses of all inputs."""
        return tuple(entry if isinstance(entry, str) else entry.path for entry in self.inputs)

    def placed_inputs(self) -> dict[str, PlacedInput]:
        """Return the inputs with a sysplex or site, by key: ``ingest.inputs.0``."""
        return {
            f"ingest.inputs.{number}": entry
            for number, entry in enumerate(self.inputs)
            if isinstance(entry, PlacedInput)
        }


def check_places(ingest: IngestSettings, estate: Estate) -> None:
    """Refuse inputs of unknown or several places, and names nothing tells apart (ValueError)."""
    placed = ingest.placed_inputs()
    sysplexes = {plex.sysplex for plex in estate.sysplexes}
    sites = {place.site for place in estate.places}
    for key, entry in placed.items():
        kind, known = ("sysplex", sysplexes) if entry.sysplex is not None else ("site", sites)
        if entry.root not in known:
            names = ", ".join(sorted(known)) or "none"
            raise ValueError(
                f"{key}.{kind}: {entry.root} is no {kind} of estate (found {entry}, expected one "
                f"of {names})"
            )
    counts = Counter(entry.path for entry in placed.values())
    for path in (path for path, count in counts.items() if count > 1):
        keys = " and ".join(f"{key} {entry}" for key, entry in placed.items() if entry.path == path)
        raise ValueError(f"{keys} have the same path: a path is of one sysplex or site")
    roots = {entry.root for entry in placed.values()}
    if sentences := list(_not_told_apart(estate, roots)):
        raise ValueError("; ".join(sentences))


def _not_told_apart(estate: Estate, roots: set[str]) -> Iterator[str]:
    """Yield a sentence for each group of sysplexes with a name in common and without inputs."""
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    of_qmgrs = _sysplexes_of_qmgrs(estate.sysplexes)
    for what, named in (("system", estate.sysplexes_of_smfids()), ("queue manager", of_qmgrs)):
        for name, places in named.items():
            if len(places) > 1 and not roots.issuperset(places):
                groups.setdefault((what, places), []).append(name)
    for (what, places), names in groups.items():
        without = ", ".join(root for root in places if root not in roots)
        yield (
            f"estate: {what} {', '.join(names)} is in {' and in '.join(places)}, and no entry of "
            f"ingest.inputs says which files are of {without}: expected entries with path and "
            "sysplex or site"
        )
