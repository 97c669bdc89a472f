from __future__ import annotations

import pytest

from mqcap.domain.errors import ConfigurationError
from mqcap.domain.resource import ResourceKind
from mqcap.planning.levers.active_log import ACTIVE_LOG
from mqcap.planning.settable import register, settable_of


def test_the_settings_of_a_kind_are_found_by_the_kind() -> None:
    assert settable_of(ResourceKind.active_log) is ACTIVE_LOG


def test_a_kind_without_settings_has_none() -> None:
    assert settable_of(ResourceKind.applications) is None


def test_two_modules_for_one_kind_are_an_error() -> None:
    with pytest.raises(ConfigurationError, match="active_log"):
        register(ACTIVE_LOG)
