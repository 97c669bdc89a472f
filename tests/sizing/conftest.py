"""Properties look at the same examples in every run, however busy the machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("sizing", deadline=None, derandomize=True)
settings.load_profile("sizing")
