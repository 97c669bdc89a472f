"""A survivor's quantities without and with the load of a lost part."""

from datetime import date
from enum import StrEnum
from typing import Final, Self

from pydantic import BaseModel

from mqcap.domain.subject import Subject


class LossPart(BaseModel, frozen=True, extra="ignore"):
    """Base: immutable; keys that an older release stored are left out."""


class LossQuantity(StrEnum):
    """What a survivor may run out of."""

    label: str
    """The quantity as people read it."""

    def __new__(cls, value: str, label: str) -> Self:
        """Return the member of a value with its label."""
        quantity = str.__new__(cls, value)
        quantity._value_ = value
        quantity.label = label
        return quantity

    cf_processor = "cf_processor", "CF busy"
    cf_storage = "cf_storage", "storage for its structures"
    log_fill = "log_fill", "time to fill one log"
    log_runway = "log_runway", "time until all logs are full"
    channels = "channels", "channels"
    chinit_31bit = "chinit_31bit", "chinit 31-bit storage"
    chinit_64bit = "chinit_64bit", "chinit 64-bit storage"
    buffer_pool = "buffer_pool", "buffer pool"
    recovery = "recovery", "time between page set backups"
    structure_recovery = "structure_recovery", "time between structure backups"

    @property
    def is_time(self) -> bool:
        """Whether more of it is better: how long logs last, and the time between backups."""
        return self.value.startswith("log_") or self.value.endswith("recovery")

    @property
    def stops_work(self) -> bool:
        """Whether work stops once it is used up, as soon as the load arrives.

        What only lasts less long while a part is lost, such as logs if archiving stopped too, is
        shown and asks for no change.
        """
        return not self.is_time and self is not LossQuantity.buffer_pool

    @property
    def rule_id(self) -> str:
        """The rule that a loss is evaluated by."""
        is_busy = self is LossQuantity.cf_processor
        return f"{RULES_OF_LOSSES}{'CF-BUSY' if is_busy else self.value.upper().replace('_', '-')}"


RULES_OF_LOSSES: Final = "LOSS-"
"""Beginning of the ids of the rules on losses."""
PLACE_RULE: Final = f"{RULES_OF_LOSSES}CF-PLACE"
"""The rule of structures that have nowhere to go."""


class LossCell(LossPart):
    """One quantity of one survivor, without and with the load of the lost part."""

    survivor: Subject
    """The queue manager or coupling facility that takes the load."""
    quantity: LossQuantity
    subject: Subject
    """What the quantity is of: the survivor itself, its channel initiator, a buffer pool."""
    rule_id: str
    """The rule that has the limit."""
    unit: str
    limit: float | None
    before: float | None
    """Today, with nothing lost; ``None``: not known."""
    today: float | None
    """Today, with the load of the lost part."""
    at_horizon: float | None
    """The worst up to the horizon, at the bound of the forecast; ``None`` without a forecast."""
    fails_before: bool
    """The limit is passed today with nothing lost: another resource's plan is about that."""
    fails_today: bool
    fails_from: date | None
    """First day from which the bound of the forecast passes the limit; ``None``: on no day up to
    the horizon."""
    minutes_to_failure: float | None
    """Minutes from the loss until the survivor stops work, at once being 0; ``None``: it goes on
    working."""
    needs_more: bool = False
    """It fails without the loss too, and the plan for that does not suffice for the load."""
    arithmetic: tuple[str, ...] = ()

    @property
    def use_ratio(self) -> float:
        """Use of the limit, above 1 when it is passed; of a time, limit by time; 0 if not known."""
        if not self.today or not self.limit:
            return 0.0
        ratio = self.today / self.limit
        return 1 / ratio if self.quantity.is_time else ratio

    @property
    def key(self) -> tuple[str, str, str]:
        """Survivor, quantity and subject, which stay whatever changes are done."""
        return self.survivor, self.quantity, self.subject

    @property
    def fails(self) -> bool:
        """Whether the limit is passed with the load, today or up to the horizon."""
        return self.fails_today or self.fails_from is not None

    @property
    def is_caused(self) -> bool:
        """Whether the loss is what makes it fail."""
        return self.fails and not self.fails_before

    @property
    def counts(self) -> bool:
        """Whether its limit is passed, of a quantity that stops work."""
        return self.fails and self.quantity.stops_work

    @property
    def stops_at_once(self) -> bool:
        """Whether the survivor stops work as soon as it has the load."""
        return self.minutes_to_failure == 0

    @property
    def rank(self) -> tuple[bool, bool, bool, float]:
        """Sort key of what fails: stopped at once, passed today, passed ahead, use of the limit."""
        return self.stops_at_once, self.fails_today, self.fails, self.use_ratio

    @property
    def shown_rank(self) -> tuple[bool, bool, bool, bool, float]:
        """Sort key of what is shown of several: what the loss makes fail, then ``rank``."""
        return self.matters, *self.rank

    @property
    def matters(self) -> bool:
        """Whether the loss makes it fail, stops what was over its limit, or outdoes its plan."""
        caused = self.is_caused or self.stops_at_once or self.needs_more
        return caused and self.quantity.stops_work
