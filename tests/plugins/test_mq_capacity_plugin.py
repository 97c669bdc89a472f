"""The plugin of the folder is the plugin of the entry point."""

import tomllib
from importlib import import_module

import pytest

from tests.airflow_home import CHECKOUT

pytestmark = pytest.mark.airflow


def test_the_folder_and_the_entry_point_have_one_plugin() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, name = project["entry-points"]["airflow.plugins"]["mq_capacity"].partition(":")
    in_folder = import_module("mq_capacity_plugin").MqCapacityPlugin
    assert getattr(import_module(module), name) is in_folder
    assert in_folder.name == "mq_capacity"
