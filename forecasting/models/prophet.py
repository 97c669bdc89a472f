"""Prophet: piecewise linear trend, weekly and yearly seasons, calendar events as regressors.

The interval is not simulated. Prophet's future trend is a compound Poisson process of ramps
with Laplace slopes; its second and fourth cumulants are known in closed form. What the last
residuals say about the next days is added by an autoregression, as Prophet itself starts its
forecast away from the last level.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from zlib import crc32

import numpy as np

from forecasting.arrays import FloatArray
from forecasting.engine.design import Season, changepoint_rows
from forecasting.engine.smoothing import residual_path
from forecasting.history import History
from forecasting.interval import trend_cumulants
from forecasting.model import ForecastModel, ModelFailure, Prediction
from forecasting.models.prophet_exact import Optimum, optimum
from forecasting.specification import (
    CHANGEPOINT_COUNT,
    CONFIGURATIONS,
    REGRESSOR_PRIOR,
    RESIDUAL_LAGS,
    SEASON_PRIOR,
    WEEKLY_ORDER,
    YEARLY_ORDER,
    YEARLY_PERIOD_DAYS,
    YEARLY_PRIOR,
    Configuration,
    Specification,
    specification,
)
from forecasting.stan.program import ALGORITHM, optimised
from forecasting.stan.prophet_data import ProphetData
from forecasting.stan.stored_model import stored_model


class ProphetModel:
    """A Prophet per series, on the scale and with the changepoints of its configuration.

    Stan starts at the optimum of the exact solver, from where it has next to nothing to do.
    """

    rehearsal = "prophet_exact"

    def __init__(self, configuration: Configuration = CONFIGURATIONS[0]) -> None:
        """The candidate to fit; the usual one by default."""
        self.configuration = configuration
        self.name = "prophet"

    @property
    def variants(self) -> tuple[ForecastModel, ...]:
        """Return a model per configuration."""
        return tuple(ProphetModel(configuration) for configuration in CONFIGURATIONS)

    def candidate(self, history: History) -> str:
        """Return the trend of the configuration."""
        return self.configuration.trend(history)

    def predict(self, history: History, days: int) -> Prediction:
        """Fit the history and extend it."""
        spec = specification(history, days, self.configuration.usual_scale)
        start = optimum(spec, history, days, self.configuration)
        data = _data(spec, history, start, self.configuration)
        options = _fit_options(history.series_id, start)
        found = optimised(data, options["init"], options["seed"])
        count, scale = len(spec.values), start.scale
        line = start.plan.columns @ _coefficients(found) * scale
        behind = count - int(np.flatnonzero(history.observed)[-1])
        variance, excess = trend_cumulants(
            ahead=(behind + np.arange(days)) / data.span_days,
            rate=float(len(data.bends)),
            laplace=float(np.abs(found["delta"]).mean()),
            noise=found["sigma_obs"][0],
        )
        carried = residual_path(spec.values - line[:count], RESIDUAL_LAGS, days)
        return Prediction(
            line[count:] + carried,
            variance * scale**2,
            excess * scale**4,
            spec.log_scale,
            stored_model(data, options, found),
        )


def _data(
    spec: Specification, history: History, start: Optimum, configuration: Configuration
) -> ProphetData:
    """Return what Prophet makes of a specification before it fits."""
    seen = np.flatnonzero(history.observed)
    bends = changepoint_rows(len(seen), CHANGEPOINT_COUNT, configuration.changepoint_range)
    if not len(bends):
        raise ModelFailure(f"{len(seen)} days are too few for a change of the slope")
    yearly = {"yearly": Season(YEARLY_PERIOD_DAYS, YEARLY_ORDER, YEARLY_PRIOR)}
    return ProphetData(
        days=history.first_day + seen,
        values=spec.values[seen],
        scale=start.scale,
        configuration=configuration,
        bends=bends,
        seasons=(yearly if spec.yearly else {}) | {"weekly": Season(7, WEEKLY_ORDER, SEASON_PRIOR)},
        names=spec.names,
        regressors=spec.columns[seen],
        regressor_prior=REGRESSOR_PRIOR,
    )


def _fit_options(series_id: str, start: Optimum) -> dict[str, Any]:
    """Return what Prophet's ``fit`` would be given: Stan starts at the optimum."""
    ramps = start.plan.ramp_count
    coefficients = start.fit.coefficients.tolist()
    initial = {
        "k": coefficients[0],
        "m": coefficients[1],
        "delta": coefficients[2 : 2 + ramps],
        "beta": coefficients[2 + ramps :],
        "sigma_obs": start.fit.sigma,
    }
    seed = crc32(series_id.encode()) & 0x7FFFFFFF
    return {"seed": seed, "algorithm": ALGORITHM, "init": initial}


def _coefficients(found: Mapping[str, list[float]]) -> FloatArray:
    """Return the parameters in the order of the columns of the design, which are Prophet's own."""
    return np.concatenate([found[name] for name in ("k", "m", "delta", "beta")])


MODEL: Final[ForecastModel] = ProphetModel()
