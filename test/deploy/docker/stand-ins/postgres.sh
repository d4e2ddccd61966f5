#!/bin/sh
# What the entry point of the official image does, as far as docker-compose.yml needs it: the first time it makes the
# database, which then answers at its socket only.
set -eu
mkdir -p "$PGDATA"
chown -R postgres:postgres "$PGDATA"
mkdir -p /var/run/postgresql
chown postgres:postgres /var/run/postgresql
as_postgres() { su -s /bin/sh -c 'exec "$0" "$@"' -- postgres "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres:postgres /tmp/password
  as_postgres initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=/tmp/password \
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  as_postgres pg_ctl --pgdata="$PGDATA" --wait --options="-c listen_addresses=''" start
  as_postgres createdb --username="$POSTGRES_USER" "${POSTGRES_DB:-$POSTGRES_USER}"
  as_postgres pg_ctl --pgdata="$PGDATA" --wait --mode=fast stop
fi
exec su -s /bin/sh -c 'exec "$0" "$@"' -- postgres "$@" -D "$PGDATA" -c 'listen_addresses=*'
