from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.feed import FeedDay, FeedKind, FeedState
from mqcap.domain.metric import Direction, SubjectKind
from mqcap.store.console_states import read_states, replace_states
from mqcap.store.feeds import (
    feeds_between,
    feeds_of_subjects,
    read_feeds,
    read_source_files,
    replace_feed_days,
    source_files_between,
    upsert_source_files,
)
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
from mqcap.store.step_runs import (
    first_runs,
    last_step_ended_at,
    read_step_runs,
    run_dates,
    save_step_run,
)
from mqcap.store.upsert import KEYS_PER_STATEMENT
from tests import factories
from tests.factories import (
    DAY,
    NOON,
    console_state,
    observation,
    series_facts,
    source_file,
    step_run,
)

ONE_DAY = timedelta(days=1)
NEXT_DAY = DAY + ONE_DAY
LATER = NOON + timedelta(hours=1)


def test_series_can_be_read_by_metric_and_by_id(engine: Engine) -> None:
    busy = series_facts(
        "PLEX1/CF01", series_id="cf_busy_pct/PLEX1/CF01", metric="cf_busy_pct",
        subject_kind=SubjectKind.coupling_facility, direction=Direction.downward, ceiling=100.0,
    )  # fmt: skip
    upsert_series(engine, [series_facts(), busy])
    assert read_series(engine, "cf_busy_pct") == [busy]
    assert find_series(engine, busy.series_id) == busy
    assert read_series(engine) == [busy, series_facts()]
    assert read_series_names(engine) == [
        (facts.series_id, facts.metric, facts.subject, facts.subject_kind)
        for facts in (busy, series_facts())
    ]


def test_series_are_read_in_the_order_of_the_ids_that_are_asked_for(engine: Engine) -> None:
    every = [series_facts(f"PLEX1/Q{number:03}") for number in range(KEYS_PER_STATEMENT + 1)]
    upsert_series(engine, every)
    ids = [facts.series_id for facts in reversed(every)]
    assert series_with_ids(engine, [ids[0], "x", *ids[1:]]) == every[::-1]
    assert series_with_ids(engine, []) == []


def test_the_span_of_a_series_follows_its_observations(engine: Engine) -> None:
    upsert_series(engine, [series_facts()])
    assert read_series(engine)[0].last_site_date is None
    days = [DAY, NEXT_DAY]
    replace_observations(engine, days, [observation(day=day) for day in days], {})
    [whole] = read_series(engine)
    assert (whole.first_site_date, whole.last_site_date) == (DAY, NEXT_DAY)
    replace_observations(engine, [NEXT_DAY], [], {})
    assert read_series(engine)[0].last_site_date == DAY
    upsert_series(engine, [series_facts(unit="MB/s")])
    [changed] = read_series(engine)
    assert (changed.last_site_date, changed.unit) == (DAY, "MB/s")
    upsert_series(engine, [series_facts().model_dump() | {"first_site_date": NEXT_DAY}])
    assert read_series(engine)[0].first_site_date == DAY, "no writer can set it"


def test_series_below_a_subject_are_its_own_and_those_of_its_parts(engine: Engine) -> None:
    subjects = ("PLEX1/CSQ1", "PLEX1/CSQ1/PSID04", "PLEX1/CSQ10", "PLEX2/CSQ1")
    upsert_series(engine, [series_facts(subject) for subject in subjects])
    for subject, count in (("PLEX1/CSQ1", 2), ("PLEX1", 3), ("PLEX1/CSQ_", 0), ("%", 0)):
        below = series_below(engine, subject)
        assert [facts.subject for facts in below] == list(subjects[:count]), "no wildcards"


