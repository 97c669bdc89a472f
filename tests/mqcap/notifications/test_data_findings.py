from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mqcap.domain.feed import (
    INCOMPLETE_DATA,
    FeedDay,
    FeedKind,
    FeedState,
    Gap,
    GapCause,
    data_findings,
)
from mqcap.domain.finding import Severity
from mqcap.notifications.digest import digest
from mqcap.notifications.email_message import render, summary, unknown_lines
from mqcap.notifications.email_subject import subject_line
from tests.factories import DAY, feed_day, finding
from tests.mqcap.notifications.builders import MESSAGE_CONTEXT, results

QUIET = finding(severity=Severity.ok, observed=0.2, breach=False, headroom_ratio=0.6)
CF = "PLEX1/CF01"


def test_a_missing_feed_is_no_all_clear() -> None:
    said = digest(results([QUIET], feeds=[feed_day()]))
    assert said.quiet
    assert not said.all_clear
    assert subject_line(said) == (
        f"DATA INCOMPLETE PLEX1 CSQ1: Queue manager statistics (SMF 115) partial, {DAY}"
    )
    assert "1 feed of records incomplete" in summary(said)


def test_further_missing_feeds_are_counted_and_a_member_is_named() -> None:
    lost = feed_day(CF, kind=FeedKind.member, member="SYS2", state=FeedState.never_seen)
    said = digest(results([QUIET], feeds=[lost, feed_day()]))
    assert subject_line(said).startswith("DATA INCOMPLETE PLEX1 CF01 from SYS2: ")
    assert "never seen" in subject_line(said)
    assert subject_line(said).endswith("(+1 more)")


@pytest.mark.parametrize("state", [FeedState.complete, FeedState.stopped])
def test_a_complete_day_and_a_known_stop_are_no_data_findings(state: FeedState) -> None:
    said = digest(results([QUIET], feeds=[feed_day(state=state)]))
    assert said.data == ()
    assert subject_line(said).startswith("OK:")


def test_a_feed_that_is_missing_or_back_is_news_and_its_figures_are_not() -> None:
    before = digest(results([QUIET]))
    first = digest(results([QUIET], feeds=[feed_day()]))
    later = digest(results([QUIET], feeds=[feed_day(received_seconds=80_000.0)]))
    assert before.alerts_sha256 != first.alerts_sha256 == later.alerts_sha256


def test_the_mail_has_a_section_of_its_own_for_data() -> None:
    message = render(digest(results([finding()], feeds=[feed_day()])), MESSAGE_CONTEXT)
    plain, rich = (message.get_body((kind,)) for kind in ("plain", "html"))
    assert plain is not None
    assert rich is not None
    text = plain.get_content()
    assert "MISSING RECORDS" in text
    assert "PLEX1/CSQ1: 3 h of 24 h are missing, 09:00 to 12:00 UTC." in text
    assert "88% arrived" in text
    assert "Missing records" in rich.get_content()
    assert "Ask for the dump again." in rich.get_content()


def test_a_quiet_mail_with_missing_data_says_how_far_it_can_say_so() -> None:
    message = render(digest(results([QUIET], feeds=[feed_day()])), MESSAGE_CONTEXT)
    body = message.get_body(("plain",))
    assert body is not None
    assert "As far as records have arrived, nothing is over its limit" in body.get_content()


def _gap(hour: int) -> Gap:
    return Gap(
        start_utc=datetime(2026, 3, 2, hour, tzinfo=UTC),
        end_utc=datetime(2026, 3, 2, hour + 1, tzinfo=UTC),
        cause=GapCause.unexplained,
    )


def test_what_the_facility_lacks_is_not_said_again_for_each_member() -> None:
    whole = feed_day(CF, kind=FeedKind.coupling_facility, gaps=(_gap(3),))
    same = feed_day(CF, kind=FeedKind.member, member="SYS1", gaps=(_gap(3),))
    more = feed_day(CF, kind=FeedKind.member, member="SYS2", gaps=(_gap(3), _gap(5)))
    assert data_findings([more, same, whole]) == (whole, more)


def test_a_queue_manager_speaks_for_its_channel_initiator() -> None:
    manager = feed_day(state=FeedState.absent)
    mover = feed_day("PLEX1/CSQ1/CHINIT", kind=FeedKind.channel_initiator, state=FeedState.absent)
    alone = feed_day(state=FeedState.complete)
    assert data_findings([mover, manager]) == (manager,)
    assert data_findings([mover, alone]) == (mover,)
    longer = mover.model_copy(update={"gaps": (_gap(3), _gap(5))})
    assert data_findings([longer, feed_day(gaps=(_gap(3),))]) == (feed_day(gaps=(_gap(3),)), longer)


def test_a_ratio_never_passes_one_and_nothing_expected_is_nothing_missing() -> None:
    assert feed_day(received_seconds=90_000.0).ratio == 1.0
    nothing: FeedDay = feed_day(expected_seconds=0.0, received_seconds=0.0, gaps=())
    assert nothing.ratio == 1.0
    assert feed_day().missing_hours == 3.0


def test_checks_that_wait_for_records_are_one_line() -> None:
    waiting = [
        finding(subject, rule_id=rule, severity=Severity.unknown, missing=(INCOMPLETE_DATA,))
        for subject in ("PLEX1/CSQ1", "PLEX1/CSQ1/BP00")
        for rule in ("A", "B")
    ]
    other = finding(rule_id="C", severity=Severity.unknown, missing=("size: set it",))
    first, *rest = unknown_lines(digest(results([*waiting, other])))
    assert first == (
        "4 checks wait for records that have not arrived (see Missing records): "
        "PLEX1/CSQ1 (2), PLEX1/CSQ1/BP00 (2)."
    )
    assert len(rest) == 1
