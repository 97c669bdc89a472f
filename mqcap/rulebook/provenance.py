"""Inputs of a finding: their figures, and the files that measured ones came from."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from mqcap.domain.busiest_hours import BUSIEST_LENGTHS_H, BusiestHours
from mqcap.domain.distributed.mq_name import unescaped
from mqcap.domain.finding import Finding, InputValue
from mqcap.domain.input_source import MeasuredDaySource, MeasuredHoursSource
from mqcap.domain.metric import Statistic, split_series_id
from mqcap.domain.numbers import beside, figure
from mqcap.domain.subject import Subject
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.location import open_lake
from mqcap.lake.manifest import manifests
from mqcap.lake.readers import day_bounds
from mqcap.presentation.dates import instant
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.feeds import read_source_files
from mqcap.store.models import Observation, SourceFileFacts
from mqcap.store.observations import read_observations

_FILES_MAX: Final = 6


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

    def input_lines(self, finding: Finding) -> Iterator[str]:
        """Yield the inputs of a finding with all digits, their sources, the files behind them."""
        for value in finding.inputs:
            shown = exact(value.value)
            yield f"{value.name} = {shown} {beside(shown, value.unit)}".rstrip()
            yield f"  source: {value.source or 'a default'}"
            yield from (f"  {line}" for line in self._origin(value))
        for missing in finding.missing:
            yield f"missing: {missing}"

    def _origin(self, value: InputValue) -> Iterator[str]:
        measured = value.origin
        if isinstance(measured, MeasuredHoursSource):
            starts = (
                f"{hours} h from {instant(start, measured.subject)}"
                for hours, start in measured.starts
            )
            yield f"where the busiest hours begin, by their number: {', '.join(starts)}"
        if isinstance(value.value, BusiestHours):
            points = zip(BUSIEST_LENGTHS_H, value.value.volumes_mib, strict=False)
            volumes = ", ".join(f"{hours} h: {exact(mib)}" for hours, mib in points)
            yield f"MiB in the busiest hours, by their number: {volumes}"
        if not isinstance(measured, MeasuredDaySource):
            return
        observed = self.observation(measured)
        if observed is None:
            yield "the day is no longer in the store"
            return
        yield (
            f"day of {figure(observed.covered_hours)} covered hours "
            f"({self.zone(measured.series_id)}): "
            f"peak {exact(observed.peak)}, p95 {exact(observed.p95)}, mean {exact(observed.mean)}"
        )
        hour = observed.busiest_hour_utc
        if measured.statistic is Statistic.peak:
            held_by = self.of_hour(measured.series_id, hour)
            begins = instant(hour, measured.subject)
            yield f"busiest hour begins {begins}; files that hold it: {len(held_by)}"
        else:
            held_by = self.of_day(measured)
            yield f"files that hold the day: {len(held_by)}"
        for file in held_by[:_FILES_MAX]:
            yield (
                f"  {file.name} (sha256 {file.sha256[:12]}..., received {file.received_date}), "
                f"intervals {instant(file.first_interval_utc, measured.subject)} to "
                f"{instant(file.last_interval_utc, measured.subject)}"
            )
        if len(held_by) > _FILES_MAX:
            yield f"  and {len(held_by) - _FILES_MAX} more"

    def observation(self, measured: MeasuredDaySource) -> Observation | None:
        """Return the stored day, or ``None`` when the store no longer has it."""
        observations = read_observations(
            self._engine, measured.series_id, measured.site_date, measured.site_date
        )
        return observations[0] if observations else None

    def zone(self, series_id: str) -> str:
        """Return the time zone in which the site dates of this series are counted."""
        plex = Subject(split_series_id(series_id)[1]).sysplex
        return self._settings.complete_estate().zones().get(plex) or self._settings.site.timezone

    def of_hour(self, series_id: str, hour_utc: datetime) -> list[SourceFileFacts]:
        """Return files with records of the hour from which the metric is computed."""
        return self._between(series_id, hour_utc, hour_utc + timedelta(hours=1))

    def of_day(self, measured: MeasuredDaySource) -> list[SourceFileFacts]:
        """Return files with records of the site date."""
        day = measured.site_date
        bounds = day_bounds(day, day, self.zone(measured.series_id))
        return self._between(measured.series_id, *bounds)

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
            and self._holds(file.sha256, wanted, subject.sysplex)
            and self._names_part_of(file.sha256, subject)
        ]

    def _holds(self, sha256: str, wanted: set[str], sysplex: str) -> bool:
        """Return whether a file gave rows that are wanted, of the sysplex or an unknown one.

        True of a file without a manifest.
        """
        held = self._rows.get(sha256)
        plexes = self._plexes.get(sha256)
        return (held is None or not wanted or not wanted.isdisjoint(held)) and (
            not plexes or sysplex in plexes or None in plexes
        )

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


def exact(value: Any) -> str:
    """Return all digits, so that a result can be computed again."""
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    return str(value)
