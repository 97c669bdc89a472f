"""Settings of queue managers and their parts that a change can give another value.

Each is declared once, in a YAML file of this folder that is named after its resource: whose it is,
range, default, unit and restart with their source, its name in DISPLAY output, its field in the
form of a what-if, how it is typed, what it is measured by, and what a change pack prints for it.
What-if, plans, change packs, pages and generated documents read it here. The keys are the fields of
`Setting`.

Statements were checked against the product documentation: DEFINE LOG (any time, from the console
when the queue manager waits for log space), CSQJUFMT (a new data set only, never one in use),
CSQJU003 DELETE (queue manager stopped), ALTER BUFFPOOL (asynchronous, CSQP023I; as many buffers as
storage allows), DEFINE BUFFPOOL in CSQINP1, COPYPAGE (target formatted, not smaller), SET LOG
(until restart), CFRM parameters of the administrative data utility (DEFINE POLICY replaces the
complete policy; SIZE 1.5 to 2 times INITSIZE), SETXCF START, channel initiator storage (REGION=0M,
MEMLIMIT at least 2G), MAXCHL 1 to 9999.
"""

from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal

import yaml
from pydantic import BaseModel, field_validator

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.metric import SubjectKind
from mqcap.domain.numbers import figure
from mqcap.domain.resource import ResourceKind

FOLDER: Final = Path(__file__).parent
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ValueForm(StrEnum):
    """Kind of value."""

    number = "number"
    whole = "whole"
    switch = "switch"
    """``true`` or ``false``."""


class Restart(StrEnum):
    """Component that must be restarted for a new value to take effect."""

    none = "none"
    channel_initiator = "channel_initiator"
    queue_manager = "queue_manager"


class RangeCertainty(StrEnum):
    """Certainty of a range."""

    A = "A"
    """Read in documentation of IBM."""
    B = "B"
    """Read in documentation of another platform or release, or of a third party."""
    C = "C"
    """Found in no document: to be checked before use."""
    site = "site"
    """A figure of the site, which no document bounds."""


class _Declared(BaseModel, frozen=True, extra="forbid"):
    """Base: an unknown key is an error."""


class SettingField(_Declared):
    """Input of the what-if form."""

    group: str
    """Heading that it stands under."""
    name: str
    """Parameter in the address."""
    label: str
    unit: str = ""
    """Instead of that of the setting; ``number``: the label names it in the plural."""
    choices: tuple[str, ...] = ()


class Total(_Declared):
    """A size that no record has: what is used of it over its share."""

    used: str
    share: str
    """Metrics of the used amount and of its percentage."""
    each: int = 1
    """Units of the used amount in one of the setting."""


class Ended(_Declared):
    """Events that a higher value ends."""

    metric: str
    but: str
    """What the figure does not say."""


class Lever(_Declared):
    """What a plan can change of a kind of resource: values, cost and words."""

    kind: ResourceKind
    today: Literal["input", ""] = ""
    """``input``: the value of today is the input of this name of a rule of the resource; empty: it
    is code."""
    needs: str = ""
    """What to type into the settings when the value of today is not known."""
    values: Literal["round", "each", "highest", ""] | tuple[int, ...] = ""
    """Values beside today's: round ones or each up to the highest, the highest alone, or these;
    empty: they are code."""
    cost: dict[str, int] = {}
    """Fields of a plan's cost, such as restarts, beside the work of a change request."""
    most: int | None = None
    """Highest value that is proposed, where that is less than the highest that there is."""
    text: str
    """Sentence with ``{before}`` and ``{after}``."""
    side_effects: str = ""
    ways_out: str = ""
    """What changes the structure where no value keeps all rules."""


class Typed(_Declared):
    """Text that a person types or orders, where ``s`` is that of the plural."""

    kind: str
    """Name of the amount in stored findings."""
    form: str


class Operand(_Declared):
    """Operand of the statements about a topic."""

    operand: str
    takes: str
    """Range or form, or what is not known of it; may name ``{span}``, ``{high}``, ``{default}`` and
    ``{remark}`` of the setting."""
    source: tuple[dict[str, str], ...] = ()
    """Sections by document; empty: found in none, so it is to be checked."""


class Topic(_Declared):
    """What a change pack prints for a kind of change."""

    topic: str
    name: str
    """As headings have it."""
    keys: tuple[str, ...]
    """Settings of a plan that it types."""
    operands: tuple[Operand, ...]
    when: str
    checks: tuple[str, ...]
    steps: tuple[str, ...]
    back_out: tuple[str, ...]
    lines: str = ""
    """Statements with ``{value}``, ``{qmgr}``, ``{object}``, ``{number}`` of the pool; empty: they
    are code (``statements.py``, ``logs.py``)."""


