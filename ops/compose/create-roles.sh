#!/bin/sh
# Runs once, when the database server of compose.yaml is created (docs/guides/install.md#database-roles).
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set owner_password="$OWNER_PASSWORD" --set service_password="$SERVICE_PASSWORD" \
  --set temporal_password="$TEMPORAL_PASSWORD" <<'SQL'
CREATE ROLE holdfast_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE holdfast_service LOGIN PASSWORD :'service_password';
CREATE DATABASE holdfast OWNER holdfast_owner;
REVOKE CONNECT ON DATABASE holdfast FROM PUBLIC;
GRANT CONNECT ON DATABASE holdfast TO holdfast_service;
CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE CONNECT ON DATABASE temporal FROM PUBLIC;
REVOKE CONNECT ON DATABASE temporal_visibility FROM PUBLIC;
SQL
