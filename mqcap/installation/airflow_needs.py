"""What the DAGs need of an Airflow: release, pools, connections, variables."""

import json
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Final, NamedTuple

from mqcap.domain.errors import ConfigurationError

OLDEST_AIRFLOW: Final = (3, 1)
NEWEST_AIRFLOW: Final = (3, 3)
SPARK_CONNECTION: Final = "spark_default"
SMTP_CONNECTION: Final = "smtp_default"
PLATFORM_MAIL_VARIABLE: Final = "mqcap_platform_mail_to"


class DeclaredPool(NamedTuple):
    """A pool that the DAGs need."""

    name: str
    slots: int
    description: str


def declared_pools() -> list[DeclaredPool]:
    """Return the pools of ``pools.json``, which ``airflow pools import`` reads too."""
    declared = json.loads(files(__package__).joinpath("pools.json").read_text(encoding="utf-8"))
    return [
        DeclaredPool(name, pool["slots"], pool["description"]) for name, pool in declared.items()
    ]


def require_supported(release: str) -> None:
    """Refuse a release that the DAGs and the page are not made for by a ConfigurationError."""
    numbers = re.match(r"(\d+)\.(\d+)", release)
    found = (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
    if not OLDEST_AIRFLOW <= found <= NEWEST_AIRFLOW:
        oldest, newest = (f"{major}.{minor}" for major, minor in (OLDEST_AIRFLOW, NEWEST_AIRFLOW))
        raise ConfigurationError(
            "this release of Airflow is not supported",
            found=f"Airflow {release}",
            expected=f"{oldest} to {newest}",
            remedy=f"Install mqcap beside Airflow {newest}: pip install 'mqcap[airflow,spark]'.",
        )


def release_here() -> str | None:
    """Return the release of Airflow that is installed beside this Python; ``None`` without."""
    for package in ("apache-airflow-core", "apache-airflow"):  # Airflow 2 has no core
        with suppress(PackageNotFoundError):
            return version(package)
    return None


def require_supported_here() -> None:
    """Refuse the Airflow of this environment by a ConfigurationError when it is not supported."""
    require_supported(release_here() or "none")
