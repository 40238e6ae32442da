import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import test from 'ava';
import { runMigrations } from '../../db/run-migrations.js';
import { prepareServiceRole } from '../../dev/launcher/service-role.js';
import { db, dev } from '../support/stack.js';
import { newPlace, withScratchDatabase, withServiceRole } from '../support/scratch-database.js';

/** The SQLSTATE of a refused statement; null if it is not refused. */
const refusalState = (database: DataSource, sql: string, params: unknown[] = []): Promise<string | null> =>
  database.query(sql, params).then(
    () => null,
    (error) => error.driverError.code,
  );

const DENIED = '42501';

test('the service role adds entries to the audit log, and cannot change or delete them', async (t) => {
  await withServiceRole(async (service, owner) => {
    const { workspace_id } = await newPlace(owner);
    const details = { before: { name: 'Grace', tier: 'pro' }, tags: ['a', { b: 1 }] };
    const [{ id }] = await service.query(
      `INSERT INTO audit_log (workspace_id, action, actor, object, details)
       VALUES ($1, 'member.updated', '{"system": "test"}', 'mem_1', $2) RETURNING id`,
      [workspace_id, JSON.stringify(details)],
    );
    for (const sql of [
      `UPDATE audit_log SET details = '{}'`,
      `DELETE FROM audit_log`,
      `TRUNCATE audit_log`,
      `UPDATE audit_links SET salt = NULL`,
      `DELETE FROM audit_links`,
      `INSERT INTO audit_links SELECT * FROM audit_links`,
      `DROP TABLE audit_log`,
      `ALTER TABLE audit_log DISABLE TRIGGER ALL`,
      `CREATE OR REPLACE FUNCTION erase_audit_entries(workspace text, by jsonb, entries jsonb) RETURNS void
        LANGUAGE sql AS ''`,
      `CREATE TABLE elsewhere ()`,
      `UPDATE migrations SET name = name`,
    ])
      t.is(await refusalState(service, sql), DENIED, sql);

    await service.query(`SELECT delete_old_audit_entries(now() + interval '1 day', 100)`);
    t.is(
      (await owner.query(`SELECT FROM audit_log`)).length,
      1,
      'no entry of the last three years is deleted',
    );

    const erase = (reduced: unknown) =>
      refusalState(service, `SELECT erase_audit_entries($1, '{"system": "test"}', $2)`, [
        workspace_id,
        JSON.stringify([{ id, details: reduced }]),
      ]);
    for (const changed of [
      { before: { name: 'Mallory', tier: 'pro' }, tags: ['a', { b: 1 }] },
      { before: { name: null }, tags: ['a', { b: 1 }] },
      { ...details, more: 1 },
      { ...details, tags: ['a'] },
      { ...details, tags: [{ b: 1 }, 'a'] },
      {},
      [],
      null,
    ])
      t.is(await erase(changed), DENIED, JSON.stringify(changed));
    const entries = () => owner.query(`SELECT action, details FROM audit_log ORDER BY id`);
    t.deepEqual(
      (await entries()).map((entry: { details: unknown }) => entry.details),
      [details],
    );
    const erased = { before: { name: null, tier: 'pro' }, tags: ['a', { b: null }] };
    t.is(await erase(erased), null);
    const [entry, erasure] = await entries();
    t.deepEqual(entry.details, erased);
    t.is(erasure.action, 'audit_log.erased', 'an erasure is an entry too');
    t.deepEqual(
      erasure.details.entries.map((each: { entry: number }) => each.entry),
      [Number(id)],
    );
    t.is(await erase(details), DENIED, 'what was erased does not come back');
  });
});

test('the service role reads and writes the rows of every other table, also of later tables', async (t) => {
  await withServiceRole(async (service, owner, ownerUrl) => {
    await owner.query(`CREATE TABLE of_a_later_release (id integer)`);
    const [{ usename }] = await service.query(`SELECT current_user AS usename`);
    await runMigrations(ownerUrl, usename);
    const denied = await service.query(
      `SELECT c.relname AS name, p AS privilege
        FROM pg_class c, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) p
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND NOT has_table_privilege(c.oid, p)
       ORDER BY 1, 2`,
    );
    t.deepEqual(
      denied.map(({ name, privilege }: Record<string, string>) => `${privilege} ${name}`),
      [
        'DELETE audit_links',
        'INSERT audit_links',
        'UPDATE audit_links',
        'DELETE audit_log',
        'UPDATE audit_log',
        'DELETE migrations',
        'INSERT migrations',
        'UPDATE migrations',
      ],
    );
  });
});

test('migrate refuses a service role that does not exist or is the owner', async (t) => {
  await withScratchDatabase(async (_, url) => {
    await t.throwsAsync(runMigrations(url, 'nobody_here'), {
      message: /^The role "nobody_here" .* does not exist/,
    });
    await t.throwsAsync(runMigrations(url, new URL(url).username), { message: /a separate role/ });
  });
});

test('without the right to create roles, the launcher lets the service run as the given role', async (t) => {
  const [name, password] = [`plain_${randomBytes(6).toString('hex')}`, 'secret'];
  await db.query(`CREATE ROLE ${name} LOGIN PASSWORD '${password}'`);
  try {
    const url = new URL(dev.databaseUrl);
    [url.username, url.password] = [name, password];
    t.is(await prepareServiceRole(url.href, { name: `${name}_service`, password }), null);
  } finally {
    await db.query(`DROP ROLE ${name}`);
  }
});

test("the stack's API and worker run as a role that cannot change the audit log", async (t) => {
  const roles: { name: string; owns: boolean; changes: boolean }[] = await db.query(
    `SELECT DISTINCT a.usename AS name, pg_has_role(a.usename, c.relowner, 'USAGE') AS owns,
            has_table_privilege(a.usename, c.oid, 'UPDATE, DELETE, TRUNCATE') AS changes
     FROM pg_stat_activity a, pg_class c
     WHERE a.datname = current_database() AND a.backend_type = 'client backend'
       AND c.oid = 'audit_log'::regclass AND a.usename <> current_user`,
  );
  t.deepEqual(
    roles.map(({ owns, changes }) => [owns, changes]),
    [[false, false]],
  );
  t.regex(roles[0]!.name, /^holdfast_service_/);
});
