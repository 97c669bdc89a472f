"""``make services-test``: the services of docker/ built, started, used for a day and upgraded.

A copy of the checkout is used as docs/services.md says: each command there is typed here, and one
that is not fails the test. With ``DOCKER_HOST`` it is that engine with its images; else an engine
of its own (``tests.services.engine``). One line of result; what failed is in var/services-test.log.
"""

import base64
import json
import os
import re
import secrets
import shutil
import socket
import ssl
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from email import message_from_string
from email.policy import default
from pathlib import Path
from typing import Any, Final

from devtools.local.airflow_api import DAILY
from mqcap.domain.errors import ServiceUnavailable
from mqcap.store.database import VERSION_TABLE
from tests.services.site import (
    ADMIN,
    COMPOSE,
    IMAGES,
    LOG,
    PORT,
    TAG,
    Site,
    a_site,
    inspected,
    output_of,
    wait_for,
)

PUBLIC_URL: Final = "https://capacity.example.com"
DAYS: Final = 60
RUN_SECONDS: Final = 1200
CHANGED_MB: Final = 100
"""A changed line of README.md makes layers anew below this: the wheel, not third-party packages."""


def fill_in(site: Site, sample: Path) -> None:
    """Give docker/.env what a site gives it, and what the build needs on this machine."""
    file = site.folder / "docker" / ".env"
    authorities = ssl.get_default_verify_paths().cafile or os.environ["SSL_CERT_FILE"]
    pip = site.folder / "pip.conf"
    index = output_of(sys.executable, "-m", "pip", "config", "list")
    addresses = re.findall(r"^\S*[.:](index-url)='(.*)'$", index, re.MULTILINE)
    lines = [f"{name} = {value}" for name, value in addresses[-1:]]
    pip.write_text("\n".join(["[global]", "cert = /run/secrets/ca", *lines, ""]), encoding="utf-8")
    values = {
        "POSTGRES_PASSWORD": secrets.token_hex(8), "STORE_PASSWORD": secrets.token_hex(8),
        "AIRFLOW_FERNET_KEY": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        "AIRFLOW_JWT_SECRET": secrets.token_urlsafe(48),
        "AIRFLOW_SECRET_KEY": secrets.token_urlsafe(48), "AIRFLOW_ADMIN_PASSWORD": ADMIN,
        "INBOX_DIR": str(sample / "inbox"), "SETTINGS_DIR": str(sample / "settings"),
        "PUBLIC_URL": PUBLIC_URL, "WEB_PORT": str(PORT), "PIP_CONF": str(pip),
        "CA_FILE": authorities, "IMAGE_TAG": TAG,
    }  # fmt: skip
    text = file.read_text(encoding="utf-8")
    for name, value in values.items():
        assert re.search(rf"^{name}=", text, re.MULTILINE), name
        text = re.sub(rf"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
    site.store_password = values["STORE_PASSWORD"]


def make_sample(folder: Path) -> None:
    mqcap = Path(sys.executable).parent / "mqcap"
    subprocess.run(
        [mqcap, "simulate", "--out", folder, "--last-day", str(_last_day()), "--days", str(DAYS)],
        check=True, capture_output=True,
    )  # fmt: skip
    (folder / "settings").mkdir()
    (folder / "inbox").mkdir()
    shutil.move(folder / "platform.yaml", folder / "settings")
    for kind in ("dumps", "console", "monitors", "sites"):
        for file in (folder / kind).iterdir():
            file.rename(folder / "inbox" / file.name)
    folder.chmod(0o755)


def _last_day() -> date:
    return (datetime.now(UTC) - timedelta(days=1)).date()


def start(site: Site) -> None:
    """Build and start, from nothing; on the way a file without secrets, and a port in use."""
    sample = site.folder.parent / "sample"
    site.typed("cp docker/.env.example")
    site.refused(f"{COMPOSE} config --quiet", r"required variable \w+ is missing a value: set it")
    fill_in(site, sample)
    with ThreadPoolExecutor() as pool:
        made = pool.submit(make_sample, sample)
        site.run(f"{COMPOSE} build")
        made.result()
    with closing(socket.create_server(("127.0.0.1", PORT))):
        site.refused(f"{COMPOSE} up --detach", "address already in use")
    site.typed("up --build --detach")
    assert "error" not in site.typed("settings check").lower()


def run_a_day(site: Site) -> None:
    """Un-pause the daily DAG, kill the Spark worker within, and wait for the success of the run."""
    site.typed("dags unpause")
    killed = False

    def ended() -> bool:
        nonlocal killed
        runs = site.api.call("GET", f"/api/v2/dags/{DAILY}/dagRuns")["dag_runs"]
        if not runs:
            return False
        run = runs[0]["dag_run_id"]
        for task in site.api.task_states(run):
            if task.state == "running":
                log = site.api.task_log(run, task.task_id)
                assert "same 'secret_key'" not in log, f"log of {task.task_id}: {log[:300]}"
                if not killed and spark_master(site)["activeapps"]:
                    site.run(f"{COMPOSE} exec -T spark-worker sh -c 'kill -9 -1' || true")
                    killed = True
        state = site.api.run_state(run)
        assert state != "failed", f"{DAILY} failed: {site.api.task_states(run)}"
        return state == "success"

    wait_for(ended, f"success of {DAILY}", RUN_SECONDS)
    assert killed, "the Spark worker was not killed: no application was seen on the cluster"
    state = spark_master(site)
    assert state["completedapps"], "no application ran on the Spark cluster"
    assert state["aliveworkers"] == 1, "the killed worker did not come back"


def spark_master(site: Site) -> dict[str, Any]:
    page = "import urllib.request as u; print(u.urlopen('http://spark-master:8081/json/').read().decode())"
    return dict(json.loads(site.run(f'{COMPOSE} exec -T spark-master python -c "{page}"')))


def read_results(site: Site) -> None:
    mail = message_from_string(site.typed("caught/new"), policy=default)
    assert mail["Subject"].startswith("ACT "), f"subject of the mail: {mail['Subject']}"
    texts = [part for part in mail.walk() if part.get_content_maintype() == "text"]
    words = "".join(part.get_content() for part in texts)
    links = set(re.findall(r"https?://[^/\s\"]+", words))
    assert PUBLIC_URL in links, f"links of the mail: {links}"
    assert not [link for link in links if "localhost" in link], f"links of the mail: {links}"
    assert site.count("ticket") > 0
    assert site.api.status_of("/capacity/") == 200
    settings = site.folder.parent / "sample" / "settings" / "platform.yaml"
    site.run(f"sed --in-place 's/Sample site/Renamed site/' {settings}")
    read = site.run(f"{COMPOSE} exec -T scheduler mqcap settings check")
    assert "Renamed site" in read, "a settings file that an editor replaced is not seen"
    conf = json.dumps({"day": str(_last_day())})
    site.run(f"{COMPOSE} exec -T scheduler airflow dags test mqcap_reports --conf '{conf}'")


def back_up(site: Site) -> None:
    before = site.count("ticket")
    for part in ("pg_dump", "tar -C", "stop scheduler"):
        site.typed(part)
    assert (site.folder / "lake.tar").stat().st_size > 1_000_000
    site.query("TRUNCATE ticket CASCADE")
    for part in ("pg_restore", "start api-server"):
        site.typed(part)
    assert site.count("ticket") == before


def upgrade(site: Site) -> None:
    tables = ("finding", "ticket", "observation_daily", "forecast")
    before = [site.count(table) for table in tables]
    assert all(before), before
    site.run(f"{COMPOSE} stop api-server dag-processor scheduler")
    site.query("REASSIGN OWNED BY mqcap TO airflow; DROP OWNED BY mqcap; DROP ROLE mqcap")
    site.run(f"{COMPOSE} down")
    site.typed("up --detach postgres")
    wait_for(lambda: "(healthy)" in site.run(f"{COMPOSE} ps postgres"), "PostgreSQL", 60)
    site.typed("CREATE ROLE", the_password=site.store_password)
    site.run(f"{COMPOSE} up --detach")
    assert before == [site.count(table) for table in tables]
    assert site.run(f"{COMPOSE} exec -T api-server ls /data/reports").strip(), "reports are lost"
    assert site.api.status_of("/capacity/") == 200
    for part in ("db clean", "find /opt/airflow/logs"):
        site.typed(part)


def refuse_bad_input(site: Site) -> None:
    """Each fault of a site's machine is one sentence, and ``init`` is not started again."""
    closed = site.folder.parent / "closed"
    closed.mkdir(mode=0o700)
    places = (
        "-e AIRFLOW__LOGGING__BASE_LOG_FOLDER=/opt/airflow/logs -e MQCAP_INGEST__INBOX=/data/inbox"
    )
    for options, sentence in (
        (
            "--tmpfs /data/reports:size=16k,mode=777",
            "/data/reports cannot be written by user 50000",
        ),
        (f"-v {closed}:/data/inbox:ro", "the inbox /data/inbox .* cannot be read"),
        ("--user 1234:1234", "user 1234 has no name"),
    ):
        init = f"docker run --rm {places} {options} {IMAGES[0]} sh /opt/mqcap/init.sh"
        site.refused(init, f"^error: {sentence}")
    written = "touch /data/lake/x /data/reports/x /opt/airflow/logs/x"
    works = f"{written} && airflow version && spark-submit --version"
    site.run(f"docker run --rm --user 1000650000:0 {IMAGES[0]} sh -c '{works}'")
    known = site.query(f"TABLE {VERSION_TABLE}")
    update = f"UPDATE {VERSION_TABLE} SET version_num = "  # noqa: S608 - our table
    site.query(f"{update} $$9999$$")
    site.refused(f"{COMPOSE} run --rm -T init", "^error: .*the schema of a newer release of mqcap")
    site.query(f"{update} $${known}$$")
    site.refused(
        f"{COMPOSE} -f docker/compose.s3.yaml run --rm -T --no-deps init",
        "^error: the object store at http://object-store:5000 does not answer",
    )


def rebuild(site: Site) -> float:
    before = {image: _layers(image) for image in IMAGES}
    site.change("README.md", "\n## ", "\n\n## ")
    began = time.monotonic()
    site.run(f"{COMPOSE} build")
    took = time.monotonic() - began
    for image in IMAGES:
        history = output_of("docker", "history", "--format", "{{.Size}}", "--human=false", image)
        sizes = [int(size) for size in reversed(history.split()) if int(size)]
        kept = len(
            [one for one in zip(before[image], _layers(image), strict=False) if one[0] == one[1]]
        )
        anew = sum(sizes[kept:]) / 1e6
        assert anew < CHANGED_MB, f"{image}: a changed line of README.md makes {anew:.0f} MB anew"
    return took


def _layers(image: str) -> list[str]:
    return list(json.loads(inspected(image, "json .RootFS.Layers")))


STEPS: Final = (
    start, run_a_day, read_results, back_up, upgrade, refuse_bad_input,
)  # fmt: skip


def main() -> int:
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("", encoding="utf-8")
    began = time.monotonic()
    done = ["nothing"]
    with a_site() as site:
        try:
            for step in STEPS:
                step(site)
                done.append(step.__name__.replace("_", " "))
            seconds = rebuild(site)
            assert not site.not_typed, f"docs/services.md, not typed: {site.not_typed}"
        except (AssertionError, ServiceUnavailable) as error:
            sys.stdout.write(f"services: failed after {done[-1]}: {error}; see {LOG}\n")
            return 1
        airflow, spark = (int(inspected(image, ".Size")) / 1e9 for image in IMAGES)
        sys.stdout.write(
            f"services: {', '.join(done[1:])}: {(time.monotonic() - began) / 60:.0f} min;"
            f" images of Airflow {airflow:.2f} and Spark {spark:.2f} GB;"
            f" a changed line of README.md is built in {seconds:.0f} s\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
