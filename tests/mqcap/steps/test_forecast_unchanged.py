"""A forecast that is stored is not made again, and what is stored is that of a full run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, update

from mqcap.domain.errors import InputError
from mqcap.lake import forecast_inputs
from mqcap.lake.forecast_inputs import INPUTS
from mqcap.store.forecasts import replace_forecasts
from mqcap.store.series import read_series, upsert_series
from mqcap.store.tables import ForecastPointRow, ForecastRow
from tests.factories import forecast
from tests.mqcap.steps.forecast_runs import FACILITIES, Site, new_site

pytestmark = pytest.mark.thorough


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site of which all is forecast."""
    made = new_site(tmp_path, monkeypatch)
    assert made.run() == {"forecasts": 2, "refused": 1}
    assert made.fitted == [3]
    return made


def test_a_second_run_forecasts_and_writes_nothing(site: Site) -> None:
    before = site.stored()
    files = {path: path.stat().st_mtime_ns for path in site.lake.rglob("*.parquet")}
    assert site.run() == {"forecasts": 2, "refused": 1}
    assert site.fitted == [3, 0]
    assert site.stored() == before == site.full().stored()
    assert {path: path.stat().st_mtime_ns for path in site.lake.rglob("*.parquet")} == files


def test_late_data_of_a_series_let_that_one_be_forecast(site: Site) -> None:
    site.measure(FACILITIES[0], 90.0)
    site.run()
    assert site.fitted == [3, 1]
    full = site.full()
    assert site.stored() == full.stored()
    assert site.left() == full.left()


def test_another_final_fit_lets_all_be_forecast_and_back_again(site: Site) -> None:
    first, usual = site.stored(), site.options
    site.options = usual.model_copy(update={"final_fit": "fast"})
    site.run()
    assert site.stored() == site.full().stored() != first
    site.options = usual
    site.run()
    assert site.fitted == [3, 3, 3]
    assert site.stored() == first


@pytest.mark.parametrize(
    "name", ["series_per_batch", "series_without_spark", "keep_models_days", "hold_out_origins"]
)
def test_a_setting_on_which_no_figure_depends_lets_nothing_be_forecast(
    site: Site, name: str
) -> None:
    site.options = site.options.model_copy(update={name: 7})
    site.run()
    assert site.fitted == [3, 0]


def test_other_code_lets_all_be_forecast(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast_inputs, "hash_of", lambda _folders: "other")
    site.run()
    assert site.fitted == [3, 3]


def test_the_next_day_is_another_forecast(site: Site) -> None:
    site.day += timedelta(days=1)
    site.run()
    assert site.fitted == [3, 3]


def test_a_series_that_is_gone_has_no_forecast(site: Site) -> None:
    [facts] = [one for one in read_series(site.engine) if one.subject == FACILITIES[2]]
    upsert_series(site.engine, [facts.model_copy(update={"forecast": False})])
    assert site.run() == {"forecasts": 1, "refused": 1}
    assert site.fitted == [3, 0]
    assert site.stored() == site.full().stored()


def test_a_forecast_that_lacks_a_point_is_made_again(site: Site) -> None:
    before = site.stored()
    first = ForecastPointRow.site_date == site.day + timedelta(days=1)
    with site.engine.begin() as connection:
        connection.execute(delete(ForecastPointRow).where(first))
    site.run()
    assert site.fitted == [3, 2]
    assert site.stored() == before


def test_forecasts_of_a_release_without_digests_are_made_again(site: Site) -> None:
    before = site.stored()
    with site.engine.begin() as connection:
        connection.execute(update(ForecastRow).values(input_sha256=None))
    site.run()
    assert site.fitted == [3, 3]
    assert site.stored() == before


@pytest.mark.parametrize("back", [14, 15])
def test_models_that_are_kept_are_made_again_and_older_ones_are_not(site: Site, back: int) -> None:
    newest = site.day + timedelta(days=back)
    replace_forecasts(site.engine, newest, [forecast(cutoff_date=newest)])
    shutil.rmtree(site.results)
    site.run()
    assert site.fitted == [3, 3 if back == 14 else 0]
    assert site.results.exists() == (back == 14)


def test_settings_changed_between_export_and_fit_count(site: Site) -> None:
    site.measure(FACILITIES[0], 90.0)
    site.export()
    site.options = site.options.model_copy(update={"final_fit": "fast"})
    site.fit()
    site.store()
    assert site.fitted == [3, 3]
    assert site.stored() == site.full().stored()


def test_a_forecast_replaced_since_the_export_is_told_and_the_store_left(site: Site) -> None:
    site.export()
    replace_forecasts(site.engine, site.day, [])
    site.fit()
    shutil.rmtree(site.results)
    with pytest.raises(InputError, match="no complete forecasts") as raised:
        site.store()
    assert "`export_training` and `fit`" in str(raised.value)
    assert site.stored() == []
    site.run()
    assert site.stored() == site.full().stored()


def test_results_of_another_digest_are_not_stored(site: Site) -> None:
    site.measure(FACILITIES[0], 90.0)
    site.export()
    before = site.stored()
    with pytest.raises(InputError, match="found 0 of 1 that are not stored"):
        site.store()
    assert site.stored() == before


def _use(site: Site, final_fit: str) -> None:
    site.options = site.options.model_copy(update={"final_fit": final_fit})


def _killed_after_the_fit(site: Site) -> None:
    site.export()
    site.fit()


def _lose(path: Path) -> None:
    path.unlink(missing_ok=True)


def _without_digests(site: Site) -> None:
    with site.engine.begin() as connection:
        connection.execute(update(ForecastRow).values(input_sha256=None))


CHANGES: Final[dict[str, Callable[[Site], object]]] = {
    "late data": lambda site: site.measure(FACILITIES[0], 90.0),
    "late data elsewhere": lambda site: site.measure(FACILITIES[1], 70.0),
    "late data withdrawn": lambda site: site.measure(FACILITIES[0], 40.0),
    "final fit": lambda site: _use(site, "fast"),
    "usual fit": lambda site: _use(site, "prophet"),
    "killed after the export": lambda site: site.export(),
    "killed after the fit": _killed_after_the_fit,
    "killed while results were put together": lambda site: _lose(site.results / "_SUCCESS"),
    "killed while the export was replaced": lambda site: _lose(
        site.lake / "training" / site.results.name / INPUTS
    ),
    "forecasts of another release": _without_digests,
    "run": lambda site: site.run(),
}


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(changes=st.lists(st.sampled_from(sorted(CHANGES)), min_size=1, max_size=5))
def test_whatever_came_between_a_run_leaves_what_a_full_run_makes(
    site: Site, changes: list[str]
) -> None:
    for change in changes:
        CHANGES[change](site)
    site.run()
    full = site.full()
    assert site.stored() == full.stored()
    assert site.left() == full.left()
    done = len(site.fitted)
    site.run()
    assert site.fitted[done:] == [0]
