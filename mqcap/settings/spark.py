"""Settings of the Spark session of the command line."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import AfterValidator, Field

from mqcap.settings.models import SettingsSection

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
