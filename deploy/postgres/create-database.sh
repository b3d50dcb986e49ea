#!/bin/bash
# Creates the database user of the service and its database, once, when the PostgreSQL container
# initializes its volume. The user is not a superuser: it owns the database and may create roles, which
# the service needs for the restricted role `kissi_app`.
set -euo pipefail
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
\getenv password KISSI_DATABASE_PASSWORD
create role kissi login createrole password :'password';
create database kissi owner kissi;
SQL
