"""examples/helm/values.yaml asks for what the official chart of Airflow has.

A chart takes a misspelled key without a word at its first level, and refuses it below. The kinds
of values are those of ``chart/values.schema.json`` in a fork of Airflow's repository, with Airflow
3.1.7, the newest that could be read; volumes, mounts and resources are of Kubernetes itself.
"""

import importlib
import importlib.util
import json
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from mqcap.settings import load_settings
from tests.airflow_home import CHECKOUT
from tests.docker.container import BIN

JSONSCHEMA: Final = importlib.import_module("jsonschema")
TEXT: Final = {"type": "string"}
ON_OR_OFF: Final = {"type": "boolean"}


def having(required: tuple[str, ...] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "required": list(required),
        "additionalProperties": False,
    }  # fmt: skip


def many(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


NAMED: Final = having(("name",), name=TEXT)
CLAIM: Final = having(("claimName",), claimName=TEXT)
OF_THE_CHART: Final = having(
    airflowVersion=TEXT,
    images=having(airflow=having(repository=TEXT, tag=TEXT, digest=TEXT, pullPolicy=TEXT)),
    executor={"type": "string", "pattern": r"^[A-Z][A-Za-z0-9]+Executor$"},
    postgresql=having(enabled=ON_OR_OFF),
    data=having(metadataSecretName=TEXT, resultBackendSecretName=TEXT, brokerUrlSecretName=TEXT),
    fernetKeySecretName=TEXT,
    apiSecretKeySecretName=TEXT,
    jwtSecretName=TEXT,
    env=many(having(("name", "value"), name=TEXT, value=TEXT)),
    secret=many(having(("envName", "secretName"), envName=TEXT, secretName=TEXT, secretKey=TEXT)),
    volumes=many(having(("name",), name=TEXT, configMap=NAMED, persistentVolumeClaim=CLAIM)),
    volumeMounts=many(having(("name", "mountPath"), name=TEXT, mountPath=TEXT, readOnly=ON_OR_OFF)),
    migrateDatabaseJob=having(args=many(TEXT)),
    triggerer=having(enabled=ON_OR_OFF),
    scheduler=having(resources=having(limits={"type": "object", "additionalProperties": TEXT})),
)
VALUES: Final[dict[str, Any]] = yaml.safe_load(
    (CHECKOUT / "examples" / "helm" / "values.yaml").read_text(encoding="utf-8")
)
ENVIRONMENT: Final[dict[str, str]] = {item["name"]: item["value"] for item in VALUES["env"]}


def test_each_key_is_one_of_the_chart_and_has_its_kind_of_value() -> None:
    found = JSONSCHEMA.Draft7Validator(OF_THE_CHART).iter_errors(VALUES)
    assert [f"{error.json_path}: {error.message}" for error in found] == []


def test_a_misspelled_key_and_a_number_as_a_value_are_found() -> None:
    wrong = {**VALUES, "volumeMount": [], "env": [{"name": "A", "value": 1}]}
    found = JSONSCHEMA.Draft7Validator(OF_THE_CHART).iter_errors(wrong)
    assert sorted(error.json_path for error in found) == ["$", "$.env[0].value"]


def test_each_mount_has_its_volume_and_what_a_setting_names_is_mounted() -> None:
    assert [item["name"] for item in VALUES["volumeMounts"]] == [
        item["name"] for item in VALUES["volumes"]
    ]
    mounted = tuple(item["mountPath"] for item in VALUES["volumeMounts"])
    of_ours = [value for name, value in ENVIRONMENT.items() if name.startswith("MQCAP_")]
    paths = [value for value in of_ours if value.startswith("/")]
    assert [path for path in paths if not path.startswith(mounted)] == []


def test_settings_and_the_bundle_of_dags_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        if name.startswith("MQCAP_") and name != "MQCAP_SETTINGS_FILE":
            monkeypatch.setenv(name, value)
    assert load_settings().lake == ENVIRONMENT["MQCAP_LAKE"]
    (bundle,) = json.loads(ENVIRONMENT["AIRFLOW__DAG_PROCESSOR__DAG_BUNDLE_CONFIG_LIST"])
    module, _, name = bundle["classpath"].rpartition(".")
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin
    assert f"class {name}(" in Path(spec.origin).read_text(encoding="utf-8")


def test_the_hook_names_a_file_of_pools_that_there_is() -> None:
    script = VALUES["migrateDatabaseJob"]["args"][-1]
    place = re.search(r'"(\$\(.*\)/pools\.json)"', script)
    assert place
    done = subprocess.run(
        ["bash", "-c", f'cat "{place[1]}"'], check=True, capture_output=True, text=True,
        env={"PATH": f"{BIN}:/usr/bin:/bin"},
    )  # fmt: skip
    assert "mqcap_lake" in json.loads(done.stdout)
