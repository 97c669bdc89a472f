#!/bin/sh
# Java needs a name for its user: a numeric one of group 0 gets one, then the command runs.
set -eu
if ! getent passwd "$(id -u)" > /dev/null; then
  if ! echo "mqcap-$(id -u):x:$(id -u):0::/home/mqcap:/bin/sh" >> /etc/passwd; then
    echo "error: user $(id -u) has no name in /etc/passwd, and group $(id -g) may not add one: run as group 0, or as user 50000" >&2
    exit 1
  fi
  export HOME=/home/mqcap
fi
exec "$@"
