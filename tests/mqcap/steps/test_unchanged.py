"""A step is repeated unless inputs, results, code, settings and libraries are as they were."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mqcap.settings import Settings
from mqcap.settings.versions import versions
from mqcap.steps import unchanged
from mqcap.steps.unchanged import DayStep, digests_of, once
from mqcap.store.database import Store
from mqcap.store.models import INPUTS_DIGEST, RESULTS_DIGEST, StepRun
from mqcap.store.step_runs import read_step_runs, save_step_run
from tests.factories import DAY
from tests.stores import new_store

SETTINGS = Settings.model_validate({"estate": []})
OTHER_SETTINGS = Settings.model_validate({"estate": [], "site": {"name": "another"}})


class Work:
    """A step over one input and one row, run by the runner's rules."""

    def __init__(self, engine: Store) -> None:
        self.engine = engine
        self.input: str | None = "a"
        self.row = ""
        self.runs = 0

    def run(self, settings: Settings = SETTINGS, day: date = DAY, name: str = "size") -> Any:
        counts = once(
            DayStep(name, lambda: self.input, lambda: self.row, self._run),
            settings,
            self.engine,
            day,
        )
        ended = datetime(2026, 4, 1, tzinfo=UTC) + timedelta(
            seconds=len(read_step_runs(self.engine, day))
        )
        with_digests = {**versions(settings), **digests_of(counts)}
        save_step_run(
            self.engine,
            StepRun(
                step=name,
                ended_at_utc=ended,
                site_date=day,
                versions=with_digests,
                counts=dict(counts),
            ),
        )
        return counts

    def _run(self) -> dict[str, Any]:
        self.runs += 1
        self.row = f"row of {self.input}"
        return {"rows": 1}


@pytest.fixture
def work(tmp_path: Path) -> Work:
    made = Work(new_store(tmp_path / "store.db"))
    made.run()
    return made


def test_a_step_with_the_same_inputs_and_results_is_not_repeated(work: Work) -> None:
    assert work.run() == work.run() == {"rows": 1}
    assert work.runs == 1
    runs = read_step_runs(work.engine, DAY)
    assert len(runs) == 3
    assert {run.versions[RESULTS_DIGEST] for run in runs} == {"row of a"}
    assert len({run.versions[INPUTS_DIGEST] for run in runs}) == 1


def test_a_changed_input_repeats_it_and_the_former_one_too(work: Work) -> None:
    for number, name in enumerate(("b", "a", "b"), 2):
        work.input = name
        work.run()
        assert work.runs == number
    work.run()
    assert work.runs == 4


def test_inputs_that_cannot_be_told_repeat_it_and_leave_no_digest(work: Work) -> None:
    work.input = None
    assert digests_of(work.run()) == {}
    work.input = "a"
    work.run()
    assert work.runs == 3


def test_rows_that_were_changed_or_half_written_repeat_it(work: Work) -> None:
    work.row = "half"
    work.run()
    assert (work.runs, work.row) == (2, "row of a")


def test_other_settings_repeat_it(work: Work) -> None:
    work.run(OTHER_SETTINGS)
    work.run(OTHER_SETTINGS)
    assert work.runs == 2
    work.run()
    assert work.runs == 3


@pytest.mark.parametrize("changed", ["mqcap", "python", "code_sha256", "rules_sha256"])
def test_another_version_of_product_code_or_interpreter_repeats_it(
    work: Work, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    other = {**versions(SETTINGS), changed: "another"}
    monkeypatch.setattr(unchanged, "versions", lambda _settings: other)
    work.run()
    assert work.runs == 2


def test_another_version_of_a_library_repeats_it(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unchanged, "version", lambda _name: "0.0.1")
    work.run()
    assert work.runs == 2


def test_runs_of_other_days_and_of_other_steps_are_no_runs_of_this_one(work: Work) -> None:
    work.run(day=DAY - timedelta(days=1))
    work.run(name="alert")
    assert work.runs == 3


def test_a_run_of_an_earlier_release_without_digests_is_repeated(work: Work) -> None:
    [run] = read_step_runs(work.engine, DAY)
    save_step_run(work.engine, run.model_copy(update={"versions": versions(SETTINGS)}))
    work.run()
    assert work.runs == 2
