-- Gives Temporal its own database role in a server that an earlier compose.yaml created, where its databases
-- belong to postgres (docs/operations.md#containers). Run it in psql as postgres, with the variable
-- `password`. It can be repeated.
\set ON_ERROR_STOP on
SELECT 'CREATE ROLE temporal LOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'temporal') \gexec
ALTER ROLE temporal PASSWORD :'password';
ALTER DATABASE temporal OWNER TO temporal;
ALTER DATABASE temporal_visibility OWNER TO temporal;
REVOKE CONNECT ON DATABASE holdfast, temporal, temporal_visibility FROM PUBLIC;
GRANT CONNECT ON DATABASE holdfast TO holdfast_owner, holdfast_service;
\connect temporal
SELECT format('ALTER TABLE %I.%I OWNER TO temporal', schemaname, tablename) FROM pg_tables
WHERE schemaname = 'public' \gexec
ALTER SCHEMA public OWNER TO temporal;
\connect temporal_visibility
SELECT format('ALTER TABLE %I.%I OWNER TO temporal', schemaname, tablename) FROM pg_tables
WHERE schemaname = 'public' \gexec
SELECT format('ALTER FUNCTION %s OWNER TO temporal', p.oid::regprocedure) FROM pg_proc p
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') \gexec
ALTER SCHEMA public OWNER TO temporal;
