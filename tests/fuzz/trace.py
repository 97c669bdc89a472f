"""Trace of the branches that an input reaches in the readers, to keep inputs with new ones."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from mqcap import ingest

READERS = str(Path(ingest.__file__).parent)

Arc = tuple[CodeType, int, int]


@dataclass
class Trace:
    """Steps from line to line inside of the readers that any input so far has taken."""

    arcs: set[Arc] = field(default_factory=set)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Take the steps of what runs inside."""
        earlier = sys.gettrace()
        sys.settrace(self._call)
        try:
            yield
        finally:
            sys.settrace(earlier)

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        """A tracer of its own for every call of a function of the readers."""
        code = frame.f_code
        if not code.co_filename.startswith(READERS):
            return None
        last = 0
        add = self.arcs.add

        def step(inner: FrameType, event: str, _argument: Any) -> Any:
            nonlocal last
            if event == "line":
                line = inner.f_lineno
                add((code, last, line))
                last = line
            return step

        return step
