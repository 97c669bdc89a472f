"""Limits on the busy share of a coupling facility's engines.

Above these levels z/OS turns synchronous requests into asynchronous ones, and each shared
queue request costs more on every member. The figure is the mean over the engines of one CF
image; each member writes its own record about the same CF, so it is never summed.
"""

from functools import partial
from typing import Final

from mqcap.domain.numbers import counted, figure
from mqcap.domain.resource import ResourceKind
from sizing.cf_limits import BUSY_MAX_ONE_ENGINE_PCT, BUSY_MAX_PCT, Busy, Engines, more_engines
from sizing.rulebook.assessment import Assessment
from sizing.rulebook.registry import rule
from sizing.sources import mp16

CITATION: Final = mp16("When do I need to add more engines to my Coupling Facility?")

CAVEATS: Final = (
    (
        "With shared engines (DYNDISP) the figure is a share of dispatched time, not comparable; "
        "dedicated engines are recommended where response matters."
    ),
    (
        "Response is not linear: 4.4 us synchronous at 20 % busy, 9.9 us at 70 % with 600 us "
        "asynchronous; do not draw it as a straight line."
    ),
    "z/OS decides on conversion to asynchronous; a remote or duplexed CF converts at lower busy.",
    (
        "Duplexing roughly doubles the update cost and adds nearly the same on the secondary: "
        "check both CFs, and whether one could carry the other's structures."
    ),
    "A CF below its limit can still hold one structure that drives an engine to its end.",
    "All users of the CF share its engines, not only MQ.",
)


class CfBusy(Assessment):
    """Busy against the limit, and a first estimate (ours) with one more engine."""

    busy_with_one_more_engine_pct: float


_busy_rule: Final = partial(
    rule, resource=ResourceKind.coupling_facility, watches="busy_pct", amounts=("engines",)
)


@_busy_rule(
    "CF-BUSY-1",
    "Coupling facility busy, one engine",
    CITATION,
    applies=lambda values: values.get("engines") == 1,
)
def cf_busy_1(busy_pct: Busy, engines: Engines) -> CfBusy:
    """Limit a single engine to 30 % busy in any interval; exactly 30 is allowed."""
    return _assess(busy_pct, engines, BUSY_MAX_ONE_ENGINE_PCT)


@_busy_rule(
    "CF-BUSY-N",
    "Coupling facility busy, several engines",
    CITATION,
    applies=lambda values: values.get("engines") != 1,
)
def cf_busy_n(busy_pct: Busy, engines: Engines) -> CfBusy:
    """Two or more engines may be 60 % busy at peak; exactly 60 is allowed."""
    return _assess(busy_pct, engines, BUSY_MAX_PCT)


def _assess(busy: float, engines: int, limit_pct: int) -> CfBusy:
    estimate = busy * engines / (engines + 1)
    owned, used = counted(engines, "engine"), busy * engines
    of_used, then = f"{figure(busy)} % x {engines}", f"the limit then {BUSY_MAX_PCT} %"
    quotient = f"{of_used} / {BUSY_MAX_PCT} % = {figure(used / BUSY_MAX_PCT)}"
    why = f" instead of {engines} ({quotient}, at least one more)"
    return CfBusy(
        observed=busy,
        limit=limit_pct,
        unit="%",
        summary=f"{figure(busy)} % busy over {owned} in the busiest interval; the limit "
        f"is {limit_pct} %.",
        busy_with_one_more_engine_pct=estimate,
        arithmetic=(
            f"{owned}: limit {limit_pct} % of CF processor time (busy / (busy + wait))",
            f"one more: {of_used} / {engines + 1} = {figure(estimate)} %; {then}",
        ),
        advice="Nothing to change: the engines have room.",
        caveats=CAVEATS,
    ).past_limit(
        "Add engines, of which one CF has 16 at most; or move load: large messages to SMDS, "
        "structures to another CF, queues to channels.",
        lambda: more_engines(used, engines + 1, why),
        also_near=False,
    )
