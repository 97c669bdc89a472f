"""Prophet fitted through files that we write is Prophet."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from prophet import Prophet
from prophet.models import CmdStanPyBackend

from forecasting.models.prophet_logistic import quietly
from forecasting.stan.backend import Backend


def fitted(backend: type[CmdStanPyBackend], **options: Any) -> dict[str, Any]:
    """Return the parameters of a model of 60 days with a bend."""
    model: Any = Prophet(
        weekly_seasonality=2, yearly_seasonality=False, daily_seasonality=False,
        n_changepoints=5, uncertainty_samples=0,
    )  # fmt: skip
    model.stan_backend = backend()
    days = np.arange(60)
    rows = pd.DataFrame({"ds": pd.date_range("2026-01-01", periods=60), "y": np.abs(days - 30.0)})
    with quietly():
        model.fit(rows, seed=1, **options)
    model.stan_backend.cleanup()
    return dict(model.params)


def test_the_parameters_are_those_of_the_backend_of_prophet() -> None:
    ours, theirs = fitted(Backend), fitted(CmdStanPyBackend)
    assert ours.keys() == theirs.keys()
    for name, values in theirs.items():
        assert np.array_equal(ours[name], values), name


def test_the_start_that_is_given_is_the_one_that_is_used() -> None:
    start = {"k": 0.5, "m": 0.1, "delta": np.zeros(5), "beta": np.zeros(4), "sigma_obs": 1.0}
    at_once = fitted(Backend, init=start, iter=1, algorithm="LBFGS")
    assert float(np.ravel(at_once["k"])[0]) != float(np.ravel(fitted(Backend)["k"])[0])


def test_no_file_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fitted(Backend)
    assert [path.name for path in tmp_path.glob("mqcap-stan-*")] == []
