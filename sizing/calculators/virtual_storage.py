"""Storage of the queue manager: common, private below and above the bar."""

import math
from typing import Final, Literal

from mqcap.domain.units import KIB_BYTES, Amount, Count, Positive, PositiveCount
from sizing.rulebook.entry import Figures
from sizing.rulebook.registry import calculator, form_of
from sizing.sources import mp16

CSA = mp16("Initial CSA (and ECSA) usage")
SECURITY = mp16("What can we gather from the chart?")
TIMEOUT = mp16("The environment being measured")
SHARED = mp16("Shared queue")

CONNECTION_KB: Final = {
    "local": 2.47,
    "MCA": 2.47,
    "SHARECNV(0)": 2.47,
    "SHARECNV(1)": 4.9,
    "SHARECNV(5)": 3,
    "SHARECNV(10)": 2.7,
}
HANDLE_KB: Final = 4
USER_KB: Final = 8.8
QUEUE_OF_USER_BYTES: Final = 405

Connection = Literal["local", "MCA", "SHARECNV(0)", "SHARECNV(1)", "SHARECNV(5)", "SHARECNV(10)"]


@calculator("VS-CSA-QM", "Common storage of queue managers", CSA)
def common_storage(queue_managers: Count = 1) -> Figures:
    """About 6 MB each."""
    return {"mb": 6 * queue_managers}


@form_of("VS-CSA-CONN")
def connection_storage(connection: Connection, connections: Count = 1) -> Figures:
    """Of each kind of connection."""
    each = CONNECTION_KB[connection]
    return {"csa_kb_per_connection": each, "csa_kb": each * connections}


@calculator("VS-HANDLES", "Object handles", mp16("Object handles"))
def handles_of_applications(applications: Count, queues_each: Count) -> Figures:
    """4 KB for each queue held open."""
    return _handles(applications * queues_each)


@form_of("VS-HANDLES")
def handles_of_channels(channels: Count, queues_each: Count = 30) -> Figures:
    """A message channel can hold 30 queues."""
    return _handles(channels * queues_each)


@calculator("VS-QUEUE-OBJ", "Queue definitions", mp16("Impact of number of objects defined"))
def queue_objects(local_queues: Count) -> Figures:
    """2660 bytes each."""
    return {"bytes": 2_660 * local_queues}


@calculator("VS-INDEX-QUEUE", "Indexed queue definitions", mp16("Use of indexed queues"))
def indexed_queues(indexed_queues: Count) -> Figures:
    """47 KB each."""
    return {"kb": 47 * indexed_queues}


@calculator("VS-INDEX-MSG", "Index entries", mp16("Indexed queue considerations"))
def index_entries(messages: Count) -> Figures:
    """136 bytes above the bar for each message."""
    return {"bytes": 136 * messages}


@calculator("VS-SECURITY", "Security cache", SECURITY)
def security_cache(users: Count, queues_per_user: PositiveCount) -> Figures:
    """8.8 KB with one queue, 405 bytes for each further one; in blocks of 1 MB, 64-bit."""
    each = USER_KB + QUEUE_OF_USER_BYTES * (queues_per_user - 1) / KIB_BYTES
    return {"kb_per_user": each, "mb_allocated": math.ceil(each * users / KIB_BYTES)}


@calculator("VS-SECURITY-TIMEOUT", "When a user is discarded", TIMEOUT)
def security_timeout(timeout_min: Positive, interval_min: Positive) -> Figures:
    """At worst with the first interval that ends after the timeout."""
    discard = math.ceil(timeout_min / interval_min) * interval_min
    return {"discard_min": discard, "overstay_min": discard - timeout_min}


@calculator("VS-QSG", "Storage of a queue sharing group", SHARED)
def sharing_group(app_structures: Count) -> Figures:
    """27 MB, and 800 KB private, 2 KB ESQA and 4 KB ECSA for each structure used."""
    return {
        "private_kb": 27 * KIB_BYTES + 800 * app_structures,
        "esqa_kb": 2 * app_structures,
        "ecsa_kb": 4 * app_structures,
    }


@calculator("VS-BACKUP65", "Storage of BACKUP CFSTRUCT", SHARED)
def backup_storage(backups: Count = 1) -> Figures:
    """65 MB, kept until storage is short."""
    return {"mb": 65 * backups}


@calculator("VS-CLUSTER-CACHE", "Cluster cache of the queue manager", mp16("Clustering"))
def cluster_cache(configuration_mb: Amount) -> Figures:
    """Return at least 2 MB; otherwise the next full MB and one more."""
    return {"mb": max(2, math.ceil(configuration_mb) + 1)}


@calculator("VS-ACCT", "Storage of accounting", mp16("Storage Usage"))
def accounting_storage(connections: Count) -> Figures:
    """4 to 8 KB for each connection with class 3."""
    return {"kb_from": 4 * connections, "kb_to": 8 * connections}


def _handles(handles: int) -> Figures:
    return {"handles": handles, "kb": handles * HANDLE_KB}
