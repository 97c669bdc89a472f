"""Advisories for tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from devtools.advisories.advisory import Advisory

BETWEEN: Final = ({"introduced": "2.0"}, {"fixed": "2.5"})
UP_TO: Final = ({"introduced": "0"}, {"last_affected": "1.4"})


def advisory(**changed: Any) -> Advisory:
    values = {"id": "A-1", "package": "jinja2", "published": datetime(2026, 1, 2, tzinfo=UTC)}
    return Advisory.model_validate(values | changed)
