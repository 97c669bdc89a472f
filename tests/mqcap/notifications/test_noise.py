"""Ninety days around a limit, in many shapes: one ticket, and emails that people keep reading."""

import math
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Final, NamedTuple

import pytest

from mqcap.domain.crossing import Crossing
from mqcap.domain.finding import Finding, Severity
from tests.factories import DAY, crossing, finding
from tests.mqcap.notifications.builders import NO_SITE, digest_of, problem_days_of, results
from tests.mqcap.notifications.ticket_runs import TicketRuns

DAYS: Final = 90
SEEDS: Final = range(3)
Shape = Callable[[random.Random, int], float]

SHAPES: Final[dict[str, Shape]] = {
    "even": lambda noise, _: noise.uniform(-0.4, 0.4),
    "narrow": lambda noise, _: noise.uniform(-0.05, 0.05),
    "bell": lambda noise, _: noise.gauss(0, 0.2),
    "heavy tails": lambda noise, _: 0.05 * noise.gauss(0, 1) / max(0.1, abs(noise.gauss(0, 1))),
    "working days": lambda noise, day: (-0.05 if day % 7 < 5 else 0.5) + noise.gauss(0, 0.04),
    "every other day": lambda noise, day: (-0.1 if day % 2 else 0.5) + noise.gauss(0, 0.02),
    "a week in, a week out": lambda noise, day: (-0.1, 0.4)[day // 7 % 2] + noise.gauss(0, 0.02),
    "nine days in, nine out": lambda noise, day: (-0.1, 0.4)[day // 9 % 2] + noise.gauss(0, 0.02),
    "month-ends": lambda noise, day: (-0.1 if day % 30 == 29 else 0.5) + noise.gauss(0, 0.02),
    "a slow wave": lambda noise, day: 0.3 * math.sin(day / 9.5) + noise.gauss(0, 0.05),
}


class Course(NamedTuple):
    """Notifications that people received in ninety days."""

    tickets: int
    mails: int


def of_headroom(headroom: float, number: int) -> Finding:
    day = DAY + timedelta(days=number)
    severity = Severity.act if headroom < 0 else Severity.watch if headroom < 0.15 else Severity.ok
    return finding(site_date=day, severity=severity, breach=headroom < 0, headroom_ratio=headroom)


def lived(days: list[tuple[Finding, Crossing | None]]) -> Course:
    runs, references, mails = TicketRuns(), set(), 0
    for number, (result, its) in enumerate(days):
        today = results([result], [its] if its else [], day=result.site_date)
        runs.problems = problem_days_of(today, runs.problems, NO_SITE, judged_before=min(number, 3))
        notice = digest_of(today, runs.problems)
        runs.run(notice)
        mails += notice.has_changes
        references |= {ticket.external_ref for ticket in runs.tickets.values()}
    return Course(len(references), mails)


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHAPES)
def test_noise_around_a_limit_is_one_ticket_whatever_its_shape(name: str) -> None:
    for seed in SEEDS:
        noise = random.Random(seed)  # noqa: S311 - made-up figures
        measured = [of_headroom(SHAPES[name](noise, day), day) for day in range(DAYS)]
        seen = lived([(item, None) for item in measured])
        assert seen.tickets <= 1
        assert seen.mails <= DAYS // 5


@pytest.mark.parametrize("share", [0.1, 0.4])
def test_days_that_cannot_be_judged_make_no_more_tickets_of_noise(share: float) -> None:
    for seed in SEEDS:
        noise = random.Random(seed)  # noqa: S311 - made-up figures
        lost = {"severity": Severity.unknown, "breach": None, "headroom_ratio": None}
        days = [of_headroom(noise.uniform(-0.3, 0.3), day) for day in range(DAYS)]
        gone = [item.model_copy(update=lost) if noise.random() < share else item for item in days]
        assert lived([(item, None) for item in gone]).tickets <= 1


@pytest.mark.thorough
@pytest.mark.parametrize("spread_days", [5, 20, 60])
def test_a_forecast_whose_date_jumps_every_night_is_one_ticket(spread_days: int) -> None:
    for seed in SEEDS:
        noise = random.Random(seed)  # noqa: S311 - made-up figures
        days: list[tuple[Finding, Crossing | None]] = []
        for number in range(DAYS):
            of = of_headroom(0.1, number).model_copy(update={"severity": Severity.act})
            ahead = 70 + noise.randint(-spread_days, spread_days)
            dates = {
                "earliest_date": of.site_date + timedelta(days=ahead // 2),
                "expected_date": of.site_date + timedelta(days=ahead),
                "latest_date": of.site_date + timedelta(days=2 * ahead),
            }
            likely = min(1.0, max(0.0, 0.5 + noise.uniform(-0.2, 0.2)))
            days.append((of, crossing(of, probability_30_days=likely, **dates)))
        seen = lived(days)
        assert seen.tickets == 1
        assert seen.mails <= 6
