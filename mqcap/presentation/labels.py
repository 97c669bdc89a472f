"""Labels of severities, classes, kinds and metrics.

The label of a metric is declared with the metric (``mqcap.domain.metric.Metric.label``). It comes
here through the catalogue that ``aggregate`` leaves in the lake, so that no reader needs Spark.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SERIES_SEPARATOR, SubjectKind
from mqcap.lake.aggregated import metric_catalogue
from mqcap.lake.location import Location

SEVERITY_LABELS: Final = {
    Severity.act: "Act",
    Severity.watch: "Watch",
    Severity.unknown: "Unknown",
    Severity.suggestion: "Suggestion",
    Severity.ok: "OK",
}
SEVERITY_SIGNS: Final = {
    Severity.act: "▲",
    Severity.watch: "◆",
    Severity.unknown: "?",
    Severity.suggestion: "»",
    Severity.ok: "✓",
}
CLASS_LABELS: Final = {each: each.value.replace("_", " ").capitalize() for each in SystemClass}
_KIND_LABELS: Final = {
    SubjectKind.group_structure: "Structure of a group",
    SubjectKind.linux_host: "MQ on Linux",
    SubjectKind.ztpf_system: "z/TPF system",
    SubjectKind.ztpf_queue: "z/TPF queue",
    SubjectKind.distributed_queue: "Queue",
    SubjectKind.distributed_channel: "Channel",
    SubjectKind.mq_host: "Host",
    SubjectKind.site_object: "Site figure",
}
"""Those that are not the value of the kind itself."""

_NAME: Final = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")
_UNIT_ENDINGS: Final = ("_pct", "_count", "_mib_per_s", "_mib", "_per_h", "_per_s")
_ACRONYMS: Final = {"cf": "CF", "smds": "SMDS", "io": "I/O"}
_METRIC_LABELS: Final[ContextVar[Mapping[str, str]]] = ContextVar(
    "metric labels", default=MappingProxyType({})
)


def use_metric_labels(lake: Location) -> None:
    """Take the labels of metrics from the catalogue of this lake, for the rest of this context.

    A lake without a catalogue, or one that an older release left, is no error: see
    ``metric_label``.
    """
    _METRIC_LABELS.set(metric_labels(metric_catalogue(lake)))


def metric_labels(declared: Iterable[Mapping[str, Any]]) -> Mapping[str, str]:
    """Return the label of each declared metric that has one, by the metric's name."""
    return MappingProxyType(
        {metric["name"]: metric["label"] for metric in declared if metric.get("label")}
    )


def metric_label(metric: str) -> str:
    """Return the declared label of a metric, else its name without underscores and unit."""
    return _METRIC_LABELS.get().get(metric) or _from_name(metric)


def with_labels(text: str) -> str:
    """Return a text with the label of each declared metric in place of its name."""
    known = _METRIC_LABELS.get()
    return _NAME.sub(lambda name: known.get(name[0], name[0]), text)


def kind_label(kind: str) -> str:
    """Return what a kind of subject is called: ``Buffer pool``."""
    return _KIND_LABELS.get(SubjectKind(kind)) or kind.replace("_", " ").capitalize()


def as_sentence(text: str, subject: str = "") -> str:
    """Return a text with a capital letter first, unless a name of ``subject`` begins it."""
    names = subject.split(SERIES_SEPARATOR) if subject else []
    return text if any(map(text.startswith, names)) else text[:1].upper() + text[1:]


@lru_cache
def _from_name(metric: str) -> str:
    stem = next(
        (metric.removesuffix(ending) for ending in _UNIT_ENDINGS if metric.endswith(ending)), metric
    )
    first, *others = (_ACRONYMS.get(word, word) for word in stem.split("_"))
    return " ".join([first if first.isupper() else first.capitalize(), *others])
