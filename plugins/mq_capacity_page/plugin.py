"""The plugin of Airflow: the capacity page, its menu entries and the links from tasks to it.

Every Airflow component imports this module, through the entry point ``airflow.plugins``, so it
stays light: the page itself is imported by the API server when the first request arrives.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from airflow.configuration import conf
from airflow.plugins_manager import AirflowPlugin
from airflow.sdk import BaseOperatorLink

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator
    from airflow.sdk.types import TaskInstanceKey

Message = MutableMapping[str, Any]
Application = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]

MOUNT_PATH: Final = "/capacity"
PAGE: Final = {
    "name": "Capacity",
    "href": "capacity/",
    "icon": "capacity/static/icon.svg",
    "icon_dark_mode": "capacity/static/icon-dark.svg",
}


@cache
def _application() -> Application:
    """Return the page, built once at its first request."""
    from mq_capacity_page.application import create_application  # noqa: PLC0415 - see above

    return create_application()


async def capacity_page(
    scope: Message,
    receive: Callable[[], Awaitable[Message]],
    send: Callable[[Message], Awaitable[None]],
) -> None:
    """Serve the page as an ASGI application."""
    await _application()(scope, receive, send)


FASTAPI_APPS: Final[list[Any]] = [
    {"app": capacity_page, "url_prefix": MOUNT_PATH, "name": "MQ capacity"}
]
# Without a category the entry is in the bar itself; with one it hides in a submenu.
EXTERNAL_VIEWS: Final[list[Any]] = [
    {**PAGE, "destination": "nav", "url_route": "capacity", "nav_top_level": True},
    {**PAGE, "destination": "dag", "url_route": "capacity-dag"},
]


class CapacityDayLink(BaseOperatorLink):
    """A link from a task of our DAGs to the capacity page of the day of its run."""

    name = "Capacity page of the day"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        """Return the address of the page; empty, and so no link, for tasks of other DAGs."""
        del operator
        if not ti_key.dag_id.startswith("mqcap_"):
            return ""
        base = conf.get("api", "base_url", fallback="").rstrip("/")
        query = urlencode({"dag_id": ti_key.dag_id, "run_id": ti_key.run_id})
        return f"{base}{MOUNT_PATH}/run?{query}"


class MqCapacityPlugin(AirflowPlugin):
    """The page, mounted under ``/capacity``, in the menu and as a tab beside each DAG."""

    name = "mq_capacity"
    fastapi_apps = FASTAPI_APPS
    external_views = EXTERNAL_VIEWS
    global_operator_extra_links: list[Any] = [CapacityDayLink()]  # noqa: RUF012 - Airflow reads it
