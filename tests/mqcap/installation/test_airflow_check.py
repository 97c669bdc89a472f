"""What an Airflow lacks."""

from __future__ import annotations

import json
import shlex

import pytest

from mqcap.installation.airflow_check import check_airflow
from mqcap.installation.check import Check, CheckState, is_fine
from mqcap.settings import Settings
from tests.mqcap.installation.airflow_answers import answers

SETTINGS = Settings.model_validate({"alerts": {"mail_from": "mq@example.com"}})


def found(changed: dict[str, str | None], settings: Settings = SETTINGS) -> dict[str, Check]:
    """Return what is not fine, by what it is about."""
    checks = check_airflow(settings, answers(changed))
    return {check.what: check for check in checks if check.state is not CheckState.fine}


def test_an_airflow_that_lacks_nothing_is_fine() -> None:
    checks = check_airflow(SETTINGS, answers())
    assert is_fine(checks)
    assert {check.state for check in checks} == {CheckState.fine}
    assert [check.what for check in checks] == [
        "Airflow", "pool mqcap_lake", "pool mqcap_delivery", "connection spark_default",
        "connection smtp_default", "variable mqcap_platform_mail_to", "page", "DAGs",
    ]  # fmt: skip


def test_a_pool_that_is_missing_is_created_by_the_command() -> None:
    pools = json.dumps([{"pool": "mqcap_lake", "slots": "1"}])
    [(what, check)] = found({"pools list": pools}).items()
    assert (what, check.state, check.found) == (
        "pool mqcap_delivery", CheckState.to_do, "not there"
    )  # fmt: skip
    *words, description = shlex.split(check.remedy)
    assert words == ["airflow", "pools", "set", "mqcap_delivery", "1"]
    assert description == "Mail and tickets: one delivering process at a time."


@pytest.mark.parametrize("slots", ["0", "2", "128"])
def test_a_pool_of_another_size_is_told(slots: str) -> None:
    pools = [{"pool": "mqcap_lake", "slots": slots}, {"pool": "mqcap_delivery", "slots": "1"}]
    [check] = found({"pools list": json.dumps(pools)}).values()
    assert check.found == f"{slots} slots; 1 are needed"


def test_spark_s_connection_is_needed_and_has_the_master_of_the_settings() -> None:
    settings = Settings.model_validate({"spark": {"master": "spark://cluster:7077"}})
    [check] = found({"connections get spark_default": None}, settings).values()
    assert check.state is CheckState.to_do
    words = shlex.split(check.remedy)
    assert words[words.index("--conn-host") + 1] == "spark://cluster:7077"
    assert json.loads(words[-1]) == {"spark-binary": "spark-submit"}


def test_without_a_mail_server_email_goes_to_the_folder() -> None:
    [check] = found({"connections get smtp_default": None}).values()
    assert check.state is CheckState.optional
    assert check.found == "not there; email goes to var/mail as .eml"
    words = shlex.split(check.remedy)
    assert words[words.index("--conn-host") + 1] == "HOST"
    assert json.loads(words[-1]) == {"from_email": "mq@example.com"}


def test_the_connection_of_the_tracker_is_asked_for_where_there_is_one() -> None:
    settings = Settings.model_validate({"alerts": {"ticket_backend": "servicenow"}})
    [check] = found({}, settings).values()
    assert check.what == "connection servicenow_default"
    assert check.state is CheckState.optional
    assert "TOKEN" in shlex.split(check.remedy)


def test_the_variable_is_optional() -> None:
    [check] = found({"variables get mqcap_platform_mail_to": None}).values()
    assert (check.state, check.found) == (
        CheckState.optional, "not there; nobody is notified of a task that failed"
    )  # fmt: skip


def test_an_airflow_without_the_package_has_no_page() -> None:
    [check] = found({"plugins": "[]"}).values()
    assert (check.what, check.state) == ("page", CheckState.to_do)


def test_missing_dags_are_installed_by_the_command() -> None:
    [check] = found({"dags list": json.dumps([{"dag_id": "billing"}])}).values()
    assert check.remedy.startswith("mqcap airflow install-dags ")


def test_dag_files_of_ours_with_errors_are_named() -> None:
    errors = [{"filepath": "mqcap_reports.py"}, {"filepath": "billing.py"}]
    broken = found({"dags list-import-errors": json.dumps(errors)})
    assert list(broken) == ["mqcap_reports.py"]
