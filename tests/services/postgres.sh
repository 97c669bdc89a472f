#!/bin/sh
# Stand-in for the entrypoint of the official image of PostgreSQL, with what docker/compose.yaml uses of it.
set -eu
as() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }
install --directory --owner postgres --mode 700 "$PGDATA"
install --directory --owner postgres --mode 3777 /run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo "$POSTGRES_PASSWORD" > /tmp/password
  as initdb --username "$POSTGRES_USER" --pwfile /tmp/password --locale C.UTF-8 --auth-local trust --auth-host scram-sha-256
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  as pg_ctl --options "-c listen_addresses=" --wait start
  as createdb --username "$POSTGRES_USER" "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*.sh; do . "$script"; done
  as pg_ctl --mode fast --wait stop
fi
exec setpriv --reuid postgres --regid postgres --clear-groups postgres -c "listen_addresses=*"
