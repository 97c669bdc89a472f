"""The sample dumps of the project decode to what they were written from, or to IBM's own CSV."""

from pathlib import Path

import pytest

from tests.mqcap.ingest.compared import PRINTED, comparisons, whole
from tests.shared import shared_cases, shared_dir

SHARED = shared_dir()


@pytest.mark.thorough
@pytest.mark.parametrize("samples", shared_cases([] if SHARED is None else [SHARED]))
def test_decoded_rows_are_those_that_were_written_or_printed(samples: Path) -> None:
    assert samples.is_dir()
    large = "sample_3d.rdw.smf.gz"
    results = list(comparisons({dump: csv for dump, csv in PRINTED.items() if dump != large}))
    assert (len(results), whole(results)) == (18, (425_070, []))
