"""The stored problem history: computed once per day, again after findings have changed."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.problem import AcknowledgementKind, ProblemState
from mqcap.notifications import problem_history, problem_states
from mqcap.notifications.problem_history import grading_of, problems_on, results_of
from mqcap.settings import Settings
from mqcap.store.feeds import replace_feed_days
from mqcap.store.observations import replace_observations
from mqcap.store.problems import read_problem_history, save_acknowledgements
from mqcap.store.series import upsert_series
from tests.factories import DAY, acknowledgement, feed_day
from tests.mqcap.steps.notify.builders import busiest, facts, fine, judge, over, site

ONE_DAY = timedelta(days=1)
KEY = "LOG-FILL-30MIN/PLEX1/CSQ1"
KNOWN = acknowledgement(
    kind=AcknowledgementKind.acknowledged, noted_date=DAY + ONE_DAY, until_date=None
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return site(tmp_path)


def states(engine: Engine) -> list[str]:
    return [problem.state.value for problem in read_problem_history(engine, KEY)]


def test_all_missing_days_up_to_a_day_are_stored(engine: Engine, settings: Settings) -> None:
    for number in range(3):
        judge(engine, DAY + number * ONE_DAY, [over()])
    [problem] = problems_on(settings, engine, DAY + 2 * ONE_DAY)
    assert problem.state is ProblemState.lasting
    assert states(engine) == ["new", "lasting", "lasting"]


def test_a_stored_day_is_not_computed_again(
    engine: Engine, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(engine, DAY, [over()])
    first = problems_on(settings, engine, DAY)

    def computed(*_args: Any, **_kwargs: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(problem_history, "advance", computed)
    assert problems_on(settings, engine, DAY) == first


def test_days_after_a_changed_finding_are_computed_again(
    engine: Engine, settings: Settings
) -> None:
    for number in range(3):
        judge(engine, DAY + number * ONE_DAY, [over()])
    problems_on(settings, engine, DAY + 2 * ONE_DAY)
    judge(engine, DAY, [fine()])
    problems_on(settings, engine, DAY + 2 * ONE_DAY)
    assert states(engine) == ["new", "lasting"]


def test_an_acknowledgement_counts_from_its_day(engine: Engine, settings: Settings) -> None:
    for number in range(2):
        judge(engine, DAY + number * ONE_DAY, [over()])
    save_acknowledgements(engine, [KNOWN])
    problems_on(settings, engine, DAY + ONE_DAY)
    assert states(engine) == ["new", "acknowledged"]


def test_an_acknowledgement_that_arrives_while_problems_are_computed_is_not_lost(
    engine: Engine, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(engine, DAY, [over()])
    judge(engine, DAY + ONE_DAY, [over()])

    def computed(*args: Any, **kwargs: Any) -> Any:
        if kwargs["day"] == DAY + ONE_DAY:
            save_acknowledgements(engine, [KNOWN])
        return problem_states.advance(*args, **kwargs)

    monkeypatch.setattr(problem_history, "advance", computed)
    [problem] = problems_on(settings, engine, DAY + ONE_DAY)
    assert problem.state is ProblemState.acknowledged
    assert states(engine) == ["new", "acknowledged"]


def test_breaches_of_the_same_hour_are_of_their_own_resources(
    engine: Engine, settings: Settings
) -> None:
    subjects = ("PLEX1/CSQ1", "PLEX1/CSQ2")
    upsert_series(engine, [facts(subject) for subject in subjects])
    replace_observations(engine, [DAY], [busiest(subject) for subject in subjects], {})
    judge(engine, DAY, [over(subject) for subject in subjects])
    problems = problems_on(settings, engine, DAY)
    assert [problem.resource for problem in problems] == [f"{name}/active_log" for name in subjects]
    assert {problem.peak_hour_utc for problem in problems} == {busiest("x").busiest_hour_utc}


def test_results_are_findings_crossings_and_feeds_of_the_day(
    engine: Engine, settings: Settings
) -> None:
    replace_feed_days(engine, DAY, DAY, [feed_day("PLEX1/CSQ7")])
    judge(engine, DAY, [over(), fine("PLEX1/CSQ2")])
    judge(engine, DAY + ONE_DAY, [over("PLEX1/CSQ9")])
    results = results_of(settings, engine, DAY)
    assert results.site_date == DAY
    assert {finding.subject for finding in results.findings} == {"PLEX1/CSQ1", "PLEX1/CSQ2"}
    assert [crossing.subject for crossing in results.crossings] == ["PLEX1/CSQ1"]


def test_grading_takes_estate_levels_and_interval_of_the_settings(tmp_path: Path) -> None:
    estate = [{"sysplex": "PLEX1", "qmgrs": [{"name": "CSQT", "class": "test"}]}]
    settings = Settings.model_validate({"estate": estate, "lake": str(tmp_path)})
    grading = grading_of(settings)
    manager = grading.estate.queue_manager("PLEX1", "CSQT")
    assert manager is not None
    assert manager.system_class is SystemClass.test
    assert grading.alerts == settings.alerts
    assert grading.interval_width == settings.forecast.interval_width
