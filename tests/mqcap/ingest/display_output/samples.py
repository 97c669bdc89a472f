"""Answers in the forms of the product's messages, with made-up names."""

from typing import Final

DISPLAY_LOG: Final = """\
+CSQ1 DISPLAY LOG
CSQJ322I +CSQ1 DISPLAY LOG report ...
Parameter   Initial value          SET value
----------- ---------------------- ----------------------
INBUFF      60
OUTBUFF     400                    4000
MAXRTU      2
MAXARCH     500
TWOACTV     YES
TWOARCH     YES
TWOBSDS     YES
OFFLOAD     YES
WRTHRSH     20
DEALLCT     0
COMPLOG     NONE                   RLE
End of LOG report
CSQJ370I +CSQ1 LOG status report ...
Copy %Full zHyperWrite DSName
 1     68  NO          MQM.CSQ1.LOGCOPY1.DS03
 2     68  NO          MQM.CSQ1.LOGCOPY2.DS03
Restarted at 2026-10-04 03:12:09 using RBA=0000001A2B3C4000
Latest RBA=0000001A7FFF1234
Offload task is AVAILABLE
Full logs to offload - 1 of 16
CSQ9022I +CSQ1 CSQJC001 ' DISPLAY LOG' NORMAL COMPLETION
"""

DISPLAY_SYSTEM: Final = """\
CSQJ322I +CSQ1 DISPLAY SYSTEM report ...
Parameter   Initial value          SET value
----------- ---------------------- ----------------------
LOGLOAD     500000                 4000000
STATIME     30
TRACSTR     1
QSGDATA     (QSG1,DSNGRP,DBS1,4,4)
End of SYSTEM report
"""

DISPLAY_USAGE: Final = """\
CSQI010I +CSQ1 Page set usage ...
Page  Buffer      Total     Unused Persistent  NonPersist  Expansion
 set    pool      pages      pages data pages  data pages      count
_  0       0      20157      19837        320           0  USER    0
_  3       1     268542     102704         29      165809  SYSTEM  2
End of page set report
CSQP001I +CSQ1 Buffer pool 0 has 50000 buffers
CSQP001I +CSQ1 Buffer pool 1 has 20000 buffers
"""

DISPLAY_QMGR: Final = """\
CSQM201I +CSQ1 CSQMDRTC  DISPLAY QMGR DETAILS
QMNAME(CSQ1)
DESCR(Payments (the first) of two)
CHIADAPS(30) CHIDISPS(20)
MAXCHL(
  3000)
ACTCHL(2500)
QSGNAME(QSG1)
END QMGR DETAILS
"""

DISPLAY_CFSTATUS: Final = """\
CSQM293I +CSQ1 CSQMDRTC 1 CFSTRUCT FOUND MATCHING REQUEST CRITERIA
CSQM201I +CSQ1 CSQMDRTC  DIS CFSTATUS DETAILS
CFSTATUS(CSQ_ADMIN)
TYPE(SUMMARY)
CFTYPE(ADMIN)
STATUS(ACTIVE)
SIZEMAX(20480)
SIZEUSED(12)
ENTSMAX(20638)
ENTSUSED(47)
FAILTIME()
FAILDATE()
END CFSTATUS DETAILS
"""

BSDS_PRINT: Final = """\
1LOG MAP OF THE BSDS DATA SET BELONGING TO 'CSQ1 '
 DSNAME=MQM.CSQ1.BSDS01
 HIGHEST RBA WRITTEN      0000001A7FFF1234
 ACTIVE LOG COPY 1 DATA SETS
 START RBA/TIME/LRSN     END RBA/TIME/LRSN       DATE/LTIME   DATA SET INFORMATION
 --------------------    --------------------    ----------   --------------------
   0000001980000000        00000019FFFFFFFF      2025.301     DSN=MQM.CSQ1.LOGCOPY1.DS01
 2026.294  09:10:11.1    2026.294  10:12:31.9       10:31     STATUS=REUSABLE
   0000001A00000000        0000001A2B3C3FFF      2025.301     DSN=MQM.CSQ1.LOGCOPY1.DS02
 2026.294  10:12:31.9    2026.294  10:40:00.0       10:31     STATUS=TRUNCATED, REUSABLE
   0000001A2B3C4000        0000001AAB3C3FFF      2025.301     DSN=MQM.CSQ1.LOGCOPY1.DS03
 2026.294  10:40:00.0    ........  ..........       10:31     STATUS=NOTREUSABLE
 ACTIVE LOG COPY 2 DATA SETS
 START RBA/TIME/LRSN     END RBA/TIME/LRSN       DATE/LTIME   DATA SET INFORMATION
   0000001980000000        00000019FFFFFFFF      2025.301
                                                              DSN=MQM.CSQ1.LOGCOPY2.DS01
                                                              STATUS=REUSABLE
   0000000000000000        0000000000000000      2026.290     DSN=MQM.CSQ1.LOGCOPY2.DS02
                                                    11:02     STATUS=NEW
 ARCHIVE LOG COPY 1 DATA SETS
   0000001880000000        00000018FFFFFFFF      2026.293     DSN=MQM.CSQ1.ARCH1.A0000100
"""

STORAGE: Final = """\
CSQX004I +CSQ1 CSQXSTOR Channel initiator storage usage :- Local storage: used 212 MB,
free 1376 MB Above bar: used 254MB, free 1GB
"""

ALL: Final = {
    "log": DISPLAY_LOG,
    "system": DISPLAY_SYSTEM,
    "usage": DISPLAY_USAGE,
    "qmgr": DISPLAY_QMGR,
    "cfstatus": DISPLAY_CFSTATUS,
    "bsds": BSDS_PRINT,
    "storage": STORAGE,
}
