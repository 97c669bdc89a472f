"""One small input of each kind about distributed queue managers, as text."""

import json
from collections.abc import Mapping
from typing import Final

from mqcap.ingest.amqsrua.source import HEADER as AMQSRUA
from tests.mqcap.ingest.error_log.test_records import TEXT as ERROR_LOG
from tests.mqcap.ingest.mq_json.test_source import record
from tests.mqcap.ingest.mq_statistics.test_messages import PRINTED as MONITOR
from tests.mqcap.ingest.mq_statistics.test_messages import printed
from tests.mqcap.ingest.omegamon.test_source import row, text
from tests.mqcap.ingest.prometheus.answers import answer, series
from tests.mqcap.ingest.ztpf.spooled import display, stamp, sweep, table
from tests.mqcap.ingest.ztpf.spooled import row as of_table

_PUBLICATION: Final = (
    "Publication received PutDate:20260709 PutTime:0000{}000 Interval:10.000 seconds\n"
    "Log - current primary space in use 150.82% \n"
    "Log - physical bytes written 917504 15291/sec\n"
)
_CAPTURE: Final = (
    "QMNAME(QM1)  STATUS(RUNNING) NOW(2026-07-09T0{}:00:00+0000)\n"
    "AMQ8705I: x\n   QMNAME(QM1) CONNS(42)\n   LOGINUSE(13) DESCR(a (b) c)\n"
    "AMQ8450I: x\n   QUEUE(APP.IN)  CURDEPTH(7)\n"
)
_SCRAPE: Final = (
    "# captured 2026-07-09T00:0{}:00Z\n# TYPE ibmmq_queue_depth gauge\n"
    'ibmmq_queue_depth{{qmgr="QM1",queue="A"}} {}\n'
)
INPUTS: Final[Mapping[str, str]] = {
    "prometheus": json.dumps(answer(series(), series("ibmmq_queue_depth", queue="A"))),
    "exposition": "".join(_SCRAPE.format(minute, 7) for minute in range(5)),
    "mq_json": "\n".join(json.dumps(record(number)) for number in range(4)),
    "omegamon": text(*(row(number=number) for number in range(5))),
    "mq_display": "".join(_CAPTURE.format(hour) for hour in range(4)),
    "amqsrua": f"{AMQSRUA} QMGR(QM1) HOST(mq1)\n" + "".join(map(_PUBLICATION.format, "1234")),
    "mq_statistics": "\n".join(json.dumps(printed(), indent=1) for _ in range(3)),
    "ztpf": "".join(stamp(n) + display() + sweep(f"0{n}.40.27") for n in range(4)),
    "error_log": ERROR_LOG * 3,
    "qm_ini": "# mqcap qm.ini QMGR(QM1) HOST(mq1) NOW(2026-03-14T00:00:00Z)\n"
    "Log:\n   LogPrimaryFiles=3\nChannels:\n   MaxChannels=500\n",
    "site_figures": "subject,figure,time,value,unit\n"
    + "".join(f"EAST/mq1,a,2026-07-09T00:0{minute}:00Z,7.5,%\n" for minute in range(4)),
    "site_answers": json.dumps(answer(series("", subject="EAST/mq1", figure="a"))),
}
"""By name of the source."""
OTHER_SHAPES: Final[Mapping[str, tuple[str, ...]]] = {
    "mq_statistics": (MONITOR,),
    "site_figures": (
        '{"subject": "EAST/mq1", "figure": "a", "time": "2026-07-09T00:05:00Z", "value": 1}\n',
    ),
    "ztpf": (table(of_table()), sweep()),
    "error_log": (
        '{"ibm_messageId": "AMQ7463E", "ibm_datetime": "2026-03-14T03:00:11Z"}\n',
        "2026-03-14T03:00:11.501Z AMQ9513E: Maximum reached.\n",
    ),
}
