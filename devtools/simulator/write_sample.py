"""Write a simulated estate for the command line."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from devtools.simulator.generate import SimulationResult, generate
from devtools.simulator.spec import load_spec, sample_spec


def write_sample(
    folder: Path, *, last_date: date, days: int, spec_file: Path | None = None
) -> SimulationResult:
    """Dumps, console logs, settings and truth of the ``days`` up to ``last_date``.

    Without ``spec_file`` it is the sample estate. Raises ConfigurationError for a spec that does
    not fit.
    """
    spec = sample_spec() if spec_file is None else load_spec(spec_file)
    first = last_date - timedelta(days=days - 1)
    return generate(spec, folder, first_date=first, last_date=last_date)
