"""Typed sections of the settings file. Unknown keys are errors."""

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    SecretStr,
    field_serializer,
    field_validator,
    model_validator,
)

from mqcap.domain.estate.configured import SystemClass, ZoneName
from mqcap.domain.finding import Severity
from mqcap.domain.shown_text import MASK, holds_secret, place_of
from mqcap.domain.subject import Subject


class SettingsSection(BaseModel, frozen=True, extra="forbid", hide_input_in_errors=True):
    """Base of all sections: immutable, unknown keys are errors, errors do not repeat values."""


def without_secret(address: str) -> str:
    """Return the address; raises ValueError when it contains a user or a password."""
    if holds_secret(address):
        raise ValueError(
            "the address contains a user or a password; put those into the environment or an "
            "Airflow connection"
        )
    return address


Address = Annotated[str, AfterValidator(without_secret)]


class Shift(SettingsSection):
    """Hours of the day that a site names, such as on-line and batch."""

    name: Annotated[str, Field(min_length=1)]
    first_hour: Annotated[int, Field(ge=0, le=23)]
    """It begins with this hour, on the clock of the page."""
    last_hour: Annotated[int, Field(ge=0, le=23)]
    """It ends with this hour, included; before ``first_hour`` it is over midnight."""

    @property
    def hours(self) -> frozenset[int]:
        """The hours of the day in it."""
        last = self.last_hour + (24 if self.last_hour < self.first_hour else 0)
        return frozenset(hour % 24 for hour in range(self.first_hour, last + 1))


class Site(SettingsSection):
    """Name of the site, the time zone of its emails, and its shifts."""

    name: str = "Site"
    """As reports and emails name it."""
    timezone: ZoneName = "UTC"
    shifts: tuple[Shift, ...] = ()
    """Compared beside the hours of the week; empty: none."""


class Retention(SettingsSection):
    """Retention of store and lake in days; ``mqcap store prune`` deletes the rest (all ours).

    Days are counted back from the newest one. What a rerun of a recent day needs is never
    deleted.
    """

    raw_days: Annotated[int, Field(ge=7)] = 100
    """Files as delivered, by the last day of their records; files not decoded yet stay."""
    interval_days: Annotated[int, Field(ge=7)] = 200
    """Decoded records; hourly values of earlier days are final, and late data for them are
    ignored."""
    hourly_days: Annotated[int, Field(ge=7)] = 800
    """Hourly metrics and arrivals of feeds: two years and some weeks."""
    working_days: Annotated[int, Field(ge=1)] = 35
    """Files exchanged with Spark for each forecast; the forecasts are in the store."""
    daily_days: Annotated[int, Field(ge=400)] = 1_830
    """Daily observations: five years, so that they contain several yearly periods."""
    forecast_days: Annotated[int, Field(ge=35)] = 400
    """Forecasts and crossings by the day on which they were made."""
    finding_days: Annotated[int, Field(ge=100)] = 800
    """Findings, problems and completeness."""
    delivery_days: Annotated[int, Field(ge=100)] = 800
    """Deliveries of the outbox, and step runs."""


class StoreSettings(SettingsSection):
    """Database of daily values, forecasts, findings and tickets, and its retention."""

    url: SecretStr = SecretStr("sqlite:///var/store.db")
    """SQLite or PostgreSQL."""
    retention: Retention = Retention()


class ForecastSettings(SettingsSection):
    """Horizon, history and models of the forecasts (all ours)."""

    horizon_days: Annotated[int, Field(ge=1, le=730)] = 180
    """Days that are drawn, and verified against observed values."""
    crossing_days: Annotated[int, Field(ge=1, le=730)] = 365
    """Days ahead on which crossings are dated, where that is more than the horizon."""
    min_history_days: Annotated[int, Field(ge=14)] = 60
    """Series with fewer usable days are not forecast."""
    interval_width: Annotated[float, Field(gt=0, lt=1)] = 0.8
    """Share of values inside the prediction interval."""
    lookback_days: Annotated[int, Field(ge=60)] = 730
    """Newest days of history that a forecast uses."""
    final_fit: Literal["prophet", "fast"] = "prophet"
    """Program that fits the leading candidate; ``fast`` gives the same figures sooner."""
    keep_models_days: Annotated[int, Field(ge=1)] = 14
    """Results of the forecast application are kept in the lake for so many days."""
    hold_out_origins: Annotated[int, Field(ge=0, le=12)] = 3
    """Days, 30 apart, that the first run of a site also forecasts as of, so that its scorecard has
    figures at once."""
    outcome_limits_min: Annotated[int, Field(ge=10)] = 50
    """Limits with a stated probability whose days are over from which on the site's own outcomes
    correct its probabilities."""
    outcome_prior_cases: Annotated[int, Field(ge=0)] = 200
    """Cases stated with 50 %, half of which came true, that count beside these outcomes: the more,
    the slower is the correction."""


