"""The compose file, read once, and what its parts mean."""

import re
import sys
from pathlib import Path
from typing import Any, Final

import yaml

from tests.airflow_home import CHECKOUT

DOCKER: Final = CHECKOUT / "docker"
BIN: Final = Path(sys.executable).parent
DOCUMENT: Final[dict[str, Any]] = yaml.safe_load(
    (DOCKER / "compose.yaml").read_text(encoding="utf-8")
)
SERVICES: Final[dict[str, dict[str, Any]]] = DOCUMENT["services"]
OURS: Final = {name: service for name, service in SERVICES.items() if "mqcap-" in service["image"]}
AIRFLOW: Final = ("api-server", "scheduler", "dag-processor")
SERVICE_KEYS: Final = {
    "image", "build", "environment", "volumes", "init", "restart", "depends_on", "command",
    "ports", "healthcheck", "hostname", "logging", "mem_limit", "cap_drop", "security_opt",
    "stop_grace_period", "pull_policy",
}  # fmt: skip
VARIABLE: Final = re.compile(r"\$\{(\w+)(:?[-?])?([^}]*)\}")


def environment_of(service: dict[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in service.get("environment", {}).items()}


def variables() -> list[tuple[str, str]]:
    """Name and kind (``:-`` default, ``:?`` demanded) of every variable in the files."""
    files = (DOCKER / "compose.yaml", DOCKER / "compose.s3.yaml")
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    result: list[tuple[str, str]] = VARIABLE.findall(
        re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
    )
    return [(name, kind) for name, kind, *_ in result]


def examples() -> dict[str, str]:
    lines = (DOCKER / ".env.example").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def filled_in(text: str) -> str:
    """The text as compose would see it with the example values."""
    return VARIABLE.sub(lambda m: examples().get(m[1]) or m[3] or "example", text)
