//MQCAP    JOB (ACCT),'MQCAP CAPTURE',CLASS=A,MSGCLASS=H
//* Capture of IBM MQ on z/OS: a copy of SMF records, and DISPLAY commands.
//* It changes nothing: OPTIONS(DUMP) copies and does not clear.
//* Put your names in place of CSQ1, HLQ, SYS1.MAN1 and MQ.SCSQ*.
//*
//* SMF: 115 and 116 of MQ, 74 subtypes 4 (structures) and 5 (cache).
//* Transfer in binary with record lengths (FTP: binary, quote site rdw).
//SMF      EXEC PGM=IFASMFDP
//SYSPRINT DD SYSOUT=*
//DUMPIN   DD DISP=SHR,DSN=SYS1.MAN1
//DUMPOUT  DD DISP=(NEW,CATLG),DSN=HLQ.MQCAP.SMF,UNIT=SYSDA,
//            SPACE=(CYL,(500,500),RLSE),DCB=(RECFM=VBS,LRECL=32760)
//SYSIN    DD *
  INDD(DUMPIN,OPTIONS(DUMP))
  OUTDD(DUMPOUT,TYPE(74(4,5),115,116))
/*
//* What is configured: for mqcap estate discover. Transfer as text.
//DISPLAY  EXEC PGM=CSQUTIL,PARM='CSQ1'
//STEPLIB  DD DISP=SHR,DSN=MQ.SCSQANLE
//         DD DISP=SHR,DSN=MQ.SCSQAUTH
//SYSPRINT DD SYSOUT=*
//SYSIN    DD *
  COMMAND DDNAME(CMDS)
/*
//CMDS     DD *
  DISPLAY QMGR ALL
  DISPLAY SYSTEM
  DISPLAY LOG
  DISPLAY ARCHIVE
  DISPLAY USAGE TYPE(ALL)
  DISPLAY CHINIT
  DISPLAY GROUP
/*
