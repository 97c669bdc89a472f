"""Names of series and subjects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mqcap.domain.metric import (
    Direction,
    Metric,
    SubjectKind,
    owner_subject_of,
    series_id,
    split_series_id,
    sysplex_of,
)


def test_a_series_id_is_metric_and_subject() -> None:
    identity = series_id("cf_busy_pct", "PLEX1/CF01")
    assert identity == "cf_busy_pct/PLEX1/CF01"
    assert split_series_id(identity) == ("cf_busy_pct", "PLEX1/CF01")


@pytest.mark.parametrize("subject", ["PLEX1", "PLEX1/CF01", "PLEX1/CSQ1/CHINIT"])
def test_the_sysplex_is_the_first_part_of_a_subject(subject: str) -> None:
    assert sysplex_of(subject) == "PLEX1"


@given(st.from_regex(r"[a-z_0-9]{1,30}", fullmatch=True), st.text(max_size=40))
def test_a_series_id_splits_into_what_it_was_made_of(metric: str, subject: str) -> None:
    assert split_series_id(series_id(metric, subject)) == (metric, subject)


def test_a_metric_is_bad_upwards_and_not_forecast_unless_declared_otherwise() -> None:
    metric = Metric(
        name="cf_busy_pct",
        label="Cf busy pct",
        unit="%",
        subject_kind=SubjectKind.coupling_facility,
        description="Busy",
        reads=("section_r744g",),
    )
    assert metric.direction is Direction.upward
    assert not metric.forecast
    assert metric.ceiling is None
    with pytest.raises(ValidationError):
        metric.model_validate(metric.model_dump() | {"colour": "red"})


@pytest.mark.parametrize(
    ("subject", "owner"),
    [
        ("PLEX1", "PLEX1"),
        ("PLEX1/CSQ1", "PLEX1/CSQ1"),
        ("PLEX1/CSQ1/CHINIT", "PLEX1/CSQ1"),
        ("PLEX1/CF01/QSG1APPL1", "PLEX1/CF01"),
    ],
)
def test_a_subject_belongs_to_its_queue_manager_or_facility(subject: str, owner: str) -> None:
    assert owner_subject_of(subject) == owner
