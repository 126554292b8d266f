#!/bin/sh
# Run once by the database's image, after its own set-up: the role that the service connects as. Migrations give it its
# rights. The password goes through psql's quoting, whatever characters it has.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --set password="$SKEIN_SERVICE_PASSWORD" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE skein_service LOGIN PASSWORD :'password';
SQL
