"""Scenarios saved by name, compared and deleted."""

from __future__ import annotations

import pytest

from tests.plugins.web import Manager, TestClient, text_of


def scenario(**fields: str) -> dict[str, str]:
    return {"name": "Twice the load", "subject": "PLEX1/CSQ1", "growth": "100", **fields}


def test_a_scenario_is_saved_by_name_compared_shared_and_forgotten(person: TestClient) -> None:
    assert "No saved scenarios" in text_of(person.get("/scenarios"))
    answer = person.post("/scenario", data=scenario(start="2026-03-01"))
    assert answer.headers["location"] == "scenarios?name=Twice+the+load"
    person.post("/scenario", data=scenario(name="A little more", growth="5"))
    shown = person.get("/scenarios?name=Twice+the+load&name=A+little+more")
    text = text_of(shown)
    assert "Side by side" in text
    assert "Growth of everything measured 100 %; start 2026-03-01" in text
    assert "whatif?subject=PLEX1%2FCSQ1&amp;day=2026-01-31&amp;growth=100&amp;start=" in shown.text
    person.post("/scenario", data={"name": "Twice the load", "forget": "yes"})
    assert "Twice the load" not in text_of(person.get("/scenarios"))


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"name": ""}, 400), ({"name": "x" * 81}, 400), ({"subject": "NOWHERE"}, 404),
     ({"growth": ""}, 400), ({"growth": "much"}, 422), ({"start": "soon"}, 422)],
    ids=["nameless", "long", "subject", "nothing", "number", "date"],
)  # fmt: skip
def test_a_scenario_that_cannot_be_kept_is_refused(
    person: TestClient, changed: dict[str, str], status: int
) -> None:
    assert person.post("/scenario", data=scenario(**changed)).status_code == status


def test_a_viewer_may_compare_scenarios_and_not_save_one(
    person: TestClient, manager: Manager
) -> None:
    manager.rights = {"GET"}
    assert person.get("/scenarios").status_code == 200
    assert person.post("/scenario", data=scenario()).status_code == 403
