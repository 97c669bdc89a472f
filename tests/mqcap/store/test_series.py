from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.store.observations import replace_observations
from mqcap.store.series import (
    count_known_series,
    find_series,
    read_series,
    read_series_names,
    series_as_of,
    series_below,
    series_with_ids,
    subject_meant,
    upsert_series,
)
from mqcap.store.upsert import KEYS_PER_STATEMENT
from tests.factories import DAY, observation, series_facts

NEXT_DAY = DAY + timedelta(days=1)


def test_an_empty_store_has_no_series(engine: Engine) -> None:
    assert read_series(engine) == []
    assert find_series(engine, "x") is None
    assert series_below(engine, "PLEX1") == []
    assert count_known_series(engine, DAY) == 0


def test_series_can_be_read_by_metric_and_by_id(engine: Engine) -> None:
    busy = series_facts(
        "PLEX1/CF01",
        series_id="cf_busy_pct/PLEX1/CF01",
        metric="cf_busy_pct",
        subject_kind=SubjectKind.coupling_facility,
        direction=Direction.downward,
        ceiling=100.0,
    )
    upsert_series(engine, [series_facts(), busy])
    assert read_series(engine, "cf_busy_pct") == [busy]
    assert find_series(engine, busy.series_id) == busy
    ids = [facts.series_id for facts in read_series(engine)]
    assert ids == sorted([busy.series_id, series_facts().series_id])


def test_series_are_read_in_the_order_of_the_ids_that_are_asked_for(engine: Engine) -> None:
    every = [series_facts(f"PLEX1/Q{number:03}") for number in range(KEYS_PER_STATEMENT + 1)]
    upsert_series(engine, every)
    ids = [facts.series_id for facts in reversed(every)]
    assert series_with_ids(engine, [ids[0], "x", *ids[1:]]) == every[::-1]
    assert series_with_ids(engine, []) == []


def test_names_of_series_are_those_of_their_facts(engine: Engine) -> None:
    upsert_series(engine, [series_facts("PLEX1/CSQ2"), series_facts()])
    assert read_series_names(engine) == [
        (facts.series_id, facts.metric, facts.subject, facts.subject_kind)
        for facts in read_series(engine)
    ]


def test_the_span_of_a_series_follows_its_observations(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    assert read_series(engine)[0].last_site_date is None
    days = [DAY, NEXT_DAY]
    replace_observations(engine, days, [observation(day=day) for day in days], {})
    assert read_series(engine)[0].first_site_date == DAY
    assert read_series(engine)[0].last_site_date == NEXT_DAY
    replace_observations(engine, [NEXT_DAY], [], {})
    assert read_series(engine)[0].last_site_date == DAY
    upsert_series(engine, [series_facts(unit="MB/s")])
    assert read_series(engine)[0].last_site_date == DAY
    assert read_series(engine)[0].unit == "MB/s"


def test_a_writer_cannot_set_the_span_of_a_series(engine: Engine) -> None:
    replace_observations(engine, [DAY], [observation()], {})
    upsert_series(engine, [series_facts().model_dump() | {"first_site_date": NEXT_DAY}])
    assert read_series(engine)[0].first_site_date == DAY


def test_series_below_a_subject_are_its_own_and_those_of_its_parts(engine: Engine) -> None:
    subjects = ("PLEX1/CSQ1", "PLEX1/CSQ1/PSID04", "PLEX1/CSQ10", "PLEX2/CSQ1")
    upsert_series(engine, [series_facts(subject) for subject in subjects])
    assert [facts.subject for facts in series_below(engine, "PLEX1/CSQ1")] == [
        "PLEX1/CSQ1",
        "PLEX1/CSQ1/PSID04",
    ]
    assert len(series_below(engine, "PLEX1")) == 3


def test_a_wildcard_in_a_subject_matches_nothing_else(engine: Engine) -> None:
    upsert_series(engine, [series_facts("PLEX1/CSQ1/PSID04")])
    assert series_below(engine, "PLEX1/CSQ_") == []
    assert series_below(engine, "%") == []


def test_on_a_past_day_a_series_ends_with_its_last_day_by_then(engine: Engine) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2"), series_facts("PLEX1/CSQ3")])
    rows = [observation(day=DAY), observation(day=NEXT_DAY), observation("PLEX1/CSQ2", NEXT_DAY)]
    replace_observations(engine, [DAY, NEXT_DAY], rows, {})
    series = read_series(engine)
    past = {facts.subject: facts.last_site_date for facts in series_as_of(engine, series, DAY)}
    assert past == {"PLEX1/CSQ1": DAY, "PLEX1/CSQ3": None}
    assert series_as_of(engine, series, NEXT_DAY) == series
    assert series_as_of(engine, [], DAY) == []


def test_known_series_are_those_measured_by_the_day(engine: Engine) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2"), series_facts("PLEX1/CSQ3")])
    rows = [observation(day=DAY), observation("PLEX1/CSQ2", NEXT_DAY)]
    replace_observations(engine, [DAY, NEXT_DAY], rows, {})
    counts = [count_known_series(engine, DAY + timedelta(days=ahead)) for ahead in (-1, 0, 1, 9)]
    assert counts == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [("plex1", "PLEX1"), ("CSQ2", "PLEX1/CSQ2"), ("PLEX1/CSQ2/PS01", "PLEX1/CSQ2/PS01")],
)
def test_a_subject_is_meant_by_its_end_and_in_any_case(
    engine: Engine, wanted: str, meant: str
) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2/PS01")])
    assert subject_meant(engine, wanted) == meant


def test_a_subject_that_no_series_has_is_an_error_where_there_are_series(engine: Engine) -> None:
    assert subject_meant(engine, "CSQ9") == "CSQ9"
    upsert_series(engine, [series_facts()])
    with pytest.raises(ConfigurationError, match="no such subject; found CSQ9; expected"):
        subject_meant(engine, "CSQ9")
