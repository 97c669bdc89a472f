"""Forecasts of members and of their sum, reconciled in several ways and not at all.

``python -m devtools.benchmarks.forecast.reconciled DATA [--groups N] [--seed S]``
forecasts members and whole of each group (``groups``) by the daily run's engine at rolling origins
30 days apart, 90 days ahead. Reconciled forecasts are linear in those, so that members add up to
the whole; covariances and variances are those of the errors at earlier origins whose days are
over. Intervals move with their expected values. Printed for members and whole of each kind: OWA,
coverage of the interval of 80 %, and the gain of mean absolute error over forecasts left alone with
its standard error over groups; ``apart`` is the mean distance of the sum of the members' forecasts
from that of the whole, as a share of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from devtools.benchmarks.forecast.groups import (
    MemberGroup,
    crossing_groups,
    estate_groups,
    m4_groups,
    simulated_groups,
)
from forecasting import ForecastOptions, forecast_series
from forecasting.arrays import FloatArray
from forecasting.backtest import smape_pct
from forecasting.engine.levels import adjusted_naive

HORIZON_DAYS: Final = 90
STEP_DAYS: Final = 30
ORIGINS: Final = 9
"""Rolling origins of a group; the earliest ones only give errors."""
LEAST_ORIGINS: Final = 2
"""Origins whose days are over that a judged one needs before it."""
WEEK: Final = 7
ALONE: Final = "left alone"


class BaseForecasts(NamedTuple):
    """Base forecasts from one origin, one column a series, the whole last; ``actual`` came."""

    start: int
    expected: FloatArray
    lower: FloatArray
    upper: FloatArray
    actual: FloatArray


def main() -> None:
    """Print the table of each kind of group."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--groups", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = [
        row
        for group in _groups(arguments.data, arguments.groups, arguments.seed)
        for row in scored(group)
    ]
    print(tables(pd.DataFrame(rows)))


