"""CF busy when the requests of structures grow."""

from typing import Any

import pytest

from mqcap.domain.metric import SubjectKind
from mqcap.domain.unit_cost import UnitCost, UnitCostKind
from mqcap.judging.evaluate import DayFacts
from mqcap.whatif.overlay import Overlay
from tests.factories import unit_cost
from tests.mqcap.judging.observations import with_days
from tests.mqcap.whatif.builders import (
    CF,
    MEASURED,
    STRUCTURE,
    known_in,
    learning,
    peak,
    text_of,
    world,
)

ADMIN = f"{CF}/QSG1CSQ_ADMIN"
KIND = SubjectKind.structure
REQUESTS = "structure_requests_per_s"
LOADED = [
    *MEASURED,
    ("cf_engine_count", CF, SubjectKind.coupling_facility, "count", 2.0),
    (REQUESTS, STRUCTURE, KIND, "count/s", 4_000.0),
    (REQUESTS, ADMIN, KIND, "count/s", 1_000.0),
    ("structure_sync_us", STRUCTURE, KIND, "us", 10.0),
    ("structure_sync_us", ADMIN, KIND, "us", 40.0),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return known_in(tmp_path_factory.mktemp("requests"), LOADED)


def us_each(structure: str, value: float = 100.0, **changed: Any) -> UnitCost:
    values = {
        "kind": UnitCostKind.cf_us_per_request, "subject": structure, "unit": "us", "value": value,
        "lower": 0.95 * value, "upper": 1.05 * value, "base_unit": "us/s",
    }  # fmt: skip
    return unit_cost(**(values | changed))


def grown(known: DayFacts, *structures: str, metrics: tuple[str, ...] = (REQUESTS,)) -> Overlay:
    return world(known, growth=[{"subjects": [*structures], "metrics": metrics, "pct": 50}])


def test_requests_take_their_learnt_cf_time_with_them(known: DayFacts) -> None:
    seen = grown(learning(known, us_each(STRUCTURE)), STRUCTURE)
    own = 4_000 * 100 / (2 * 10_000)
    assert peak(seen, "cf_busy_pct", CF) == pytest.approx(40 + 0.5 * own)
    assert "100 us (95 to 105 at 80 %)" in text_of(seen, "cf_busy_pct")
    assert "MP16: 90 KiB" in text_of(seen, "cf_busy_pct")


def test_the_parts_of_several_structures_add(known: DayFacts) -> None:
    facts = learning(known, us_each(STRUCTURE), us_each(ADMIN, 200.0))
    own = (4_000 * 100 + 1_000 * 200) / (2 * 10_000)
    assert peak(grown(facts, STRUCTURE, ADMIN), "cf_busy_pct", CF) == pytest.approx(40 + own / 2)


@pytest.mark.parametrize(("each_us", "busy_pct"), [(199, 59.9), (200, 60), (201, 60)])
def test_requests_are_no_more_than_all_of_busy(
    known: DayFacts, each_us: float, busy_pct: float
) -> None:
    seen = grown(learning(known, us_each(STRUCTURE, each_us)), STRUCTURE)
    assert peak(seen, "cf_busy_pct", CF) == pytest.approx(busy_pct)


def test_without_a_certain_cost_service_times_share_busy_out(known: DayFacts) -> None:
    wide = us_each(STRUCTURE, lower=1.0, upper=400.0)
    for costs in ((), (wide,)):
        seen = grown(learning(known, *costs), STRUCTURE)
        assert peak(seen, "cf_busy_pct", CF) == pytest.approx(40 * (1 + 0.5 * 0.5))
        assert "requests x service time = 20,000 of 40,000 us/s" in text_of(seen, "cf_busy_pct")
    assert "not the learnt 100 us (1 to 400 at 80 %): half" in text_of(seen, "cf_busy_pct")


def test_a_structure_of_unknown_cost_and_service_time_adds_nothing(known: DayFacts) -> None:
    timed = [each for each in known.observed.every_day() if each.metric != "structure_sync_us"]
    seen = grown(known._replace(observed=with_days(known.observed, timed)), STRUCTURE)
    assert peak(seen, "cf_busy_pct", CF) == 40
    assert "1 structure is not known" in text_of(seen, "cf_busy_pct")


def test_a_facility_that_grows_itself_grows_once(known: DayFacts) -> None:
    facts = learning(known, us_each(STRUCTURE))
    assert peak(grown(facts, f"{CF}*", metrics=()), "cf_busy_pct", CF) == 60


def test_other_figures_of_a_structure_leave_the_facility_alone(known: DayFacts) -> None:
    seen = grown(learning(known, us_each(STRUCTURE)), STRUCTURE, metrics=("structure_size_mib",))
    assert peak(seen, "cf_busy_pct", CF) == 40
