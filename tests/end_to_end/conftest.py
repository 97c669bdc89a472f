"""A small estate and a real mail server, shared by all tests of the package."""

from collections.abc import Iterator

import pytest

from mqcap.settings import SmtpServer
from tests.end_to_end.estate import LoadedEstate, load_small_estate
from tests.mqcap.notifications.smtp_server import Mailbox, smtp_server
from tests.spark_apps.conftest import spark

__all__ = ["spark"]


@pytest.fixture(scope="package")
def post() -> Iterator[tuple[SmtpServer, Mailbox]]:
    with smtp_server() as served:
        yield served


@pytest.fixture(scope="package")
def estate(tmp_path_factory: pytest.TempPathFactory, spark: object) -> LoadedEstate:
    return load_small_estate(tmp_path_factory.mktemp("estate"))
