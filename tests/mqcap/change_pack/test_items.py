from __future__ import annotations

from mqcap.change_pack.pack import item_of_finding
from mqcap.domain.plan import PlanCost, PlanVariant
from mqcap.domain.typed_amount import TypedAmount, TypedKind
from tests.mqcap.change_pack.builders import change, finding

RECOMMENDED = PlanVariant()
SMALLER = PlanVariant(changes=(change("PLEX1/CSQ2", active_logs=9),), cost=PlanCost(cylinders=5))


def test_a_finding_without_a_plan_has_its_changes_else_its_advice() -> None:
    made = item_of_finding(
        finding("CHI-MAXCHL", "PLEX1/CSQ1/CHINIT", TypedAmount.of(TypedKind.maxchl, 900))
    )
    assert made.topics == ["maxchl"]
    assert made.reasons[1:] == (
        'source: MP16 (14), "A section"',
        "change: Change it. [MAXCHL(900)]",
    )
    assert made.due is None
    advised = item_of_finding(finding("CHI-SCAV-75", "PLEX1/CSQ1/CHINIT"))
    assert advised.reasons[-1] == "Do something else."
