"""One quantity of one survivor."""

from __future__ import annotations

from datetime import date

import pytest

from mqcap.losses.cell import LossQuantity
from tests.plan_factories import loss_cell


@pytest.mark.parametrize(
    ("quantity", "today", "limit", "ratio"),
    [
        (LossQuantity.cf_processor, 30.0, 60.0, 0.5),
        (LossQuantity.log_runway, 6.0, 12.0, 2.0),
        (LossQuantity.log_fill, 60.0, 30.0, 0.5),
        (LossQuantity.cf_storage, 100.0, None, 0.0),
        (LossQuantity.cf_storage, None, 100.0, 0.0),
    ],
)
def test_a_time_is_fuller_the_shorter_it_is(
    quantity: LossQuantity, today: float | None, limit: float | None, ratio: float
) -> None:
    assert loss_cell(quantity=quantity, today=today, limit=limit).use_ratio == ratio


def test_a_limit_passed_without_the_loss_is_not_caused_by_it() -> None:
    assert loss_cell(fails_today=True, fails_before=True).is_caused is False
    assert loss_cell(fails_today=False, fails_from=date(2027, 1, 1)).is_caused is True
    assert loss_cell(fails_today=False, fails_from=None).fails is False