class GradePolicy(SettingsSection):
    """Thresholds of the severity of a finding; ours, never those of MP16."""

    watch_below_headroom: Annotated[float, Field(ge=0, lt=1)] = 0.15
    """Headroom ratio below which a finding becomes ``watch``."""
    act_below_headroom: Annotated[float, Field(ge=-1, lt=1)] = 0.0
    """Headroom ratio below which it becomes ``act``; 0 means only a breach."""
    act_within_days: Annotated[int, Field(ge=0)] = 30
    watch_within_days: Annotated[int, Field(ge=0)] = 90
    breach: Severity | None = None
    """Severity of a breach; ``None`` leaves it to the rule."""

    @field_validator("breach")
    @classmethod
    def _breaks_something(cls, graded: Severity | None) -> Severity | None:
        if graded is Severity.suggestion:
            raise ValueError("a breach is no suggestion: ok, watch or act")
        return graded


def policy_of(grades: Mapping[str, GradePolicy], rule_id: str) -> GradePolicy:
    """Return the thresholds of a rule; what its entry does not state is that of ``default``."""
    default, own = grades.get("default", GradePolicy()), grades.get(rule_id)
    return default.model_copy(update=own.model_dump(exclude_unset=True)) if own else default


PLAIN_OPTIONS: Final = frozenset(
    {
        "project",
        "user",
        "issue_type",
        "done_status",
        "cloud",
        "reopen_status",
        "search_lag_seconds",
        "timeout_seconds",
        "table",
        "assignment_group",
        "open_state",
        "work_state",
        "done_states",
        "close_code",
    }
)
"""Keys of ``alerts.ticket_options`` that are printed; all others are masked."""


class ChangeFreeze(SettingsSection):
    """Days on which nothing may be changed, the first and the last included."""

    first: date
    last: date
    name: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.last < self.first:
            raise ValueError(f"the freeze ends on {self.last}, before it begins on {self.first}")
        return self


class MailBudget(SettingsSection):
    """Limits of the content of one email; the capacity page shows everything (all ours)."""

    lines: Annotated[int, Field(ge=1)] = 100
    """Resources listed, a line each, the new and the changed ones first."""
    rows: Annotated[int, Field(ge=1)] = 4
    """Entries of each further list: missing records, resolved problems, checks without a result."""
    charts: Annotated[int, Field(ge=0)] = 40
    """Resources with a line of their course in the HTML part."""
    html_kib: Annotated[int, Field(ge=20)] = 100
    """Size of the HTML part; some mail clients truncate it at 102 KB."""


