"""Folders and files of the local installation, all below ``var/`` of the checkout."""

from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError

CHECKOUT: Final = Path(__file__).resolve().parents[2]


class LocalFolders:
    """Folders and files of one local installation."""

    def __init__(self, checkout: Path, var: Path) -> None:
        self.checkout = checkout
        self.var = var
        self.postgres = var / "postgres"
        self.airflow_home = var / "airflow"
        self.logs = var / "log"
        """Output of the started programs, one file each."""
        self.secrets = var / "secrets.json"
        """Generated keys and the password, readable by the owner only."""
        self.lake = var / "lake"
        self.inbox = var / "inbox"
        self.sample = var / "sample"
        """The simulated estate: dumps, console logs, ground truth."""
        self.mail = var / "mail"
        """Emails as .eml files when no server is configured."""
        self.reports = var / "reports"
        self.settings_file = self.sample / "platform.yaml"
        """Settings of the local run, which the simulator writes."""
        self.environment_file = var / "mqcap.env"
        """The ``MQCAP_`` variables of the local run; commands in the checkout find them."""


def local_folders(var: Path | None = None) -> LocalFolders:
    """Return the folders of this checkout, created when missing; see ``require_checkout``."""
    require_checkout()
    folders = LocalFolders(checkout=CHECKOUT, var=(var or CHECKOUT / "var").resolve())
    for folder in (folders.var, folders.airflow_home, folders.logs, folders.inbox, folders.mail):
        folder.mkdir(parents=True, exist_ok=True)
    return folders


def require_checkout() -> None:
    """Raise ConfigurationError outside of a checkout: an installed wheel has no DAG folder."""
    if not all((CHECKOUT / name).is_dir() for name in ("dags", "plugins")):
        raise ConfigurationError(
            f"{CHECKOUT} is not a checkout of this product",
            expected="folders dags and plugins",
            remedy="Clone the repository and use `make run` there; docker/ is for servers.",
        )
