"""Labels of what is listed, and of metrics as their declarations have them."""

from __future__ import annotations

import json
from contextvars import copy_context
from pathlib import Path

import pytest

from mqcap.domain.estate import SystemClass
from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.lake.layout import metric_catalogue_path
from mqcap.presentation import labels


def test_everything_that_is_listed_has_a_label() -> None:
    assert set(labels.SEVERITY_LABELS) == set(labels.SEVERITY_SIGNS) == set(Severity)
    assert set(labels.CLASS_LABELS) == set(SystemClass)
    assert set(labels.KIND_LABELS) == set(SubjectKind)


@pytest.mark.parametrize(
    ("metric", "label"),
    [
        ("log_growth_mib_per_s", "Log growth"),
        ("page_set_used_pct", "Page set used"),
        ("cf_busy_pct", "CF busy"),
        ("buffer_pool_io_count", "Buffer pool I/O"),
        ("strange", "Strange"),
    ],
)
def test_a_metric_of_an_older_release_is_named_without_its_unit(metric: str, label: str) -> None:
    assert labels.metric_label(metric) == label


def test_a_declared_label_counts_in_the_context_that_took_it(tmp_path: Path) -> None:
    catalogue = [{"name": "cf_busy_pct", "label": "CF processor busy"}, {"name": "old_pct"}]
    metric_catalogue_path(tmp_path).write_text(json.dumps(catalogue), encoding="utf-8")

    def report() -> tuple[str, str]:
        labels.use_metric_labels(tmp_path)
        return labels.metric_label("cf_busy_pct"), labels.metric_label("old_pct")

    assert copy_context().run(report) == ("CF processor busy", "Old")
    assert labels.metric_label("cf_busy_pct") == "CF busy"


def test_a_lake_without_a_catalogue_has_names_only(tmp_path: Path) -> None:
    def report() -> str:
        labels.use_metric_labels(tmp_path)
        return labels.metric_label("cf_busy_pct")

    assert copy_context().run(report) == "CF busy"


@pytest.mark.parametrize(
    ("text", "subject", "shown"),
    [
        ("archiving failed", "PLEX1/CSQ2", "Archiving failed"),
        ("loss of CF02", "PLEX1/CF02", "Loss of CF02"),
        ("qm_web log files", "HAMBURG/qm_web", "qm_web log files"),
        ("4.1 h of 12 h", "", "4.1 h of 12 h"),
        ("", "", ""),
    ],
)
def test_a_sentence_begins_with_a_capital_letter_unless_with_a_name(
    text: str, subject: str, shown: str
) -> None:
    assert labels.as_sentence(text, subject) == shown
