"""An ``airflow`` program that answers from a table."""

import json
from collections.abc import Mapping, Sequence

from mqcap.installation.airflow_check import Ask

ALL: dict[str, str | None] = {
    "version": "3.2.2\n",
    "pools list": json.dumps(
        [{"pool": "mqcap_lake", "slots": "1"}, {"pool": "mqcap_delivery", "slots": "1"}]
    ),
    "plugins": json.dumps([{"name": "mq_capacity"}]),
    "dags list": json.dumps([{"dag_id": "mqcap_daily"}, {"dag_id": "billing"}]),
    "dags list-import-errors": "No data found\n",
    "connections get spark_default": "[]",
    "connections get smtp_default": "[]",
    "variables get mqcap_platform_mail_to": "ops@example.com\n",
}
"""Answers of an Airflow that lacks nothing; ``None`` for one that fails."""


def answers(changed: Mapping[str, str | None] | None = None) -> Ask:
    """Return a program that answers as an Airflow that lacks nothing, but for what is changed."""
    table = ALL | dict(changed or {})

    def ask(arguments: Sequence[str]) -> str | None:
        return table.get(" ".join(word for word in arguments if word not in {"--output", "json"}))

    return ask
