#!/bin/bash
# Creates the owner of the database and the database, once, when the PostgreSQL container initializes
# its volume. The owner is not a superuser. It migrates the schema and may create roles, which a
# migration needs for the restricted role `kissi_app` and for the login of the service.
set -euo pipefail
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
\getenv password KISSI_DATABASE_PASSWORD
create role kissi login createrole password :'password';
create database kissi owner kissi;
SQL
