"""Metrics as text, stamped, as samples of distributed queue managers."""

from __future__ import annotations

from typing import Final

from mqcap.ingest.exposition.lines import METRIC, Exposition
from mqcap.ingest.prometheus.source import PrometheusReading
from mqcap.ingest.text_reading import TextInput

SOURCE: Final = TextInput(
    name="exposition",
    order=41,
    title="metrics as text",
    description="metrics of MQ as text with a line of capture before each scrape",
    recognises=lambda text: METRIC.search(text.head) is not None,
    begin=lambda text, file_sha256, _: PrometheusReading(
        text, file_sha256, open_file=Exposition, what="metrics as text", framing="text"
    ),
)
