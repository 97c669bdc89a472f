"""Manifests of delivered files: their only model, reader and writer."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time

from pydantic import BaseModel, ValidationError

from mqcap.domain.errors import InputError
from mqcap.lake.files import FileSizes, read_each, write_text
from mqcap.lake.layout import MANIFEST, landed_paths, manifest_path, rows_path
from mqcap.lake.location import Location


class SettingFact(BaseModel, frozen=True):
    """A setting of a distributed queue manager that enters figures, from a time on."""

    qmgr: str
    from_utc: datetime
    key: str
    """Stanza and key as in qm.ini, in lower case: ``log.logprimaryfiles``."""
    value: str


class SiteFigureFact(BaseModel, frozen=True):
    """A site figure of which a file has samples."""

    root: str
    """Sysplex or site of its subjects."""
    figure: str
    unit: str
    """As the file states it; empty where it does not."""
    has_step: bool
    """False where a subject has one sample, so that the time before it is not known."""


class Manifest(BaseModel, frozen=True):
    """Contents of one delivered file; it exists once the file is decoded.

    With a ``problem`` the file gave no rows. ``hour_dates`` are the UTC dates whose hourly
    values may depend on it.
    """

    sha256: str
    source: str
    name: str
    received_date: date
    received_utc: datetime | None = None
    """``None`` in a file of an older release."""
    root: str = ""
    """Sysplex or site of the input that it came from; empty: none is configured."""
    decoder_version: str
    framing: str = ""
    bytes: dict[str, int] = {}
    """Content by what became of it: content (all), decoded, skipped, quarantined."""
    records: int = 0
    rows: dict[str, int] = {}
    """Rows by dataset."""
    rows_bytes: dict[str, int] = {}
    """Length of the file of rows by dataset."""
    first_interval_utc: datetime | None = None
    last_interval_utc: datetime | None = None
    hour_dates: tuple[date, ...] = ()
    smfids: tuple[str, ...] = ()
    sysplex_by_smfid: dict[str, str] = {}
    """Sysplex of each system, from the RMF records (74.4, 74.5) of the file."""
    qmgrs: tuple[str, ...] = ()
    """Distributed queue managers of which the file has samples, events or settings."""
    ztpf_systems: tuple[str, ...] = ()
    """z/TPF systems of which the file has samples or sweeps."""
    scrape_step_seconds: float = 0.0
    """Largest step of amounts since a scrape, of which none may be missing; 0 without any."""
    settings: tuple[SettingFact, ...] = ()
    site_figures: tuple[SiteFigureFact, ...] = ()
    repeated: tuple[str, ...] = ()
    """Datasets in which the file has more than one row under the same key."""
    problems: tuple[str, ...] = ()
    """Sentences for the operator about what was skipped or quarantined."""
    problem: str | None = None
    """Why the file could not be decoded; ``None`` when it could."""

    @property
    def arrival(self) -> tuple[datetime, str]:
        """Place among all files in the order in which they were received."""
        midnight = datetime.combine(self.received_date, time(), UTC)
        return self.received_utc or midnight, self.sha256


def manifests(lake: Location) -> list[Manifest]:
    """Return the manifests of all decoded files, in order of the hash.

    One that cannot be read is left out where the delivered file is still in landing: it is decoded
    again. Raises InputError for another file in their folder that is none.
    """
    paths: list[Location] = sorted((lake / MANIFEST).glob("*.json"))
    found = []
    for path, content in zip(paths, read_each(paths), strict=True):
        try:
            found.append(Manifest.model_validate_json(content))
        except ValidationError as error:
            if path.name.removesuffix(".json") not in landed_paths(lake):
                raise InputError(
                    "this is no manifest of a delivered file",
                    file=str(path),
                    found=f"{error.error_count()} missing or wrong keys",
                    remedy="Put it back from a backup. Without one remove it from the lake: the "
                    "rows of its file, which is no longer in landing, count no more.",
                ) from error
    return found


def read_manifest(lake: Location, sha256: str) -> Manifest | None:
    """Return the manifest of one delivered file; ``None`` where there is none to be read."""
    path = manifest_path(lake, sha256)
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def write_manifest(lake: Location, manifest: Manifest) -> None:
    """Write the manifest of one delivered file atomically; raises OSError when it cannot."""
    write_text(manifest_path(lake, manifest.sha256), manifest.model_dump_json(indent=1))


def has_its_rows(lake: Location, source: Manifest, sizes: FileSizes) -> bool:
    """Return whether the files of rows of a delivered file are as they were written."""
    return all(
        sizes.of(rows_path(lake, dataset, source.received_date, source.sha256)) == length
        for dataset, length in source.rows_bytes.items()
    )


def dataset_files(lake: Location, dataset: str, sources: Iterable[Manifest]) -> list[str]:
    """Return the files of ``dataset`` that the given sources have rows in, in their order."""
    return [
        str(rows_path(lake, dataset, source.received_date, source.sha256))
        for source in sources
        if source.rows.get(dataset)
    ]
