"""How dates and probabilities of one kind of limit have done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import median

from pydantic import BaseModel

from mqcap.domain.console.ledger import Ledger, LedgerForecast
from mqcap.domain.forecast import ForecastBasis
from mqcap.domain.score import RuleReliability


class LimitRecord(BaseModel, frozen=True):
    """Dates that were due and probabilities whose days are over, of one rule and basis.

    ``error_days`` is the median distance of the dates that came from the day on which they came,
    ``None`` where none has come; ``stated_ratio`` is the mean of the probabilities and
    ``came_ratio`` the share of them that came true, ``None`` without any.
    """

    rule_id: str
    basis: ForecastBasis
    due_count: int = 0
    came_count: int = 0
    error_days: float | None = None
    probability_count: int = 0
    stated_ratio: float | None = None
    came_ratio: float | None = None

    @property
    def is_quiet(self) -> bool:
        """True where no date was due, nothing was likely, and nothing came."""
        return not self.due_count and not self.came_ratio and (self.stated_ratio or 0.0) < 0.01


def limit_records(ledger: Ledger, stated: Iterable[RuleReliability]) -> list[LimitRecord]:
    """Return the records by rule, live before hold-out, from due dates and probabilities."""
    dates: dict[tuple[str, ForecastBasis], list[LedgerForecast]] = defaultdict(list)
    for forecast in ledger.forecasts:
        dates[forecast.rule_id, forecast.basis].append(forecast)
    probabilities = {(one.rule_id, one.basis): one for one in stated}
    keys = sorted(
        {*dates, *probabilities}, key=lambda key: (key[0], key[1] is not ForecastBasis.live)
    )
    return [_record(*key, dates[key], probabilities.get(key)) for key in keys]


def _record(
    rule_id: str,
    basis: ForecastBasis,
    due: list[LedgerForecast],
    stated: RuleReliability | None,
) -> LimitRecord:
    errors = [
        abs((forecast.came_on - forecast.expected_date).days)
        for forecast in due
        if forecast.came_on is not None
    ]
    return LimitRecord(
        rule_id=rule_id,
        basis=basis,
        due_count=len(due),
        came_count=len(errors),
        error_days=median(errors) if errors else None,
        probability_count=stated.count if stated else 0,
        stated_ratio=stated.stated if stated else None,
        came_ratio=stated.came if stated else None,
    )
