"""Figures of distributed queue managers for which IBM states no limit: reported when they rise.

The level is ours, as for such figures on z/OS.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import NonNegativeFloat

from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import ResourceKind
from sizing.rulebook.assessment import Assessment, Inputs
from sizing.rulebook.registry import rule
from sizing.sources import distributed
from sizing.trend import TREND_RATIO, recent, trend, trend_traits, usual

LEAST_RISE_MIB: Final = 16.0
"""Ours, the default size of one log file: a rise of less is no change."""
NO_LEVEL: Final = (
    f"IBM states no limit: {TREND_RATIO} times what was usual is ours, and a step that has a known "
    "cause is not growth."
)
_BACKLOG: Final = "mq_nha_backlog_mib"
_MEDIA: Final = "mq_log_media_mib"


def _rise(recent_mib: float, usual_mib: float, what: str, wrong: str) -> Assessment:
    assessed = trend(
        recent_mib, usual_mib, "MiB", what=what, wrong=wrong, least_step=LEAST_RISE_MIB
    )
    return assessed.model_copy(update={"caveats": (NO_LEVEL,)})


class BacklogInputs(Inputs):
    """Backlog of the replica that is furthest behind: of the last week, and before."""

    recent: Annotated[NonNegativeFloat, recent(_BACKLOG, "class NHAREPLICA of published metrics")]
    usual: Annotated[NonNegativeFloat, usual(_BACKLOG)]


@rule(
    "DST-NHA-BACKLOG",
    "Backlog of Native HA replicas",
    distributed("Native HA"),
    trend_traits(SubjectKind.distributed_queue_manager, ResourceKind.mq_native_ha),
)
def dst_nha_backlog(inputs: BacklogInputs) -> Assessment:
    """A backlog that rises: the link to a replica, or its disk, is slower than the log."""
    return _rise(
        inputs.recent,
        inputs.usual,
        "Backlog",
        "Look at the network to the replica and at the disk of its log; until the backlog is sent "
        "that replica cannot take over.",
    )


class MediaInputs(Inputs):
    """Log that media recovery needs: of the last week, and before."""

    recent: Annotated[NonNegativeFloat, recent(_MEDIA, "published metrics, or MEDIASZ of QMSTATUS")]
    usual: Annotated[NonNegativeFloat, usual(_MEDIA)]


@rule(
    "DST-LINEAR-MEDIA",
    "Linear log for media recovery",
    distributed("Types of logging"),
    trend_traits(
        SubjectKind.distributed_queue_manager,
        ResourceKind.mq_log_file_system,
        superseded_by="DST-LOG-FS",
    ),
)
def dst_linear_media(inputs: MediaInputs) -> Assessment:
    """Extents of a linear log are kept until a media image makes them unnecessary."""
    return _rise(
        inputs.recent,
        inputs.usual,
        "Log that media recovery needs",
        "Record media images more often (IMGSCHED, IMGINTVL, IMGLOGLN, or rcdmqimg); until then no "
        "extent is reused or deleted.",
    )
