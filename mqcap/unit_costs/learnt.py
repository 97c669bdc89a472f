"""Unit costs of a site on a day, each computed when it is first asked for."""

from collections.abc import Callable, Iterable
from datetime import date
from functools import cache, partial
from typing import Final, NamedTuple

from mqcap.domain.subject import Subject
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.progress.shown import tracked
from mqcap.settings import Settings
from mqcap.store.database import Store
from mqcap.store.series import read_series
from mqcap.unit_costs import chinit_storage, facility_requests, lines, records
from mqcap.unit_costs.learning_data import LearningData
from mqcap.unit_costs.lines import LearntLine, Series, line_of


class _Learner(NamedTuple):
    found_in: Callable[[LearningData], Iterable[str]] | str
    """What the records of each subject are, or the metric that a subject needs."""
    learn: Callable[[LearningData, UnitCostKind, str], UnitCost | None]

    def subjects(self, data: LearningData) -> list[str]:
        """Return the subjects with data, in order."""
        if isinstance(self.found_in, str):
            return [facts.subject for facts in read_series(data.engine, self.found_in)]
        return sorted(data.once(self.found_in))


_OF_CHANNELS: Final = _Learner(chinit_storage.CHANNELS, chinit_storage.learn)
_LEARNERS: Final = {
    UnitCostKind.log_bytes_per_persistent_put: _Learner(records.intervals, records.log_bytes),
    UnitCostKind.chinit_31bit_kib_per_channel: _OF_CHANNELS,
    UnitCostKind.chinit_64bit_kib_per_channel: _OF_CHANNELS,
    UnitCostKind.cf_us_per_request: _Learner(facility_requests.REQUESTS, facility_requests.learn),
    UnitCostKind.archive_mib_per_s: _Learner(records.archives, records.archive_rate),
    UnitCostKind.accounting_records_per_transaction: _Learner(
        records.transactions, records.accounting_records
    ),
    UnitCostKind.mq_log_bytes_per_put: _Learner(lines.PUTS, lines.site_log_bytes),
}


class UnitCosts:
    """Learnt costs up to a day, remembered once computed."""

    def __init__(self, settings: Settings, engine: Store, day: date, subject: str = "") -> None:
        """Begin to learn; with a subject only from its own queue manager's records."""
        data = self._data = LearningData(settings, engine, day, subject)
        self._find = cache(lambda kind, subject: _LEARNERS[kind].learn(data, kind, subject))
        self._line = cache(partial(line_of, data))

    def find(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        """Return a cost of a subject, used or not; ``None`` where there are no data for it."""
        return self._find(kind, subject)

    def line(self, cost: Series, units: Series) -> LearntLine | None:
        """Return the line of one measured series over another; ``None`` without one."""
        return self._line(cost, units)

    def mq_version(self, subject: str) -> str | None:
        """Return the MQ version of a subject's queue manager on the day; ``None``: not known."""
        return self._data.mq_version(subject)

    def find_used(self, kind: UnitCostKind, subject: str) -> UnitCost | None:
        """Return a cost that is certain enough to be used; else ``None``."""
        found = self.find(kind, subject)
        return found if found is not None and found.is_used else None

    def below(self, subject: str = "") -> list[UnitCost]:
        """Return all costs of a subject and of its parts, of all subjects without one."""
        wanted = [
            (kind, name)
            for kind, learner in _LEARNERS.items()
            for name in learner.subjects(self._data)
            if not subject or Subject(name).is_within(subject)
        ]
        found = (self.find(*pair) for pair in tracked(wanted, "learn unit costs", "costs"))
        return [cost for cost in found if cost is not None]
