"""Sources of the inputs of a rule: where a value comes from, and how to supply a missing one.

They are part of the annotation of a field. Several are tried in order; the first that has a value
is used::

    engines: Annotated[int, FromEstate("engines"), FromMetric("cf_engine_count")]
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from mqcap.domain.metric import Statistic
from mqcap.domain.unit_cost import UnitCostKind


class Over(StrEnum):
    """Method by which the days of a window become one value."""

    worst = "worst"
    """The day nearest to the breach: the highest, for downward limits the lowest."""
    highest = "highest"
    """The highest day, whatever the side of the limit."""
    mean = "mean"
    """The mean of the days, so that a ratio of two such values is that of the complete window."""
    usual = "usual"
    """The median of the days, with which a change is compared."""
    days = "days"
    """Number of days measured."""


@dataclass(frozen=True)
class _Source:
    """Where a value comes from."""

    remedy_is: ClassVar[str]
    """How to supply a value that is missing, with names of fields in braces."""

    @property
    def remedy(self) -> str:
        """Instruction for supplying a value."""
        return self.remedy_is.format_map(vars(self))


@dataclass(frozen=True)
class FromMetric(_Source):
    """A daily value of a metric of the finding's own subject."""

    metric: str
    statistic: Statistic = Statistic.peak
    days: int | None = None
    """Days back that are looked at; ``None`` leaves it to the settings."""
    record: str = ""
    """The record or message that carries it, for readers who receive none."""
    over: Over = Over.worst
    but_last: int = 0
    """Days at the end of the window that are left out."""
    of: str = ""
    """Estate key of the subject that names the CF whose metric this is; empty: its own."""

    @property
    def remedy(self) -> str:
        """Instruction for getting a value where none was observed."""
        carrier = f"; it comes from {self.record}" if self.record else ""
        return f"no {self.metric} ({self.statistic}) was observed in the window{carrier}"


@dataclass(frozen=True)
class FromHours(_Source):
    """The busiest consecutive hours of a metric in MiB/s, of the finding's own subject."""

    metric: str
    record: str = ""
    remedy_is = "no hours of {metric} are in the lake; they come from {record}"


@dataclass(frozen=True)
class FromRulebook(_Source):
    """A figure of the rule's document, used where the site has configured none."""

    value: float
    document: str
    key: str
    """Key of the estate that replaces it."""
    unit: str
    remedy_is = "set {key} of this subject in the estate"


@dataclass(frozen=True)
class FromEstate(_Source):
    """A figure that the site configured and that no record carries."""

    key: str
    """Attribute of the subject's own entry (queue manager, coupling facility)."""
    shown_by: str = ""
    """Where to find it: a command that displays it, or a document of the site."""

    @property
    def remedy(self) -> str:
        """Instruction for configuring it."""
        shown = f" (see {self.shown_by})" if self.shown_by else ""
        return f"set {self.key} of this subject in the estate{shown}"


@dataclass(frozen=True)
class FromRecords(_Source):
    """A fact that the records of the subject's queue manager state, such as ``mq_version``."""

    fact: str
    remedy_is = "no record of this subject stated its {fact}"


@dataclass(frozen=True)
class FromConsole(_Source):
    """The number of states of the subject's resource that the console reported for the day.

    0 where it reported some within the window; no value where it never did.
    """

    remedy_is = "no console log of the window reported such a state of this subject"


@dataclass(frozen=True)
class FromLoss(_Source):
    """A figure of a survivor, computed for the loss of the subject; no record carries it."""

    figure: str
    remedy_is = "{figure} is computed where another part can take over (docs/plans.md)"


@dataclass(frozen=True)
class FromLearnt(_Source):
    """A cost of one unit of work that the site's own data state narrowly enough."""

    cost: UnitCostKind
    remedy_is = "no {cost} is learnt, or its interval is too wide (mqcap unit-costs)"


@dataclass(frozen=True)
class FromAsk(_Source):
    """A figure that only the user knows; asked for, never guessed."""

    question: str
    remedy_is = "answer: {question}"


@dataclass(frozen=True)
class ScalesWith:
    """The field is another figure of the same load, and grows in proportion with that input.

    Beside its sources::

        used_mib: Annotated[float, FromMetric("chinit_31bit_used_mib"), ScalesWith("used_pct")]
    """

    input: str


ValueSource = (
    FromMetric
    | FromHours
    | FromEstate
    | FromRecords
    | FromConsole
    | FromRulebook
    | FromLearnt
    | FromLoss
    | FromAsk
)
