import { readFileSync } from 'node:fs';
import test from 'ava';
import { findBreaks, findSharedLocks, releasedIn } from './migration-compatibility.js';
import { laterMigrations, sqlOf } from './migration-locks.js';

const RELEASED = ['1.4.0'];

test('the previous release runs on the schema of every migration, and none holds two locks', (t) => {
  const released = releasedIn(readFileSync('CHANGELOG.md', 'utf8'));
  const found = laterMigrations().flatMap(([file, source]) => {
    const sql = sqlOf(source);
    return [...findBreaks(sql, released), ...findSharedLocks(source, sql)].map(
      (problem) => `${file}: ${problem}`,
    );
  });
  t.deepEqual(found, []);
});

test('released versions are those with a number in the changelog', (t) => {
  t.deepEqual(releasedIn('## Unreleased\n\n## [1.4.0] - 2027-01-01\n### Added\n## 1.3.0'), [
    '1.4.0',
    '1.3.0',
  ]);
});

for (const sql of [
  'ALTER TABLE bookings DROP x',
  'ALTER TABLE bookings DROP COLUMN x',
  'ALTER TABLE bookings ADD y text, DROP x',
  'DROP TABLE bookings',
  '-- unused since 1.5.0\nALTER TABLE bookings DROP x',
  'ALTER TABLE bookings RENAME x TO y',
  'ALTER TABLE bookings RENAME TO others',
  'ALTER TABLE bookings ADD x integer NOT NULL',
  'ALTER TABLE bookings ADD COLUMN x integer NOT NULL REFERENCES rooms',
  'ALTER TABLE bookings ALTER x DROP DEFAULT',
])
  test(`incompatible: ${sql}`, (t) => t.is(findBreaks(sql, RELEASED).length, 1));

for (const sql of [
  '-- unused since 1.4.0\nALTER TABLE bookings DROP x',
  'ALTER TABLE bookings DROP CONSTRAINT x',
  'ALTER TABLE bookings ALTER x DROP NOT NULL',
  'ALTER TABLE bookings ADD x integer',
  'ALTER TABLE bookings ADD x integer NOT NULL DEFAULT 0',
  'ALTER TABLE bookings ADD x integer DEFAULT 0 NOT NULL',
  'ALTER TABLE bookings ADD CONSTRAINT x CHECK (y IS NOT NULL) NOT VALID',
  'CREATE TABLE more (id text PRIMARY KEY, x integer NOT NULL)',
  'DROP INDEX CONCURRENTLY x',
])
  test(`compatible: ${sql}`, (t) => t.deepEqual(findBreaks(sql, RELEASED), []));

test('a transaction that locks two tables in use is refused, one that also creates a table is not', (t) => {
  const two = 'ALTER TABLE bookings ADD x integer;\nALTER TABLE rooms ADD x integer';
  t.deepEqual(findSharedLocks('', two), [
    'bookings, rooms: use a migration for each, or `transaction = false`',
  ]);
  t.deepEqual(findSharedLocks('transaction = false;', two), []);
  t.deepEqual(findSharedLocks('', 'CREATE TABLE rooms (id text);\nALTER TABLE rooms ADD x integer'), []);
  t.deepEqual(findSharedLocks('', 'ALTER TABLE rooms ADD x integer;\nALTER TABLE rooms ADD y integer'), []);
});
