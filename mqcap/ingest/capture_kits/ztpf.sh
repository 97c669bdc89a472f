#!/bin/sh
# Capture of z/TPF: puts the stamp in front of displays and console lines that the operator server
# hands over on its standard input; it sends nothing to z/TPF.
#
#   ... | sh mqcap-ztpf.sh FOLDER TPF1 display      the answer of ZMQSC DISPLAY QMGR, every 15 minutes
#   ... | sh mqcap-ztpf.sh FOLDER TPF1 console      console lines of a day (MQSC0801I), from midnight on
#
# The stamp has the offset of this host, whose clock must be that of the system.
set -u
folder=${1:?"usage: sh mqcap-ztpf.sh FOLDER SYSTEM display|console"}
system=${2:?"the name of the system as in the settings, such as TPF1"}
kind=${3:?"display or console"}
umask 077
mkdir -p "$folder" || exit 1
day=$(date +%Y%m%d)
case $kind in
display)
    file="$folder/zmqsc-$system-$day.txt"
    {
        printf 'NOW(%s) SYSTEM(%s)\n' "$(date +%Y-%m-%dT%H:%M:%S%z)" "$system"
        cat
    } >> "$file"
    ;;
console)
    file="$folder/console-$system-$day.txt"
    [ -e "$file" ] ||
        printf 'NOW(%s) SYSTEM(%s)\n' "$(date +%Y-%m-%dT00:00:00%z)" "$system" > "$file"
    grep '^MQSC[0-9]\{4\}[IWE] ' >> "$file"
    ;;
*)
    echo "display or console, not $kind" >&2
    exit 1
    ;;
esac
exit 0
