from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from mqcap.domain.errors import InputError
from mqcap.lake.retention_state import RetentionState


def test_the_state_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    assert RetentionState.load(tmp_path) == RetentionState()
    removed = {"ab": "landing/source=smf/ab.smf"}
    state = RetentionState(interval_from=date(2026, 3, 1), removed=removed)
    state.save(tmp_path)
    assert RetentionState.load(tmp_path) == state
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


def test_a_state_that_cannot_be_read_is_one_sentence_with_the_way_back(tmp_path: Path) -> None:
    (tmp_path / "kept.json").touch()
    with pytest.raises(InputError, match=r"kept\.json: what retention has removed .* backup"):
        RetentionState.load(tmp_path)
