"""The command that prints capture kits."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from mqcap.cli.app import app
from mqcap.ingest.capture_kits.kits import KitKind, kit_text


@pytest.mark.parametrize("kind", KitKind)
def test_the_kit_is_printed_as_it_is(kind: KitKind) -> None:
    result = CliRunner().invoke(app, ["capture", "--kind", kind])
    assert result.exit_code == 0
    assert result.output.rstrip("\n") == kit_text(kind).rstrip("\n")


def test_another_platform_is_named_as_wrong() -> None:
    result = CliRunner().invoke(app, ["capture", "--kind", "vms"])
    assert result.exit_code == 2
