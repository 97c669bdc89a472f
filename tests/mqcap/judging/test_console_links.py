"""What the console reported before and after a state, and on earlier days."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.console.states import ConsoleState
from mqcap.domain.resource import ResourceKind
from mqcap.ingest.console.catalogue import catalogue
from mqcap.judging.console_links import (
    ARCHIVING_STOPPED,
    EARLIER_DAYS_NAMED,
    LOG_IS_FULL,
    earlier_words,
    is_full_without_stop,
    linked_words,
)
from tests.factories import DAY, NOON, console_state

CPH = "Europe/Copenhagen"
FULL = console_state()


def failed(begins: int, ends: int | None = None, message_id: str = "CSQJ115E") -> ConsoleState:
    """Return an archive failure from so many minutes after noon to so many."""
    return console_state(
        message_id,
        resource_kind=ResourceKind.archive,
        state="archiving failed",
        first_utc=NOON + timedelta(minutes=begins),
        ended_utc=None if ends is None else NOON + timedelta(minutes=ends),
    )


@pytest.mark.parametrize(
    ("begins", "ends", "is_linked"),
    [(-60, None, True), (0, None, True), (1, None, False), (-60, 0, True), (-60, -1, False)],
)
def test_a_failure_of_archiving_that_had_not_ended_comes_before_full_logs(
    begins: int, ends: int | None, is_linked: bool
) -> None:
    cause = failed(begins, ends)
    assert bool(linked_words([FULL], [cause, FULL], DAY, CPH)) is is_linked
    assert bool(linked_words([cause], [cause, FULL], DAY, CPH)) is is_linked
    assert is_full_without_stop("PLEX1/CSQ1", [cause, FULL], DAY) is not is_linked


def test_logs_are_full_without_a_stop_only_on_their_queue_manager_and_day() -> None:
    assert is_full_without_stop("PLEX1/CSQ1", [console_state("CSQJ110E")], DAY)
    assert not is_full_without_stop("PLEX1/CSQ2", [FULL], DAY)
    assert not is_full_without_stop("PLEX1/CSQ1", [FULL], DAY + timedelta(days=1))
    assert not is_full_without_stop("PLEX1/CSQ1", [failed(0)], DAY)


def test_the_words_name_time_and_message_of_the_other_state() -> None:
    first, second = failed(-90), failed(-30, message_id="CSQJ128E")
    every = [second, first, FULL]
    assert linked_words([FULL], every, DAY, CPH) == (
        "Before it, archiving failed from 11:30 (CSQJ115E)."
    )
    assert linked_words([first], every, DAY, CPH) == (
        "After it: out of active log space at 13:00 (CSQJ111A)."
    )


def test_a_failure_of_the_day_before_is_named_with_its_day() -> None:
    cause = failed(-24 * 60).model_copy(update={"site_date": DAY - timedelta(days=1)})
    words = linked_words([FULL], [cause, FULL], DAY, CPH)
    assert words == "Before it, archiving failed from 13:00 on 2026-03-01 (CSQJ115E)."


def test_other_messages_resources_and_queue_managers_are_not_linked() -> None:
    degraded = failed(-60, message_id="CSQJ103E")
    other = failed(-60).model_copy(update={"subject": "PLEX1/CSQ2"})
    assert linked_words([FULL], [degraded, other, FULL], DAY, CPH) == ""
    pool = console_state("CSQP020E", resource_kind=ResourceKind.buffer_pool)
    assert linked_words([pool], [pool, failed(-60), FULL], DAY, CPH) == ""


def test_linked_messages_are_those_of_the_catalogue() -> None:
    entries = catalogue()
    assert {entries[name].resource for name in ARCHIVING_STOPPED} == {ResourceKind.archive}
    assert {entries[name].resource for name in LOG_IS_FULL} == {ResourceKind.active_log}


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        ([], ""),
        ([24], "Also on 6 Feb 2026."),
        ([1, 24], "Also on 6 Feb 2026 and 1 Mar 2026."),
        ([1, 2, 3, 4], "Also on 1 earlier day, 27 Feb 2026, 28 Feb 2026 and 1 Mar 2026."),
    ],
)
def test_earlier_days_of_the_same_message_are_named(ago: list[int], words: str) -> None:
    days = [DAY - timedelta(days=count) for count in ago]
    own = [console_state(site_date=day, last_date=day) for day in days]
    other = console_state("CSQJ004I", site_date=DAY - timedelta(days=9))
    assert earlier_words([FULL], [*own, *own, other, FULL], DAY) == words
    assert EARLIER_DAYS_NAMED == 3
