"""Log bytes of a message put to a distributed queue manager: a line through daily means."""

from typing import Final

from mqcap.domain.metric import Statistic
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.domain.units import MIB_BYTES
from mqcap.store.series import read_series
from mqcap.unit_costs.interval import slope
from mqcap.unit_costs.learning_data import LearningData, Sample, learnt_cost
from mqcap.unit_costs.lines import BLOCK_DAYS

LOG: Final = "mq_log_written_mib_per_s"
PUTS: Final = "mq_put_per_s"
_MEAN: Final = Statistic.mean.value
_CAVEAT: Final = (
    "Puts of persistent messages and others are counted alike: the figure holds for the mix of "
    "these days. The base is what is logged without puts."
)


def subjects(data: LearningData) -> list[str]:
    """Return the distributed queue managers with measured puts."""
    return [facts.subject for facts in read_series(data.engine, PUTS)]


def learn(data: LearningData, kind: UnitCostKind, subject: str) -> UnitCost | None:
    """Return log bytes of a put above a base in MiB/s; ``None`` where too few days have both."""
    days = data.paired_days([(LOG, subject, _MEAN), (PUTS, subject, _MEAN)])
    logged_mib, puts = days.columns
    fitted = slope(puts, logged_mib, BLOCK_DAYS, data.options.confidence)
    if fitted is None:
        return None
    in_bytes = fitted._replace(
        value=fitted.value * MIB_BYTES,
        lower=fitted.lower * MIB_BYTES,
        upper=fitted.upper * MIB_BYTES,
    )
    first, last = days.dates[0], days.dates[-1]
    sample = Sample(len(days.dates), "day", first, last, data.options.least_days)
    return learnt_cost(kind, subject, in_bytes, sample, data, base_unit="MiB/s", caveats=(_CAVEAT,))
