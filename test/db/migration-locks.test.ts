import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from '../support/suite.js';
import { findLongLocks, LAST_WITHOUT_DATA, sqlOf } from './migration-locks.js';

const FOLDER = 'db/migrations';

test('no migration locks a table that is in use for long', (t) => {
  const files = readdirSync(FOLDER).filter((file) => Number.parseInt(file) > LAST_WITHOUT_DATA);
  const found = files.flatMap((file) => findLongLocks(sqlOf(readFileSync(join(FOLDER, file), 'utf8'))));
  t.deepEqual(found, []);
});

test('the SQL of a migration is found in its source', (t) => {
  const file = '1795328600000-retention.ts';
  const sql = sqlOf(readFileSync(join(FOLDER, file), 'utf8'));
  t.regex(sql, /CREATE INDEX idempotency_keys_by_creation/);
  t.notRegex(sql, /DROP INDEX/);
  t.is(findLongLocks(sql).length, 2);
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
