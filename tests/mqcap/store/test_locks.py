import json
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine

from mqcap.domain.errors import ServiceUnavailable
from mqcap.domain.plan import AnyPlan, ChangePlan, Incident, InputsMissing
from mqcap.store import database
from mqcap.store.database import open_store
from mqcap.store.documents import parse_plan
from mqcap.store.locks import exclusive

STORED: dict[str, Any] = {
    "resource": "PLEX1/CSQ1/active_log", "label": "CSQ1 active logs", "kind": "active_log",
    "owner_subject": "PLEX1/CSQ1", "owner": "Payments", "site_date": "2026-11-27",
    "earliest_date": "2026-12-11", "due_date": "2026-12-04", "horizon_date": "2027-05-26",
    "made_on": "2026-11-20", "severity": "act", "summary": "4.1 h of 12 h.",
    "worst_rule": "LOG-RUNWAY-12H", "worst_subject": "PLEX1/CSQ1", "worst_headroom_ratio": -0.66,
    "confidence": 0.9, "is_feasible": False, "changes": [], "cost": {"cylinders": 3},
    "missing": ["active_logs: set it"], "is_event": False, "event_advice": "",
}  # fmt: skip


@pytest.mark.thorough
def test_only_one_holder_is_inside_a_lock_which_is_waited_for_longer_than_a_row(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_TIMEOUT_MS", 50)
    engine = open_store(store_url)
    order: list[str] = []

    def second() -> None:
        with exclusive(engine, "step"):
            order.append("second")

    with exclusive(engine, "step"):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]
    engine.dispose()


def test_locks_of_different_names_do_not_wait_for_each_other(engine: Engine) -> None:
    with exclusive(engine, "outer"), exclusive(engine, "inner"):
        pass


def test_a_lock_is_released_after_an_error(engine: Engine) -> None:
    with pytest.raises(KeyError), exclusive(engine, "test"):
        raise KeyError
    with exclusive(engine, "test"):
        pass


def test_a_folder_that_is_gone_is_service_unavailable(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'gone' / 'store.db'}")
    with (
        pytest.raises(ServiceUnavailable, match=r"store\.db\.test\.lock cannot be acquired"),
        exclusive(engine, "test"),
    ):
        pass


@pytest.mark.parametrize(
    ("changed", "form"),
    [
        ({}, InputsMissing),
        ({"is_feasible": True, "missing": []}, ChangePlan),
        ({"is_event": True, "event_has_ended": True, "event_advice": "Find out why."}, Incident),
    ],
)
def test_a_plan_of_flat_fields_is_read_well(changed: dict[str, Any], form: type[AnyPlan]) -> None:
    plan = parse_plan(json.dumps(STORED | changed))
    assert isinstance(plan, form)
    assert plan.about.owner == "Payments"
    assert (plan.dates.made_on.day, plan.due_date.day) == (20, 4)
    assert (plan.reason.rule_id, plan.reason.headroom_ratio) == ("LOG-RUNWAY-12H", -0.66)
    assert plan.base.cost.cylinders == 3
    if isinstance(plan, Incident):
        assert (plan.is_over, plan.advice) == (True, "Find out why.")
