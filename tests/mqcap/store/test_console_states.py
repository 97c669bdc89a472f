from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from mqcap.store.console_states import read_states, replace_states
from tests.factories import DAY, NOON, console_state

ONE_DAY = timedelta(days=1)


def test_states_are_read_on_each_day_on_which_they_count(engine: Engine) -> None:
    state = console_state(last_date=DAY + ONE_DAY)
    assert replace_states(engine, [DAY], [state]) == 1
    assert read_states(engine, DAY, DAY) == read_states(engine, DAY + ONE_DAY, DAY + ONE_DAY)
    assert read_states(engine, DAY, DAY) == [state]
    assert read_states(engine, DAY + 2 * ONE_DAY, DAY + 3 * ONE_DAY) == []
    assert read_states(engine, DAY - ONE_DAY, DAY - ONE_DAY) == []


def test_the_states_of_a_day_replace_those_that_began_on_it(engine: Engine) -> None:
    before = console_state("CSQJ004I", site_date=DAY - ONE_DAY, last_date=DAY)
    replace_states(engine, [DAY - ONE_DAY], [before])
    replace_states(engine, [DAY], [console_state()])
    ended = before.model_copy(update={"ended_utc": NOON, "ended_by": "CSQJ005I"})
    replace_states(engine, [DAY], [ended])
    assert read_states(engine, DAY, DAY) == [ended]
