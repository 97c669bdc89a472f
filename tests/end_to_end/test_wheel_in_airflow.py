"""The wheel in a new environment outside of the checkout: DAGs, plugin, page by role.

The environment has the libraries of the tests, Airflow too, and of the product only the wheel. The
same with an Airflow of its own, with servers and a daily run, is tests.services.plain_airflow.
"""

import json
import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from devtools.local.airflow import USER
from devtools.local.processes import FIRST_PORT, StartedPrograms
from mqcap.installation.airflow_check import dag_files
from tests.airflow_home import CHECKOUT
from tests.services.plain_airflow import PASSWORD, VISITOR, PlainAirflow, build_wheel

pytestmark = [pytest.mark.end_to_end, pytest.mark.airflow]

DAGS = {
    "mqcap_daily", "mqcap_forecast_verification", "mqcap_housekeeping", "mqcap_reports",
}  # fmt: skip
PROGRAM = """
import json, sys, warnings
warnings.simplefilter("ignore")
from pathlib import Path
from airflow.dag_processing.dagbag import BundleDagBag
from mqcap_dags.bundle import InstalledDagBundle

def parsed(folder):
    bag = BundleDagBag(folder, bundle_path=folder, bundle_name="mqcap")
    return {"dags": sorted(bag.dags), "errors": bag.import_errors}

def page():
    from fastapi.testclient import TestClient
    from airflow.api_fastapi.app import create_app, get_auth_manager
    from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser
    with TestClient(create_app()) as client:
        yield "nobody", client.get("/capacity/").status_code
        for name, role in (("visitor", ""), ("admin", "admin"), ("viewer", "viewer")):
            user = SimpleAuthManagerUser(username=name, role=role)
            token = {"Authorization": "Bearer " + get_auth_manager().generate_jwt(user)}
            yield name, client.get("/capacity/", headers=token).status_code
        yield "style", client.get("/capacity/static/page.css", headers=token).status_code

import mqcap
print(json.dumps({
    "places": sorted({str(Path(sys.modules[name].__file__).parents[1])
                      for name in ("mqcap", "mqcap_dags")}),
    "folder": parsed(Path(sys.argv[1])),
    "bundle": parsed(InstalledDagBundle(name="mqcap").path),
    "page": dict(page()),
}))
"""


@dataclass(frozen=True)
class Installed:
    site_packages: Path
    first: str
    """Of the first run of ``mqcap airflow install-dags``."""
    told: dict[str, Any]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("site")
    plain = PlainAirflow(folder / "venv" / "bin" / "python", folder, FIRST_PORT)
    wheel = build_wheel(folder, StartedPrograms(folder / "log"), dict(os.environ))

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=folder, env=plain.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "venv", "--without-pip", str(folder / "venv"))
    place = run(str(plain.python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    site_packages = Path(place.strip())
    run(
        sys.executable, "-m", "pip", "--python", str(plain.python), "install", "--quiet",
        "--no-deps", str(wheel),
    )  # fmt: skip
    (site_packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    (folder / "dags").mkdir()
    (folder / "passwords.json").write_text(json.dumps({USER: PASSWORD, VISITOR: PASSWORD}))
    (folder / "sample").mkdir()
    (folder / "sample" / "platform.yaml").write_text("site: {name: A site}\n", "utf-8")
    first = run(plain.program("mqcap"), "airflow", "install-dags", str(folder / "dags"))
    run(str(plain.python), "-m", "airflow", "db", "migrate")
    told = run(str(plain.python), "-c", PROGRAM, str(folder / "dags"))
    return Installed(site_packages, first, json.loads(told.splitlines()[-1]))


def test_nothing_comes_from_the_checkout(installed: Installed) -> None:
    assert installed.told["places"] == [str(installed.site_packages)]
    assert not installed.site_packages.is_relative_to(CHECKOUT)


def test_every_data_file_of_the_packages_is_in_the_wheel(installed: Installed) -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    packages = {path.name for path in installed.site_packages.iterdir() if path.is_dir()}
    files = [name.removeprefix("dags/").removeprefix("plugins/") for name in tracked]
    ours = [name for name in files if name.partition("/")[0] in packages and "/" in name]
    assert len(ours) > 700
    assert [name for name in ours if not (installed.site_packages / name).is_file()] == []


def test_the_dags_are_parsed_from_the_folder_and_from_the_bundle(installed: Installed) -> None:
    assert installed.first.count("written") == len(dag_files())
    for place in ("folder", "bundle"):
        assert installed.told[place] == {"dags": sorted(DAGS), "errors": {}}, place


def test_the_page_is_served_to_those_who_may_read_the_dag(installed: Installed) -> None:
    assert installed.told["page"] == {
        "nobody": 401, "admin": 200, "viewer": 200, "visitor": 403, "style": 200
    }  # fmt: skip
