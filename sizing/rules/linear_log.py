"""Linear logs whose extents are not reclaimed because no media image is recorded."""

import math
from typing import Annotated, Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Amount
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromMetric, Over
from sizing.rulebook.registry import rule
from sizing.sources import distributed

WINDOW_DAYS: Final = 7
LEAST_DAYS: Final = 5
"""Ours: of the week so many days have to be measured, of both figures."""
_UNRECLAIMED: Final = "mq_log_extents_unreclaimed_per_day"
_MEDIA: Final = "mq_log_media_extent_count"
_MEDIALOG: Final = "MEDIALOG of DISPLAY QMSTATUS, or published metrics"


def _measured(values: ValuesByName) -> bool:
    """Return whether both figures are known for most of the week."""
    days = [values.get("counted_days"), values.get("media_days")]
    return all(isinstance(day, float | int) and day >= LEAST_DAYS for day in days)


@rule(
    "DST-LINEAR-RECLAIM",
    "Extents of a linear log that are not reclaimed",
    distributed("Types of logging"),
    ResourceKind.mq_log_file_system,
    watches="unreclaimed_per_day",
    undated="the file system of the log is the limit, and has the date (DST-LOG-FS)",
    applies=_measured,
    breach_severity=Severity.watch,
    graded=False,
    superseded_by="DST-LOG-FS",
)
def dst_linear_reclaim(
    unreclaimed_per_day: Annotated[
        float,
        FromMetric(
            _UNRECLAIMED,
            Statistic.mean,
            days=WINDOW_DAYS,
            over=Over.mean,
            record="AMQ7490I of the error log",
        ),
    ],
    counted_days: Annotated[Amount, FromMetric(_UNRECLAIMED, days=WINDOW_DAYS, over=Over.days)],
    media_extent: Annotated[
        Amount, FromMetric(_MEDIA, days=WINDOW_DAYS, over=Over.highest, record=_MEDIALOG)
    ],
    mean_media_extent: Annotated[
        Amount, FromMetric(_MEDIA, Statistic.mean, days=WINDOW_DAYS, over=Over.mean)
    ],
    media_days: Annotated[Amount, FromMetric(_MEDIA, days=WINDOW_DAYS, over=Over.days)],
) -> Assessment:
    """No more extents may be created than are reused or deleted while no media image is recorded.

    Of a week in which the oldest extent for media recovery has moved, none count: the log then
    holds what the next image makes unnecessary.
    """
    del counted_days, media_days  # only for whether it applies
    stays = math.isclose(media_extent, mean_media_extent, rel_tol=1e-9)
    more = max(unreclaimed_per_day, 0.0)
    extent = f"S{media_extent:07.0f}.LOG"
    moved = f"has stayed {extent}" if stays else f"has moved to {extent}"
    return Assessment(
        observed=more if stays else 0.0,
        limit=0,
        unit="count/day",
        summary=f"In {WINDOW_DAYS} days {figure(more)} extents a day more were created than "
        f"reused or deleted; the oldest one for media recovery {moved}.",
        arithmetic="limit = 0 extents a day while the oldest one for media recovery stays",
        advice="Nothing to change: extents are reclaimed, or media images are recorded.",
        caveats=(
            f"That {LEAST_DAYS} of {WINDOW_DAYS} days must be measured is ours.",
            "In its first days a queue manager reclaims nothing: no image was recorded yet.",
        ),
    ).past_limit(
        "Record media images (IMGSCHED, IMGINTVL, IMGLOGLN, or rcdmqimg); until then no extent is "
        "reused or deleted, and the file system of the log fills."
    )
