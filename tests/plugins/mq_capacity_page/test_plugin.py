"""The plugin: menu entries, the mounted page, and links from tasks to it."""

import asyncio
import tomllib
from collections.abc import MutableMapping
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from tests.airflow_home import CHECKOUT

pytestmark = pytest.mark.airflow


@pytest.fixture
def module() -> Any:
    from mq_capacity_page import plugin  # noqa: PLC0415 - loads Airflow

    return plugin


@pytest.fixture
def link(module: Any) -> Any:
    [result] = module.MqCapacityPlugin.global_operator_extra_links
    return result


def key(dag_id: str, run_id: str) -> SimpleNamespace:
    return SimpleNamespace(dag_id=dag_id, run_id=run_id)


def test_a_task_of_ours_links_to_the_page_of_its_run(link: Any) -> None:
    address = link.get_link(None, ti_key=key("mqcap_daily", "manual__1+1"))
    assert address.endswith("/capacity/run?dag_id=mqcap_daily&run_id=manual__1%2B1")


@pytest.mark.parametrize("dag_id", ["billing", "mqcap", "other_mqcap_daily"])
def test_a_task_of_another_dag_has_no_link(link: Any, dag_id: str) -> None:
    assert link.get_link(None, ti_key=key(dag_id, "manual__1")) == ""


@pytest.mark.parametrize("base", ["https://airflow.example/site", "https://airflow.example/site/"])
def test_a_link_begins_with_the_address_of_airflow(
    module: Any, link: Any, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    monkeypatch.setattr(module.conf, "get", lambda *_, **__: base)
    address = link.get_link(None, ti_key=key("mqcap_daily", "r1"))
    assert address == "https://airflow.example/site/capacity/run?dag_id=mqcap_daily&run_id=r1"


def test_the_plugin_adds_a_menu_entry_and_a_tab_beside_each_dag(module: Any) -> None:
    views = module.MqCapacityPlugin.external_views
    assert [view["destination"] for view in views] == ["nav", "dag"]
    assert views[0]["nav_top_level"] is True
    assert all("category" not in view for view in views)
    assert all(view["href"] == "capacity/" for view in views)


def test_the_page_is_built_at_its_first_request_and_once(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    asked: list[str] = []

    async def page(scope: MutableMapping[str, Any], _receive: Any, _send: Any) -> None:
        asked.append(scope["path"])

    def create() -> Any:
        built.append("page")
        return page

    monkeypatch.setattr("mq_capacity_page.application.create_application", create)
    [mounted] = module.MqCapacityPlugin.fastapi_apps
    module._application.cache_clear()
    assert (mounted["url_prefix"], built) == ("/capacity", [])
    for path in ("/", "/series"):
        asyncio.run(mounted["app"]({"path": path}, None, None))
    module._application.cache_clear()
    assert (built, asked) == (["page"], ["/", "/series"])


def test_the_folder_and_the_entry_point_have_one_plugin() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, name = project["entry-points"]["airflow.plugins"]["mq_capacity"].partition(":")
    in_folder = import_module("mq_capacity_plugin").MqCapacityPlugin
    assert getattr(import_module(module), name) is in_folder
    assert in_folder.name == "mq_capacity"
