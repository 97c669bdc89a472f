"""The page ``docs/reference/metrics.md``: every metric, from its declaration.

Run by ``make docs``; a test holds it to what the declarations say.
"""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mqcap.domain.metric import Direction, Metric, SubjectKind
from spark_apps.registry import all_metrics

FILE: Final = Path(__file__).parents[2] / "docs" / "reference" / "metrics.md"
_HEAD: Final = """\
# Metrics

Written by `make docs` from `spark_apps/metrics/`. A series is a metric of a subject
(`log_growth_mib_per_s/PLEX1/CSQ1`); the REST API gives its values.
*Forecast*: a daily forecast is made, of the largest values, or of the smallest where `lowest` says
that these are the bad ones. *From*: IBM's fields and message ids that the figure is made of, or the
datasets of the lake.
"""


def metrics_page() -> str:
    """Return the page."""
    return "\n".join([*_HEAD.splitlines(), *_tables()]) + "\n"


def write_page(file: Path = FILE) -> None:
    """Write the page."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(metrics_page(), encoding="utf-8")


def _tables() -> Iterator[str]:
    by_kind: dict[SubjectKind, list[Metric]] = defaultdict(list)
    for metric in all_metrics():
        by_kind[metric.subject_kind].append(metric)
    for kind in SubjectKind:
        if not by_kind[kind]:
            continue
        yield ""
        yield f"## {kind.replace('_', ' ').capitalize()}"
        yield ""
        yield "| metric | shown as | unit | forecast | meaning | from |"
        yield "| --- | --- | --- | --- | --- | --- |"
        for metric in by_kind[kind]:
            yield _row(metric)


def _row(metric: Metric) -> str:
    lowest = metric.direction is Direction.downward
    forecast = ("lowest" if lowest else "yes") if metric.forecast else "no"
    source = ", ".join(metric.fields or metric.reads) or f"hours of `{metric.lowest_of}`"
    cells = (f"`{metric.name}`", metric.label, metric.unit, forecast, metric.description, source)
    return f"| {' | '.join(' '.join(cell.split()).replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    write_page()
