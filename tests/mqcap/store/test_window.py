"""The days that a rule looks at."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.metric import Statistic, SubjectKind
from mqcap.store.observations import read_window, replace_observations
from mqcap.store.series import upsert_series
from tests.factories import DAY, observation, series_facts

NEXT_DAY = DAY + timedelta(days=1)


def test_a_window_holds_both_its_ends_in_order(engine: Engine) -> None:
    days = [DAY + timedelta(days=ahead) for ahead in range(-1, 3)]
    subjects = ("PLEX1/CSQ2", "PLEX1/CSQ1")
    upsert_series(engine, [series_facts(subject) for subject in subjects])
    rows = [observation(subject, day) for subject in subjects for day in days]
    replace_observations(engine, days, rows, {})
    found = read_window(engine, DAY, NEXT_DAY)
    assert [(row.subject, row.site_date) for row in found] == [
        ("PLEX1/CSQ1", DAY),
        ("PLEX1/CSQ1", NEXT_DAY),
        ("PLEX1/CSQ2", DAY),
        ("PLEX1/CSQ2", NEXT_DAY),
    ]
    assert found[0].subject_kind is SubjectKind.queue_manager
    assert found[0].value(Statistic.peak) == 1.5
    assert found[0].value(Statistic.mean) == 0.5


def test_an_observation_of_an_undeclared_series_is_left_out(engine: Engine) -> None:
    replace_observations(engine, [DAY], [observation()], {})
    assert read_window(engine, DAY, DAY) == []
