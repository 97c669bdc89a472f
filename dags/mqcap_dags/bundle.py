"""The DAG bundle of the installed package, for Airflow's ``dag_bundle_config_list``."""

from pathlib import Path
from typing import Any

from airflow.dag_processing.bundles.local import LocalDagBundle


class InstalledDagBundle(LocalDagBundle):
    """The DAGs where they are installed, so that no path is in the configuration.

    Options are those of every bundle of Airflow, such as ``refresh_interval``.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(path=str(Path(__file__).parent), **options)
