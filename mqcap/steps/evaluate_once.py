"""The rules of a day, evaluated unless nothing of what they rest on has changed since.

Imports nothing that evaluates: a replay of a day without changes takes a fraction of a second.
"""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

from mqcap.domain.datasets import FORECAST_RESULT, HOLD_OUT_RESULT, HOLD_OUT_TRAINING, TRAINING
from mqcap.lake.location import open_lake
from mqcap.lake.stamps import digest_of_files
from mqcap.settings import Settings
from mqcap.steps.collection import collecting_later
from mqcap.steps.unchanged import DayStep, once
from mqcap.store.database import Store
from mqcap.store.row_digests.digest import digest_of_rows
from mqcap.store.row_digests.rule_rows import rows_read, rows_written

RULES_LOOK_BACK_DAYS: Final = 400
"""At least the longest window of a rule."""
NOT_READ: Final = frozenset({
    "landing/looked_at.json",
    "locks",
    "ran",
    *(each.name for each in (FORECAST_RESULT, HOLD_OUT_RESULT, HOLD_OUT_TRAINING, TRAINING)),
})  # fmt: skip
"""Parts of the lake that no rule reads, and that each run of a day writes anew."""


@collecting_later()
def evaluate_once(settings: Settings, engine: Store, day: date) -> dict[str, Any]:
    """Replace findings, crossings, plans and losses of a day, unless they would be the same."""
    step = DayStep(
        "size",
        inputs=partial(inputs_digest, settings, engine, day),
        results=partial(digest_of_rows, engine, rows_written(day)),
        run=partial(_evaluate, settings, engine, day),
    )
    return once(step, settings, engine, day)


def inputs_digest(settings: Settings, engine: Store, day: date) -> str | None:
    """Return the digest of the rows and files that the rules of a day rest on.

    ``None`` where files are so new that a later change might not be seen.
    """
    files = digest_of_files(open_lake(settings.lake), NOT_READ)
    if files is None:
        return None
    looked_back = max(
        RULES_LOOK_BACK_DAYS,
        settings.forecast.lookback_days,
        settings.rules.peak_days,
        settings.unit_costs.look_back_days,
        settings.unit_costs.record_days,
    )
    rows = digest_of_rows(engine, rows_read(day - timedelta(days=looked_back), day))
    return hashlib.sha256(f"{files} {rows}".encode()).hexdigest()


def _evaluate(settings: Settings, engine: Store, day: date) -> dict[str, Any]:
    from mqcap.steps.evaluate import evaluate_rules  # noqa: PLC0415 - slow to import

    return evaluate_rules(settings, engine, day)
