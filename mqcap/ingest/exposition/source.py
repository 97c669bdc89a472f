"""Metrics as text, stamped, as samples of distributed queue managers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mqcap.domain.source import Reading
from mqcap.ingest.exposition.lines import Exposition
from mqcap.ingest.prometheus.source import PrometheusReading
from mqcap.ingest.smf.dump_file import read_head

_METRIC: Final = re.compile(rb"^(?:# (?:HELP|TYPE) )?ibmmq_\w+[ {]", re.MULTILINE)


@dataclass(frozen=True)
class ExpositionSource:
    """What mq_prometheus or the container image shows to Prometheus, captured with its time."""

    name: str = "exposition"
    order: int = 41
    title: str = "metrics as text"
    description: str = "metrics of MQ as text with a line of capture before each scrape"

    def accepts(self, path: Path) -> bool:
        """Return whether the file is such text, stamped or not."""
        return _METRIC.search(read_head(path)) is not None

    def read(self, path: Path, file_sha256: str) -> Reading:
        """Begin reading."""
        return PrometheusReading(
            path, file_sha256, open_file=Exposition, what="metrics as text", framing="text"
        )


SOURCE: Final = ExpositionSource()
