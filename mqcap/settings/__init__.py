"""Settings: one YAML file, overridden by ``MQCAP_…`` environment variables."""

from mqcap.settings.loader import Settings, load_settings
from mqcap.settings.models import (
    AlertSettings,
    ChangeFreeze,
    ForecastSettings,
    GradePolicy,
    MailBudget,
    SmtpServer,
    SparkSettings,
    policy_of,
)

__all__ = [
    "AlertSettings",
    "ChangeFreeze",
    "ForecastSettings",
    "GradePolicy",
    "MailBudget",
    "Settings",
    "SmtpServer",
    "SparkSettings",
    "load_settings",
    "policy_of",
]
