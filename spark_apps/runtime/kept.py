"""A session that serves more than one app: started by the first that needs one, if any does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

_blocks: list[ExitStack] = []


@contextmanager
def kept_session() -> Iterator[None]:
    """Keep the session that is started in the block until its end; none is started here."""
    with ExitStack() as block:
        _blocks.append(block)
        try:
            yield
        finally:
            _blocks.pop()


@contextmanager
def at_its_end(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` at the end of this block, or of the block of ``kept_session`` around it."""
    with ExitStack() as own:
        (_blocks[0] if _blocks else own).callback(stop)
        yield
