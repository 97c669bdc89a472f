from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from mqcap.domain.finding import Finding, Severity
from mqcap.domain.metric import Direction
from mqcap.judging import bound_dates
from mqcap.judging.bound import Bound, BoundPoint, bound_of
from mqcap.judging.bound_dates import failing_on, forecast_of, judged_on, kept_on_bound, segments
from mqcap.judging.evaluate import DayFacts
from mqcap.judging.mandatory import MandatoryRules, is_mandatory
from mqcap.settings import load_settings
from sizing.rulebook.registry import all_rules
from tests.factories import DAY as CUTOFF
from tests.factories import forecast
from tests.mqcap.planning.builders import DAY, QUEUE_MANAGER, facts_of, planned

LINES = [(1.0, 2.0, 4.0), (1.0, 3.0, 5.0), (2.0, 2.5, 3.0)]
LAST = CUTOFF + timedelta(days=30)


def bound(direction: Direction = Direction.upward, confidence: float = 0.9) -> Bound:
    return bound_of(forecast(lines=LINES), direction, confidence, CUTOFF, LAST)


def test_at_ninety_percent_the_bound_is_that_of_an_interval_of_eighty() -> None:
    assert list(bound(Direction.upward).values) == pytest.approx([4.0, 5.0, 3.0])
    assert list(bound(Direction.downward).values) == pytest.approx([1.0, 1.0, 2.0])


def test_more_confidence_is_farther_from_the_expected_value() -> None:
    more = bound(Direction.upward, 0.975)
    assert more.at(0).site_date == CUTOFF + timedelta(days=1)
    assert more.at(0).value == pytest.approx(2 + 2 * 1.959964 / 1.281552)


def test_only_days_of_the_plan_count() -> None:
    second = CUTOFF + timedelta(days=2)
    made = forecast(lines=LINES)
    assert bound_of(made, Direction.upward, 0.9, second, second).days == (second,)
    assert bound_of(made, Direction.upward, 0.9, LAST, LAST).days == ()


def test_the_worst_day_is_the_highest_or_lowest_and_none_without_days() -> None:
    upward, downward = bound(), bound(Direction.downward)
    assert (upward.worst(), downward.worst()) == (upward.at(1), downward.at(0))
    assert bound_of(forecast(lines=LINES), Direction.upward, 0.9, LAST, LAST).worst() is None


def test_the_worst_day_up_to_each_day_is_the_first_of_equals() -> None:
    values = [2.0, 1.0, 2.0, 3.0, 3.0, 1.0]
    days = tuple(CUTOFF + timedelta(days=ahead) for ahead in range(len(values)))
    assert list(Bound(days, np.array(values), Direction.upward).worst_up_to()) == [0, 0, 0, 3, 3, 3]
    downward = Bound(days, np.array(values), Direction.downward).worst_up_to()
    assert list(downward) == [0, 1, 1, 1, 1, 1]
    assert list(Bound((), np.empty(0), Direction.upward).worst_up_to()) == []


PAIR = (all_rules()["LOG-RUNWAY-12H"], QUEUE_MANAGER)
FIRST = DAY + timedelta(days=14)


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> DayFacts:
    return facts_of(Path(tmp_path_factory.mktemp("bound")), 0.2, growth_per_day=0.004)


def test_the_first_day_over_the_limit_is_that_of_the_bound(facts: DayFacts) -> None:
    limit = kept_on_bound(PAIR, facts, FIRST, FIRST).fails_from
    assert limit is not None
    assert limit > FIRST


def test_without_a_forecast_the_measured_figure_counts_from_the_first_day(facts: DayFacts) -> None:
    bare = facts._replace(forecasts={})
    assert forecast_of(PAIR, bare) is None
    kept = kept_on_bound(PAIR, bare, FIRST, FIRST)
    measured = judged_on(PAIR, bare, None)
    assert measured is not None
    assert kept == (FIRST if measured.breach else None, False)


def test_only_a_finding_that_fails_is_held_against_the_limits_of_knowledge(
    facts: DayFacts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be evaluated fails nothing."""
    held: list[Finding] = []

    def unknown(found: Finding, *_: object) -> Finding:
        held.append(found)
        return found.model_copy(update={"severity": Severity.unknown})

    fails = failing_on(PAIR, facts)
    kept, passed = BoundPoint(FIRST, 0.2), BoundPoint(FIRST, 2.0)
    assert not fails(kept)
    assert fails(passed)
    monkeypatch.setattr(bound_dates, "with_limits_of_knowledge", unknown)
    assert not fails(kept)
    assert held == []
    assert not fails(passed)
    assert [found.breach for found in held] == [True]


def test_days_are_divided_where_a_planned_change_begins(tmp_path: Path) -> None:
    changing = facts_of(tmp_path, 0.2, planned=planned(30, active_logs=9))
    first, second = segments(changing, FIRST, DAY + timedelta(days=60))
    assert (first.first, second.first) == (FIRST, DAY + timedelta(days=30))
    assert first.last == second.first - timedelta(days=1)


FILL, DAY_ACTIVE = "LOG-FILL-30MIN", "LOG-DAY-ACTIVE"


@pytest.mark.parametrize(
    ("grading", "mandatory"),
    [
        ({}, (True, False)),
        ({FILL: {"breach": Severity.watch}}, (False, False)),
        ({DAY_ACTIVE: {"breach": Severity.act}}, (True, True)),
        ({FILL: {"breach": Severity.act}, DAY_ACTIVE: {"breach": Severity.watch}}, (True, False)),
    ],
)
def test_the_grading_of_the_site_counts_before_that_of_the_rule(
    grading: dict[str, dict[str, Severity]], mandatory: tuple[bool, bool]
) -> None:
    settings = load_settings(grading=grading)
    known = MandatoryRules(settings)
    assert (FILL in known, DAY_ACTIVE in known) == mandatory
    assert (is_mandatory(settings, all_rules()[FILL]), FILL in known) == (mandatory[0],) * 2


def test_an_unknown_rule_is_not_mandatory() -> None:
    known = MandatoryRules(load_settings())
    assert "OLD-RULE" not in known
    assert None not in known
