"""Labels of severities, classes, kinds and metrics.

Those of metrics come from the catalogue that ``aggregate`` leaves in the lake.
"""

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final

from mqcap.domain.estate.configured import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind

SEVERITY_LABELS: Final = {severity: severity.capitalize() for severity in Severity} | {
    Severity.ok: "OK"
}
SEVERITY_SIGNS: Final = {
    Severity.act: "▲",
    Severity.watch: "◆",
    Severity.unknown: "?",
    Severity.suggestion: "»",
    Severity.ok: "✓",
}
CLASS_LABELS: Final = {kind: kind.value.replace("_", " ").capitalize() for kind in SystemClass}
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

_UNIT: Final = re.compile(r"_(?:pct|count|mib_per_s|mib|per_h|per_s)$")
_ACRONYMS: Final = {"cf": "CF", "smds": "SMDS", "io": "I/O"}
_NAME: Final = re.compile(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b")
_OWN_NAME: Final = re.compile(r"^[a-z0-9_]+: ")
_METRIC_LABELS: Final[ContextVar[Mapping[str, str]]] = ContextVar(
    "metric labels", default=MappingProxyType({})
)


def use_metric_labels(catalogue: Iterable[Mapping[str, Any]]) -> None:
    """Take the labels of metrics from a catalogue, for the rest of this context."""
    _METRIC_LABELS.set({metric["name"]: metric.get("label", "") for metric in catalogue})


def metric_label(metric: str) -> str:
    """Return the declared label of a metric, else its name without underscores and unit."""
    if label := _METRIC_LABELS.get().get(metric):
        return label
    words = " ".join(_ACRONYMS.get(word, word) for word in _UNIT.sub("", metric).split("_"))
    return as_sentence(words)


def needed(missing: str) -> str:
    """Return what a check lacks as a sentence: metrics by label, without the rule's own name."""
    known, own = _METRIC_LABELS.get(), _OWN_NAME.sub("", missing)
    return as_sentence(_NAME.sub(lambda name: known.get(name[0]) or name[0], own))


def kind_label(kind: str) -> str:
    """Return what a kind of subject is called: ``Buffer pool``."""
    return _KIND_LABELS.get(SubjectKind(kind)) or kind.replace("_", " ").capitalize()


def as_sentence(text: str) -> str:
    """Return a text with a capital letter first."""
    return text[:1].upper() + text[1:]
