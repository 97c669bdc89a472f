"""Answers of Prometheus as site figures: any query whose labels name ``subject`` and ``figure``."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from mqcap.domain.datasets import SITE_SAMPLE
from mqcap.ingest.prometheus.answer import (
    AnswerReading,
    AnswerSeries,
    is_answer,
    names_site_figures,
    samples_of,
)
from mqcap.ingest.samples import SiteSampleKey, usual_seconds
from mqcap.ingest.site_figures.source import site_key
from mqcap.ingest.text_reading import Refusal, TextInput


@dataclass
class SiteAnswerReading(AnswerReading):
    """A pass over one answer."""

    dataset = SITE_SAMPLE
    nothing = Refusal(
        "an answer of Prometheus without any site figure that can be used",
        expected="series with the labels subject and figure",
        remedy="Set both with label_replace, as docs/inputs.md shows.",
        otherwise="no sample",
    )

    def take(self, series: AnswerSeries) -> bool:
        """Take the samples of a series that names a subject and a figure."""
        try:
            key = _key(series.metric)
        except ValueError as error:
            self.left_out.add(str(error), "series")
            return False
        reported_us, values = samples_of(series)
        self.samples.add(key, reported_us, usual_seconds(reported_us), values)
        return True


def _key(labels: Mapping[str, str]) -> SiteSampleKey:
    if not {"subject", "figure"} <= labels.keys():
        name = labels.get("__name__") or "a series"
        raise ValueError(f"{name[:60]} without the labels subject and figure")
    return site_key(labels["subject"], labels["figure"], labels.get("unit", ""))


SOURCE: Final = TextInput(
    name="site_answers",
    order=39,
    title="site figures from Prometheus",
    description="an answer of Prometheus with the labels subject and figure",
    recognises_json=lambda text: is_answer(text) and names_site_figures(text),
    begin=SiteAnswerReading,
)