class AlertSettings(SettingsSection):
    """Recipients, thresholds and channels of notifications. Days and thresholds are ours."""

    mail_to: tuple[str, ...] = ("mq-capacity@example.com",)
    data_mail_to: tuple[str, ...] = ()
    """Recipients of missing-record notifications; empty: those of ``mail_to``."""
    page_to: tuple[str, ...] = ()
    """Recipients paged on a measured breach on production; empty: nobody."""
    mail_from: str = "mqcap@example.com"
    """Sender."""
    mail_folder: Path = Path("var/mail")
    """Folder for .eml files when no mail server is configured."""
    mail_budget: MailBudget = MailBudget()
    weekly_digest: Literal[
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "never"
    ] = "monday"
    """The day of the week with an email even when nothing has changed."""
    page_url: str = "http://localhost:8080/plugin/capacity/capacity/"
    """Address of the page, for links in emails and tickets."""
    ticket_backend: str = "embedded"
    """Tracker: embedded, jira, servicenow or webhook (docs/alerts.md)."""
    ticket_options: dict[str, str] = {}
    """Options of the tracker (docs/alerts.md); credentials are in its connection."""

    raise_days: Annotated[int, Field(ge=1)] = 2
    """Bad days, of ``raise_window_days`` evaluated ones, before a problem is raised."""
    raise_window_days: Annotated[int, Field(ge=1, le=31)] = 3
    breach_days: Annotated[int, Field(ge=1)] = 1
    """The same where measured values of a production system are over the limit."""
    clear_days: Annotated[int, Field(ge=1)] = 7
    """Consecutive complete days in order that resolve a problem."""
    clear_margin: Annotated[float, Field(ge=0, lt=1)] = 0.05
    """Headroom above the watch threshold that a day needs to count as in order."""
    clear_margin_days: Annotated[int, Field(ge=0)] = 14
    """Days past ``watch_within_days`` that a forecast date must be away to count so."""
    reopen_days: Annotated[int, Field(ge=0)] = 30
    """Days within which a resolved problem that comes back reopens its ticket."""
    worse_by_headroom: Annotated[float, Field(gt=0)] = 0.05
    """Loss of headroom, since the worst notified, that is notified again."""
    worse_by_days: Annotated[int, Field(ge=1)] = 14
    """Days by which a forecast date must come nearer to be notified again."""
    accept_days: Annotated[int, Field(ge=1)] = 400
    """Days from today until which a risk can be accepted at most: a year and a month."""
    cause_hours: Annotated[int, Field(ge=0)] = 1
    """Breaches of one sysplex measured within so many hours are named in each other's tickets."""
    act_risk: Annotated[float, Field(gt=0, le=1)] = 0.5
    """Probability times class weight from which a forecast is graded ``act``."""
    watch_risk: Annotated[float, Field(gt=0, le=1)] = 0.1
    class_weights: dict[SystemClass, float] = {
        SystemClass.production: 1.0,
        SystemClass.disaster_recovery: 0.8,
        SystemClass.test: 0.4,
    }
    lead_time_days: dict[str, Annotated[int, Field(ge=0)]] = {"default": 14}
    """By rule: days from the decision to the completed change."""
    change_freezes: tuple[ChangeFreeze, ...] = ()
    owners: dict[str, str] = {}
    """Owner of the change, by subject or what it is a part of: ``PLEX1/CSQ1``, ``PLEX1``."""

    @field_serializer("ticket_options", when_used="json")
    def _masked(self, options: dict[str, str]) -> dict[str, str]:
        shown = {key: value if key in PLAIN_OPTIONS else MASK for key, value in options.items()}
        return shown | ({"url": place_of(options["url"])} if "url" in options else {})

    @field_validator("ticket_options")
    @classmethod
    def _no_secret_in_address(cls, options: dict[str, str]) -> dict[str, str]:
        without_secret(options.get("url", ""))
        return options

    def owner_of(self, subject: str) -> str:
        """Return the owner of a subject or of its nearest parent with one; empty without."""
        above = Subject(subject).and_above
        return next((self.owners[name] for name in above if name in self.owners), "")

    def lead_time(self, rule_id: str) -> int:
        """Return the lead time in days of the change that a rule recommends; 0 without any."""
        return self.lead_time_days.get(rule_id, self.lead_time_days.get("default", 0))


class SmtpServer(SettingsSection):
    """A mail server: from Airflow's connection, or from the environment on the command line."""

    host: str
    port: int = 25
    user: str | None = None
    password: SecretStr | None = None
    starttls: bool = False
    tls: bool = False
    timeout_seconds: float = 30.0
    final_reply_seconds: float = 600.0
    """Time to wait for the server's confirmation of the message text."""


class ReportSettings(SettingsSection):
    """Folder of the reports that the DAG and the command line write."""

    folder: Path = Path("var/reports")


class RuleWindow(SettingsSection):
    """Days of which a finding takes the peak (ours; MP16 says only "peak"), and hours it needs."""

    peak_days: Annotated[int, Field(ge=1)] = 35
    """Days back over which the peak is taken: five weeks, so that a month-end is inside."""
    min_covered_hours: Annotated[float, Field(ge=0)] = 4.0
    """Measured hours of a figure of SMF within these days, below which no rule judges it (ours)."""


_MASTER: Final = re.compile(r"local(\[(\*|[1-9]\d*)(,\s*[1-9]\d*)?\])?|yarn|spark://\S+|k8s://\S+")
_MEMORY: Final = re.compile(r"[1-9]\d*[kmgt]b?", re.IGNORECASE)


def _master(address: str) -> str:
    if not _MASTER.fullmatch(address):
        raise ValueError("expected local[*], local[2], spark://HOST:PORT, yarn or k8s://ADDRESS")
    return address


def _memory(size: str) -> str:
    if not _MEMORY.fullmatch(size):
        raise ValueError("expected a number and its unit, such as 2g or 800m")
    return size


class SparkSettings(SettingsSection):
    """The Spark session of the command line; Airflow uses its connection instead."""

    master: Annotated[str, AfterValidator(_master)] = "local[*]"
    """Address of the cluster, or ``local[n]`` for n processors of this machine."""
    shuffle_partitions: Annotated[int, Field(ge=1)] = 4
    driver_memory: Annotated[str, AfterValidator(_memory)] = "2g"
    """Heap of the JVM of the driver."""
