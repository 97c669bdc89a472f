"""Known changes in the specification of a series."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest

from forecasting.specification import specification
from mqcap.domain.estate.calendar import KnownChange
from tests.forecasting.builders import CUTOFF, DAYS, forecast_of_rows, history, noise

pytestmark = pytest.mark.thorough


TIME = np.arange(DAYS)


def test_a_known_change_is_a_step_from_its_first_days_on() -> None:
    values = 20 + noise(scale=0.3) + np.where(TIME >= DAYS - 3, 15.0, 0.0)
    made = forecast_of_rows(values, known_changes=(CUTOFF - timedelta(days=2)).isoformat())
    assert made.refusal is None
    assert made.points[30].expected == pytest.approx(35, abs=2)


def test_changes_concern_the_subjects_they_name() -> None:
    change = KnownChange(day=CUTOFF, subjects=("CSQ1",))
    assert change.concerns("PLEX1/CSQ1/CHINIT")
    assert not change.concerns("PLEX1/CSQ2")
    assert KnownChange(day=CUTOFF).concerns("PLEX1/CF01")


@pytest.mark.parametrize("is_log", [True, False])
def test_a_part_of_a_history_takes_the_scale_chosen_for_the_whole(is_log: bool) -> None:
    part = history(100.0 + noise(), usual_scale_is_log=is_log)
    assert specification(part, 30).log_scale is is_log
    assert specification(part, 30, usual_scale=False).log_scale is not is_log
