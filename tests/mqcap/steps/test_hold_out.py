from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forecasting import ForecastOptions, forecast_series
from mqcap.domain.forecast import ForecastBasis
from mqcap.lake.layout import partitions
from mqcap.settings import Settings
from mqcap.steps.evaluate import evaluate_rules
from mqcap.steps.hold_out import export_origins, store_hold_out
from mqcap.store.crossings import cutoff_dates, read_crossings, replace_crossings
from mqcap.store.database import Store
from mqcap.store.findings import read_findings
from mqcap.store.observations import replace_observations
from mqcap.store.scores import reliability
from mqcap.store.series import upsert_series
from tests.factories import crossing, observation, series_facts
from tests.mqcap.rulebook.builders import DAY, days, new_store, observe, settings_of

ORIGINS = [DAY - timedelta(days=back) for back in (90, 60, 30)]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path, archive_minutes=8)


def history(engine: Store, days: int) -> None:
    upsert_series(engine, [series_facts()])
    first = DAY - timedelta(days=days - 1)
    measured = [first + timedelta(days=place) for place in range(days)]
    rows = [observation(day=day, peak=0.4 + 0.004 * i) for i, day in enumerate(measured)]
    replace_observations(engine, measured, rows, {DAY: "digest"})


def fitted(settings: Settings) -> None:
    lake = Path(settings.lake)
    options = ForecastOptions(final_fit="fast")
    for origin, folder in partitions(lake, "hold_out_training").items():
        rows = pq.read_table(folder, partitioning=None).to_pandas()
        made = forecast_series(rows.drop(columns="series_number"), options, origin)
        target = lake / "hold_out_result" / folder.name
        target.mkdir(parents=True)
        documents = pd.DataFrame({"document": [one.model_dump_json() for one in made]})
        pq.write_table(pa.Table.from_pandas(documents), target / "part-0.parquet")
        (target / "_SUCCESS").touch()


def exported(settings: Settings) -> list[date]:
    return sorted(partitions(Path(settings.lake), "hold_out_training"))


@pytest.mark.parametrize(
    ("days", "count"), [(89, 0), (90, 1), (120, 2), (149, 2), (150, 3), (400, 3)]
)
def test_origins_lie_thirty_days_apart_where_the_history_suffices(
    settings: Settings, engine: Store, days: int, count: int
) -> None:
    history(engine, days)
    assert export_origins(settings, engine, DAY) == ({"hold_out_days": count} if count else {})
    assert exported(settings) == ORIGINS[3 - count :]


def test_nothing_after_an_origin_is_exported(settings: Settings, engine: Store) -> None:
    history(engine, 90)
    export_origins(settings, engine, DAY)
    [folder] = partitions(Path(settings.lake), "hold_out_training").values()
    days = pq.read_table(folder, partitioning=None)["site_date"].to_pylist()
    assert (min(days), max(days)) == (DAY - timedelta(days=89), ORIGINS[-1])


def test_without_observations_or_by_settings_no_origin(settings: Settings, engine: Store) -> None:
    assert export_origins(settings, engine, DAY) == {}
    history(engine, 150)
    none = settings.forecast.model_copy(update={"hold_out_origins": 0})
    assert export_origins(settings.model_copy(update={"forecast": none}), engine, DAY) == {}


@pytest.mark.parametrize(("apart", "count"), [(15, 2), (16, 3)])
def test_an_origin_near_an_evaluated_day_is_not_forecast_again(
    settings: Settings, engine: Store, apart: int, count: int
) -> None:
    history(engine, 150)
    near = ORIGINS[-1] + timedelta(days=apart)
    replace_crossings(engine, near, [crossing(cutoff_date=near)])
    assert export_origins(settings, engine, DAY) == {"hold_out_days": count}


@pytest.mark.thorough
def test_crossings_and_scores_of_origins_are_kept_apart(settings: Settings, engine: Store) -> None:
    history(engine, 150)
    export_origins(settings, engine, DAY)
    fitted(settings)
    counts = store_hold_out(settings, engine, DAY)
    assert counts["hold_out_crossings"] > 0
    assert counts["hold_out_scores"] > 0
    assert exported(settings) == []
    assert partitions(Path(settings.lake), "hold_out_result") == {}
    first, last = ORIGINS[0], DAY
    assert cutoff_dates(engine, first, last) == set()
    assert cutoff_dates(engine, first, last, ForecastBasis.hold_out) == set(ORIGINS)
    made = read_crossings(engine, ORIGINS[0], ForecastBasis.hold_out)
    assert {one.cutoff_date for one in made} == {ORIGINS[0]}
    bins = reliability(engine, first, DAY)
    assert {one.basis for one in bins} == {ForecastBasis.hold_out}
    assert {one.horizon_days for one in bins} == {30, 60, 90}
    assert export_origins(settings, engine, DAY + timedelta(days=1)) == {}
    assert store_hold_out(settings, engine, DAY) == {}


def test_an_incomplete_result_is_left_for_the_next_run(settings: Settings, engine: Store) -> None:
    history(engine, 90)
    export_origins(settings, engine, DAY)
    fitted(settings)
    [folder] = partitions(Path(settings.lake), "hold_out_result").values()
    (folder / "_SUCCESS").unlink()
    assert store_hold_out(settings, engine, DAY) == {}
    assert exported(settings) == [ORIGINS[-1]]


@pytest.mark.thorough
def test_the_counts_are_those_of_the_findings_in_the_store(tmp_path: Path) -> None:
    engine = new_store(tmp_path)
    observe(engine, "log_growth_mib_per_s", "PLEX1/CSQ1", days(30, 2.0))
    counts = evaluate_rules(settings_of(tmp_path), engine, DAY)
    stored = read_findings(engine, DAY)
    assert counts["findings"] == len(stored) > 0
    for severity in {result.severity for result in stored}:
        assert counts[severity] == sum(result.severity is severity for result in stored)
    assert len(read_crossings(engine, DAY)) <= len(stored)
