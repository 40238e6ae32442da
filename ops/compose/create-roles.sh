#!/bin/sh
# Runs once, when the database server of compose.yaml is created (docs/operations.md#database-roles).
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set owner_password="$OWNER_PASSWORD" --set service_password="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE holdfast_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE holdfast_service LOGIN PASSWORD :'service_password';
CREATE DATABASE holdfast OWNER holdfast_owner;
SQL
