from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.store.annotations import annotations_of, annotations_on, save_annotation
from tests.factories import DAY, NOON, annotation

ONE_DAY = timedelta(days=1)


def test_the_same_note_of_the_same_person_is_stored_once_with_its_first_instant(
    engine: Engine,
) -> None:
    save_annotation(engine, annotation())
    save_annotation(engine, annotation(noted_at_utc=NOON + ONE_DAY))
    assert annotations_of(engine, "PLEX1/CSQ1") == [annotation()]


def test_another_author_rule_day_or_text_is_another_note(engine: Engine) -> None:
    notes = [
        annotation(),
        annotation(who="ben"),
        annotation(note="Old logs."),
        annotation(rule_id="LOG-FILL-30MIN"),
        annotation(last_date=DAY + ONE_DAY),
    ]
    for note in notes:
        save_annotation(engine, note)
    assert len(annotations_of(engine, "PLEX1/CSQ1")) == len(notes)


def test_notes_of_a_subject_include_those_of_what_it_is_a_part_of(engine: Engine) -> None:
    sysplex = annotation(subject="PLEX1", first_date=DAY - ONE_DAY, note="Weekend test.")
    for note in (annotation(), sysplex, annotation(subject="PLEX1/CSQ1/PSID04")):
        save_annotation(engine, note)
    save_annotation(engine, annotation(subject="PLEX1/CSQ2"))
    assert annotations_of(engine, "PLEX1/CSQ1") == [sysplex, annotation()]
    assert annotations_of(engine, "PLEX1") == [sysplex]
    assert len(annotations_of(engine, "PLEX1/CSQ1/PSID04")) == 3


def test_notes_that_begin_after_the_last_day_are_left_out(engine: Engine) -> None:
    later = annotation(first_date=DAY + ONE_DAY, last_date=DAY + ONE_DAY)
    for note in (annotation(), later):
        save_annotation(engine, note)
    assert annotations_of(engine, "PLEX1/CSQ1", DAY) == [annotation()]
    assert annotations_of(engine, "PLEX1/CSQ1", DAY + ONE_DAY) == [annotation(), later]


def test_notes_on_a_day_are_those_whose_days_include_it(engine: Engine) -> None:
    long = annotation(subject="PLEX1", first_date=DAY - ONE_DAY, last_date=DAY + ONE_DAY)
    for note in (annotation(), long):
        save_annotation(engine, note)
    assert annotations_on(engine, DAY) == [long, annotation()]
    assert annotations_on(engine, DAY + ONE_DAY) == [long]
    assert annotations_on(engine, DAY + 2 * ONE_DAY) == []
