"""Other DAGs can be scheduled on the datasets: the example of the documentation, parsed."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.airflow_home import CHECKOUT

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

PAGE = (CHECKOUT / "docs" / "airflow.md").read_text(encoding="utf-8")


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
    waited_for = {(each.name, each.uri) for each in follower.timetable.asset_condition.objects}
    assert waited_for == {("mqcap://lake/metric_hourly", "mqcap://lake/metric_hourly")}
    assert waited_for <= made


def test_every_asset_is_in_the_documentation(bag: BundleDagBag) -> None:
    made = {asset.uri for task in bag.dags["mqcap_daily"].tasks for asset in task.outlets}
    assert set(re.findall(r"`(mqcap://[a-z]+/[a-z_]+)`", PAGE)) == made
