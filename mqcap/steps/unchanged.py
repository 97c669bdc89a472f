"""Steps whose run of a day is not repeated while everything that it rests on is as it was.

A run leaves two digests beside its versions: of what it read, before it began, and of the rows
that it wrote. Where both are the same as those of now, and code, settings, Python and libraries
too, another run would write the same rows. In any other case the step runs: after a change, after
a run that was killed half-way, and where a file is too new to tell.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import date
from importlib.metadata import version
from typing import Any, Final, NamedTuple

from mqcap.settings import Settings
from mqcap.settings.versions import versions
from mqcap.store.database import Store
from mqcap.store.models import INPUTS_DIGEST, RESULTS_DIGEST, StepRun
from mqcap.store.step_runs import read_step_runs

_LIBRARIES: Final = ("numpy", "pyarrow", "pydantic", "SQLAlchemy")
"""Their figures, orders and texts are in the rows."""


class DigestedCounts(dict[str, Any]):
    """Counts of a step, with the digests of what it read and wrote."""

    digests: dict[str, str]


def digests_of(counts: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests that belong to the counts of a step; none for most steps."""
    return counts.digests if isinstance(counts, DigestedCounts) else {}


class DayStep(NamedTuple):
    """A step of a day, and how to tell whether another run of it would change anything."""

    name: str
    """Under which its runs are recorded."""
    inputs: Callable[[], str | None]
    """Digest of everything that it reads; ``None``: not known."""
    results: Callable[[], str]
    """Digest of everything that it has written for the day."""
    run: Callable[[], dict[str, Any]]
    """The step itself: returns its counts."""


def once(step: DayStep, settings: Settings, engine: Store, day: date) -> dict[str, Any]:
    """Run a step, unless its last run of the day has left what this one would. Return its counts.

    Those of the last run where it is not repeated.
    """
    found = step.inputs()
    if found is None:
        return step.run()
    read = _with_libraries(found)
    last = _last_run(step.name, engine, day)
    if last is not None and last.versions.get(INPUTS_DIGEST) == read:
        written = {INPUTS_DIGEST: read, RESULTS_DIGEST: step.results()}
        if last.versions == versions(settings) | written:
            return _digested(last.counts, written)
    counts = step.run()
    return _digested(counts, {INPUTS_DIGEST: read, RESULTS_DIGEST: step.results()})


def _last_run(name: str, engine: Store, day: date) -> StepRun | None:
    runs = [run for run in read_step_runs(engine, day) if run.step == name]
    return runs[-1] if runs else None


def _with_libraries(digest: str) -> str:
    """Return the digest of a digest and of the versions of the libraries that make the rows."""
    texts = [digest, *(f"{name} {version(name)}" for name in _LIBRARIES)]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def _digested(counts: dict[str, Any], digests: dict[str, str]) -> DigestedCounts:
    result = DigestedCounts(counts)
    result.digests = digests
    return result
