#!/bin/sh
# The store has a database and a role of its own beside Airflow's; runs when the volume is new.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$STORE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
CREATE ROLE mqcap LOGIN PASSWORD :'password';
CREATE DATABASE mqcap OWNER mqcap;
REVOKE CONNECT ON DATABASE airflow, mqcap FROM PUBLIC;
SQL
