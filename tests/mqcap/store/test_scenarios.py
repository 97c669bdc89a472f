from __future__ import annotations

from sqlalchemy import Engine

from mqcap.store.scenarios import delete_scenario, read_scenarios, save_scenario
from tests.factories import scenario


def test_scenarios_are_read_by_name_and_of_one_subject(engine: Engine) -> None:
    other = scenario(name="less load", subject="PLEX1/CSQ2")
    for saved in (scenario(), other):
        save_scenario(engine, saved)
    assert read_scenarios(engine) == [other, scenario()]
    assert read_scenarios(engine, "PLEX1/CSQ1") == [scenario()]
    assert read_scenarios(engine, "PLEX1") == []


def test_a_scenario_of_the_same_name_replaces_the_older_one(engine: Engine) -> None:
    save_scenario(engine, scenario())
    save_scenario(engine, scenario(parameters={"logs": "80"}, who="ben"))
    assert read_scenarios(engine) == [scenario(parameters={"logs": "80"}, who="ben")]


def test_deleting_a_scenario_returns_whether_it_existed(engine: Engine) -> None:
    save_scenario(engine, scenario())
    assert delete_scenario(engine, scenario().name)
    assert not delete_scenario(engine, scenario().name)
    assert read_scenarios(engine) == []