class Setting(_Declared):
    """One setting; its key carries the unit where it has one."""

    key: str
    of: tuple[SubjectKind, ...] = ()
    """Kinds of subjects that have it in a scenario with this range; empty: none."""
    operand: str = ""
    """Statement and operand, such as ``ALTER QMGR CHIADAPS``; empty: several or none."""
    form: ValueForm = ValueForm.whole
    low: int | float | None = None
    """Lowest value; ``None``: more than 0."""
    high: int | float | None = None
    """Highest value; ``None``: no limit is known."""
    default: str = ""
    """As the documents print it; empty: none is known."""
    unit: str = ""
    restart: Restart = Restart.none
    certainty: RangeCertainty = RangeCertainty.site
    source: str = ""
    remark: str = ""
    estate: bool = False
    """Whether it is a key of a queue manager in the ``estate`` section, with this range."""
    display: str = ""
    """Its name in the output of DISPLAY LOG, SYSTEM and ARCHIVE; empty: it is not read there."""
    field: SettingField | None = None
    measured: str = ""
    """Metric of today's value, which a new value replaces; empty: none."""
    shares: tuple[str, ...] = ()
    """Percentages of the size that is replaced."""
    total: Total | None = None
    """Today's value where it is measured by no metric of its own."""
    in_use: tuple[str, ...] = ()
    """Metrics of the amount in use, or of its share of ``measured``: the least value, a share in
    per cent; the highest counts."""
    effects: tuple[str, ...] = ()
    """Further effects on figures, by their names in ``mqcap/whatif/sizes.py``."""
    ends: Ended | None = None
    typed: Typed | None = None
    plan: Lever | None = None
    pack: Topic | None = None

    @field_validator("typed", mode="before")
    @classmethod
    def _form_alone(cls, typed: object, info: Any) -> object:
        """Return the form with the kind that is named as the setting."""
        return {"kind": info.data["key"], "form": typed} if isinstance(typed, str) else typed

    @field_validator("pack", mode="before")
    @classmethod
    def _with_range(cls, pack: object, info: Any) -> object:
        """Return the topic with its name and keys, and the range in its operands."""
        if not isinstance(pack, dict):
            return pack
        own = cls.model_construct(**info.data)
        words = {
            "span": own.span,
            "high": "" if own.high is None else figure(own.high),
            "default": own.default,
            "remark": own.remark,
        }
        operands = [
            operand | {"takes": operand["takes"].format_map(words)} for operand in pack["operands"]
        ]
        named = {"topic": own.key, "keys": [own.key]}
        return named | pack | {"operands": operands}

    @property
    def span(self) -> str:
        """Range without unit, such as ``10 to 1,000``."""
        if self.form is ValueForm.switch:
            return "true or false"
        if self.high is None:
            return "more than 0" if self.low is None else f"{figure(self.low)} or more"
        if self.low is None:
            return f"more than 0, up to {figure(self.high)}"
        return f"{figure(self.low)} to {figure(self.high)}"

    @property
    def range_text(self) -> str:
        """Range with unit, such as ``whole number, 10 to 1,000 volumes``."""
        whole = "whole number, " if self.form is ValueForm.whole else ""
        return f"{whole}{self.span} {self.unit}".rstrip()

    @property
    def meaning(self) -> str:
        """What it is and, where a site knows it, from where: ``One copy; from a test.``."""
        known = f"from {self.source}" if self.certainty is RangeCertainty.site else ""
        words = "; ".join(filter(None, (self.operand, self.remark, known)))
        return f"{words[0].upper()}{words[1:]}." if words else ""

    @property
    def name(self) -> str:
        """The operand alone, such as ``CHIADAPS``; without one the key."""
        return self.operand.rpartition(" ")[2] or self.key

    @property
    def lowest(self) -> int:
        """The lowest value; a ConfigurationError where none is declared."""
        if self.low is None:
            raise ConfigurationError(f"{self.key} has no lowest value", expected="low")
        return int(self.low)

    @property
    def highest(self) -> int:
        """The highest value; a ConfigurationError where none is declared."""
        if self.high is None:
            raise ConfigurationError(f"{self.key} has no highest value", expected="high")
        return int(self.high)

    def refusal(self, value: object) -> str:
        """Return why a value is not feasible, with range and source; empty when it is."""
        if self._fits(value):
            return ""
        is_number = isinstance(value, float | int) and not isinstance(value, bool)
        shown = figure(value) if is_number else f"{value}"  # type: ignore[arg-type]
        return (
            f"{self.key} is out of range: found {shown}, expected {self.range_text} ({self.source})"
        )

    def _fits(self, value: object) -> bool:
        if self.form is ValueForm.switch:
            return isinstance(value, bool)
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        if self.form is ValueForm.whole and value != int(value):
            return False
        above = value > 0 if self.low is None else value >= self.low
        return above and (self.high is None or value <= self.high)


SETTINGS: Final = {
    key: Setting(key=key, **entry)
    for file in sorted(FOLDER.glob("*.yaml"))
    for key, entry in yaml.load(file.read_bytes(), Loader=_LOADER).items()  # noqa: S506 - safe
}
"""By key."""
TOPICS: Final = {
    setting.pack.topic: setting.pack for setting in SETTINGS.values() if setting.pack is not None
}
"""By name, in the order of the notes of a change pack."""


def setting_of(kind: SubjectKind, key: str) -> Setting | None:
    """Return the setting of a kind of subject; ``None`` when it has none of this key."""
    found = SETTINGS.get(key)
    return found if found is not None and kind in found.of else None
