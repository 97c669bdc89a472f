"""Documents of the store as the models they hold."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from mqcap.domain.finding import Finding
from mqcap.store.documents_0_1_0 import upgraded

KEPT_FINDINGS: Final = 4_096
"""Two days of a fleet of 2,000 series, some 20 MB; more are read again each time."""


@lru_cache(maxsize=KEPT_FINDINGS)
def parsed_finding(document: str) -> Finding:
    """Return the finding in a JSON document of this or an earlier release.

    A finding cannot be changed, so the same text may give the same one: pages ask for the same
    day again and again.
    """
    return Finding.model_validate(upgraded(json.loads(document)))
