"""Subject lines of mails."""

from __future__ import annotations

import pytest

from mqcap.domain.crossing import CrossingState
from mqcap.notifications.digest import digest
from mqcap.notifications.email_subject import MAX_SUBJECT_LENGTH, subject_line
from tests.factories import crossing, finding
from tests.mqcap.notifications import builders
from tests.mqcap.notifications.builders import breached, cf_finding, results


def test_the_subject_has_severity_sysplex_resource_figure_and_date() -> None:
    notice = digest(results([cf_finding(), finding()], [breached(finding())]))
    assert subject_line(notice) == (
        "ACT PLEX1 CSQ1 Log growth that fills one log in 30 minutes: "
        "Log growth 4,320 MB/hour, limit 2,001.6 MB/hour, over since 2026-01-30 (+1 more)"
    )


def test_a_long_title_is_cut_in_the_subject_and_not_the_figure_nor_the_date() -> None:
    notice = digest(results([finding(title="long " * 40)], [breached(finding())]))
    line = subject_line(notice)
    assert len(line) == MAX_SUBJECT_LENGTH
    assert line.startswith("ACT PLEX1 CSQ1 long ")
    assert line.endswith(": Log growth 4,320 MB/hour, limit 2,001.6 MB/hour, over since 2026-01-30")


def test_the_subject_names_a_new_problem_before_an_unchanged_one() -> None:
    assert subject_line(builders.estate_digest()).startswith("WATCH PLEX1 CF01 ")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "expected 2026-04-29"),
        ({"expected_date": None}, "earliest 2026-04-02"),
        ({"state": CrossingState.not_within_horizon, "expected_date": None,
          "earliest_date": None}, "on 2026-03-02"),
    ],
)  # fmt: skip
def test_the_subject_has_the_date_of_a_forecast(changed: dict[str, object], words: str) -> None:
    watch = cf_finding()
    notice = digest(results([watch], [crossing(watch, **changed)]))
    assert subject_line(notice) == (
        f"WATCH PLEX1 CF01 CF processor busy: 51 %, limit 60 %, {words}"
    )
