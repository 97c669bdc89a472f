"""Settings of what is made of figures: attribution, drivers, unit costs, transports and plans."""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, Field, model_validator

from mqcap.domain.forecast import DriverPlan
from mqcap.settings.models import SettingsSection

Weight = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class PlanCostWeights(SettingsSection):
    """Cost of one unit of each part, relative to one 3390 cylinder (all ours)."""

    cylinder: Weight = 1.0
    real_storage_mib: Weight = 5.0
    cf_storage_mib: Weight = 10.0
    engine: Weight = 100_000.0
    chinit_restart: Weight = 500.0
    queue_manager_restart: Weight = 5_000.0
    ipl: Weight = 20_000.0
    """Of a z/TPF system."""
    file_system_mib: Weight = 1.0
    work_hour: Weight = 400.0


class PlanPrices(SettingsSection):
    """What one unit of each part costs in money; none is known unless the site states it."""

    currency: str = ""
    """Such as ``EUR``; empty: plans state no money."""
    cylinder: Weight | None = None
    real_storage_mib: Weight | None = None
    cf_storage_mib: Weight | None = None
    engine: Weight | None = None
    file_system_mib: Weight | None = None
    work_hour: Weight | None = None


class PlanSettings(SettingsSection):
    """Horizon, confidence and costs of the plans of resources (all ours)."""

    horizon_days: Annotated[int, Field(ge=30, le=365)] = 180
    """Days from the evaluated day for which a plan keeps the rules of its resource."""
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.9
    """Share of the forecast distribution below the bound that a plan is held against."""
    cost: PlanCostWeights = PlanCostWeights()
    prices: PlanPrices = PlanPrices()
    data_set_hours: Annotated[float, Field(ge=0)] = 0.25
    """Hours of work to define, format and add one data set."""
    backup_hours: Annotated[float, Field(ge=0)] = 0.1
    """Hours of work that one more backup a week takes, as a cost of the change."""
    definition_hours: Annotated[float, Field(ge=0)] = 8.0
    """Hours of work to move one channel definition with its clients to another queue manager."""
    release_hours: Annotated[float, Field(ge=0)] = 40.0
    """Hours of work to move one queue manager to a newer release of MQ."""
    change_hours: Annotated[float, Field(ge=0)] = 2.0
    """Hours of work of one change request."""


class SourceFloor(SettingsSection):
    """What one of two sources has to show on a day for both to be compared (all ours).

    Below it a few records at the ends of intervals are per cents of the figure.
    """

    log_mib_per_s: Annotated[float, Field(ge=0)] = 0.01
    """Log write rate; 0.01 MiB/s are 864 MiB a day."""
    requests_per_s: Annotated[float, Field(ge=0)] = 1.0
    """Requests to a structure."""


class AttributionSettings(SettingsSection):
    """Parts of figures (queues, applications, channels, structures) and their growth (all ours)."""

    parts_per_day: Annotated[int, Field(ge=1, le=1_000)] = 20
    """Largest parts of a figure that are kept of each day; the others are added up to one."""
    window_days: Annotated[int, Field(ge=1, le=60)] = 7
    """Days at each end of a span of which the mean is taken; seven hold every weekday once."""
    least_growth_pct: Annotated[float, Field(ge=0, le=100)] = 5.0
    """Change of a figure, in per cent, below which it is not explained and parts have no share."""
    source_tolerance_pct: Annotated[float, Field(gt=0)] = 10.0
    """Largest accepted difference between two sources of the same figure."""
    source_floor: SourceFloor = SourceFloor()
    """Figures below which two sources are not compared."""


class DriverSettings(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Business drivers of forecasts; without a file there are none."""

    file: Path | None = None
    """CSV with the columns ``driver,time,value``, a value above zero for each day."""
    series: dict[str, str] = {}
    """Driver by series, or pattern of series: ``log_growth_mib_per_s/PLEX1/*: payments``."""
    plans: dict[str, tuple[DriverPlan, ...]] = {}
    """Changes that the business plans, by driver."""
    gain_min_ratio: Annotated[float, Field(ge=0, lt=1)] = 0.05
    """Share by which the error at rolling origins must fall for a driver to be used (ours)."""

    def driver_of(self, identity: str) -> str | None:
        """Return the driver of a series, by the first pattern that fits; ``None`` without one."""
        fitting = (name for pattern, name in self.series.items() if fnmatchcase(identity, pattern))
        return next(fitting, None) if self.file is not None else None


class UnitCostSettings(SettingsSection):
    """Samples of unit costs, and when they are used instead of the documents (all ours)."""

    look_back_days: Annotated[int, Field(ge=30, le=1_830)] = 400
    """Days of daily values that are looked at; records and console messages: ``record_days``."""
    record_days: Annotated[int, Field(ge=1, le=200)] = 35
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = 0.8
    """Share of the resamples within the interval of a cost."""
    half_width_max_ratio: Annotated[float, Field(gt=0, le=1)] = 0.25
    """Half of the interval as a share of the cost, above which the document is used instead."""
    least_days: Annotated[int, Field(ge=14)] = 60
    least_four_week_peaks: Annotated[int, Field(ge=4)] = 6
    least_intervals: Annotated[int, Field(ge=10)] = 48
    least_archives: Annotated[int, Field(ge=2)] = 10
    least_transactions: Annotated[int, Field(ge=10)] = 1_000


class TransportSettings(SettingsSection):
    """Validity of the table of transports, which is of 2 KB and not persistent (all ours)."""

    days: Annotated[int, Field(ge=1, le=35)] = 7
    """Days of channel accounting that are looked at; seven hold every weekday once."""
    least_message_kib: Annotated[float, Field(gt=0)] = 1.0
    largest_message_kib: Annotated[float, Field(gt=0)] = 4.0
    persistent_pct: Annotated[float, Field(ge=0, lt=100)] = 5.0
    """Largest share of persistent messages."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.largest_message_kib < self.least_message_kib:
            raise ValueError("largest_message_kib is below least_message_kib")
        return self
