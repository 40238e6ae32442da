import type { QueryRunner } from 'typeorm';

/**
 * Gives a role what the service needs to run (docs/guides/install.md#database-roles): all rows of all tables,
 * except that audit log entries can only be read and added, and the audit log's chain only read. Replaces
 * earlier grants. Must run in a transaction as the owner of the tables. Throws if the role does not exist.
 */
export async function grantToService(runner: QueryRunner, role: string): Promise<void> {
  const [found] = await runner.query(
    `SELECT format('%I', rolname) AS name, rolname = current_user AS is_owner FROM pg_roles
      WHERE rolname = $1`,
    [role],
  );
  if (!found) throw new Error(`The role "${role}" of DATABASE_URL does not exist: create it with LOGIN.`);
  if (found.is_owner)
    throw new Error('DATABASE_URL has the role of DATABASE_OWNER_URL: give the service a separate role.');
  const { name } = found;
  await runner.query(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${name}`);
  await runner.query(`GRANT USAGE ON SCHEMA public TO ${name}`);
  await runner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
  await runner.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`);
  await runner.query(`REVOKE UPDATE, DELETE ON audit_log FROM ${name}`);
  await runner.query(`REVOKE INSERT, UPDATE, DELETE ON audit_links FROM ${name}`);
  await runner.query(`REVOKE INSERT, UPDATE, DELETE ON migrations FROM ${name}`);
}
