"""The candidates of the engine."""

from __future__ import annotations

import pytest

from forecasting.engine.candidates import method_count, method_names
from forecasting.engine.kinds import DAILY, HOURLY, LONG_DAILY, WEEKLY, SeriesKind


@pytest.mark.parametrize("kind", [HOURLY, DAILY, WEEKLY, LONG_DAILY], ids=lambda kind: kind.name)
def test_every_method_has_its_own_name(kind: SeriesKind) -> None:
    names = method_names(kind)
    assert len(set(names)) == len(names) == method_count(kind)
