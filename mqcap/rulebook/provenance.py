"""Provenance of a measured input: the files that it came from."""

from datetime import UTC, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.input_source import MeasuredDaySource
from mqcap.domain.metric import split_series_id
from mqcap.domain.subject import Subject
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.location import open_lake
from mqcap.lake.manifest import manifests
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files
from mqcap.store.models import Observation, SourceFileFacts
from mqcap.store.observations import read_observations

_HOUR: Final = timedelta(hours=1)


class SourceFiles:
    """The delivered files by series and time; reads lake and store once."""

    def __init__(self, engine: Store, settings: Settings) -> None:
        lake = open_lake(settings.lake)
        self._settings = settings
        self._engine = engine
        self._files = read_source_files(engine)
        self._reads = {metric["name"]: set(metric["reads"]) for metric in metric_catalogue(lake)}
        described = manifests(lake)
        self._rows = {
            manifest.sha256: {name for name, count in manifest.rows.items() if count}
            for manifest in described
        }
        estate = settings.complete_estate()
        by_smfid, shared_smfids = sysplexes_of_systems(estate, described)
        roots = roots_of_files(estate, described, shared_smfids)
        self._plexes = {
            manifest.sha256: {
                roots.get(manifest.sha256) or (by_smfid | manifest.sysplex_by_smfid).get(smfid)
                for smfid in manifest.smfids
            }
            for manifest in described
        }
        self._names = {
            manifest.sha256: {*manifest.qmgrs, *manifest.ztpf_systems} for manifest in described
        }
        self._every_name = set().union(*self._names.values())
        self._roots = {
            manifest.sha256: {fact.root for fact in manifest.site_figures} for manifest in described
        }

    def observation(self, measured: MeasuredDaySource) -> Observation | None:
        """Return the stored day, or ``None`` when the store no longer has it."""
        observations = read_observations(
            self._engine, measured.series_id, measured.site_date, measured.site_date
        )
        return observations[0] if observations else None

    def zone(self, series_id: str) -> str:
        """Return the time zone in which the site dates of this series are counted."""
        plex = Subject(split_series_id(series_id)[1]).sysplex
        return self._settings.complete_estate().timezone_of(plex) or self._settings.site.timezone

    def of_hour(self, series_id: str, hour_utc: datetime) -> list[SourceFileFacts]:
        """Return files with records of the hour from which the metric is computed."""
        return self._between(series_id, hour_utc, hour_utc + _HOUR)

    def of_day(self, measured: MeasuredDaySource) -> list[SourceFileFacts]:
        """Return files with records of the site date."""
        zone = ZoneInfo(self.zone(measured.series_id))
        start = datetime.combine(measured.site_date, time.min, zone).astimezone(UTC)
        next_day = measured.site_date + timedelta(days=1)
        return self._between(
            measured.series_id, start, datetime.combine(next_day, time.min, zone).astimezone(UTC)
        )

    def _between(self, series_id: str, start: datetime, end: datetime) -> list[SourceFileFacts]:
        metric, subject = split_series_id(series_id)
        wanted = self._reads.get(metric, set())
        return [
            file
            for file in self._files
            if file.first_interval_utc is not None
            and file.last_interval_utc is not None
            and file.first_interval_utc < end
            and file.last_interval_utc >= start
            and self._holds(file.sha256, wanted)
            and self._is_of(file.sha256, Subject(subject).sysplex)
            and self._names_part_of(file.sha256, subject)
        ]

    def _holds(self, sha256: str, wanted: set[str]) -> bool:
        """Return whether a file gave rows that the metric reads; true without a manifest."""
        held = self._rows.get(sha256)
        return held is None or not wanted or not wanted.isdisjoint(held)

    def _is_of(self, sha256: str, sysplex: str) -> bool:
        """Return whether a file has records of a system of the sysplex, or of an unknown one."""
        plexes = self._plexes.get(sha256)
        return not plexes or sysplex in plexes or None in plexes

    def _names_part_of(self, sha256: str, subject: str) -> bool:
        """Return whether a file of a site is about a subject, as far as it names what it is about.

        Files without names of the site's queue managers, z/TPF systems or figures may be, and so
        may those of queue managers for a subject that none of them is, such as a host.
        """
        names, roots = self._names.get(sha256, set()), self._roots.get(sha256, set())
        if not names and not roots:
            return True
        name = unescaped(Subject(subject).owner_name)
        if Subject(subject).sysplex in roots or name in names:
            return True
        return bool(names) and name not in self._every_name
