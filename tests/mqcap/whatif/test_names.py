"""Short names in a scenario."""

from __future__ import annotations

from typing import Any

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.names import with_full_names
from mqcap.whatif.scenario import Scenario
from tests.mqcap.rulebook.builders import QUEUE_MANAGER
from tests.mqcap.whatif.builders import (
    CF,
    OTHER_CF,
    PAGE_SET,
    STRUCTURE,
    known_in,
    messages,
    peak,
    world,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("names"))


def scenario(**sections: Any) -> Scenario:
    return Scenario.model_validate(sections)


def test_the_end_of_a_subject_is_enough_where_it_is_unique(known: DayFacts) -> None:
    short = messages(
        subject="CSQ1", structure="QSG1APPL1", duplexed_in="CF02", page_set="CSQ1/PS03"
    )
    [part] = with_full_names(known, scenario(workload=[short])).workload
    assert (part.subject, part.structure) == (QUEUE_MANAGER, STRUCTURE)
    assert (part.duplexed_in, part.page_set) == (OTHER_CF, PAGE_SET)
    hardware = scenario(hardware=[{"subject": "CF01", "engines": 4}])
    assert with_full_names(known, hardware).hardware[0].subject == CF


def test_full_names_and_unknown_ones_stay(known: DayFacts) -> None:
    given = scenario(
        workload=[messages()],
        hardware=[{"subject": "PLEX1", "lspr_ratio": 2}, {"subject": "F01", "engines": 1}],
    )
    assert with_full_names(known, given) == given
    assert with_full_names(known, Scenario()) == Scenario()


def test_a_name_that_two_subjects_end_in_is_refused_with_both(known: DayFacts) -> None:
    other = known.observed.days("cf_busy_pct", CF)[0]._replace(subject="PLEX2/CF01")
    days = [*known.observed.every_day(), other]
    twice = known._replace(observed=type(known.observed)(days, known.observed.last, 35))
    given = scenario(hardware=[{"subject": "CF01", "engines": 4}])
    with pytest.raises(ConfigurationError, match=r"CF01 is not unique; .* PLEX1/CF01 PLEX2/CF01"):
        with_full_names(twice, given)


def test_a_short_name_has_the_effects_of_the_full_one(known: DayFacts) -> None:
    seen = world(known, workload=[{"subject": "CF01", "cf_busy_points": 5}])
    assert peak(seen, "cf_busy_pct", CF) == 45
