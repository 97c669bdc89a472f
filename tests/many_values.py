"""One test over many values of a table, where a test of its own for each would cost more."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def for_each(
    names: str, values: Iterable[Any], *, ids: Callable[[Any], str] = str
) -> Callable[[Test], Test]:
    """Run a test for every value as pytest's subtests: each failure is reported with its value.

    ``names`` is one argument, or several with commas for values that are tuples. Unlike
    ``pytest.mark.parametrize`` this makes one item; no fixture is made anew between the values.
    An empty table is an error.
    """
    arguments = [name.strip() for name in names.split(",")]
    table = list(values)
    if not table:
        raise ValueError(f"no values for {names}")

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*, subtests: pytest.Subtests, **fixtures: Any) -> None:
            for value in table:
                row = value if len(arguments) > 1 else (value,)
                given = dict(zip(arguments, row, strict=True))
                with subtests.test(ids(value), **fixtures):
                    test(**given, **fixtures)

        kept = [
            parameter
            for parameter in inspect.signature(test).parameters.values()
            if parameter.name not in arguments
        ]
        added = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in kept] + [added]
        )
        return run

    return decorate
