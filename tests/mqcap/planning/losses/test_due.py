"""When to decide on a loss: the day before it would fail, never before the lead time is over."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from mqcap.domain.losses.cell import LossQuantity
from mqcap.planning.losses.due import due_date_of_loss
from mqcap.settings import AlertSettings, ChangeFreeze
from tests.factories import DAY, loss, loss_cell


def due(
    *, lead_days: int, fails_after_days: int, freeze: ChangeFreeze | None = None
) -> date | None:
    """Due day of a loss that passes the limit of CF busy after some days."""
    alerts = AlertSettings(
        lead_time_days={"LOSS-CF-BUSY": lead_days, "default": 99},
        change_freezes=(freeze,) if freeze else (),
    )
    first = DAY + timedelta(days=fails_after_days)
    cell = loss_cell(fails_today=not fails_after_days, fails_from=first)
    return due_date_of_loss(loss(cells=(cell,)), alerts)


@pytest.mark.parametrize(
    ("fails_after_days", "days"), [(0, 30), (30, 30), (31, 30), (32, 31), (100, 99)]
)
def test_the_day_before_the_failure_but_not_before_the_lead_time(
    fails_after_days: int, days: int
) -> None:
    found = due(lead_days=30, fails_after_days=fails_after_days)
    assert found == DAY + timedelta(days=days)


def test_the_lead_time_ends_after_a_change_freeze() -> None:
    freeze = ChangeFreeze(first=DAY + timedelta(days=20), last=DAY + timedelta(days=40))
    assert due(lead_days=30, fails_after_days=0, freeze=freeze) == DAY + timedelta(days=41)


def test_a_loss_without_a_failure_has_no_due_day() -> None:
    cell = loss_cell(fails_today=False)
    assert due_date_of_loss(loss(cells=(cell,)), AlertSettings()) is None


def test_the_longest_lead_time_of_what_fails_counts() -> None:
    leads = {"LOSS-CF-BUSY": 5, "LOSS-CF-STORAGE": 50, "LOSS-CF-PLACE": 70, "default": 99}
    cells = (loss_cell(), loss_cell(quantity=LossQuantity.cf_storage))
    alerts = AlertSettings(lead_time_days=leads)
    assert due_date_of_loss(loss(cells=cells), alerts) == DAY + timedelta(days=50)
    homeless = loss(cells=cells, nowhere_to_go=("PLEX1/CF02/A",))
    assert due_date_of_loss(homeless, alerts) == DAY + timedelta(days=70)
