"""What to try before another queue manager takes channels."""

from __future__ import annotations

from datetime import date
from typing import Any

from mqcap.domain.losses.cell import LossQuantity
from mqcap.domain.losses.loss import LeavingChannels, Loss
from mqcap.domain.metric import SubjectKind
from mqcap.domain.plan import NotKept, PlanCost, PlanVariant
from mqcap.presentation.losses.before_move import before_move_text
from mqcap.presentation.losses.plan import plan_of_loss
from mqcap.presentation.losses.text import effort_lines
from mqcap.presentation.plans.text import plan_lines
from tests.factories import DAY
from tests.plan_factories import loss, loss_cell, plan_change

CSQ2, CSQ3 = "PLEX1/CSQ2", "PLEX1/CSQ3"
MOVE = LeavingChannels(
    survivor=CSQ2, subject=f"{CSQ2}/CHINIT", label="CSQ2", planned=0, today=10, needed=20
)
UNKEPT = NotKept(rule_id="LOG-FILL-30MIN", subject=CSQ2, fails_from=date(2027, 1, 4), why="logs")


def lost(**changed: Any) -> Loss:
    values: dict[str, Any] = {
        "lost": "PLEX1/CSQ1",
        "kind": SubjectKind.queue_manager,
        "survivors": (CSQ2, CSQ3),
        "is_any_enough": True,
        "changed_survivors": (CSQ2,),
        "moves": (MOVE,),
        "due_date": DAY,
        "changes": PlanVariant(changes=(plan_change(),), cost=PlanCost(work_hours=2)),
        "cells": (
            loss_cell(
                survivor=CSQ2, quantity=LossQuantity.log_fill, rule_id="LOG-FILL-30MIN", unit="min"
            ),
        ),
    }
    return loss(**(values | changed))


SHARED = "let CSQ2 and CSQ3 share the work of CSQ1"


def test_members_share_the_work_and_the_log_is_compressed_before_channels_leave() -> None:
    found = lost(not_kept=(UNKEPT,))
    text = before_move_text(found)
    assert text.startswith("Before another queue manager is set up, with an effect that is in no ")
    assert f"here: {SHARED}, each of which is evaluated as though it alone took all of it" in text
    assert text.endswith(
        "; compress the log of CSQ2 (COMPLOG=RLE; log_compression_pct in what-if tries what that "
        "saves), since channels that leave do not keep LOG-FILL-30MIN from 4 Jan 2027 on."
    )
    assert text in list(effort_lines(found))
    assert any(text in line for line in plan_lines(plan_of_loss(found)))


def test_what_does_not_apply_is_left_out() -> None:
    assert "COMPLOG" not in before_move_text(lost())
    alone = lost(survivors=(CSQ2,), not_kept=(UNKEPT,))
    assert "share" not in before_move_text(alone)
    assert "share" not in before_move_text(lost(is_any_enough=False, not_kept=(UNKEPT,)))
    assert before_move_text(lost(moves=(), not_kept=(UNKEPT,))) == ""
