"""Site figures as samples: subject, figure, time, value and unit, whatever measured them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

import numpy as np

from mqcap.domain.datasets import SITE_SAMPLE, Dataset
from mqcap.domain.errors import InputError
from mqcap.domain.estate import site_zone_key
from mqcap.domain.metric import sysplex_of
from mqcap.domain.units import US_PER_S
from mqcap.ingest.gathered_samples import GatheredFigure
from mqcap.ingest.samples import Instants, SiteSampleKey, in_seconds, most_frequent
from mqcap.ingest.site_figures.lines import (
    HEADINGS,
    SiteFigureLine,
    SiteFigureObject,
    csv_line,
    headings_of,
    line_of,
)
from mqcap.ingest.text_reading import SamplesReading, TextInput

_KEYS: Final = frozenset(HEADINGS[:-1])


@dataclass
class SiteFigureReading(SamplesReading):
    """A pass over one file."""

    dataset: ClassVar[Dataset] = SITE_SAMPLE
    _latest_us: dict[SiteSampleKey, int] = field(default_factory=dict)

    @property
    def framing(self) -> str:  # type: ignore[override]
        """The form of the lines."""
        return "json" if self.text.is_json else "csv"

    def take_all(self) -> None:
        """Read the lines."""
        if self.text.is_json:
            for made, number in self.objects(SiteFigureObject, "line"):
                self._take(partial(line_of, made), number)
            return
        headings: tuple[str, ...] = ()
        for number, line in enumerate(self.text.lines(), start=1):
            if headings and line.strip():
                if not self.left_out.is_other(line, number):
                    self._take(partial(csv_line, line, headings), number, len(line.encode()) + 1)
            elif line.strip():
                headings = headings_of(line)

    def add(self, figure: GatheredFigure[SiteSampleKey]) -> None:
        """Add the samples of one figure with the step between them."""
        times: Instants = np.unique(figure.reported_us)
        seconds = in_seconds(most_frequent(np.diff(times)))
        self.samples.add(figure.key, figure.reported_us, seconds, figure.values)

    def refusal(self) -> InputError:
        """Return the error for a file of which no line can be used."""
        return self.unusable(
            "a file of site figures without any figure that can be used",
            found=self.left_out.reasons() or "no line with a value",
            expected="lines of subject,figure,time,value and, if stated, unit",
            remedy="Correct these lines and send the file again (docs/inputs.md).",
        )

    def _take(self, read: Callable[[], SiteFigureLine], number: int, size: int = 0) -> None:
        try:
            made = read()
            key = SiteSampleKey(made.subject, made.figure, made.unit)
            reported_us = self._instant_us(made, self._latest_us.get(key))
        except ValueError as error:
            self.left_out.add(str(error), line_number=number)
            self.skipped_bytes += size
        else:
            self._latest_us[key] = reported_us
            self.gathered.add(key, reported_us, made.value)

    def _instant_us(self, made: SiteFigureLine, earlier_us: int | None) -> int:
        """Return the instant of a line; a time without offset is local time of its site.

        Of a local time that occurs twice the second one counts after a later line of the series.
        """
        if made.time.tzinfo is not None:
            return _us(made.time)
        root = sysplex_of(made.subject)
        zone = self.zones.get(site_zone_key(root)) or self.zones.get(root)
        if zone is None:
            raise ValueError(
                f"the time {made.time.isoformat()} has no offset, and {root} is in no estate"
            )
        local = made.time.replace(tzinfo=ZoneInfo(zone))
        if local.astimezone(UTC).astimezone(local.tzinfo).replace(fold=0) != local:
            raise ValueError(f"{made.time.isoformat()} is no local time of {zone}")
        instant_us = _us(local)
        if earlier_us is not None and instant_us <= earlier_us:
            later_us = _us(local.replace(fold=1))
            return later_us if later_us > earlier_us else instant_us
        return instant_us


def _us(instant: datetime) -> int:
    return round(instant.timestamp() * US_PER_S)


SOURCE: Final = TextInput(
    name="site_figures",
    order=70,
    title="site figures",
    description="site figures (subject,figure,time,value)",
    recognises=lambda text: bool(headings_of(text.first_line)),
    recognises_json=lambda text: text.keys >= _KEYS,
    begin=SiteFigureReading,
)
