"""A copy of the checkout on an engine, where the commands of docs/services.md are typed."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from devtools.local.airflow_api import AirflowApi
from mqcap.domain.errors import ServiceUnavailable
from tests.airflow_home import CHECKOUT
from tests.services.engine import docker_engine

COMPOSE: Final = "docker compose -f docker/compose.yaml"
PORT: Final = 18080
ADMIN: Final = "of-the-test"
LOG: Final = CHECKOUT / "var" / "services-test.log"
TAG: Final = "services-test"
IMAGES: Final = (f"mqcap-airflow:{TAG}", f"mqcap-spark:{TAG}")


class Site:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = output_of("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        for name in filter(None, names.split("\0")):
            if (CHECKOUT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(CHECKOUT / name, folder / name)
        self.not_typed = _commands((folder / "docs" / "services.md").read_text(encoding="utf-8"))
        self.store_password = ""
        self.api = AirflowApi(f"http://127.0.0.1:{PORT}", "admin", ADMIN)

    def typed(self, part: str, **changed: str) -> str:
        """Run the command of the page with this part; ``changed`` has its placeholders."""
        command = next((command for command in self.not_typed if part in command), None)
        assert command is not None, f"docs/services.md has no other command with {part}"
        self.not_typed.remove(command)
        for name, value in changed.items():
            assert name.replace("_", " ") in command, name
            command = command.replace(name.replace("_", " "), value)
        return self.run(command)

    def run(self, command: str, *, fails: bool = False) -> str:
        with LOG.open("a", encoding="utf-8") as log:
            print(f"\n[{datetime.now(UTC):%H:%M:%S}] $ {command}", file=log, flush=True)
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", command],
                cwd=self.folder, check=False, text=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            log.write(done.stdout)
        assert (done.returncode != 0) == fails, f"{command}: ended with {done.returncode}"
        return done.stdout

    def refused(self, command: str, sentence: str) -> None:
        answer = self.run(command, fails=True)
        said = [line for line in answer.splitlines() if re.search(sentence, line)]
        assert len(said) == 1, f"{command}: {len(said)} lines with {sentence!r}"
        assert "Traceback" not in answer, command

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text, f"{name} has no {old!r}"
        (self.folder / name).write_text(text.replace(old, new), encoding="utf-8")

    def query(self, statement: str) -> str:
        psql = "psql --username airflow --no-align --tuples-only --quiet --set ON_ERROR_STOP=1"
        return self.run(f"{COMPOSE} exec -T postgres {psql} --command '{statement}' mqcap").strip()

    def count(self, table: str) -> int:
        return int(self.query(f"SELECT count(*) FROM {table}"))  # noqa: S608 - our tables


def output_of(*command: str) -> str:
    done = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True)
    return done.stdout


def inspected(image: str, field: str) -> str:
    return output_of("docker", "image", "inspect", "--format", f"{{{{{field}}}}}", image)


def _commands(page: str) -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found = re.findall(r"^(?:.*<<'SQL'\n(?:.*\n)*?SQL|.+)$", "".join(blocks), re.MULTILINE)
    return [
        re.sub(r"\s+# .*$", "", command) if "\n" not in command else command for command in found
    ]


def wait_for(there: Callable[[], Any], what: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            if there():
                return
        except ServiceUnavailable as error:
            what = f"{what.partition(' (')[0]} ({error})"
        assert time.monotonic() < end, f"{what}: not within {seconds:g} s"
        time.sleep(2)


def _no_engine() -> str:
    """Why commands of the page cannot reach an engine; nothing if they can."""
    if shutil.which("docker") is None:
        return "there is no program docker on the PATH"
    for command in (
        ["docker", "compose", "version"],
        ["docker", "buildx", "version"],
        ["docker", "info"],
    ):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            said, _, _ = (done.stderr or done.stdout).strip().partition("\n")
            return f"{' '.join(command)}: {said}"
    return ""


@contextmanager
def a_site() -> Iterator[Site]:
    """Yield a copy of the checkout; of its containers, volumes and images nothing is left."""
    with ExitStack() as stack:
        if "DOCKER_HOST" not in os.environ:
            stack.enter_context(docker_engine())
        elif reason := _no_engine():
            raise SystemExit(f"error: the engine of DOCKER_HOST cannot be used: {reason}")
        os.environ["COMPOSE_PROJECT_NAME"] = f"mqcap-{TAG}"
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mqcap-site-")))
        folder.chmod(0o755)
        site = Site(folder / "checkout")
        try:
            yield site
        finally:
            if (site.folder / "docker" / ".env").is_file():
                site.run(f"{COMPOSE} logs --no-color --tail 300")
                site.run(f"{COMPOSE} down --volumes --remove-orphans")
                site.run(f"docker image rm --force {' '.join(IMAGES)}")
