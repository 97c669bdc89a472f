"""The DAGs, for the supported releases of Airflow; another one is refused in a sentence."""

from mqcap.installation.airflow_needs import require_supported_here

require_supported_here()
