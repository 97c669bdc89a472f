"""Days that the forecast of a stored series leaves out."""

from __future__ import annotations

from pathlib import Path

from forecasting.cleaned import Cleaned, LeftOut
from mqcap.domain.metric import Statistic
from mqcap.rulebook.cleaned_history import cleaning
from mqcap.store.database import Store
from mqcap.store.observations import read_observations
from mqcap.store.series import find_series
from tests.mqcap.rulebook.builders import (
    DAY,
    LOG,
    QUEUE_MANAGER,
    days,
    new_store,
    observe,
    settings_of,
)


def cleaned_of(folder: Path, engine: Store) -> Cleaned:
    facts = find_series(engine, LOG)
    assert facts is not None
    measured = read_observations(engine, LOG)
    return cleaning(settings_of(folder), facts, Statistic.peak, measured, DAY)


def test_a_day_without_any_load_is_left_out_as_an_outage(tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    values = days(60, 3.0)
    outage = sorted(values)[30]
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, values | {outage: 0.0})
    assert cleaned_of(tmp_path, engine).removed == ((outage, LeftOut.outage),)


def test_a_series_without_days_has_nothing_left_out(tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    observe(engine, "log_growth_mib_per_s", QUEUE_MANAGER, {})
    assert cleaned_of(tmp_path, engine) == Cleaned()
