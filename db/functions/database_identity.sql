-- Returns what distinguishes this database from every copy of it, as a text that never changes while nothing
-- can be lost: the cluster and its timeline (a promoted replica has another one), the database, and a mark
-- that a crash or promotion removes. A managed service may not permit reading the cluster.
CREATE OR REPLACE FUNCTION database_identity() RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  cluster text;
BEGIN
  BEGIN
    SELECT concat(system_identifier, '/', left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) INTO cluster
    FROM pg_control_system();
  EXCEPTION WHEN insufficient_privilege OR undefined_function OR feature_not_supported THEN
    cluster := '-';
  END;
  RETURN concat_ws('/', cluster, (SELECT oid FROM pg_database WHERE datname = current_database()),
                   coalesce((SELECT id::text FROM database_marks LIMIT 1), '-'));
END $$;
