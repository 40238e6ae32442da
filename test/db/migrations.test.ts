import test from 'ava';
import type { DataSource } from 'typeorm';
import { applyMigrations, openForMigrations, runMigrations } from '../../db/run-migrations.js';
import { until } from '../support/until.js';
import { ExampleIndex1999000000000 as Example } from './example-migration.js';
import { newPlace, reserve, withScratchDatabase } from '../support/scratch-database.js';

/** Tables, and functions with their parameters and results, of the schema, without those of extensions. */
async function objects(scratch: DataSource): Promise<string[]> {
  const rows: { name: string }[] = await scratch.query(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
     UNION ALL
     SELECT p.oid::regprocedure || ' ' || pg_get_function_result(p.oid) FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

test('migrations run, revert and run again, and a revert leaves nothing behind', async (t) => {
  await withScratchDatabase(async (scratch, url) => {
    const up = await objects(scratch);
    t.true(up.includes('slot_claims'));
    t.true(up.some((name) => name.startsWith('authenticate_one(')));
    const migrating = await openForMigrations(url);
    const times = migrating.migrations.map(({ constructor }) => Number(constructor.name.slice(-13)));
    t.is(new Set(times).size, times.length, 'no two migrations are of the same time');
    for (const _ of migrating.migrations) await migrating.undoLastMigration({ transaction: 'none' });
    t.deepEqual(await objects(scratch), []);
    t.true(await migrating.showMigrations(), 'there are migrations to run');
    await migrating.destroy();
    await runMigrations(url);
    t.deepEqual(await objects(scratch), up);
    t.deepEqual(await runMigrations(url), [], 'a second run has nothing to do');
    t.truthy(await reserve(scratch, await newPlace(scratch)));
  });
});

test('a migration that waits for a lock lets others through, and runs once the lock is free', async (t) => {
  await withScratchDatabase(async (scratch, url) => {
    const { workspace_id } = await newPlace(scratch);
    const migrating = await openForMigrations(url, [Example]);
    const holder = scratch.createQueryRunner();
    await holder.startTransaction();
    const insert = `INSERT INTO idempotency_keys VALUES ($1, $2, '\\x00', 'inv_1')`;
    await holder.query(insert, [workspace_id, 'held']);
    let done = false;
    const migrated = applyMigrations(migrating).then(() => (done = true));
    const isWaiting = async (): Promise<boolean> =>
      (
        await scratch.query(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'idempotency_keys'::regclass`,
        )
      ).length > 0;
    await until(isWaiting);
    await scratch.query(insert, [workspace_id, 'behind']);
    t.false(done);
    await holder.commitTransaction();
    await holder.release();
    t.true(await migrated);
    t.deepEqual(await scratch.query('SELECT name FROM migrations ORDER BY id DESC LIMIT 1'), [
      { name: Example.name },
    ]);
    await migrating.destroy();
  });
});

test('migrate replaces functions with any kind of change, and drops functions without a file', async (t) => {
  await withScratchDatabase(async (scratch, url) => {
    const expected = await objects(scratch);
    await scratch.query(
      `CREATE FUNCTION removed_from_the_folder() RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
    );
    // Another body, another result, other parameters: as an older release may have left them.
    await scratch.query(`CREATE OR REPLACE FUNCTION address_bucket(address inet) RETURNS text
      LANGUAGE sql IMMUTABLE
      AS $$ SELECT '' $$`);
    await scratch.query(`DROP FUNCTION lock_rate_limit_bucket`);
    await scratch.query(
      `CREATE FUNCTION lock_rate_limit_bucket(bucket text) RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
    );
    await scratch.query(`ALTER FUNCTION find_caller RENAME TO old_find_caller`);
    await scratch.query(
      `CREATE FUNCTION find_caller(token bytea) RETURNS integer LANGUAGE sql AS 'SELECT 1'`,
    );
    await runMigrations(url);
    t.deepEqual(await objects(scratch), expected);
    const [{ bucket }] = await scratch.query(`SELECT address_bucket('2001:db8::1') AS bucket`);
    t.is(bucket, '2001:db8::/64');
  });
});
