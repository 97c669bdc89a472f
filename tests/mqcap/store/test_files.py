from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.store.feeds import read_source_files, source_files_between, upsert_source_files
from tests.factories import DAY, NOON, source_file

ONE_DAY = timedelta(days=1)


def test_a_file_comes_back_as_it_was_stored(engine: Engine) -> None:
    assert read_source_files(engine) == []
    assert upsert_source_files(engine, [source_file()]) == 1
    assert read_source_files(engine) == [source_file()]


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


def test_a_file_may_be_a_mapping_with_the_fields_of_the_model(engine: Engine) -> None:
    upsert_source_files(engine, [source_file().model_dump()])
    assert read_source_files(engine) == [source_file()]


def test_files_of_a_period_have_an_interval_that_overlaps_it(engine: Engine) -> None:
    def file(letter: str, first_hour: int, last_hour: int) -> object:
        return source_file(
            sha256=letter * 64,
            first_interval_utc=NOON + timedelta(hours=first_hour),
            last_interval_utc=NOON + timedelta(hours=last_hour),
        )

    before, touching, inside, after = (
        file("a", -5, -1), file("b", -5, 0), file("c", 1, 2), file("d", 3, 4),
    )  # fmt: skip
    undecoded = source_file(sha256="e" * 64)
    upsert_source_files(engine, [before, touching, inside, after, undecoded])  # type: ignore[list-item]
    files = source_files_between(engine, NOON, NOON + timedelta(hours=3))
    assert files == [touching, inside]
