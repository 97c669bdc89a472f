"""The metrics of the aggregation are the figures derived from what the sample dumps were written
from."""

from pathlib import Path

import pytest

from tests.shared import shared_cases
from tests.spark_apps.expected import FIGURES, figures

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("names", shared_cases([pytest.param(set(FIGURES.values()), id="all")]))
def test_figures_of_the_samples_are_the_expected_ones(tmp_path: Path, names: set[str]) -> None:
    comparisons = dict(figures(tmp_path / "lake"))
    assert set(comparisons) == names
    assert {
        name: item.mismatches[:5] for name, item in comparisons.items() if item.mismatches
    } == {}
    assert sum(item.fields for item in comparisons.values()) > 20_000
