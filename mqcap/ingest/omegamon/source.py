"""Files of OMEGAMON Data Provider (JSON lines) as samples of queue managers on z/OS."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from mqcap.domain.datasets import ZOS_SAMPLE, Dataset
from mqcap.domain.errors import InputError
from mqcap.domain.numbers import counted
from mqcap.domain.units import US_PER_S
from mqcap.ingest.gathered_samples import GatheredFigure
from mqcap.ingest.omegamon.lines import (
    PRODUCT,
    TABLES_READ,
    is_known,
    known_fields,
    samples_of,
)
from mqcap.ingest.samples import Instants, most_frequent
from mqcap.ingest.text_reading import SamplesReading, TextInput, listed
from mqcap.ingest.zos_key import ZosKey

DISTANCES_MIN: Final = 3
"""A series with fewer distances between its samples takes the interval that its lines state
(ours)."""
_SIGNS: Final = frozenset({"table_name", "write_time", "product_code"})


@dataclass
class OmegamonReading(SamplesReading):
    """A pass over one file of lines."""

    framing: ClassVar[str] = "json lines"
    dataset: ClassVar[Dataset] = ZOS_SAMPLE
    _other_products: Counter[str] = field(default_factory=Counter)
    _unknown: set[str] = field(default_factory=set)
    _stepless_count: int = 0

    def take_all(self) -> None:
        """Read the lines."""
        for row, line_number in self.objects(dict[str, Any], "line"):
            self._take(row, line_number)

    def _take(self, row: dict[str, Any], line_number: int) -> None:
        product, table = str(row.get("product_code", "")), str(row.get("table_name", ""))
        if product != PRODUCT:
            self._other_products[product[:20] or "none"] += 1
            return
        if not is_known(table):
            self._unknown.add(f"table {table[:40]}")
            return
        self._unknown.update(f"{table}.{name[:40]}" for name in row.keys() - known_fields()[table])
        try:
            for key, reported_us, value, seconds in samples_of(row):
                self.gathered.add(key, reported_us, value, seconds)
        except ValueError as error:
            self.left_out.add(str(error), line_number=line_number)

    def add(self, figure: GatheredFigure[ZosKey]) -> None:
        """Add a series with its step: of its samples, else as its lines state it."""
        key, reported_us, stated, values = figure
        times: Instants = np.unique(reported_us)
        distances = times[1:] - times[:-1]
        step_us = most_frequent(distances)
        if step_us is not None and (len(distances) >= DISTANCES_MIN or np.isnan(stated).all()):
            self.samples.add(key, reported_us, step_us / US_PER_S, values)
            return
        known = ~np.isnan(stated)
        self._stepless_count += int((~known).sum())
        self.samples.add(key, reported_us[known], stated[known], values[known])

    def problems(self) -> Iterator[str]:
        """Yield what was left out."""
        yield from super().problems()
        name = self.name
        if self._stepless_count:
            count = counted(self._stepless_count, "sample")
            yield f"{name}: {count} left out: alone in the file, and without interval_seconds."
        if self._other_products:
            names = listed(sorted(self._other_products))
            count = counted(self._other_products.total(), "line")
            yield f"{name}: {count} of other products left out: {names}."
        if self._unknown:
            names = listed(sorted(self._unknown))
            yield f"{name}: names that OMEGAMON for Messaging does not have left out: {names}."

    def refusal(self) -> InputError:
        """Return the error for lines without any figure."""
        return self.unusable(
            "lines of OMEGAMON Data Provider without any figure that is read",
            expected=f'"product_code":"{PRODUCT}" in tables {", ".join(TABLES_READ)}',
            remedy="Add these tables to the filter of OMEGAMON Data Connect, with write_time.",
        )


SOURCE: Final = TextInput(
    name="omegamon",
    order=42,
    title="lines of OMEGAMON Data Provider",
    description="JSON lines of OMEGAMON Data Provider",
    recognises_json=lambda text: text.keys >= _SIGNS,
    begin=OmegamonReading,
)
