"""Folders and files of the local installation, all below ``var/`` of the checkout."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mqcap.domain.errors import ConfigurationError

CHECKOUT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class LocalFolders:
    """Folders and files of one local installation."""

    checkout: Path
    var: Path

    @property
    def postgres(self) -> Path:
        """Data of the embedded PostgreSQL."""
        return self.var / "postgres"

    @property
    def airflow_home(self) -> Path:
        """Home of Airflow: configuration and task logs."""
        return self.var / "airflow"

    @property
    def logs(self) -> Path:
        """Output of the started programs, one file each."""
        return self.var / "log"

    @property
    def secrets(self) -> Path:
        """Generated keys and the password, readable by the owner only."""
        return self.var / "secrets.json"

    @property
    def lake(self) -> Path:
        """The Parquet datasets."""
        return self.var / "lake"

    @property
    def inbox(self) -> Path:
        """Folder for arriving dumps."""
        return self.var / "inbox"

    @property
    def sample(self) -> Path:
        """The simulated estate: dumps, console logs, ground truth."""
        return self.var / "sample"

    @property
    def mail(self) -> Path:
        """Emails as .eml files when no server is configured."""
        return self.var / "mail"

    @property
    def reports(self) -> Path:
        """Reports that the DAG has written."""
        return self.var / "reports"

    @property
    def settings_file(self) -> Path:
        """Settings of the local run, which the simulator writes beside the sample estate."""
        return self.sample / "platform.yaml"

    @property
    def environment_file(self) -> Path:
        """The ``MQCAP_`` variables of the local run; commands in the checkout find them."""
        return self.var / "mqcap.env"


def local_folders(var: Path | None = None) -> LocalFolders:
    """Return the folders of this checkout, created when missing.

    Raises:
        ConfigurationError: there is no checkout (an installed wheel has no DAG folder).
    """
    require_checkout()
    folders = LocalFolders(checkout=CHECKOUT, var=(var or CHECKOUT / "var").resolve())
    for folder in (folders.var, folders.airflow_home, folders.logs, folders.inbox, folders.mail):
        folder.mkdir(parents=True, exist_ok=True)
    return folders


def require_checkout() -> None:
    """Refuse to go on outside of a checkout.

    Raises:
        ConfigurationError: there is no checkout (an installed wheel has no DAG folder).
    """
    if not all((CHECKOUT / name).is_dir() for name in ("dags", "plugins")):
        raise ConfigurationError(
            f"{CHECKOUT} is not a checkout of this product",
            expected="folders dags and plugins",
            remedy="Clone the repository and use `make run` there; docker/ is for servers.",
        )
