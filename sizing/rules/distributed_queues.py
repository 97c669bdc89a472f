"""Queues that are not on z/OS: size of the queue file, and survival without a consumer.

A queue fills because nothing gets its messages, which no trend tells: what counts is for how long a
consumer may be away until MAXDEPTH or the size of the queue file is reached.
"""

from functools import partial
from typing import Annotated, Final

from mqcap.domain.finding import Severity
from mqcap.domain.metric import Statistic
from mqcap.domain.numbers import duration, figure
from mqcap.domain.resource import ResourceKind
from mqcap.domain.units import Amount, Positive
from sizing.rulebook.assessment import Lasting, at_most
from sizing.rulebook.entry import ValuesByName
from sizing.rulebook.input_sources import FromEstate, FromMetric, FromRulebook, Over
from sizing.rulebook.registry import rule
from sizing.sources import distributed

AWAY_MIN: Final = 10.0
"""Ours: minutes for which a consumer may be away, where the site states none."""
LONGEST_MIN: Final = 10_080.0
"""Ours: such times of a week or more count as a week."""
_SECONDS_PER_MIN: Final = 60
_AWAY_KEY: Final = "consumer_away_minutes"
_STATISTICS: Final = "statistics messages, mq_prometheus or amqsrua"
Away = Annotated[
    Positive,
    FromEstate(_AWAY_KEY, "the agreement with the applications"),
    FromRulebook(AWAY_MIN, "ours", _AWAY_KEY, "min"),
]


def _busy(values: ValuesByName, *names: str) -> bool:
    """Return whether all figures were found, and something is put."""
    found = [values.get(name) for name in names]
    return all(isinstance(value, float | int) for value in found) and bool(found[-1])


_survival_rule: Final = partial(
    rule,
    resource=ResourceKind.mq_queue,
    undated="a consumer that is away is no growth; the time is what counts",
    breach_severity=Severity.watch,
    longest=LONGEST_MIN,
)


def _lasting(
    room: tuple[float, float], rate: float, away_min: float, units: tuple[str, str], of: str
) -> Lasting:
    """Return how long the room up to the most lasts at a rate per second, against the site's."""
    most, usual = room
    left = max(most - usual, 0.0)
    minutes = left / rate / _SECONDS_PER_MIN if rate > 0 else None
    lasts_min = at_most(minutes, LONGEST_MIN, away_min)
    room_text = f"({figure(most)} - {figure(usual)}) {units[0]}"
    limit = f"limit = {figure(away_min)} min"
    return Lasting(
        observed=lasts_min,
        limit=away_min,
        unit="min",
        series_limit=left / away_min / _SECONDS_PER_MIN,
        summary=f"A consumer may be away for {_time(lasts_min)} until {of} is reached; "
        f"{_time(away_min)} are asked for.",
        arithmetic=(f"{room_text} / {figure(rate)} {units[1]} / {_SECONDS_PER_MIN} s", limit),
        advice="Nothing to change: the queue lasts while a consumer is away.",
    ).past_limit(f"Raise {of}, or see that a consumer is back within that time.")


def _time(minutes: float) -> str:
    return duration(minutes * _SECONDS_PER_MIN)


@_survival_rule(
    "DST-SURVIVE",
    "Survival of a queue without consumer",
    distributed("DEFINE QLOCAL, attribute MAXDEPTH"),
    watches="put_per_s",
    applies=lambda values: _busy(values, "usual_depth", "max_depth", "put_per_s"),
    superseded_by="DST-DEPTH",
)
def dst_survive(
    usual_depth: Annotated[
        Amount,
        FromMetric("mq_queue_depth_count", Statistic.p95, over=Over.usual, record=_STATISTICS),
    ],
    max_depth: Annotated[Positive, FromMetric("mq_queue_depth_max_count", record="MAXDEPTH")],
    put_per_s: Annotated[
        Amount, FromMetric("mq_queue_put_per_s", Statistic.p95, record=_STATISTICS)
    ],
    away_min: Away = AWAY_MIN,
) -> Lasting:
    """MAXDEPTH has room for what is put while the consumer is away (minutes: the site's, or ours).

    The room is MAXDEPTH less the usual depth; the rate is that of the busy hours (p95).
    """
    room = max_depth, usual_depth
    return _lasting(room, put_per_s, away_min, ("messages", "/s"), "MAXDEPTH")


@_survival_rule(
    "DST-SURVIVE-FILE",
    "Survival of a queue file without consumer",
    distributed("Changing the size of an IBM MQ queue file"),
    watches="put_mib_per_s",
    applies=lambda values: _busy(values, "usual_mib", "max_mib", "put_mib_per_s"),
    superseded_by="DST-QFILE",
)
def dst_survive_file(
    usual_mib: Annotated[
        Amount, FromMetric("mq_queue_file_mib", Statistic.p95, over=Over.usual, record="CURFSIZE")
    ],
    max_mib: Annotated[Positive, FromMetric("mq_queue_file_max_mib", record="CURMAXFS")],
    put_mib_per_s: Annotated[
        Amount, FromMetric("mq_queue_put_mib_per_s", Statistic.p95, record=_STATISTICS)
    ],
    away_min: Away = AWAY_MIN,
) -> Lasting:
    """The queue file may grow by what is put while the consumer is away (site's minutes, or ours).

    The room is CURMAXFS less the usual size; the rate is that of the busy hours (p95).
    """
    return _lasting((max_mib, usual_mib), put_mib_per_s, away_min, ("MiB", "MiB/s"), "MAXFSIZE")
