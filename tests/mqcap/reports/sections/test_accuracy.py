"""Accuracy of the forecasts of the last quarter."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from mqcap.reports.sections.accuracy import accuracy
from mqcap.store.console_states import replace_states
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.observations import replace_observations
from mqcap.store.scores import save_scores
from mqcap.store.series import upsert_series
from tests.factories import (
    DAY,
    console_state,
    crossing_score,
    finding,
    forecast,
    observation,
    series_facts,
)
from tests.mqcap.reports.builders import basis, texts


@pytest.mark.parametrize(("back", "is_scored"), [(1, True), (91, True), (92, False)])
def test_forecasts_of_the_last_quarter_are_scored(
    tmp_path: Path, back: int, is_scored: bool
) -> None:
    cutoff = DAY - timedelta(days=back)
    with basis(tmp_path, [finding()]) as made:
        upsert_series(made.engine, [series_facts()])
        first = cutoff + timedelta(days=1)
        replace_observations(made.engine, {first}, [observation(day=first)], {})
        replace_forecasts(made.engine, cutoff, [forecast(cutoff_date=cutoff)])
        table = accuracy(made).tables[0]
    expected = [["Log growth", "1", "100 %", "80 %", "6.452 %"]] if is_scored else []
    assert texts(table) == expected


def test_without_a_score_there_is_a_sentence(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        section = accuracy(made)
    assert section.sentences == ()
    assert section.tables[0].rows == ()
    assert section.tables[0].blank.startswith("Nothing is scored yet")


def test_what_the_console_reported_comes_first(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        replace_states(made.engine, [DAY], [console_state()])
        section = accuracy(made)
    assert section.sentences[0] == (
        "1 event on the console without an evaluated day 14 days before: not compared."
    )


def test_each_rule_has_its_record(tmp_path: Path) -> None:
    with basis(tmp_path, [finding()]) as made:
        save_scores(made.engine, [], [crossing_score(cutoff_date=DAY - timedelta(days=37))])
        section = accuracy(made)
    assert section.sentences[0].startswith("Live: LOG-FILL-30MIN: no date was due; 1 probability")
