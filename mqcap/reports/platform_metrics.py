"""Metrics of the platform itself, in the text format of Prometheus.

Format: Prometheus, *Exposition formats*, text-based format 0.0.4. All figures are gauges: the
retention of the store may lower each of them.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from sqlalchemy import Engine

from mqcap.store import exported as counted

_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
_RUN_BEGINS: Final = "land"


PLATFORM_METRICS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "mqcap_info": ("1, with the version of the last step that ended.", ("version",)),
    "mqcap_step_runs": ("Runs of steps that ended well.", ("step",)),
    "mqcap_step_last_end_timestamp_seconds": (
        "When the step last ended well, in seconds since 1970 UTC.",
        ("step",),
    ),
    "mqcap_step_last_seconds": (
        "Time of its last run since the step before had ended; waits for a pool are included.",
        ("step",),
    ),
    "mqcap_step_last_count": (
        "What the last run of the step counted: records, forecasts, findings and so on.",
        ("step", "what"),
    ),
    "mqcap_files": ("Files delivered.", ()),
    "mqcap_files_with_problem": ("Files delivered that could not be read wholly.", ()),
    "mqcap_file_records": ("Records decoded of these files.", ()),
    "mqcap_file_bytes": (
        "Bytes of these files: as delivered; decoded, skipped and quarantined of their content.",
        ("what",),
    ),
    "mqcap_feeds": ("Feeds of the newest day.", ("kind", "state")),
    "mqcap_forecasts": ("Series of the newest forecasts.", ("result",)),
    "mqcap_findings": ("Findings of the newest day.", ("severity",)),
    "mqcap_problems": ("Problems of the newest day.", ("state", "severity")),
    "mqcap_tickets": ("Tickets.", ("state", "severity")),
    "mqcap_deliveries": ("Emails and ticket updates.", ("channel", "stage")),
    "mqcap_deliveries_failing": (
        "Deliveries whose last attempt failed; the next run tries them again.",
        ("channel",),
    ),
}
"""Every metric by name: what it counts, and the names of its labels."""


def exposition(engine: Engine) -> str:
    """Return all metrics that the store has values of, as text for Prometheus."""
    lines: list[str] = []
    for name, values in _values(engine):
        what, names = PLATFORM_METRICS[name]
        lines += [f"# HELP {name} {what}", f"# TYPE {name} gauge"] if values else []
        for labels, value in values.items():
            named = zip(names, labels, strict=True)
            pairs = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in named)
            # the shortest text that is read as the same number
            lines.append(
                f"{name}{f'{{{pairs}}}' if pairs else ''} {repr(value).removesuffix('.0')}"
            )
    return "".join(f"{line}\n" for line in lines)


def _values(engine: Engine) -> Iterator[tuple[str, counted.Counts]]:
    runs = counted.newest_runs(engine)
    files = counted.file_sums(engine)
    yield "mqcap_info", {(str(runs[-1].versions.get("mqcap", "")),): 1.0} if runs else {}
    rows = counted.row_counts(engine)
    yield "mqcap_step_runs", rows.pop("step_runs")
    ends: counted.Counts = {(run.step,): run.ended_at_utc.timestamp() for run in runs}
    yield "mqcap_step_last_end_timestamp_seconds", ends
    # since the step before had ended: the first step of a run has none
    yield (
        "mqcap_step_last_seconds",
        {
            (run.step,): (run.ended_at_utc - before.ended_at_utc).total_seconds()
            for before, run in pairwise(runs)
            if run.site_date == before.site_date and run.step != _RUN_BEGINS
        },
    )
    yield (
        "mqcap_step_last_count",
        {
            (run.step, name): float(value)
            for run in runs
            for name, value in run.counts.items()
            if isinstance(value, int | float) and not isinstance(value, bool)
        },
    )
    yield "mqcap_files", {(): float(files["files"])}
    yield "mqcap_files_with_problem", {(): float(files["problems"])}
    yield "mqcap_file_records", {(): float(files["records"])}
    kinds = ("delivered", "decoded", "skipped", "quarantined")
    yield "mqcap_file_bytes", {(kind,): float(files[kind]) for kind in kinds}
    for what, counts in rows.items():
        yield f"mqcap_{what}", counts
