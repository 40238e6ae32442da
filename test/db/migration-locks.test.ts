import { readFileSync } from 'node:fs';
import test from 'ava';
import { findLongLocks, laterMigrations, sqlOf } from './migration-locks.js';

test('no migration locks a table that is in use for long', (t) => {
  t.deepEqual(
    laterMigrations().flatMap(([, source]) => findLongLocks(sqlOf(source))),
    [],
  );
});

test('the SQL of a migration is found in its source', (t) => {
  const sql = sqlOf(readFileSync('test/db/example-migration.ts', 'utf8'));
  t.regex(sql, /CREATE INDEX idempotency_keys_example/);
  t.notRegex(sql, /DROP INDEX/);
  t.is(findLongLocks(sql).length, 1);
});

for (const sql of [
  'CREATE INDEX a ON bookings (x)',
  'CREATE UNIQUE INDEX a ON bookings (x)',
  'DROP INDEX a',
  'ALTER TABLE bookings ADD CONSTRAINT a CHECK (x > 0)',
  'ALTER TABLE bookings ADD CONSTRAINT a FOREIGN KEY (x) REFERENCES rooms',
  'ALTER TABLE bookings ADD UNIQUE (x)',
  'ALTER TABLE bookings ADD x integer CHECK (x > 0)',
  'ALTER TABLE bookings ADD x uuid REFERENCES rooms',
  'ALTER TABLE bookings ALTER COLUMN x TYPE bigint',
  'ALTER TABLE bookings ALTER x SET NOT NULL',
  'ALTER TABLE bookings ADD x integer GENERATED ALWAYS AS (y + 1) STORED',
  'ALTER TABLE bookings ADD x uuid DEFAULT gen_random_uuid()',
  'UPDATE bookings SET x = 1',
  'LOCK TABLE bookings',
])
  test(`refused: ${sql}`, (t) => t.is(findLongLocks(sql).length, 1));

for (const sql of [
  'CREATE INDEX CONCURRENTLY a ON bookings (x)',
  'ALTER TABLE bookings ADD x integer',
  'ALTER TABLE bookings ADD x integer NOT NULL DEFAULT 0',
  'ALTER TABLE bookings ADD CONSTRAINT a CHECK (x > 0) NOT VALID',
  'ALTER TABLE bookings VALIDATE CONSTRAINT a',
  'ALTER TABLE bookings DROP x',
  'CREATE TABLE more (id text PRIMARY KEY, x integer CHECK (x > 0)); CREATE INDEX more_x ON more (x)',
])
  test(`accepted: ${sql}`, (t) => t.deepEqual(findLongLocks(sql), []));
