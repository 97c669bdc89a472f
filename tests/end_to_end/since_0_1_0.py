"""What rules make of the next day otherwise than release 0.1.0, each with its reason.

The reasons are entries of the changelog under Numbers. Everything else is as in the
release. Figures are calculated by hand from the measured hours of MQA1: 6 logs of 1,024 MiB;
the busiest hours log 2,956 and 2,861 MiB, the busiest day 36,601 MiB, the busiest week 207,736 MiB.
"""

from __future__ import annotations

from datetime import date, timedelta
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


_MONTH: Final = timedelta(days=31)
_PROBABILITY: Final = 0.1
_SIMULATED_DATES: Final = ("earliest_date", "expected_date", "latest_date")
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
    # hours of the schedule: 783,000 MiB are three of the busiest weeks and 108 h
    ("CFB-INTERVAL", _MANAGER): _longer_than(24.0, "h", 612.0555809698079),
}
"""By rule and subject: changed columns; ``None`` when there is no such finding any more."""

_SINCE_THE_DATA_BEGIN: Final[Row] = {"reason": "since the data begins"}
_NOT_WITHIN_A_YEAR: Final[Row] = {
    "state": "not_within_horizon",
    "breached_since": None,
    **{f"probability_{days}_days": 0.0 for days in (30, 60, 90, 180, 365)},
}

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
    # percentages are no longer cut at 100 % in forecasts
    ("CHI-80-31BIT", _CHINIT): {
        "expected_date": "2026-11-02",
        "probability_30_days": 0.5533,
        "probability_60_days": 0.65,
        "probability_90_days": 0.68,
        "probability_180_days": 0.7383,
        "probability_365_days": 0.8033,
    },
    ("CHI-80-64BIT", _CHINIT): {
        "expected_date": "2027-06-28",
        "probability_180_days": 0.4067,
        "probability_365_days": 0.58,
    },
    ("CHI-SCAV-75", _CHINIT): {
        "probability_60_days": 0.7933,
        "probability_90_days": 0.8117,
        "probability_180_days": 0.8367,
        "probability_365_days": 0.87,
    },
}
"""By rule and subject: changed columns; ``None`` when there is no such crossing any more."""

PROBLEMS: Final[dict[str, Row]] = {
    # its headroom was -4.58 as a rate, and is -0.85 as hours
    "LOG-RUNWAY-12H/PLEXA/MQA1": {"state": "improving"},
    "REC-FORMULA-A/PLEXA/MQA1": {"state": "improving", "severity": "watch"},
}
"""By key of the problem: changed columns."""


def is_of_the_release(row: Row) -> bool:
    """Whether a finding or problem is of a rule that release 0.1.0 has."""
    return not str(row.get("rule_id", row.get("key"))).startswith(_RULES_SINCE)


def as_today(stored: list[Row], changes: dict[Key, Row | None]) -> list[Row]:
    """The rows of the release with what has changed since; every change must be one.

    Figures that are calculated are compared to 6 digits, the precision of the measured volumes.
    Simulated courses are others in each release: a probability may be 0.1 and a date a month away.
    """
    keys = [(row["rule_id"], row["subject"]) for row in stored]
    assert set(changes) <= set(keys)
    changed = [(row, changes.get(key, {})) for row, key in zip(stored, keys, strict=True)]
    return [
        {column: _simulated(column, value) for column, value in row.items()}
        | {column: _nearly(_simulated(column, value)) for column, value in change.items()}
        for row, change in changed
        if change is not None
    ]


class _NearDate:
    """Equal to each date that is at most a month away."""

    def __init__(self, text: str) -> None:
        self._date = date.fromisoformat(text)

    def __eq__(self, other: object) -> bool:
        is_date = isinstance(other, str)
        return is_date and abs(date.fromisoformat(str(other)) - self._date) <= _MONTH

    def __hash__(self) -> int:
        return hash(self._date)

    def __repr__(self) -> str:
        return f"{self._date} within {_MONTH.days} days"


def _simulated(column: str, value: Any) -> Any:
    if column.startswith("probability_") and value is not None:
        return pytest.approx(value, abs=_PROBABILITY)
    return _NearDate(value) if column in _SIMULATED_DATES and value is not None else value


def _nearly(value: Any) -> Any:
    return pytest.approx(value, rel=3e-6) if isinstance(value, float) else value