def test_on_a_past_day_a_series_ends_with_its_last_day_by_then(engine: Engine) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2"), series_facts("PLEX1/CSQ3")])
    rows = [observation(day=DAY), observation(day=NEXT_DAY), observation("PLEX1/CSQ2", NEXT_DAY)]
    replace_observations(engine, [DAY, NEXT_DAY], rows, {})
    series = read_series(engine)
    past = {facts.subject: facts.last_site_date for facts in series_as_of(engine, series, DAY)}
    assert past == {"PLEX1/CSQ1": DAY, "PLEX1/CSQ3": None}
    assert series_as_of(engine, series, NEXT_DAY) == series
    assert series_as_of(engine, [], DAY) == []
    counts = [count_known_series(engine, DAY + timedelta(days=ahead)) for ahead in (-1, 0, 1, 9)]
    assert counts == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [("plex1", "PLEX1"), ("CSQ2", "PLEX1/CSQ2"), ("PLEX1/CSQ2/PS01", "PLEX1/CSQ2/PS01")],
)
def test_a_subject_is_meant_by_its_end_in_any_case(engine: Engine, wanted: str, meant: str) -> None:
    upsert_series(engine, [series_facts(), series_facts("PLEX1/CSQ2/PS01")])
    assert subject_meant(engine, wanted) == meant


def test_a_subject_that_no_series_has_is_an_error_where_there_are_series(engine: Engine) -> None:
    assert subject_meant(engine, "CSQ9") == "CSQ9"
    upsert_series(engine, [series_facts()])
    with pytest.raises(ConfigurationError, match="no such subject; found CSQ9; expected"):
        subject_meant(engine, "CSQ9")


def test_a_file_delivered_again_keeps_its_first_landing(engine: Engine) -> None:
    upsert_source_files(engine, [source_file()])
    again = source_file(landed_at_utc=NOON + ONE_DAY, record_count=7, decoded_bytes=4_096)
    upsert_source_files(engine, [again])
    [stored] = read_source_files(engine)
    assert stored.landed_at_utc == NOON
    assert (stored.record_count, stored.decoded_bytes) == (7, 4_096)


def test_files_are_ordered_by_day_of_receipt_and_hash(engine: Engine) -> None:
    late = source_file(sha256="0" * 64, received_date=DAY + ONE_DAY)
    second, first = source_file(sha256="b" * 64), source_file(sha256="a" * 64)
    upsert_source_files(engine, [late, second, first])
    assert read_source_files(engine) == [first, second, late]


def test_files_of_a_period_have_an_interval_that_overlaps_it(engine: Engine) -> None:
    hours = {"a": (-5, -1), "b": (-5, 0), "c": (1, 2), "d": (3, 4)}
    before, touching, inside, after = (
        source_file(
            sha256=letter * 64, first_interval_utc=NOON + timedelta(hours=first),
            last_interval_utc=NOON + timedelta(hours=last),
        )
        for letter, (first, last) in hours.items()
    )  # fmt: skip
    undecoded = source_file(sha256="e" * 64)
    upsert_source_files(engine, [before, touching, inside, after, undecoded])
    files = source_files_between(engine, NOON, NOON + timedelta(hours=3))
    assert files == [touching, inside]


DAY_OF_FEEDS = date(2026, 3, 4)


def feed_day(**changed: Any) -> FeedDay:
    seen = datetime(2026, 3, 5, tzinfo=UTC)
    values: dict[str, Any] = {"kind": FeedKind.member, "member": "SYS2", "systems": ("SYS2",)}
    values |= {"site_date": DAY_OF_FEEDS, "last_seen_utc": seen}
    return factories.feed_day("PLEX1/CF01", **(values | changed))


def test_complete_days_are_replaced_and_others_stay(engine: Engine) -> None:
    before = DAY_OF_FEEDS - timedelta(days=1)
    whole = feed_day(kind=FeedKind.coupling_facility, member="", state=FeedState.complete)
    replace_feed_days(engine, before, DAY_OF_FEEDS, [feed_day(site_date=before), feed_day(), whole])
    assert replace_feed_days(engine, DAY_OF_FEEDS, DAY_OF_FEEDS, [whole]) == 1
    assert feeds_between(engine, before, DAY_OF_FEEDS) == [whole, feed_day(site_date=before)]
    assert feeds_between(engine, before, DAY_OF_FEEDS, [FeedState.complete]) == [whole]


