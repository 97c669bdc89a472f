"""Fixed properties of hourly, daily and weekly series: seasons, lags, candidates."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from forecasting.engine.design import Season


@dataclass(frozen=True)
class Candidate:
    """A configuration of the model, in Prophet's own terms with its post-processing.

    ``tau`` is ``changepoint_prior_scale``, ``share`` is ``changepoint_range``, ``flat`` is flat
    growth. ``damping`` multiplies the slope after the history per step; ``half_life`` is the
    age in steps at which an observation counts half, ``None`` for equal weights.
    """

    log: bool
    tau: float = 0.05
    share: float = 0.8
    rich: bool = False
    flat: bool = False
    damping: float = 1.0
    half_life: float | None = None

    @property
    def group(self) -> tuple[bool, float, bool, float | None]:
        """Candidates with equal groups share their columns and their Gram matrix."""
        return (self.rich, self.share, self.flat, self.half_life)


class Reference(StrEnum):
    """What a kind leans on until its past says more.

    A mix of other methods must beat a random walk; the adjusted naive forecast of M4 counts twice
    in the median of the best.
    """

    walk = "walk"
    adjusted_naive = "adjusted_naive"


@dataclass(frozen=True)
class SeriesKind:
    """A class of series; all lengths in grid steps.

    ``period`` is the season of the naive reference and of MASE, ``profile`` that of the median
    profile under exponential smoothing, ``shortest`` the history that an origin must leave,
    ``yearly_cycles`` how many years the history must span before a yearly season is estimated:
    730 daily rows count as two years. Weights in the mix fall with ``power`` of the score.
    ``shifts`` looks for changes of level between windows of 21 steps, which are no level in hours.

    ``levels`` are widths of medians of the last values, ``cycles`` numbers of cycles of a median
    cycle. ``spacing`` is the distance of the origins, ``None`` for the horizon; with ``median``
    the mix is a median however many origins there are. ``reference`` is what the kind leans on
    while the error of the mix is not below ``convincing_ratio`` of the reference's (ours).
    Without ``smoothed`` the two smoothed profiles are not computed.
    """

    name: str
    step: str
    period: int
    profile: int
    plain: tuple[Season, ...]
    rich: tuple[Season, ...]
    lags: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    shortest: int
    events: bool = False
    yearly_cycles: float = 1.99
    power: float = 3.0
    shifts: bool = True
    levels: tuple[int, ...] = ()
    cycles: tuple[int, ...] = ()
    reference: Reference | None = None
    convincing_ratio: float = 0.8
    smoothed: bool = True
    spacing: int | None = None
    median: bool = False

    @property
    def step_hours(self) -> int:
        """Length of a grid step."""
        return {"h": 1, "D": 24, "W": 168}[self.step]


_WEEK_OF_HOURS: Final = (Season(168, 24, 1.0), Season(24, 11))

HOURLY: Final = SeriesKind(
    name="hourly",
    step="h",
    period=24,
    profile=168,
    plain=(Season(24, 6), Season(168, 3)),
    rich=_WEEK_OF_HOURS,
    lags=(1, 2, 3, 24, 25, 48, 168),
    shortest=3 * 168,
    candidates=(
        Candidate(log=True, rich=True, tau=0.005),
        Candidate(log=False, rich=True, tau=0.005),
        Candidate(log=True, rich=True, tau=0.05, share=0.95),
        Candidate(log=False, rich=True, tau=0.05, share=0.95),
        Candidate(log=True, rich=True, tau=0.05, share=0.95, damping=0.97),
        Candidate(log=False, rich=True, tau=0.05, share=0.95, damping=0.97),
        Candidate(log=True),
        Candidate(log=False),
        Candidate(log=True, rich=True, tau=0.05, share=0.95, half_life=336),
        Candidate(log=False, rich=True, tau=0.05, share=0.95, half_life=336),
        Candidate(log=True, rich=True, flat=True),
        Candidate(log=False, rich=True, flat=True),
        Candidate(log=True, rich=True, flat=True, half_life=168),
        Candidate(log=False, rich=True, flat=True, half_life=168),
    ),
    power=6.0,
    shifts=False,
    levels=(24,),
)

SHORT_HOURLY: Final = SeriesKind(
    name="short_hourly",
    step="h",
    period=24,
    profile=24,
    plain=(Season(24, 6),),
    rich=(Season(24, 11),),
    lags=(1, 2, 3, 24, 25),
    shortest=96,
    candidates=(
        Candidate(log=True),
        Candidate(log=False),
        Candidate(log=True, flat=True),
        Candidate(log=False, flat=True),
        Candidate(log=True, flat=True, half_life=24),
        Candidate(log=False, flat=True, half_life=24),
    ),
    levels=(1, 24, 72),
    cycles=(7, 14),
    reference=Reference.adjusted_naive,
    convincing_ratio=0.65,
    spacing=24,
    median=True,
)
"""Less than four weeks in hours: no week is seen often enough, a day is; levels change and loads
come and go within it, so that medians compete."""

DAILY: Final = SeriesKind(
    name="daily",
    step="D",
    period=7,
    profile=7,
    plain=(Season(7, 3),),
    rich=(Season(7, 3), Season(365.25, 6)),
    lags=(1, 2, 3, 7, 14),
    shortest=56,
    events=True,
    reference=Reference.walk,
    candidates=(
        Candidate(log=True, tau=0.05),
        Candidate(log=False, tau=0.05),
        Candidate(log=True, tau=0.5, share=0.95, damping=0.97),
        Candidate(log=False, tau=0.5, share=0.95, damping=0.97),
        Candidate(log=True, rich=True, tau=0.05),
        Candidate(log=False, rich=True, tau=0.05),
        Candidate(log=True, rich=True, flat=True, half_life=90),
        Candidate(log=True, flat=True),
        Candidate(log=False, flat=True),
        Candidate(log=True, flat=True, half_life=28),
    ),
)

WEEKLY: Final = SeriesKind(
    name="weekly",
    step="W",
    period=1,
    profile=1,
    plain=(),
    rich=(Season(365.25 / 7, 6, 1.0),),
    lags=(1, 2, 3, 4, 13),
    shortest=60,
    reference=Reference.walk,
    convincing_ratio=0.9,
    candidates=(
        Candidate(log=True, tau=0.5, share=0.95),
        Candidate(log=False, tau=0.5, share=0.95),
        Candidate(log=True, tau=0.5, share=0.95, damping=0.97),
        Candidate(log=True, rich=True, tau=0.5, share=0.95),
        Candidate(log=False, rich=True, tau=0.5, share=0.95),
        Candidate(log=True, rich=True, tau=0.05, half_life=104),
        Candidate(log=True, flat=True, half_life=13),
        Candidate(log=True, rich=True, flat=True, half_life=52),
        Candidate(log=False, flat=True, half_life=13),
    ),
)

LONG_DAILY: Final = SeriesKind(
    name="long_daily",
    step="D",
    period=7,
    profile=7,
    plain=(Season(7, 3),),
    rich=(Season(7, 3), Season(365.25, 1, 0.1)),
    lags=(1, 2, 3, 7, 14),
    shortest=90,
    events=True,
    yearly_cycles=0.6,
    smoothed=False,
    candidates=(
        Candidate(log=True, rich=True, tau=0.05, share=0.95, damping=0.98),
        Candidate(log=True, rich=True, tau=0.05),
        Candidate(log=False, rich=True, tau=0.05, share=0.95, half_life=120),
    ),
)
"""For dates months ahead: three trends, all of them mixed. One levels off, one goes on, one is that
of the last months; what a short backtest prefers is mostly luck. One harmonic of the year under a
tight prior is separable from growth after seven months; a second one is only after fourteen,
without a gain there."""

KINDS: Final = {kind.step: kind for kind in (HOURLY, DAILY, WEEKLY)}
"""SeriesKind by pandas frequency letter."""

FEW_ORIGINS: Final = 3
"""Origins one horizon apart with fewer of which an hourly series counts as short."""


def kind_for(kind: SeriesKind, count: int, horizon: int) -> SeriesKind:
    """The kind for a history of ``count`` steps: that of short ones where it leaves few origins."""
    if kind == HOURLY and count < kind.shortest + FEW_ORIGINS * horizon:
        return SHORT_HOURLY
    return kind
