"""A fitted model as Prophet stores it, so that ``prophet.serialize.model_from_json`` reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import version
from typing import Any, Final

import numpy as np
import pandas as pd

from forecasting.engine.design import Season
from forecasting.specification import Configuration
from forecasting.stan.prophet_data import ProphetData

DAY_SECONDS: Final = 86_400
TOTALS: Final = ("additive_terms", "multiplicative_terms")
_OWN: Final = ("y", "floor", "t", "y_scaled")
"""Columns of numbers beside the regressors."""
EXTRA: Final = ("extra_regressors_additive", "extra_regressors_multiplicative")


def stored_model(
    data: ProphetData, fit_options: Mapping[str, Any], parameters: Mapping[str, list[float]]
) -> str:
    """Return the JSON of a model: of its data, what ``fit`` was given, and what it has found."""
    names, seasons = list(data.names), data.seasons
    times, bends = data.times, data.bends
    days = data.epoch_days.tobytes()
    regressor = {"prior_scale": data.regressor_prior, "standardize": False, "mu": 0.0, "std": 1.0,
                 "mode": "additive", "predictor_spec": None, "predictor": None}  # fmt: skip
    document = {
        **_settings(len(bends), data.configuration, seasons["weekly"]),
        "y_scale": data.scale,
        "y_min": 0.0,
        "scaling": "absmax",
        "logistic_floor": False,
        "country_holidays": None,
        "component_modes": {
            "additive": [*seasons, *names, TOTALS[0], EXTRA[0], "holidays"],
            "multiplicative": [TOTALS[1], EXTRA[1]],
        },
        "holidays_mode": "additive",
        "changepoints": _split(days, bends.tobytes()),
        "history_dates": _split(days),
        "train_holiday_names": None,
        "start": float(data.epoch_days[0]) * DAY_SECONDS,
        "t_scale": data.span_days * DAY_SECONDS,
        "holidays": None,
        "history": _history(data),
        "train_component_cols": _components(
            tuple((name, 2 * season.order) for name, season in seasons.items()), tuple(names)
        ),
        "changepoints_t": times[bends].tolist(),
        "seasonalities": [
            list(seasons),
            {name: _season(season) for name, season in seasons.items()},
        ],
        "extra_regressors": [names, dict.fromkeys(names, regressor)],
        "fit_kwargs": dict(fit_options),
        "params": {name: [found] for name, found in parameters.items()},
        "__prophet_version": _version(),
    }
    return json.dumps(document)


def _settings(bend_count: int, configuration: Configuration, weekly: Season) -> dict[str, Any]:
    """Return the arguments of the model, in the order in which Prophet writes them."""
    return {
        "growth": "linear",
        "n_changepoints": bend_count,
        "specified_changepoints": False,
        "changepoint_range": configuration.changepoint_range,
        "yearly_seasonality": False,
        "weekly_seasonality": weekly.order,
        "daily_seasonality": False,
        "seasonality_mode": "additive",
        "seasonality_prior_scale": weekly.prior,
        "changepoint_prior_scale": configuration.changepoint_prior,
        "holidays_prior_scale": 10.0,
        "mcmc_samples": 0,
        "interval_width": 0.8,
        "uncertainty_samples": 0,
    }


def _season(season: Season) -> dict[str, Any]:
    return {
        "period": season.period,
        "fourier_order": season.order,
        "prior_scale": season.prior,
        "mode": "additive",
        "condition_name": None,
    }


def _history(data: ProphetData) -> str:
    """Return the rows of the fit as pandas writes a table; its schema is made once."""
    numbers = (data.regressors, data.values, np.zeros(len(data.days)), data.times, data.scaled)
    frame = pd.DataFrame(np.column_stack(numbers), columns=[*data.names, *_OWN])
    frame.insert(len(data.names), "ds", data.days.astype("datetime64[ns]"))
    rows = frame.to_json(orient="records", date_format="iso")
    return _empty_table(data.names).replace('"data":[]', f'"data":{rows}')


@lru_cache(maxsize=64)
def _empty_table(regressors: tuple[str, ...]) -> str:
    columns = {name: np.empty(0) for name in (*regressors, "ds", *_OWN)}
    columns["ds"] = columns["ds"].astype("datetime64[ns]")
    return str(pd.DataFrame(columns).to_json(orient="table", index=False))


@lru_cache(maxsize=64)
def _split(epoch_days: bytes, chosen: bytes | None = None) -> str:
    """Return days, or those of the chosen numbers, as pandas splits a series of them."""
    stamps = np.frombuffer(epoch_days, dtype=np.int64).astype("datetime64[D]")
    days = pd.Series(stamps.astype("datetime64[ns]"), name="ds")
    if chosen is not None:
        days = days.iloc[np.frombuffer(chosen, dtype=np.int64)]
    return str(days.to_json(orient="split", date_format="iso"))


@cache
def _version() -> str:
    return version("prophet")


@lru_cache(maxsize=64)
def _components(seasons: tuple[tuple[str, int], ...], regressors: tuple[str, ...]) -> str:
    """Return which columns belong to which component: a season's, a regressor's, their totals."""
    owners = [name for name, count in seasons for _ in range(count)] + list(regressors)
    columns = {name: [int(owner == name) for owner in owners] for name in dict.fromkeys(owners)}
    columns[TOTALS[0]] = [1] * len(owners)
    if regressors:
        columns[EXTRA[0]] = [int(owner in regressors) for owner in owners]
    frame = pd.DataFrame(columns, dtype=np.int64)[sorted(columns)]
    frame[TOTALS[1]] = 0
    frame.index.name = "col"
    return str(frame.to_json(orient="table", index=False))
