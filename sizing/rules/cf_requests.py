"""Requests to the coupling facility that need not have been: messages of one key."""

from typing import Annotated, Final

from pydantic import NonNegativeFloat

from mqcap.domain.finding import Severity
from mqcap.domain.metric import SubjectKind
from mqcap.domain.resource import HeatColumn, ResourceKind
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromEstate, FromMetric
from sizing.rulebook.registry import rule
from sizing.sources import mp16

KEY_MESSAGES_MAX: Final = 6_000
CF_MANAGER: Final = "SMF 115 subtype 2"
REDRIVES_MIN: Final = 1
"""Ours: fewer re-drives of lists for each get are no search through messages of one key; MP16 saw
4.4 with 10,000 messages."""
UPPER_BOUND: Final = (
    "The depth of the deepest shared queue, the most that one key can have: look at how many of "
    "its messages share a message or correlation identifier."
)
BOUND: Final = "the depth of a queue bounds the messages of one key; a bound has no trend of theirs"
QUEUES: Final = "SMF 115 subtype 216 (STATQ, MQ 9.3 and later)"


def _may_share_keys(values: ValuesByName) -> bool:
    """Return whether the number is configured, or deep queues meet gets with re-drives."""
    messages, redrives = values.get("messages"), values.get("redrives_per_get")
    if messages is None or messages != values.get("deepest"):
        return messages is not None
    return redrives is None or float(str(redrives)) >= REDRIVES_MIN


@rule(
    "CF-COMMONKEY",
    "Messages of one key",
    mp16("Common MSGID or CORRELID with deep shared queues"),
    SubjectKind.queue_manager,
    ResourceKind.applications,
    column=HeatColumn.cf_processor,
    watches="messages",
    undated=BOUND,
    breach_severity=Severity.watch,
    applies=_may_share_keys,
)
def cf_commonkey(
    messages: Annotated[
        NonNegativeFloat,
        FromEstate("common_key_messages", "the application, or retries of QEST"),
        FromMetric("shared_queue_depth_count", record=QUEUES),
    ],
    deepest: Annotated[
        NonNegativeFloat | None, FromMetric("shared_queue_depth_count", record=QUEUES)
    ] = None,
    redrives_per_get: Annotated[
        NonNegativeFloat | None, FromMetric("cf_list_redrives_per_get", record=CF_MANAGER)
    ] = None,
) -> Assessment:
    """Above 6000 a get can cost nine times as much; best are fewer than 50."""
    del redrives_per_get  # only for whether it applies
    return Assessment(
        observed=messages,
        limit=KEY_MESSAGES_MAX,
        unit="messages",
        arithmetic=(
            (
                f"limit = {KEY_MESSAGES_MAX} messages; cost steps near 50, 1100 and each "
                "further 1000"
            ),
        ),
        advice="Nothing to change; fewer than 50 messages of one key are best.",
        caveats=(UPPER_BOUND,) if messages == deepest else (),
    ).past_limit("Give messages their own message or correlation identifiers.")
