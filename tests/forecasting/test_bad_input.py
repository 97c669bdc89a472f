"""Odd series: a wide answer or none with a reason; never a crash, nor NaN beside values."""

from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
import pytest

from forecasting.arrays import FloatArray
from forecasting.csv_files import Files, run_files
from mqcap.domain.errors import InputError

COUNT: Final = 200
DAYS: Final = np.arange(COUNT)
LOAD: Final = 20 + 5 * (DAYS % 7 < 5) + np.random.default_rng(1).normal(0, 1, COUNT)
ODD: Final[dict[str, tuple[FloatArray, str]]] = {
    "three points": (LOAD[:3], "3 days of data, 60 needed"),
    "one point": (LOAD[:1], "1 day of data, 60 needed"),
    "constant": (np.full(COUNT, 5.0), "constant"),
    "zeros": (np.zeros(COUNT), "constant"),
    "forty days": (LOAD[:40], "40 days of data, 60 needed"),
    "hole of half its length": (np.where((DAYS > 50) & (DAYS < 150), np.nan, LOAD), "modelled"),
    "huge": (LOAD * 1e298, "no data"),
    "one huge": (np.where(DAYS == 150, 1e300, LOAD), "modelled"),
    "one negative": (np.where(DAYS == 150, -5.0, LOAD), "modelled"),
    "infinite": (np.where(DAYS == 150, np.inf, LOAD), "modelled"),
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    folder = tmp_path_factory.mktemp("odd")
    names = ("history", "forecasts", "thresholds", "crossings", "status")
    paths = {name: folder / f"{name}.csv" for name in names}
    days = {name: pd.date_range("2026-01-01", periods=len(line)) for name, (line, _) in ODD.items()}
    parts = [
        pd.DataFrame({"unique_id": name, "ds": days[name], "y": line})
        for name, (line, _) in ODD.items()
    ]
    pd.concat(parts).to_csv(paths["history"], index=False)
    limits = [{"unique_id": name, "threshold": 40, "origin": days[name][-1]} for name in ODD]
    pd.DataFrame(limits).to_csv(paths["thresholds"], index=False)
    run_files(Files(**paths), Path.read_text, horizon=14)
    return {name: pd.read_csv(paths[name]).set_index("unique_id") for name in names[1:]}


@pytest.mark.parametrize("name", ODD)
def test_every_odd_series_is_answered_widely_or_not_at_all(
    answers: dict[str, pd.DataFrame], name: str
) -> None:
    line = ODD[name][0]
    made = answers["forecasts"].loc[name]
    assert len(made) == 14
    assert np.isfinite(made[["yhat", "lo", "hi"]]).all(axis=None)
    assert (made["lo"] <= made["yhat"]).all()
    assert (made["yhat"] <= made["hi"]).all()
    least = 1.0 if not np.nanmax(line) else 2.0
    assert (made["hi"] - made["lo"]).min() >= least


@pytest.mark.parametrize("name", ODD)
def test_the_status_says_why_a_series_is_not_modelled(
    answers: dict[str, pd.DataFrame], name: str
) -> None:
    status = answers["status"].loc[name, "status"]
    assert ODD[name][1] in str(status)


@pytest.mark.parametrize("name", ODD)
def test_probabilities_are_ordered_or_empty(answers: dict[str, pd.DataFrame], name: str) -> None:
    stated = answers["crossings"].loc[name, [f"prob_{days}" for days in (30, 60, 90, 180)]]
    assert stated.isna().all() or (np.diff(stated.to_numpy(float)) >= 0).all()


def test_of_forty_days_nothing_is_nearly_certain(answers: dict[str, pd.DataFrame]) -> None:
    assert 0.02 < answers["crossings"]["prob_180"]["forty days"] < 0.5


@pytest.mark.parametrize(
    ("header", "row", "found", "expected"),
    [
        ("unique_id,ds,y", "A,05/06/2026,1", "05/06/2026", "an ISO day"),
        ("unique_id,ds,y", "A,2026-06-05T13:00,1", "2026-06-05T13:00", "one value for each day"),
        ("unique_id,ds,y", ",2026-06-05,1", "nothing", "the name of a series"),
        ("unique_id,ds,y", "A,2026-06-05,many", "many", "a number"),
        ("unique_id,day,y", "A,2026-06-05,1", "unique_id, day, y", "unique_id, ds, y"),
    ],
)
def test_a_cell_that_is_not_understood_is_named(
    tmp_path: Path, header: str, row: str, found: str, expected: str
) -> None:
    file = tmp_path / "history.csv"
    file.write_text(f"{header}\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=expected) as caught:
        run_files(Files(file, tmp_path / "out.csv"), Path.read_text, horizon=7)
    assert caught.value.found == found
    assert not (tmp_path / "out.csv").exists()
