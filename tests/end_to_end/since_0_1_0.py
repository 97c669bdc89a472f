"""What rules make of the next day otherwise than release 0.1.0, each with its reason.

The reasons are entries of the changelog under Numbers. Everything else is as in the
release. Figures are calculated by hand from the measured hours of MQA1: 6 logs of 1,024 MiB;
the busiest hours log 2,956 and 2,861 MiB, the busiest day 36,601 MiB, the busiest week 207,736 MiB.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

Row = dict[str, Any]
Key = tuple[str, str]
"""Rule and subject."""

_MANAGER: Final = "PLEXA/MQA1"
_CHINIT: Final = "PLEXA/MQA1/CHINIT"
_OWN_PAST: Final[Row] = {"headroom_ratio": None}
"""A limit that is the series' own past has no headroom and no crossing."""
_MEAN_MIB_PER_S: Final = 0.4267216117216117
_P95_MIB_PER_S: Final = 0.7939217664930555
_READABLE_MIB: Final = 60 * 60 * 60
"""Read in a restart of 60 minutes at 60 MiB/s."""
_FILL_MIN: Final = 1_024 / 0.8211848958333333 / 60
"""Minutes in which a log of 1,024 MiB fills at 0.8212 MiB/s."""


def _longer_than(limit: float, unit: str, observed: float) -> Row:
    """Return what is compared where a time has to be longer than a limit."""
    return {
        "unit": unit,
        "observed": observed,
        "limit_value": limit,
        "headroom_ratio": observed / limit - 1,
    }


_SIMULATED_DATES: Final = ("earliest_date", "expected_date", "latest_date")
_FORECAST_STATES: Final = ("will_cross", "not_within_horizon")
FORECAST: Final = "forecast"
"""State of a crossing to come, whether or not it is expected within the horizon."""
_RULES_SINCE: Final = ("LOSS-",)
"""Beginnings of the names of rules that came later: the loss of a facility or member."""

FINDINGS: Final[dict[Key, Row | None]] = {
    ("BP-IO-RATE", "PLEXA/MQA1/BP00"): _OWN_PAST,
    ("CF-RESPONSE", "PLEXA/CFA1/QSGAAPPL1"): _OWN_PAST,
    ("LOG-RATE-MBH", _MANAGER): _OWN_PAST,
    # a rise of up to two checkpoints an hour is no change: 3 + 2
    ("REC-CKPT-RATE", _MANAGER): {**_OWN_PAST, "limit_value": 5.0},
    # silent at OUTBUFF 4,000, the maximum and default
    ("LOG-OUTBUFF-WTB", _MANAGER): None,
    # a day in hours that all logs but one hold at the mean rate: 5 x 1,024 MiB / 0.4267 MiB/s
    ("LOG-DAY-ACTIVE", _MANAGER): _longer_than(24.0, "h", 5 * 1_024 / _MEAN_MIB_PER_S / 3_600),
    # the time to archive a log
    ("LOG-COUNT-OVERLAP", _MANAGER): _longer_than(8.0, "min", _FILL_MIN),
    # hours that 500 archive logs reach back at the mean rate, between backups
    ("LOG-MAXARCH", _MANAGER): _longer_than(168.0, "h", 500 * 1_024 / _MEAN_MIB_PER_S / 3_600),
    ("LOG-FILL-30MIN", _MANAGER): _longer_than(30.0, "min", _FILL_MIN),
    # one log less, from the worst start: one hour and 0.7562 of the next
    ("LOG-RUNWAY-12H", _MANAGER): _longer_than(12.0, "h", 1.7562342941223756),
    # hours of the schedule, made of the busiest hours: 168 h and 8,264 MiB of the next ones
    ("REC-FORMULA-A", _MANAGER): {
        **_longer_than(168.0, "h", 170.90909901641294),
        "severity": "watch",
    },
    # the probabilities of its dates are corrected by what became of earlier ones
    ("CHI-80-31BIT", _CHINIT): {"severity": "watch"},
    # hours of the schedule: 783,000 MiB are three of the busiest weeks and 108 h
    ("CFB-INTERVAL", _MANAGER): _longer_than(24.0, "h", 612.0555809698079),
}
"""By rule and subject: changed columns; ``None`` when there is no such finding any more."""

_SINCE_THE_DATA_BEGIN: Final[Row] = {"reason": "since the data begins"}
_NOT_WITHIN_A_YEAR: Final[Row] = {"state": FORECAST, "breached_since": None}

CROSSINGS: Final[dict[Key, Row | None]] = {
    ("LOG-RATE-MBH", _MANAGER): None,
    ("REC-CKPT-RATE", _MANAGER): None,
    ("CHI-ADAPTER-UNUSED", _CHINIT): _SINCE_THE_DATA_BEGIN,
    ("LOG-DAY-ACTIVE", _MANAGER): _SINCE_THE_DATA_BEGIN,
    # the rates at which the volumes of the busiest hours just suffice
    ("LOG-RUNWAY-12H", _MANAGER): {
        **_SINCE_THE_DATA_BEGIN,
        "limit_value": _P95_MIB_PER_S * 5 * 1_024 / 27_382.8,
    },
    ("REC-FORMULA-A", _MANAGER): {
        **_NOT_WITHIN_A_YEAR,
        "limit_value": _MEAN_MIB_PER_S * _READABLE_MIB / 207_736,
    },
    ("CFB-INTERVAL", _MANAGER): {"limit_value": _MEAN_MIB_PER_S * 9.0625 * 86_400 / 36_601},
}
"""By rule and subject: changed columns; ``None`` when there is no such crossing any more."""

PROBLEMS: Final[dict[str, Row]] = {
    # its headroom was -4.58 as a rate, and is -0.85 as hours
    "LOG-RUNWAY-12H/PLEXA/MQA1": {"state": "improving"},
    "REC-FORMULA-A/PLEXA/MQA1": {"state": "improving", "severity": "watch"},
    "CHI-80-31BIT/PLEXA/MQA1/CHINIT": {"state": "improving", "severity": "watch"},
}
"""By key of the problem: changed columns."""


def is_of_the_release(row: Row) -> bool:
    """Whether a finding or problem is of a rule that release 0.1.0 has."""
    return not str(row.get("rule_id", row.get("key"))).startswith(_RULES_SINCE)


def as_today(stored: list[Row], changes: dict[Key, Row | None]) -> list[Row]:
    """The rows of the release with what has changed since; every change must be one.

    Figures that are calculated are compared to 6 digits, the precision of the measured volumes.
    """
    keys = [(row["rule_id"], row["subject"]) for row in stored]
    assert set(changes) <= set(keys)
    changed = [(row, changes.get(key, {})) for row, key in zip(stored, keys, strict=True)]
    return [
        row | {column: _nearly(value) for column, value in change.items()}
        for row, change in changed
        if change is not None
    ]


def without_simulated(crossings: list[Row]) -> list[Row]:
    """Crossings without what simulated courses say: from two weeks of days each release has others.

    Whether one is over its limit already, and since when, is no such thing.
    """
    return [
        {
            column: FORECAST if value in _FORECAST_STATES else value
            for column, value in crossing.items()
            if not column.startswith("probability_") and column not in _SIMULATED_DATES
        }
        for crossing in crossings
    ]


def _nearly(value: Any) -> Any:
    return pytest.approx(value, rel=3e-6) if isinstance(value, float) else value
