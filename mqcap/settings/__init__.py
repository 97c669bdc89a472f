"""Settings: one YAML file, overridden by ``MQCAP_…`` environment variables."""

from mqcap.settings.ingest import IngestSettings
from mqcap.settings.loader import Settings, load_settings
from mqcap.settings.models import (
    AlertSettings,
    ChangeFreeze,
    ForecastSettings,
    GradePolicy,
    MailBudget,
    ReportSettings,
    Retention,
    RuleWindow,
    Site,
    SmtpServer,
    SparkSettings,
    StoreSettings,
    policy_of,
)

__all__ = [
    "AlertSettings",
    "ChangeFreeze",
    "ForecastSettings",
    "GradePolicy",
    "IngestSettings",
    "MailBudget",
    "ReportSettings",
    "Retention",
    "RuleWindow",
    "Settings",
    "Site",
    "SmtpServer",
    "SparkSettings",
    "StoreSettings",
    "load_settings",
    "policy_of",
]
