"""Losses of a day."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.domain.finding import Severity
from mqcap.store.plans import read_losses, replace_losses
from tests.factories import DAY
from tests.plan_factories import loss


def test_losses_of_a_day_are_read_most_urgent_first(engine: Engine) -> None:
    act = loss(lost="PLEX1/CSQ2", severity=Severity.act)
    assert replace_losses(engine, DAY, [loss(), act]) == 2
    assert read_losses(engine, DAY) == [act, loss()]


def test_losses_of_a_day_replace_the_former_ones_of_that_day_only(engine: Engine) -> None:
    later = DAY + timedelta(days=1)
    replace_losses(engine, DAY, [loss()])
    replace_losses(engine, later, [loss()])
    replace_losses(engine, later, [])
    assert read_losses(engine, later) == []
    assert read_losses(engine, DAY) == [loss()]
