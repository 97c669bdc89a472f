"""Exit codes: one for each kind of end."""

from __future__ import annotations

import pytest

from mqcap.cli.shared.exit_codes import MEANINGS, ExitCode, UnknownValueError, exit_code_of
from mqcap.domain.errors import (
    CapacityError,
    ConfigurationError,
    InputError,
    OutcomeUnknown,
    ServiceUnavailable,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("no dump"), 1),
        (ConfigurationError("no such rule"), 1),
        (UnknownValueError("no such format"), 2),
        (CapacityError("else"), 1),
        (ServiceUnavailable("no answer"), 3),
        (OutcomeUnknown("no confirmation"), 3),
    ],
)
def test_each_kind_of_error_has_a_code_of_its_own(error: CapacityError, code: int) -> None:
    assert exit_code_of(error) == code


def test_every_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(ExitCode)
