"""Steps around the statements of a change: checks before, order, and back-out.

Checked against the product documentation: DEFINE LOG (any time, from the console when the queue
manager waits for log space), CSQJUFMT (a new data set only, never one in use), CSQJU003 DELETE
(queue manager stopped), ALTER BUFFPOOL (asynchronous, CSQP023I; as many buffers as storage
allows), DEFINE BUFFPOOL in CSQINP1, COPYPAGE (target formatted, not smaller), SET LOG (until
restart), CFRM parameters of the administrative data utility (DEFINE POLICY replaces the complete
policy; SIZE 1.5 to 2 times INITSIZE), SETXCF START, channel initiator storage (REGION=0M, MEMLIMIT
at least 2G), MAXCHL 1 to 9999.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Playbook(NamedTuple):
    """Checks, steps and back-out of one kind of change."""

    when: str
    checks: tuple[str, ...]
    steps: tuple[str, ...]
    back_out: tuple[str, ...]


_TASKS: Final = Playbook(
    "at the next start of the channel initiator",
    ("31-bit storage of the channel initiator: each task takes some (CHI-TASKSTOR).",
     "DISPLAY CHINIT: tasks started and requested today."),
    ("ALTER QMGR.", "STOP CHINIT and START CHINIT in the next window."),
    ("ALTER QMGR with the old figure; restart the channel initiator.",),
)  # fmt: skip

_INSTANCES: Final = Playbook(
    "at once, for instances that start",
    (
        "DISPLAY CHSTATUS: CONNAME and RAPPLTAG; all of the instances are meant to be there.",
        "MaxActiveChannels and MaxChannels of qm.ini allow as many beside the other channels.",
    ),
    ("ALTER CHANNEL.", "DISPLAY CHANNEL MAXINST MAXINSTC has the new figure."),
    ("ALTER CHANNEL with the old figure; instances above it go on until they end.",),
)

PLAYBOOKS: Final[dict[str, Playbook]] = {
    "logs": Playbook(
        "while the queue manager runs; old logs are taken out at its next stop",
        (
            "DISPLAY LOG: offload is available, no full logs wait; COPY of the current logs.",
            "Print the log map (CSQJU004) and keep it: names, ranges and number of all logs.",
            ("The volumes have the space; alias and storage class rules place the new names. Give "
            "a storage class instead of VOLUMES where SMS places the logs."),
            "No new name exists already, and none, .DATA included, has more than 44 characters.",
            "Archive data sets (CSQ6ARVP PRIQTY, SECQTY) hold one log of the new size.",
        ),
        (
            "Define the clusters (IDCAMS).",
            ("Format each new data set (CSQJUFMT); never one that a queue manager has in use or "
            "that a BSDS lists: its data would be lost."),
            ("DEFINE LOG for each, both copies alternately; from the z/OS console if the queue "
            "manager already waits for log space."),
            "DISPLAY LOG and print the log map again: all new logs are listed there as NEW.",
        ),
        (
            ("A new log that was not used yet: stop the queue manager, CSQJU003 DELETE DSNAME=, "
            "then IDCAMS DELETE of the cluster."),
            "A new log that was used: wait until it is archived and reusable, then the same.",
            ("Old logs that were deleted from the BSDS: CSQJU003 NEWLOG DSNAME=...,COPY1 (COPY2) "
            "brings the data set back as long as it exists; keep it until the change is accepted."),
        ),
    ),
    "log_compression": Playbook(
        "while the queue manager runs",
        (
            "CPU of the queue manager at the peak, and how well the message data compresses.",
            "Every member that may recover this log has a version that reads compressed records.",
        ),
        ("SET LOG.", "Compare log bytes per message and CPU over one peak.",
         "COMPLOG in CSQ6LOGP, so that it holds after a restart."),
        ("SET LOG COMPLOG(NONE); records that are compressed already stay readable.",),
    ),
    "buffers": Playbook(
        "while the queue manager runs, at a quiet hour",
        (
            "DISPLAY USAGE TYPE(PAGESET): buffers, LOCATION and PAGECLAS of the pool today.",
            "LOCATION(BELOW) takes 500,000 buffers at most; more needs LOCATION(ABOVE).",
            ("Real storage of the LPAR covers the growth; MEMLIMIT of the queue manager when the "
            "pool is above the bar, the 31-bit region when below."),
        ),
        (("ALTER BUFFPOOL; wait for CSQP023I, which says how many buffers there are: fewer than "
         "asked for means that storage did not suffice."),
         "The same figure in CSQINP1, so that it holds after a restart."),
        (("ALTER BUFFPOOL with the old figure; after a large reduction restart the queue manager "
         "soon, because of fragmented storage."),
         "The old figure in CSQINP1."),
    ),
    "structure_kib": Playbook(
        "while the sysplex runs, at a quiet hour",
        (
            ("D XCF,STR,STRNAME= and D CF: size today, and free space in every CF of the "
            "preference list, in both of them when duplexed."),
            ("Print the policy (DATA TYPE(CFRM) REPORT(YES)) and keep it: DEFINE POLICY replaces "
            "all of it, so the job must hold every CF and every structure."),
            "CSQE121I of a recent BACKUP CFSTRUCT.",
        ),
        ("Change the policy under a new name (IXCMIAPU).",
         "Start the policy.",
         "Alter the structure up to its new SIZE, or rebuild it where the size is still pending.",
         "D XCF,STR: the new size is allocated and no policy change is pending."),
        ("Start the old policy, whose name is still there; rebuild the structure.",),
    ),
    "maxchl": Playbook(
        "attribute at once; it counts from the next start of the channel initiator on",
        (
            "CSQX004I: 31-bit storage for that many channels (CHI-MAXCH) stays below 80 %.",
            "DISPLAY CHINIT: channels current and active against their limits today.",
            "TCP/IP: sockets and ports for as many connections.",
        ),
        ("ALTER QMGR.", "STOP CHINIT and START CHINIT in the next window."),
        ("ALTER QMGR MAXCHL with the old figure; restart the channel initiator.",),
    ),
    "memlimit_gib": Playbook(
        "at the next start of the channel initiator",
        (
            "Real and auxiliary storage back the figure; dump data sets hold the larger space.",
            "IEFUSI, SMFPRMxx and SMFLIMxx do not set another MEMLIMIT.",
        ),
        ("Change the EXEC statement of the started task.",
         "STOP CHINIT and START CHINIT; channels stop for that time.",
         "CSQX004I: free above the bar has grown."),
        ("The old EXEC statement; restart the channel initiator.",),
    ),
    "outbuff_kb": Playbook(
        "at the next restart of the queue manager",
        ("DISPLAY LOG: OUTBUFF today.", "31-bit storage of the queue manager covers the growth."),
        ("Assemble and link the system parameter module under a new name.",
         "START QMGR names the new module at the next restart; DISPLAY LOG."),
        ("START QMGR with the old module.",),
    ),
    "page_set": Playbook(
        "with the queue manager stopped",
        (
            "DISPLAY USAGE: pages in use, extents, EXPAND; the new data set is not smaller.",
            "STOP QMGR ended normally; the page set is backed up together with BSDS and logs.",
            "Data class with extended addressability where the new size is 4 GiB or more.",
        ),
        ("Define the cluster (IDCAMS).",
         "FORMAT the new data set and COPYPAGE the old one into it (CSQUTIL).",
         "Point the DD statement of the started task at the new data set.",
         "START QMGR; DISPLAY USAGE shows the new total."),
        ("Until the queue manager is started with the new data set: the old DD statement.",
         ("After that: the old data set lacks what was put since; go back by restoring the backup "
         "and recovering from the log.")),
    ),
    "maxarch": Playbook(
        "while the queue manager runs, from its next offload on",
        ("DISPLAY LOG: MAXARCH today.",
         "Archive data sets of that age still exist: their retention (ARCRETN) and the catalog.",
         "The BSDS has room for as many entries (CSQJU004)."),
        ("SET LOG MAXARCH.", "MAXARCH in CSQ6LOGP, so that it holds after a restart."),
        ("SET LOG with the old figure; entries over it leave the BSDS at the next offload.",),
    ),
    "smds_buffers": Playbook(
        "while the queue manager runs",
        ("DISPLAY USAGE TYPE(SMDS): buffers, waits, lowest free of this structure.",
         "64-bit storage of the queue manager: buffers x DSBLOCK."),
        ("ALTER SMDS.", "DISPLAY USAGE TYPE(SMDS) over one peak: no more waits."),
        ("ALTER SMDS with DSBUFS(DEFAULT) or the old figure.",),
    ),
    "smds_size_pct": Playbook(
        "while the queue manager runs; a data set expands when it is nearly full",
        ("DISPLAY CFSTRUCT DSEXPAND and DISPLAY SMDS: what counts today.",
         "The volumes have the space; the data set has a secondary allocation (LISTCAT)."),
        ("ALTER SMDS.", "DISPLAY USAGE TYPE(SMDS) over one peak: it has become larger."),
        ("ALTER SMDS with DSEXPAND(DEFAULT); a data set stays as large as it is.",),
    ),
    "sharecnv": Playbook(
        "for each connection as its client connects again",
        ("CURSHCNV of DISPLAY CHSTATUS is 1: the clients share no connection.",
         "No client needs heartbeats in both directions, read-ahead or asynchronous consumption."),
        ("ALTER CHANNEL, one definition first.",
         "STOP CHANNEL and START CHANNEL, or let the clients connect again.",
         "CSQX004I over one peak: less 31-bit storage is used."),
        ("ALTER CHANNEL with the old SHARECNV; the clients connect again.",),
    ),
    "batch_interval_ms": Playbook(
        "for each channel at its next start",
        ("The applications accept that a message waits that long.",
         "BATCHSZ leaves room for larger batches; XBATCHSZ of DISPLAY CHSTATUS today."),
        ("ALTER CHANNEL.", "STOP CHANNEL and START CHANNEL at a quiet hour.",
         "XBATCHSZ over one peak."),
        ("ALTER CHANNEL with BATCHINT(0) or the old figure; restart the channel.",),
    ),
    "adapters": Playbook(
        "at the next start of the channel initiator",
        ("31-bit storage of the channel initiator: 150 KB for each adapter (CHI-TASKSTOR).",
         "DISPLAY CHINIT: adapters started and requested today."),
        ("ALTER QMGR.", "STOP CHINIT and START CHINIT in the next window."),
        ("ALTER QMGR CHIADAPS with the old figure; restart the channel initiator.",),
    ),
    "dispatchers": _TASKS,
    "ssltasks": _TASKS,
    "processes": Playbook(
        "at once; before the channel initiator starts again",
        ("D OMVS,LIMITS and D OMVS,O: limits today, and their highest use.",
         "The user id of the channel initiator has no limit of its own in its OMVS segment."),
        ("SETOMVS.", "The same figure in BPXPRMxx."),
        ("SETOMVS with the old figure, not below what is in use.",),
    ),
    "log_primary_files": Playbook(
        "at the next start of the queue manager",
        (
            "DISPLAY QMSTATUS LOG: LOGPRIM, LOGSEC, LOGEXTSZ and LOGTYPE today.",
            "The file system of the log has the space of all files, of every instance.",
            "Containers: the setting of the operator or an INI fragment instead of the file.",
        ),
        ("Change the Log stanza of qm.ini.", "endmqm -w and strmqm in the next window.",
         "DISPLAY QMSTATUS LOG: LOGPRIM has the new figure."),
        ("The old figure in qm.ini, and a restart.",),
    ),
    "max_channels": Playbook(
        "at the next start of the queue manager",
        (
            "MaxActiveChannels, where qm.ini has it, allows as many; so do MAXINST and MAXINSTC.",
            "mqconfig: processes, threads and open files of the host allow as many.",
            "DISPLAY CHSTATUS(*): who connects, and whether all of them are meant to.",
        ),
        ("Change the Channels stanza of qm.ini.", "endmqm -w and strmqm in the next window."),
        ("The old figure in qm.ini, and a restart.",),
    ),
    "max_depth": Playbook(
        "at once",
        (
            "DISPLAY QSTATUS: CURDEPTH, IPPROCS, MSGAGE; what should get the messages runs.",
            "The queue file (CURMAXFS) and its file system have room for as many messages.",
        ),
        ("ALTER QLOCAL.", "DISPLAY QLOCAL MAXDEPTH, QDEPTHHI: the event keeps its sense."),
        ("ALTER QLOCAL with the old figure; messages above it stay on the queue.",),
    ),
    "max_file_mib": Playbook(
        "at once; where the block size changes, when the queue is empty",
        ("DISPLAY QSTATUS: CURFSIZE and CURMAXFS today.",
         "The file system has room for a file of that size."),
        ("ALTER QLOCAL.", "DISPLAY QSTATUS: CURMAXFS is the new figure; AMQ7493: it waits."),
        ("ALTER QLOCAL with the old figure, not below CURFSIZE.",),
    ),
    "max_instances": _INSTANCES,
    "max_client_instances": _INSTANCES,
    "file_system_pct": Playbook(
        "as the storage allows; on an IBM MQ Appliance with the queue manager ended",
        ("df: size and use today, and what else is in the file system.",
         "Native HA, RDQM and standby hosts: every copy grows."),
        ("Extend the volume and the file system.", "df shows the new size."),
        ("None: file systems are not made smaller in place.",),
    ),
    "mqm_mb": Playbook(
        "at the next IPL of the z/TPF system (ours, in no document that was read)",
        (
            "ZMQSC DISPLAY QMGR: Total MQM, In Use MQM, HW In Use Count MQM, MQMSWPL and MQMSWPT.",
            "The system has the memory beside what else uses it.",
        ),
        ("Define the MQM with the means of the site.", "IPL in the next window.",
         "ZMQSC DISPLAY QMGR: Total MQM has the new figure; the high-water mark begins anew."),
        ("The old figure, and another IPL.",),
    ),
}  # fmt: skip
