#!/bin/sh
# Capture of IBM MQ on Linux, AIX or an appliance's client host: what mqcap reads of queue managers.
# It runs dspmq, dspmqinf and runmqsc with DISPLAY commands, and changes nothing.
#
#   sh mqcap-linux.sh FOLDER [QMGR...]
#
# as a user of group mqm, every 5 to 15 minutes (cron); without names all queue managers. Send the
# files of FOLDER to mqcap once a day; a file that is sent twice counts once.
set -u
folder=${1:?"usage: sh mqcap-linux.sh FOLDER [QMGR...]"}
shift
umask 077
mkdir -p "$folder" || exit 1
host=$(uname -n)
day=$(date -u +%Y%m%d)

now() { date +%Y-%m-%dT%H:%M:%S%z; }

# The data folder of a queue manager: DataPath, else Prefix and Directory of mqs.ini.
data_of() {
    dspmqinf -o stanza "$1" | awk '
        { sub(/^ +/, ""); at = index($0, "="); value[substr($0, 1, at - 1)] = substr($0, at + 1) }
        END { if ("DataPath" in value) print value["DataPath"]
              else if ("Prefix" in value) print value["Prefix"] "/qmgrs/" value["Directory"] }'
}

# Only stanzas with sizes and limits; others may hold passwords.
settings_of() {
    printf '# mqcap qm.ini QMGR(%s) HOST(%s) NOW(%s)\n' "$1" "$host" "$(now)"
    awk '/^[A-Za-z][A-Za-z0-9]*:/ { keep = ($0 ~ /^(Log|Channels|TuningParameters):/) } keep' "$2"
}

capture() {
    dspmq -n -m "$1" | sed "s/[[:space:]]*\$/ NOW($(now))/"
    runmqsc -e "$1" <<'MQSC'
DISPLAY QMSTATUS ALL
DISPLAY QLOCAL(*) MAXDEPTH MAXFSIZE USAGE DEFTYPE
DISPLAY QSTATUS(*) TYPE(QUEUE) CURDEPTH CURFSIZE CURMAXFS MSGAGE
DISPLAY CHSTATUS(*) STATUS
DISPLAY CHANNEL(*) TYPE(SVRCONN) MAXINST MAXINSTC
MQSC
    # instances of Native HA; nothing for other queue managers, an error before MQ 9.2
    dspmq -n -o nativeha -x -m "$1" 2>/dev/null | sed -n 's/^[[:space:]][[:space:]]*INSTANCE(/ INSTANCE(/p'
}

[ $# -gt 0 ] || {
    names=$(dspmq -n -o status | sed -n 's/^QMNAME(\([^)]*\)).*/\1/p')
    # names of queue managers have no blanks
    # shellcheck disable=SC2086
    set -- $names
}
for qmgr in "$@"; do
    name=$(printf %s "$qmgr" | sed 's/%/%25/g; s,/,%2F,g')
    capture "$qmgr" >> "$folder/mqdisplay-$name-$day.txt"
    data=$(data_of "$qmgr")
    [ -r "$data/qm.ini" ] && [ ! -e "$folder/qm-$name-$day.ini" ] &&
        settings_of "$qmgr" "$data/qm.ini" > "$folder/qm-$name-$day.ini"
    for number in 01 02 03; do
        log="$data/errors/AMQERR$number.LOG"
        [ -r "$log" ] && cp -p "$log" "$folder/AMQERR$number-$name.LOG"
    done
done
exit 0
