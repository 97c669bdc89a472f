"""The typed sections of the settings file. Unknown keys are errors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from domain.estate import ZoneName


class Section(BaseModel):
    """Base of all sections: immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Site(Section):
    """Who we are and in which zone the mail speaks."""

    name: str = "Site"
    timezone: ZoneName = "UTC"


class StoreSettings(Section):
    """Where daily values, forecasts, findings and tickets live."""

    url: SecretStr = SecretStr("sqlite:///var/store.db")


class IngestSettings(Section):
    """Where files arrive and how much damage is tolerated."""

    inbox: Path = Path("var/inbox")
    rejected_bytes_max_ratio: Annotated[float, Field(ge=0, le=1)] = 0.001
    """Share of quarantined bytes above which a file fails (ours)."""
    inputs: tuple[str, ...] = ()
    """Where else files arrive: folders, patterns, or addresses of object stores (s3://…)."""
    settle_seconds: Annotated[float, Field(ge=0, le=600)] = 2.0
    """A file must not change for so long before it is taken (ours)."""
    unpacked_max_mib: Annotated[int, Field(ge=1)] = 65_536
    """Most that one gzip file or zip archive may unpack to (ours)."""
    unpacked_max_ratio: Annotated[float, Field(gt=1)] = 250.0
    """Most unpacked bytes per packed byte, above 64 MiB (ours)."""


class SparkSettings(Section):
    """The Spark session of the bare command line; under Airflow the connection decides."""

    master: str = "local[*]"
    shuffle_partitions: Annotated[int, Field(ge=1)] = 4
    driver_memory: str = "2g"


class ForecastSettings(Section):
    """How far and how surely we look ahead (all ours)."""

    horizon_days: Annotated[int, Field(ge=1, le=730)] = 180
    min_history_days: Annotated[int, Field(ge=14)] = 60
    interval_width: Annotated[float, Field(gt=0, lt=1)] = 0.8
    lookback_days: Annotated[int, Field(ge=60)] = 730
    series_per_batch: Annotated[int, Field(ge=1)] = 32


class GradePolicy(Section):
    """When a finding is worth a word; ours, never the report's."""

    watch_below_headroom: Annotated[float, Field(ge=0, lt=1)] = 0.15
    """Headroom ratio below which a finding becomes ``watch``."""
    act_below_headroom: Annotated[float, Field(ge=-1, lt=1)] = 0.0
    """Headroom ratio below which it becomes ``act``; 0 means only a breach."""
    act_within_days: Annotated[int, Field(ge=0)] = 30
    watch_within_days: Annotated[int, Field(ge=0)] = 90


class AlertSettings(Section):
    """Whom to tell, and how."""

    mail_to: tuple[str, ...] = ("mq-capacity@example.com",)
    mail_from: str = "mqcap@example.com"
    mail_folder: Path = Path("var/mail")
    """Where mail goes as .eml when no mail server is configured."""
    page_url: str = "http://localhost:8080/plugin/capacity/capacity/"
    ticket_backend: str = "embedded"
    ticket_options: dict[str, str] = {}


class SmtpServer(Section):
    """A mail server: from Airflow's connection, or from the environment on the command line."""

    host: str
    port: int = 25
    user: str | None = None
    password: SecretStr | None = None
    starttls: bool = False
    tls: bool = False
    timeout_seconds: float = 30.0


class RuleWindow(Section):
    """Which days a finding looks at (ours; the report says only "peak")."""

    peak_days: Annotated[int, Field(ge=1)] = 35
    """Days back over which the peak is taken: five weeks, so that a month-end is inside."""
