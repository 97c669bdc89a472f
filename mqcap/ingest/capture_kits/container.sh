#!/bin/sh
# Capture of IBM MQ in containers, or of any queue manager whose metrics are in Prometheus.
# It asks Prometheus for the last day, and reads qm.ini and the log of one container; it changes nothing.
#
#   PROM=http://prometheus:9090 SCRAPE=60 sh mqcap-container.sh FOLDER [QMGR POD]...
#
# once a day. SCRAPE is the scrape interval in seconds, and scrape_seconds of the site. Credentials of
# Prometheus belong into ~/.netrc; those of the cluster into the configuration of kubectl (KUBECTL
# names another command with the same subcommands, such as podman).
set -u
folder=${1:?"usage: PROM=... sh mqcap-container.sh FOLDER [QMGR POD]..."}
shift
prometheus=${PROM:?"set PROM to the address of Prometheus, such as http://prometheus:9090"}
step=${SCRAPE:-60}
kubectl=${KUBECTL:-kubectl}
umask 077
mkdir -p "$folder" || exit 1
day=$(date -u +%Y%m%d)
end=$(date -u +%s)
end=$((end - end % step))
hours=24
# an answer has at most 11,000 samples of a series
while [ $((hours * 3600 / step)) -gt 10000 ]; do hours=$((hours / 2)); done

now() { date +%Y-%m-%dT%H:%M:%S%z; }

begin=$((end - 86400))
while [ "$begin" -lt "$end" ]; do
    last=$((begin + hours * 3600))
    curl -fsSG --netrc-optional "$prometheus/api/v1/query_range" \
        --data-urlencode 'query={__name__=~"ibmmq_(@NAMES@)"}' \
        --data-urlencode "start=$begin" --data-urlencode "end=$last" --data-urlencode "step=$step" \
        -o "$folder/prometheus-$begin.json"
    begin=$last
done

while [ $# -ge 2 ]; do
    name=$(printf %s "$1" | sed 's/%/%25/g; s,/,%2F,g')
    {
        printf '# mqcap qm.ini QMGR(%s) HOST(%s) NOW(%s)\n' "$1" "$2" "$(now)"
        $kubectl exec "$2" -- cat "/var/mqm/qmgrs/$1/qm.ini" |
            awk '/^[A-Za-z][A-Za-z0-9]*:/ { keep = ($0 ~ /^(Log|Channels|TuningParameters):/) } keep'
    } > "$folder/qm-$name-$day.ini"
    {
        printf '# mqcap errorlog QMGR(%s) HOST(%s)\n' "$1" "$2"
        $kubectl logs --since=25h "$2"
    } > "$folder/errorlog-$name-$day.log"
    shift 2
done
exit 0
