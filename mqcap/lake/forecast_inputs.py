"""What the forecasts of an export depend on, as digests beside its rows.

A forecast whose digest is that of the stored one of its series and cutoff date is the stored one:
it is neither made nor written again. A digest covers the rows of the series, its calendar, known
changes and driver, and the basis of all: cutoff date, settings, code, versions of libraries.
Whatever is in doubt is forecast: no file of digests, one that cannot be read, another basis.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from mqcap.domain.forecast import ForecastKey
from mqcap.lake.files import write_json
from mqcap.lake.location import Location
from mqcap.settings import ForecastSettings
from mqcap.settings.versions import CODE, hash_of, installed_version

INPUTS: Final = "_inputs.json"
"""File beside the rows of an export, written after them."""
NOT_OF_A_FIT: Final = frozenset(
    {
        "series_per_batch", "series_without_spark", "keep_models_days", "hold_out_origins",
        "outcome_limits_min", "outcome_prior_cases",
    }
)  # fmt: skip
"""Fields of ``settings.forecast`` on which no figure depends."""
_LIBRARIES: Final = (
    "cmdstanpy", "holidays", "numpy", "pandas", "prophet", "pyarrow", "pydantic",
)  # fmt: skip


class SeriesInputs(NamedTuple):
    """One statistic of a series, and the digest of its rows with all that goes with them."""

    series_id: str
    statistic: str
    sha256: str

    @property
    def key(self) -> ForecastKey:
        """Series id and statistic."""
        return self.series_id, self.statistic


@dataclass(frozen=True)
class ForecastInputs:
    """Digests of an export, in the order of its series numbers."""

    basis: str
    series: tuple[SeriesInputs, ...]
    stored: frozenset[int] = field(default=frozenset())
    """Numbers of the series whose forecast is stored with the same digest."""

    def digests(self) -> dict[ForecastKey, str]:
        """Return the digest of each forecast: of the basis and of the rows of the series."""
        return {
            one.key: hashlib.sha256(f"{self.basis}{one.sha256}".encode()).hexdigest()
            for one in self.series
        }

    def to_fit(self) -> list[int]:
        """Return the numbers of the series whose forecast is not stored, in order."""
        return [number for number in range(len(self.series)) if number not in self.stored]

    def with_stored(self, stored: Mapping[ForecastKey, str | None]) -> ForecastInputs:
        """Return these with the series marked whose digest is the stored one."""
        same = {key for key, digest in self.digests().items() if stored.get(key) == digest}
        return replace(
            self, stored=frozenset(n for n, one in enumerate(self.series) if one.key in same)
        )


def forecast_basis(settings: ForecastSettings, cutoff_date: date) -> str:
    """Return a digest of what all forecasts of a cutoff date have in common."""
    options = settings.model_dump(mode="json", exclude=set(NOT_OF_A_FIT))
    common = [cutoff_date.isoformat(), options, hash_of(CODE), platform.python_version()]
    return hashlib.sha256(json.dumps([common, _libraries()], sort_keys=True).encode()).hexdigest()


def read_inputs(folder: Location) -> ForecastInputs | None:
    """Return the digests of an export; ``None`` where there are none that can be read."""
    path = folder / INPUTS
    if not path.is_file():
        return None
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        series = tuple(SeriesInputs(*one) for one in document["series"])
        return ForecastInputs(document["basis"], series, frozenset(document["stored"]))
    except (ValueError, KeyError, TypeError):
        return None


def write_inputs(folder: Location, inputs: ForecastInputs) -> None:
    """Write the digests of an export, at once."""
    write_json(folder / INPUTS, inputs_document(inputs))


def inputs_document(inputs: ForecastInputs) -> dict[str, object]:
    """Return the digests of an export as a JSON document."""
    return {
        "basis": inputs.basis,
        "series": [list(one) for one in inputs.series],
        "stored": sorted(inputs.stored),
    }


@cache
def _libraries() -> dict[str, str]:
    """Return the versions of the libraries that a figure may depend on."""
    return {name: installed_version(name) for name in _LIBRARIES}
