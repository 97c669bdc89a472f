"""The project's reference data, which a machine may lack."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import pytest

ABSENT: Final = "the reference data (folder shared beside the checkout) are absent"


def shared_dir() -> Path | None:
    """Return the folder ``shared`` beside the checkout, or ``None`` on a machine without it."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    return folder if folder.is_dir() else None


def shared_cases(cases: Iterable[object], *, arguments: int = 1) -> Sequence[object]:
    """Return the parameter sets of a test over reference data.

    Without the data this is one set of ``arguments`` empty values that is skipped with the reason.
    With the data an empty set stays empty, which pytest refuses (``empty_parameter_set_mark``).
    """
    if shared_dir() is not None:
        return list(cases)
    skipped = pytest.mark.skip(reason=ABSENT)
    return [pytest.param(*[None] * arguments, marks=skipped, id="no-reference-data")]
