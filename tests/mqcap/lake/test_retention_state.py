from __future__ import annotations

from datetime import date
from pathlib import Path

from mqcap.lake.retention_state import RetentionState


def test_before_the_first_removal_every_date_is_complete(tmp_path: Path) -> None:
    state = RetentionState.load(tmp_path)
    assert (state.raw_from, state.interval_from, state.hourly_from) == (date.min,) * 3
    assert state.removed == {}


def test_the_state_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    state = RetentionState(raw_from=date(2026, 3, 1), removed={"ab": "landing/source=smf/ab.smf"})
    state.save(tmp_path)
    assert RetentionState.load(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]
