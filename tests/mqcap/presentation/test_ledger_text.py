"""The ledger in sentences."""

from __future__ import annotations

from datetime import timedelta

import pytest

from mqcap.domain.console.ledger import Ledger, LedgerEvent, LedgerForecast
from mqcap.domain.forecast import ForecastBasis
from mqcap.presentation.ledger_text import LISTED_MAX, count_lines, ledger_lines, outcome_text
from tests.factories import DAY

EVENT = LedgerEvent(
    resource="PLEX1/CSQ1/active_log", label="CSQ1 active logs", site_date=DAY,
    state="out of active log space", message_id="CSQJ111A",
)  # fmt: skip
DUE = LedgerForecast(
    basis=ForecastBasis.live, resource="PLEX1/CSQ1/active_log", label="CSQ1 active logs",
    rule_id="LOG-FILL-30MIN", subject="PLEX1/CSQ1", stated_on=DAY - timedelta(days=60),
    expected_date=DAY - timedelta(days=20),
)  # fmt: skip


def test_events_are_counted_as_forecast_over_already_or_not_foreseen_by_basis() -> None:
    missed = EVENT.model_copy(update={"basis": ForecastBasis.live})
    over = missed.model_copy(update={"stated_on": DAY, "rule_id": "LOG-DAY-ACTIVE"})
    forecast = over.model_copy(update={"expected_date": DAY})
    replayed = forecast.model_copy(update={"basis": ForecastBasis.hold_out})
    assert ledger_lines(Ledger(events=(EVENT, missed, over, forecast, replayed))) == [
        (
            "Live: 3 events on the console: 1 forecast at least 14 days before, 1 over a limit "
            "already when that was first reported, 1 not foreseen."
        ),
        (
            "Hold-out: 1 event on the console: 1 forecast at least 14 days before, 0 over a limit "
            "already when that was first reported, 0 not foreseen."
        ),
        "1 event on the console without an evaluated day 14 days before: not compared.",
        (
            "Over a limit already: CSQ1 active logs, out of active log space on 2026-03-02 "
            "(CSQJ111A); LOG-DAY-ACTIVE on 2026-03-02."
        ),
        "Not foreseen: CSQ1 active logs, out of active log space on 2026-03-02 (CSQJ111A).",
    ]


def test_each_due_forecast_is_listed_with_its_outcome() -> None:
    came = DUE.model_copy(update={"measured_on": DAY - timedelta(days=18)})
    assert ledger_lines(Ledger(forecasts=(DUE, came))) == [
        "Live: 2 forecasts due: 1 came (1 by measured figures, 0 by a message), 1 did not.",
        (
            "Live: on 2026-01-01 LOG-FILL-30MIN of CSQ1 active logs was expected to pass its limit "
            "on 2026-02-10: did not come by 2026-02-24."
        ),
        (
            "Live: on 2026-01-01 LOG-FILL-30MIN of CSQ1 active logs was expected to pass its limit "
            "on 2026-02-10: measured over its limit on 2026-02-12; came 2 days later."
        ),
    ]


@pytest.mark.parametrize(
    ("days", "words"),
    [(-31, "came 31 days earlier"), (1, "came 1 day later"), (0, "came on the expected day")],
)
def test_how_far_from_the_expected_day_a_forecast_came_is_stated(days: int, words: str) -> None:
    came = DUE.model_copy(update={"measured_on": DUE.expected_date + timedelta(days=days)})
    assert outcome_text(came).endswith(f"; {words}")


def test_a_forecast_that_came_both_ways_names_both_and_the_first_day_counts() -> None:
    both = DUE.model_copy(
        update={
            "measured_on": DAY,
            "reported_on": DAY - timedelta(days=1),
            "message_id": "CSQJ111A",
        }
    )
    assert outcome_text(both) == (
        "measured over its limit on 2026-03-02, CSQJ111A on 2026-03-01; came 19 days later"
    )
    assert both.came_on == DAY - timedelta(days=1)


@pytest.mark.parametrize(("count", "more"), [(-1, False), (0, False), (1, True)])
def test_many_due_forecasts_are_listed_up_to_a_number(count: int, more: bool) -> None:
    lines = ledger_lines(Ledger(forecasts=(DUE,) * (LISTED_MAX + count)))
    assert sum("was expected to pass" in line for line in lines) == LISTED_MAX + min(count, 0)
    assert ("Due before: 1 other forecast." in lines) is more


def test_without_entries_nothing_is_stated() -> None:
    assert ledger_lines(Ledger()) == count_lines(Ledger()) == []


def test_events_of_consoles_and_error_logs_are_counted_together() -> None:
    other = EVENT.model_copy(update={"message_id": "AMQ7463"})
    [line] = count_lines(Ledger(events=(EVENT, other)))
    assert line.startswith("2 events on the console and in the error log without")
