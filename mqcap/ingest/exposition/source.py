"""Metrics as text, stamped, as samples of distributed queue managers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from mqcap.ingest.exposition.lines import METRIC, Exposition
from mqcap.ingest.prometheus.source import PrometheusReading
from mqcap.ingest.text_reading import TextInput


@dataclass
class ExpositionReading(PrometheusReading):
    """A pass over one file of scrapes."""

    framing: ClassVar[str] = "text"
    what: ClassVar[str] = "metrics as text"

    def file(self) -> Exposition:
        """Return the content as series."""
        return Exposition(self.text)


SOURCE: Final = TextInput(
    name="exposition",
    order=41,
    title="metrics as text",
    description="metrics of MQ as text with a line of capture before each scrape",
    recognises=lambda text: METRIC.search(text.head) is not None,
    begin=ExpositionReading,
)
