"""What unit costs are learnt from: daily values of the store, and records of the lake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqcap.domain.estate import Estate
from mqcap.domain.feed import mq_versions_of
from mqcap.domain.metric import UNKNOWN_SYSPLEX, Statistic, series_id
from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import BookValue, UnitCost, UnitCostKind
from mqcap.lake.file_roots import roots_of_files, sysplexes_of_systems
from mqcap.lake.layout import partition_date, rows_paths
from mqcap.lake.location import open_lake
from mqcap.lake.manifest import manifests
from mqcap.lake.readers import day_bounds, instant
from mqcap.lake.tables import read_rows
from mqcap.settings import Settings
from mqcap.settings.analysis import UnitCostSettings
from mqcap.store.database import Store
from mqcap.store.feeds import read_feeds
from mqcap.store.observations import read_figures
from mqcap.unit_costs.interval import Fitted, Vector
from sizing.rulebook.registry import get

T = TypeVar("T")
_KEY: Final = ("record_hash", "section_index")
FILE: Final = "file_sha256"
"""Column that tells the file of a row, where files have a sysplex of their own."""
_NO_COST: Final = "cost and work do not rise together: the interval reaches 0 or less"


class _RowPlaces(NamedTuple):
    """Sysplex of rows: of their file, else of their system, else of their queue manager."""

    roots: dict[str, str]
    by_smfid: dict[str, str]
    by_qmgr: dict[str, str]


class Sample(NamedTuple):
    """Size and days of a sample."""

    sample_count: int
    sample_of: str
    """What is counted, in the singular."""
    first_date: date
    last_date: date
    least_sample: int
    """The smallest sample that is used."""


class Paired(NamedTuple):
    """Two or more measured quantities of the same days."""

    dates: tuple[date, ...]
    columns: tuple[Vector, ...]


@dataclass(frozen=True, eq=False)
class LearningData:
    """The data of a site up to one day."""

    settings: Settings
    engine: Store
    day: date
    subject: str = ""
    """Records of other queue managers than that of this subject are not read; empty: of all."""
    _made: dict[Callable[[LearningData], Any], Any] = field(default_factory=dict, repr=False)

    def once(self, make: Callable[[LearningData], T]) -> T:
        """Return what a function makes of the data, made once for all subjects."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("T", self._made[make])

    @cached_property
    def estate(self) -> Estate:
        """The estate as configured on the day."""
        return self.settings.complete_estate().as_of(self.day)

    def mq_version(self, subject: str) -> str | None:
        """Return the MQ version of a subject's queue manager: as configured, else as recorded."""
        return self.estate.mq_version(Subject(subject).owner, self._recorded_versions)

    @cached_property
    def _recorded_versions(self) -> dict[str, str]:
        return mq_versions_of(read_feeds(self.engine, self.day))

    @property
    def options(self) -> UnitCostSettings:
        """The settings of unit costs."""
        return self.settings.unit_costs

    def paired_days(self, series: Iterable[tuple[str, str, str]]) -> Paired:
        """Return the days on which all of the series were measured, in order.

        Each is metric, subject and statistic.
        """
        first = self.day - timedelta(days=self.options.look_back_days - 1)
        values = [
            dict(
                read_figures(
                    self.engine, series_id(metric, subject), Statistic(statistic), first, self.day
                )
            )
            for metric, subject, statistic in series
        ]
        dates = sorted(set.intersection(*(set(column) for column in values)))
        columns = tuple(np.array([column[day] for day in dates]) for column in values)
        return Paired(tuple(dates), columns)

    def records(
        self, dataset: str, columns: Sequence[str], at: str, where: pc.Expression | None = None
    ) -> list[dict[str, Any]]:
        """Return rows of the last ``record_days`` days of a dataset, each once, with their sysplex.

        ``columns`` are those beside the keys of the row; ``at`` is that with the instant that
        decides on the days. Empty where the lake has none: not received, or removed. For datasets
        of which there are millions of rows ``table`` is to be counted first.
        """
        table = self.table(dataset, columns, at, where)
        return [] if table is None else list(self.placed(table))

    def table(
        self,
        dataset: str,
        columns: Sequence[str],
        at: str,
        where: pc.Expression | None = None,
        days: int | None = None,
    ) -> pa.Table | None:
        """Return the same rows as ``records`` without their sysplex; ``None`` without any file.

        ``days`` are those looked at; ``None``: ``record_days``.
        """
        lake = open_lake(self.settings.lake)
        first = self.day - timedelta(days=(days or self.options.record_days) - 1)
        begin, end = day_bounds(first, self.day, self.settings.site.timezone)
        paths = [
            path
            for path in rows_paths(lake, dataset)
            if partition_date(path.parent) >= begin.date()
        ]
        if not paths:
            return None
        wanted = (pc.field(at) >= instant(begin)) & (pc.field(at) < instant(end))
        if where is not None:
            wanted &= where
        if name := Subject(self.subject).owner_name:
            wanted &= pc.field("qmgr") == name
        names = ["smfid", "qmgr", *columns, at, *([FILE] if self._places.roots else [])]
        table = read_rows(paths, [*dict.fromkeys(names)], wanted)
        return _each_once(table) if set(_KEY) <= set(table.column_names) else table

    def placed(self, table: pa.Table) -> Iterator[dict[str, Any]]:
        """Yield the rows of a table that has ``smfid`` and ``qmgr``, with their sysplex."""
        places = self._places
        for row in table.to_pylist():
            sysplex = (
                places.roots.get(row.get(FILE, ""))
                or places.by_smfid.get(row["smfid"])
                or places.by_qmgr.get(row["qmgr"], UNKNOWN_SYSPLEX)
            )
            yield {**row, "sysplex": sysplex}

    @cached_property
    def _places(self) -> _RowPlaces:
        estate = self.settings.complete_estate()
        sources = manifests(open_lake(self.settings.lake))
        by_smfid, shared_smfids = sysplexes_of_systems(estate, sources)
        sites = {place.site for place in estate.places}
        roots = roots_of_files(estate, sources, shared_smfids).items()
        return _RowPlaces(
            {sha256: root for sha256, root in roots if root not in sites},
            by_smfid,
            estate.sysplex_by_qmgr(),
        )


def _each_once(table: pa.Table) -> pa.Table:
    """Return the first row of each section; a record may have been delivered twice."""
    others = [name for name in table.column_names if name not in _KEY]
    first = pc.ScalarAggregateOptions(skip_nulls=False)
    unique = table.group_by(list(_KEY), use_threads=False).aggregate(
        [(name, "first", first) for name in others]
    )
    return unique.rename_columns([*_KEY, *others])


def book_figure(rule: str, unit: str, key: str, **inputs: Any) -> BookValue:
    """Return a figure of an entry of the rulebook for these inputs."""
    entry = get(rule)
    value = float(entry.answer(inputs)[key])
    return BookValue(value=value, unit=unit, rule=rule, citation=str(entry.citation))


def learnt_cost(
    kind: UnitCostKind,
    subject: str,
    fitted: Fitted,
    sample: Sample,
    data: LearningData,
    **more: Any,
) -> UnitCost:
    """Return a fitted cost with sample, days and the limits of the settings.

    ``more`` has the unit, without the unit of work that the kind states, caveats, the value of the
    book and so on. One whose interval reaches 0 is no cost.
    """
    if fitted.lower <= 0:
        more.setdefault("not_measurable", _NO_COST)
    return UnitCost(
        kind=kind,
        subject=subject,
        confidence=data.options.confidence,
        half_width_max_ratio=data.options.half_width_max_ratio,
        **fitted._asdict(),
        **sample._asdict(),
        **more,
    )