def _groups(data: Path, count: int, seed: int) -> Iterator[MemberGroup]:
    yield from estate_groups(max(1, count // 4))
    yield from simulated_groups(count, seed)
    yield from crossing_groups(data)
    yield from m4_groups(data)


def scored(group: MemberGroup) -> Iterator[dict[str, object]]:
    """Yield a row for each judged origin, level and way of reconciling."""
    origins = list(_origins(group))
    for origin in origins:
        over = [each for each in origins if each.start + HORIZON_DAYS <= origin.start]
        if len(over) < LEAST_ORIGINS:
            continue
        errors = np.concatenate([each.actual - each.expected for each in over])
        errors = errors[np.isfinite(errors).all(axis=1)]
        apart = origin.expected[:, :-1].sum(axis=1) - origin.expected[:, -1]
        for name, way in WAYS.items():
            expected = way(origin.expected, errors)
            for level, column in _levels(expected.shape[1]):
                yield {
                    "kind": group.kind,
                    "group": group.name,
                    "level": level,
                    "way": name,
                    "apart": np.abs(apart).mean() / np.abs(origin.expected[:, -1]).mean(),
                    **_measured(group.cleaned[: origin.start, column], origin, expected, column),
                }


def tables(rows: pd.DataFrame) -> str:
    """Return a table for each kind of group and level."""
    texts = []
    for (kind, level), part in rows.groupby(["kind", "level"], sort=False):
        groups = part["group"].nunique()
        apart = part["apart"].mean()
        texts.append(f"{kind}, {level}: {groups} groups, apart {apart:.1%}")
        by_group = part.groupby(["way", "group"])["mae"].mean().unstack("way")
        gain = 1 - by_group.div(by_group[ALONE], axis=0)
        means = part.groupby("way", sort=False)[["smape", "mae", "naive_smape", "naive_mae"]].mean()
        owa = (means["smape"] / means["naive_smape"] + means["mae"] / means["naive_mae"]) / 2
        table = pd.DataFrame(
            {
                "owa": owa,
                "coverage": part.groupby("way")["inside"].mean(),
                "gain": gain.mean(),
                "error": gain.sem(),
            }
        )
        texts.append(table.loc[list(WAYS)].round(4).to_string())
    return "\n".join(texts)


def _origins(group: MemberGroup) -> Iterator[BaseForecasts]:
    """Yield the origins at which every series of the group has a forecast, the newest first."""
    last = len(group.measured) - HORIZON_DAYS
    options = ForecastOptions(
        final_fit="fast", horizon_days=HORIZON_DAYS, crossing_days=HORIZON_DAYS
    )
    rows = _rows(group)
    for start in range(last, max(0, last - ORIGINS * STEP_DAYS), -STEP_DAYS):
        cutoff: date = (group.first + start - 1).astype(object)
        made = forecast_series(rows, options, cutoff)
        if any(each.refusal for each in made):
            continue
        expected, lower, upper = (
            np.column_stack([[getattr(point, name) for point in each.points] for each in made])
            for name in ("expected", "lower", "upper")
        )
        yield BaseForecasts(
            start, expected, lower, upper, group.cleaned[start : start + HORIZON_DAYS]
        )


def _rows(group: MemberGroup) -> pd.DataFrame:
    days = (group.first + np.arange(len(group.measured))).astype(object)
    return pd.concat(
        pd.DataFrame(
            {
                "series_id": f"metric/{column}",
                "statistic": "mean",
                "site_date": days,
                "value": values,
                "ceiling": np.nan,
                "country": None,
            }
        )
        for column, values in enumerate(group.measured.T)
    )


def _levels(columns: int) -> Iterator[tuple[str, int]]:
    for column in range(columns - 1):
        yield "members", column
    yield "whole", columns - 1


def _measured(
    before: FloatArray, origin: BaseForecasts, expected: FloatArray, column: int
) -> dict[str, float]:
    """Return errors in units of the weekly naive one before the origin, and the share inside."""
    actual = origin.actual[:, column]
    known = np.isfinite(actual)
    actual, mine = actual[known], expected[known, column]
    moved = mine - origin.expected[known, column]
    inside = (origin.lower[known, column] + moved <= actual) & (
        actual <= origin.upper[known, column] + moved
    )
    scale = np.nanmean(np.abs(before[WEEK:] - before[:-WEEK]))
    reference = adjusted_naive(before, WEEK, HORIZON_DAYS)[known]
    return {
        "smape": smape_pct(actual, mine),
        "mae": float(np.abs(actual - mine).mean() / scale),
        "naive_smape": smape_pct(actual, reference),
        "naive_mae": float(np.abs(actual - reference).mean() / scale),
        "inside": float(inside.mean()),
    }


def _bottom_up(expected: FloatArray, _: FloatArray) -> FloatArray:
    members = expected[:, :-1]
    return np.column_stack([members, members.sum(axis=1)])


def _top_down(expected: FloatArray, _: FloatArray) -> FloatArray:
    """Divide the whole as the members' forecasts do."""
    members = expected[:, :-1]
    share = members / members.sum(axis=1, keepdims=True)
    return np.column_stack([share * expected[:, -1:], expected[:, -1]])


def _ols(expected: FloatArray, errors: FloatArray) -> FloatArray:
    return projected(expected, np.eye(errors.shape[1]))


def _wls_members(expected: FloatArray, errors: FloatArray) -> FloatArray:
    """The variance of a series is the number of members in it."""
    return projected(expected, np.diag([*np.ones(errors.shape[1] - 1), errors.shape[1] - 1.0]))


def _wls_errors(expected: FloatArray, errors: FloatArray) -> FloatArray:
    return projected(expected, np.diag(np.square(errors).mean(axis=0)))


def _mint(expected: FloatArray, errors: FloatArray) -> FloatArray:
    return projected(expected, shrunk(errors))


def projected(expected: FloatArray, covariance: FloatArray) -> FloatArray:
    """Return the coherent forecasts nearest to ``expected`` in the metric of ``covariance``."""
    size = covariance.shape[0] - 1
    adds_up = np.append(np.ones(size), -1.0)
    gap = expected @ adds_up
    direction = covariance @ adds_up
    return np.asarray(expected - np.outer(gap, direction / (adds_up @ direction)))


def shrunk(errors: FloatArray) -> FloatArray:
    """Return the covariance of errors, shrunk to its diagonal as Schaefer and Strimmer do."""
    count = len(errors)
    centred = errors - errors.mean(axis=0)
    deviations = centred.std(axis=0, ddof=1)
    scaled = centred / deviations
    correlation = scaled.T @ scaled / (count - 1)
    products = scaled[:, :, None] * scaled[:, None, :]
    variance = count / (count - 1) ** 3 * np.square(products - products.mean(axis=0)).sum(axis=0)
    off = ~np.eye(len(correlation), dtype=bool)
    share = np.clip(variance[off].sum() / np.square(correlation[off]).sum(), 0.0, 1.0)
    return np.asarray(
        np.where(off, (1 - share) * correlation, 1.0) * np.outer(deviations, deviations)
    )


WAYS: Final[Mapping[str, Callable[[FloatArray, FloatArray], FloatArray]]] = {
    ALONE: lambda expected, _: expected,
    "bottom-up": _bottom_up,
    "top-down": _top_down,
    "OLS": _ols,
    "WLS, members": _wls_members,
    "WLS, errors": _wls_errors,
    "MinT, shrunk": _mint,
}


if __name__ == "__main__":
    main()
