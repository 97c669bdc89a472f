import csv
import inspect
import re

from mqcap.domain.datasets import CONSOLE_EVENT, ZTPF_SWEEP
from mqcap.domain.discovery import load_all
from mqcap.domain.metric import SubjectKind
from mqcap.ingest.smf.layout import layouts
from spark_apps import catalogue as rows
from spark_apps import metrics
from spark_apps.catalogue import catalogue, metrics_of_load
from spark_apps.read import file_schema
from spark_apps.registry import all_metrics, datasets_read, families
from spark_apps.transforms.intervals import INTERVAL_SCHEMA
from spark_apps.transforms.keys import key_of
from tests.spark_apps.rows import sections

MESSAGES = {"CSQ": CONSOLE_EVENT.name, "MQS": ZTPF_SWEEP.name}
"""Dataset of a message, by the first letters of its name."""
HEADLINES = {
    "log_growth_mib_per_s",
    "cf_busy_pct",
    "chinit_31bit_used_pct",
    "chinit_64bit_used_pct",
    "buffer_pool_used_pct",
    "page_set_used_pct",
    "channels_current_count",
    "structure_entries_used_pct",
    "structure_elements_used_pct",
    "log_task_busy_pct",
    "zhyperlink_busy_pct",
    "chinit_dispatcher_busy_pct",
    "chinit_ssltask_busy_pct",
    "smds_used_pct",
    "private_queue_messages_per_s",
    "object_deletes_per_create",
    "chinit_adapters_used_count",
    "channel_batch_messages",
}


def test_every_metric_of_every_module_is_declared_once_in_order_of_its_name() -> None:
    declared = [metric for family in families() for metric in family.metrics]
    names = [metric.name for metric in all_metrics()]
    assert names == sorted({metric.name for metric in declared})
    assert len(names) == len(declared)


def test_every_metric_has_a_label_of_its_own_that_people_can_read() -> None:
    labels = [metric.label for metric in all_metrics()]
    assert len(set(labels)) == len(labels)
    assert all(label[0].isupper() or label.startswith("zHyper") for label in labels)
    assert not [label for label in labels if "_" in label or label != label.strip()]


def test_every_metric_says_whether_it_grows_with_the_load() -> None:
    with rows.CATALOGUE.open(encoding="utf-8", newline="") as file:
        assert {row["grows"] for row in csv.DictReader(file)} == {"with load", "no"}
    assert HEADLINES - metrics_of_load() == {"channel_batch_messages", "object_deletes_per_create"}


def test_every_metric_reads_datasets_that_have_a_key_and_columns() -> None:
    assert all(metric.reads for metric in all_metrics())
    for dataset in datasets_read():
        assert set(key_of(dataset)) <= {*file_schema(dataset), "sysplex"}


def test_every_kind_of_subject_on_z_os_has_a_metric() -> None:
    elsewhere = {SubjectKind.linux_host, SubjectKind.ztpf_system, SubjectKind.site_object}
    assert {metric.subject_kind for metric in all_metrics()} >= set(SubjectKind) - elsewhere


def test_every_metric_declares_the_uncertain_fields_that_its_module_reads() -> None:
    certainty = {
        field.name: field.certainty for layout in layouts().values() for field in layout.fields
    }
    for module in load_all(metrics):
        of_module = [
            metric
            for made_by, several in catalogue().items()
            for metric in several
            if made_by.partition(".")[0] == module.__name__.rpartition(".")[2]
        ]
        assert of_module, module.__name__
        quoted = re.findall(r'"(r744\w+|R745\w+)"', inspect.getsource(module))
        names = {name.upper() for name in quoted}
        doubtful = {name for name in names if certainty.get(name) in {"B", "C"}}
        declared = {name for metric in of_module for name in metric.uncertain}
        assert declared == doubtful, module.__name__


def test_the_rows_of_every_metric_have_the_columns_of_interval_rows() -> None:
    nothing = sections()
    for family in families():
        schema = family.intervals(nothing).collect_schema()
        assert schema == INTERVAL_SCHEMA, family.metrics[0].name


def test_every_field_that_a_metric_declares_is_in_a_dataset_that_it_reads() -> None:
    for metric in all_metrics():
        columns = {name for dataset in metric.reads for name in file_schema(dataset).names()}
        messages = {name for name in metric.fields if name.startswith(tuple(MESSAGES))}
        where = {MESSAGES[name[:3]] for name in messages}
        assert where <= {*metric.reads}, metric.name
        named = {name.lower() for name in metric.fields} - {name.lower() for name in messages}
        assert all(
            any(column == name or column.startswith(f"{name}_") for column in columns)
            for name in named
        ), (metric.name, named)


def test_a_field_that_a_description_names_is_declared() -> None:
    """The trace of a figure shows the declared fields: it must not lack what people read."""
    fields = {
        field.upper() for dataset in datasets_read() for field in file_schema(dataset).names()
    }
    for metric in all_metrics():
        words = set(re.findall(r"\b[A-Z0-9]{6,}\b", metric.description))
        assert words & fields <= set(metric.fields), metric.name
