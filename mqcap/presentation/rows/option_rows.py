"""What is to be decided as flat rows for spreadsheets: one for each way to do it."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from mqcap.domain.plan import PlanCost
from mqcap.presentation.plan_summary import PlanSummary, SummaryOption

_COSTS: Final = tuple(name for name in PlanCost.model_fields if name not in {"unsized", "weighted"})
"""Parts of a cost, each a column."""
COLUMNS: Final = (
    "severity", "resource", "title", "problem", "now", "limit", "unit", "is_over", "early_date",
    "expected_date", "late_date", "option", "change", "due_date", "owner", "lasts_until",
    *_COSTS, "buys", "is_production", "acknowledged",
)  # fmt: skip


def option_rows(rows: Iterable[PlanSummary]) -> Iterator[dict[str, Any]]:
    """Yield a row of plain values for each option of each resource; days are dates."""
    for row in rows:
        alone = SummaryOption(change=row.change, note="", lasts="", cost="")
        for option in row.options or (alone,):
            values = {
                "severity": row.severity.value,
                "now": _rounded(row.now_value),
                "limit": _rounded(row.limit_value),
                "option": option.note,
                "change": option.change,
                "lasts_until": option.lasts_until,
                "buys": option.buys,
            }
            values |= {name: getattr(option.parts, name) for name in _COSTS}
            yield {name: values.get(name, getattr(row, name, None)) for name in COLUMNS}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
