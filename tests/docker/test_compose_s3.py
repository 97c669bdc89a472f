"""The compose file that puts the lake into an object store fits the one that it is laid over."""

import shlex
from importlib.metadata import version
from typing import Any, Final

import pyarrow.fs as pafs
import pytest
import yaml

from mqcap.lake.location import open_lake
from mqcap.lake.objects import ObjectLocation
from tests.docker.container import (
    AIRFLOW,
    DOCKER,
    SERVICE_KEYS,
    SERVICES,
    environment_of,
    filled_in,
)
from tests.object_store import object_store, serving

pytestmark = pytest.mark.thorough

OVERLAY: Final[dict[str, Any]] = yaml.safe_load(
    (DOCKER / "compose.s3.yaml").read_text(encoding="utf-8")
)["services"]
STEPS: Final = (*AIRFLOW, "init", "spark-master", "spark-worker")
"""Services that read or write the lake, or start what does."""


def test_every_service_is_one_that_is_there_but_the_object_store() -> None:
    assert set(OVERLAY) == {*STEPS, "object-store"}
    assert set(OVERLAY) - set(SERVICES) == {"object-store"}
    for service in OVERLAY.values():
        assert set(service) <= SERVICE_KEYS


@pytest.mark.parametrize("name", STEPS)
def test_every_step_and_worker_has_the_same_lake_and_credentials(name: str) -> None:
    assert environment_of(OVERLAY[name]) == environment_of(OVERLAY["scheduler"])


def test_the_object_store_is_the_one_of_the_tests_and_is_waited_for() -> None:
    assert OVERLAY["object-store"]["image"] == f"motoserver/moto:{version('moto')}"
    assert OVERLAY["init"]["depends_on"] == {"object-store": {"condition": "service_healthy"}}
    compile(OVERLAY["object-store"]["healthcheck"]["test"][-1], "healthcheck", "exec")


def test_the_bucket_of_the_lake_is_made_before_the_first_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script, _, then = OVERLAY["init"]["command"][-1].partition("; exec ")
    script = script.partition(" || ")[0]
    assert then == " ".join(SERVICES["init"]["command"])
    code = shlex.split(script)[2]
    with object_store():
        here = serving()
        for name, value in environment_of(OVERLAY["init"]).items():
            monkeypatch.setenv(name, filled_in(value))
        monkeypatch.setenv("AWS_ENDPOINT_URL", here)
        exec(compile(code, "init", "exec"), {})  # noqa: S102 - the command of our own file
        lake = open_lake(environment_of(OVERLAY["init"])["MQCAP_LAKE"])
        assert isinstance(lake, ObjectLocation)
        made = pafs.S3FileSystem(endpoint_override=here).get_file_info(lake.parts[0])
        assert made.type is pafs.FileType.Directory
