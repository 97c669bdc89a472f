"""Answers of Prometheus as site figures: any query whose labels name ``subject`` and ``figure``."""

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
from mqcap.ingest.samples import usual_seconds
from mqcap.ingest.site_figures.source import site_key
from mqcap.ingest.text_reading import Refusal, TextInput


@dataclass
class _SiteAnswerReading(AnswerReading):
    dataset = SITE_SAMPLE
    nothing = Refusal(
        "an answer of Prometheus without any site figure that can be used",
        expected="series with the labels subject and figure",
        remedy="Set both with label_replace, as docs/inputs.md shows.",
        otherwise="no sample",
    )

    def take(self, series: AnswerSeries) -> bool:
        labels = series.metric
        if not {"subject", "figure"} <= labels.keys():
            name = (labels.get("__name__") or "a series")[:60]
            self.left_out.add(f"{name} without the labels subject and figure", "series")
            return False
        try:
            key = site_key(labels["subject"], labels["figure"], labels.get("unit", ""))
        except ValueError as error:
            self.left_out.add(str(error), "series")
            return False
        reported_us, values = samples_of(series)
        self.samples.add(key, reported_us, usual_seconds(reported_us), values)
        return True


SOURCE: Final = TextInput(
    name="site_answers",
    order=39,
    title="site figures from Prometheus",
    description="an answer of Prometheus with the labels subject and figure",
    recognises_json=lambda text: is_answer(text) and names_site_figures(text),
    begin=_SiteAnswerReading,
)
