"""Costs of one unit of work, learnt from the site's own data, beside those of MP16."""

from datetime import date
from enum import StrEnum
from typing import Final

from pydantic import BaseModel

from mqcap.domain.numbers import counted, figure, quantity
from mqcap.domain.subject import Subject

BOOK_RATIO_MAX: Final = 3.0
"""Learnt over book, or book over learnt, above which the learnt cost is to be checked (ours)."""
NOT_MEASURABLE: Final = "not measurable"


class UnitCostKind(StrEnum):
    """What is learnt; its unit is part of the name."""

    log_bytes_per_persistent_put = "log_bytes_per_persistent_put"
    chinit_31bit_kib_per_channel = "chinit_31bit_kib_per_channel"
    chinit_64bit_kib_per_channel = "chinit_64bit_kib_per_channel"
    cf_us_per_request = "cf_us_per_request"
    archive_mib_per_s = "archive_mib_per_s"
    accounting_records_per_transaction = "accounting_records_per_transaction"
    mq_log_bytes_per_put = "mq_log_bytes_per_put"


class BookValue(BaseModel, frozen=True):
    """The figure of a document for the same or the nearest unit of work."""

    value: float
    unit: str
    """Other than that of the learnt cost where the document counts another unit of work."""
    rule: str
    """Entry of the rulebook that computes it."""
    citation: str

    def describe(self) -> str:
        """Return figure, entry and source."""
        return f"{quantity(self.value, self.unit)} ({self.rule}, {self.citation})"


class UnitCost(BaseModel, frozen=True):
    """A learnt cost with its confidence interval, sample and days."""

    kind: UnitCostKind
    subject: Subject
    unit: str
    value: float
    lower: float
    """Lower end of the confidence interval, widened to contain the value where it does not."""
    upper: float
    confidence: float
    """Share of the resamples within the interval."""
    base: float | None = None
    """What is used without any unit of work; ``None`` where no base is fitted."""
    base_unit: str = ""
    correlation: float | None = None
    """Of cost and units of work over the sample; ``None`` for a ratio of totals."""
    unit_size_bytes: float | None = None
    """Mean size of the messages of the sample; ``None`` where size is no part of the unit."""
    sample_count: int
    sample_of: str
    """What was counted, in the singular: ``day``, ``four-week peak``, ``interval``,
    ``archive``, ``transaction``."""
    first_date: date
    last_date: date
    least_sample: int
    """Smaller samples are shown and not used (settings, ours)."""
    half_width_max_ratio: float
    """Wider intervals are shown and not used (settings, ours)."""
    caveats: tuple[str, ...] = ()
    book: BookValue | None = None
    shown_only: str = ""
    """Why no advice and no what-if has a use for it, however certain it is; empty: they do."""
    refuted: str = ""
    """How the data that it is fitted to contradict it; empty: they do not."""
    not_measurable: str = ""
    """Why the fitted figure is no cost, so that it is not shown; empty: it is one."""

    @property
    def half_width_ratio(self) -> float:
        """Half of the width of the interval, as a share of the value; infinite for no cost."""
        return (self.upper - self.lower) / 2 / self.value if self.value > 0 else float("inf")

    @property
    def is_used(self) -> bool:
        """True where advice and what-if use it instead of the document."""
        return not self.why_not_used

    @property
    def why_not_used(self) -> str:
        """The reason for which it is not used; empty where it is."""
        if self.not_measurable or self.refuted:
            return self.not_measurable or self.refuted
        if self.sample_count < self.least_sample:
            return (
                f"the sample has {figure(self.sample_count)} {self.sample_of}s, at least "
                f"{figure(self.least_sample)} are required"
            )
        if self.half_width_ratio > self.half_width_max_ratio:
            return (
                f"half of the interval is {_share(self.half_width_ratio)} of the value, at most "
                f"{_share(self.half_width_max_ratio)} is allowed"
            )
        return self.shown_only

    @property
    def interval_text(self) -> str:
        """Value with its interval: ``106.7 KiB (71.1 to 111.5 at 80 %)``."""
        if self.not_measurable:
            return NOT_MEASURABLE
        value = quantity(self.value, self.unit)
        lower, upper = figure(self.lower), figure(self.upper)
        if lower == upper:
            return f"{value} (no spread seen)"
        return f"{value} ({lower} to {upper} at {_share(self.confidence)})"

    @property
    def far_from_book(self) -> str:
        """How far it is from the book, where that is to be checked; empty otherwise.

        A book of another unit counts a larger one: there the learnt cost may be less.
        """
        book = self.book
        if self.not_measurable or book is None or book.value <= 0:
            return ""
        ratio = self.value / book.value
        least = 1 / BOOK_RATIO_MAX if book.unit == self.unit else 0.0
        if least <= ratio <= BOOK_RATIO_MAX:
            return ""
        if ratio > 1:
            return f"{figure(round(ratio, 1))} x MP16's"
        return f"1/{figure(round(1 / ratio, 1))} of MP16's"

    @property
    def sample_text(self) -> str:
        """Sample, last day and correlation of a slope: ``400 days to 2026-11-21, r 0.68``."""
        sample = f"{counted(self.sample_count, self.sample_of)} to {self.last_date}"
        if self.correlation is None:
            return sample
        return f"{sample}, r {figure(round(self.correlation, 2))}"


def _share(ratio: float) -> str:
    return f"{figure(round(100 * ratio))} %" if ratio < 10 else "more than 1,000 %"
