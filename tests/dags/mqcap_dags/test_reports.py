"""The DAGs besides the daily one, their names and assets."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import mqcap_dags
import pytest
from mqcap_dags import airflow_names

from mqcap.installation.airflow_check import DAG_NAMES
from tests.airflow_home import CHECKOUT

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

PAGE = (CHECKOUT / "docs" / "airflow.md").read_text(encoding="utf-8")


def test_reports_follow_the_daily_dag_and_are_tried_again_while_the_day_has_no_findings(
    bag: BundleDagBag,
) -> None:
    reports: Any = bag.dags["mqcap_reports"]
    assert reports.timetable.expression == "0 6 * * *"
    [task] = reports.tasks
    assert task.task_id == "write"
    assert task.op_args == ("{{ mqcap_day(dag_run, params) }}", "{{ params.kind }}")
    assert (task.retries, task.retry_delay.total_seconds()) == (5, 600)
    kind = reports.params.get_param("kind")
    assert kind.value == "due"
    assert kind.schema["enum"] == ["due", "daily", "weekly", "monthly"]


@pytest.mark.parametrize("name", airflow_names._PLACES)
def test_an_older_release_has_the_name_elsewhere(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest, former = airflow_names._PLACES[name]
    modules: dict[str, Any] = {
        newest: SimpleNamespace(), former: SimpleNamespace(**{name: "that of 3.1"})
    }  # fmt: skip
    monkeypatch.setattr(airflow_names, "import_module", modules.__getitem__)
    assert getattr(airflow_names, name) == "that of 3.1"


def test_another_name_is_none_of_them() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Asset'"):
        _ = airflow_names.Asset


@pytest.mark.parametrize(("version", "backoff"), [("1.1.8", True), ("1.2.0", 2.0), ("1.3.2", 2.0)])
def test_the_wait_doubles_in_every_release(version: str, backoff: float) -> None:
    value = airflow_names.doubling_backoff(version)
    assert (value, type(value)) == (backoff, type(backoff))


@pytest.fixture(scope="module")
def follower(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The DAG of the documentation, in a folder of its own and without the package's DAGs."""
    folder: Path = tmp_path_factory.mktemp("dags")
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    (folder / "capacity_export.py").write_text(example, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as in conftest
        from airflow.dag_processing.dagbag import BundleDagBag  # noqa: PLC0415 - warns

        bag = BundleDagBag(folder, bundle_path=folder, bundle_name="of_a_site")
    assert bag.import_errors == {}
    return bag.dags["capacity_export"]


def test_the_example_waits_for_assets_that_the_daily_dag_makes(
    follower: Any, bag: BundleDagBag
) -> None:
    made = {
        (asset.name, asset.uri) for task in bag.dags["mqcap_daily"].tasks for asset in task.outlets
    }
    waited_for = {(asset.name, asset.uri) for asset in follower.timetable.asset_condition.objects}
    assert waited_for == {("mqcap://lake/metric_hourly", "mqcap://lake/metric_hourly")}
    assert waited_for <= made


def test_every_asset_is_in_the_documentation(bag: BundleDagBag) -> None:
    made = {asset.uri for task in bag.dags["mqcap_daily"].tasks for asset in task.outlets}
    assert set(re.findall(r"`(mqcap://[a-z]+/[a-z_]+)`", PAGE)) == made


@pytest.mark.airflow
def test_the_bundle_is_the_folder_of_the_installed_dags() -> None:
    from mqcap_dags.bundle import InstalledDagBundle  # noqa: PLC0415 - loads Airflow

    bundle = InstalledDagBundle(name="mqcap", refresh_interval=60)
    assert bundle.path == Path(str(mqcap_dags.__file__)).parent
    assert all((bundle.path / f"{name}.py").is_file() for name in DAG_NAMES)
    assert (bundle.name, bundle.refresh_interval) == ("mqcap", 60)


def test_modules_without_a_dag_are_not_parsed() -> None:
    folder = Path(str(mqcap_dags.__file__)).parent
    ignored = (folder / ".airflowignore").read_text("utf-8").splitlines()[1:]
    modules = {path.name for path in folder.glob("*.py")}
    assert modules - {f"{name}.py" for name in DAG_NAMES} == set(ignored)


def test_it_covers_the_days_before_the_end_of_its_interval(bag: BundleDagBag) -> None:
    weekly: Any = bag.dags["mqcap_forecast_verification"]
    assert [task.task_id for task in weekly.topological_sort()] == ["score", "record"]
    assert [asset.name for asset in weekly.get_task("score").outlets] == ["mqcap_forecast_score"]
    for task in weekly.tasks:
        assert task.op_args == ("{{ mqcap_last_day(dag_run, params) }}",)


def test_the_store_is_checked_after_old_data_have_been_deleted_under_the_pool_of_the_lake(
    bag: BundleDagBag,
) -> None:
    housekeeping: Any = bag.dags["mqcap_housekeeping"]
    assert [task.task_id for task in housekeeping.topological_sort()] == ["prune", "check_store"]
    assert housekeeping.get_task("prune").pool == "mqcap_lake"
    assert housekeeping.timetable.expression == "0 12 * * 0"