def test_feeds_of_a_day_come_by_subject_kind_and_member(engine: Engine) -> None:
    days = [
        feed_day(),
        feed_day(member="SYS1"),
        feed_day(kind=FeedKind.coupling_facility, member=""),
        factories.feed_day("PLEX1/CSQ1", site_date=DAY_OF_FEEDS),
        factories.feed_day("PLEX1/CSQ1", site_date=DAY_OF_FEEDS - ONE_DAY),
    ]
    replace_feed_days(engine, DAY_OF_FEEDS - ONE_DAY, DAY_OF_FEEDS, reversed(days))
    assert read_feeds(engine, DAY_OF_FEEDS) == [days[2], days[1], days[0], days[3]]


def test_feeds_of_subjects_come_by_day_and_subject(engine: Engine) -> None:
    next_day, subjects = DAY_OF_FEEDS + ONE_DAY, ["B/CSQ1", "A/CSQ1"]
    first, second, other = (
        factories.feed_day(f"{name}/CSQ1", site_date=DAY_OF_FEEDS) for name in "ABC"
    )
    later = factories.feed_day("A/CSQ1", site_date=next_day)
    replace_feed_days(engine, DAY_OF_FEEDS, next_day, [later, other, second, first])
    found = feeds_of_subjects(engine, subjects, DAY_OF_FEEDS, next_day)
    assert found == [first, second, later]
    assert feeds_of_subjects(engine, subjects, DAY_OF_FEEDS, DAY_OF_FEEDS) == [first, second]
    assert feeds_of_subjects(engine, [], DAY_OF_FEEDS, DAY_OF_FEEDS) == []


def test_runs_of_a_day_are_read_in_the_order_in_which_they_ended(engine: Engine) -> None:
    later = step_run(ended_at_utc=LATER)
    same_time = step_run(ended_at_utc=LATER, step="size")
    for run in (same_time, later, step_run(), later):
        save_step_run(engine, run)
    assert read_step_runs(engine, DAY) == [step_run(), later, same_time]
    assert read_step_runs(engine, NEXT_DAY) == []


def test_days_with_runs_are_in_order_and_the_last_end_is_that_of_any_day(engine: Engine) -> None:
    assert (run_dates(engine), last_step_ended_at(engine)) == ([], None)
    before = DAY - timedelta(days=9)
    for day, ended in ((DAY, NOON), (before, LATER), (DAY, NOON + timedelta(minutes=1))):
        save_step_run(engine, step_run(site_date=day, ended_at_utc=ended))
    assert (run_dates(engine), last_step_ended_at(engine)) == ([before, DAY], LATER)


def test_the_first_run_of_each_day_is_found(engine: Engine) -> None:
    for ended in (LATER, NOON):
        save_step_run(engine, step_run(step="size", ended_at_utc=ended))
    next_run = step_run(step="size", site_date=NEXT_DAY, ended_at_utc=LATER + timedelta(hours=1))
    for run in (step_run(), next_run):
        save_step_run(engine, run)
    assert first_runs(engine, "size", DAY, DAY) == {DAY: NOON}
    assert set(first_runs(engine, "size", DAY, NEXT_DAY)) == {DAY, NEXT_DAY}


def test_states_are_read_on_each_day_on_which_they_count(engine: Engine) -> None:
    state = console_state(last_date=DAY + ONE_DAY)
    assert replace_states(engine, [DAY], [state]) == 1
    assert read_states(engine, DAY, DAY) == read_states(engine, DAY + ONE_DAY, DAY + ONE_DAY)
    assert read_states(engine, DAY, DAY) == [state]
    assert read_states(engine, DAY + 2 * ONE_DAY, DAY + 3 * ONE_DAY) == []
    assert read_states(engine, DAY - ONE_DAY, DAY - ONE_DAY) == []


def test_the_states_of_a_day_replace_those_that_began_on_it(engine: Engine) -> None:
    before = console_state("CSQJ004I", site_date=DAY - ONE_DAY, last_date=DAY)
    replace_states(engine, [DAY - ONE_DAY], [before])
    replace_states(engine, [DAY], [console_state()])
    ended = before.model_copy(update={"ended_utc": NOON, "ended_by": "CSQJ005I"})
    replace_states(engine, [DAY], [ended])
    assert read_states(engine, DAY, DAY) == [ended]
