import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { EXCEPTIONS } from './exceptions.js';
import { unreached } from './reach.js';
import { findStatementFault } from '../support/statements.js';

const WORKSPACE = 'b.workspace_id = $1';

test('a statement reaches rows by their workspace, by a key, or by a row that it has reached', async (t) => {
  for (const sql of [
    `SELECT * FROM bookings b WHERE ${WORKSPACE} AND b.status = 'held'`,
    'SELECT * FROM bookings WHERE id = $1',
    "SELECT * FROM bookings WHERE id = ANY ($1) AND status IN ('held', 'confirmed')",
    `SELECT r.name FROM bookings b JOIN rooms r ON r.id = b.room_id WHERE ${WORKSPACE}`,
    `SELECT (SELECT sum(amount_minor) FROM payments p WHERE p.booking_id = b.id) FROM bookings b
      WHERE ${WORKSPACE}`,
    `SELECT * FROM (SELECT id, workspace_id FROM companies UNION ALL SELECT id, workspace_id FROM members) p
      WHERE workspace_id = $1`,
    `WITH mine AS (SELECT * FROM members WHERE workspace_id = $1) SELECT * FROM mine
      JOIN companies c ON c.id = mine.company_id`,
    'SELECT * FROM rooms JOIN blackouts USING (workspace_id) WHERE rooms.id = $1',
    'SELECT * FROM members WHERE company_id IN (SELECT id FROM companies WHERE workspace_id = $1)',
    "SELECT * FROM bookings WHERE company_id = $1 OR (member_id = $2 AND status = 'held')",
    'INSERT INTO rooms (id, workspace_id, name) VALUES ($1, $2, $3)',
    'UPDATE rooms SET archived = true WHERE id = $1',
    'SELECT * FROM members m JOIN booking_changes c ON m.id = c.actor WHERE c.booking_id = $1',
    'SELECT * FROM passkey_challenges WHERE created_at < now()',
  ])
    t.deepEqual(await unreached(sql), [], sql);
});

test('a statement that ignores the workspace is found', async (t) => {
  for (const [sql, ...tables] of [
    ["SELECT * FROM bookings b WHERE b.status = 'held'", 'bookings'],
    ['SELECT count(*) FROM members WHERE lower(email) = $1', 'members'],
    ["SELECT * FROM bookings b WHERE b.workspace_id = $1 OR b.status = 'held'", 'bookings'],
    ['SELECT * FROM invoices WHERE $1::text IS NULL OR workspace_id = $1', 'invoices'],
    ['SELECT * FROM bookings WHERE workspace_id <> $1', 'bookings'],
    ['SELECT * FROM bookings WHERE NOT workspace_id = $1', 'bookings'],
    [`SELECT * FROM bookings b JOIN rooms r ON r.name = b.title WHERE ${WORKSPACE}`, 'rooms'],
    [`SELECT (SELECT count(*) FROM members) FROM bookings b WHERE ${WORKSPACE}`, 'members'],
    [`SELECT * FROM bookings b, companies WHERE ${WORKSPACE}`, 'companies'],
    ['SELECT * FROM bookings b LEFT JOIN rooms r ON b.workspace_id = $1 AND r.id = $2', 'bookings'],
    ['WITH all_of_them AS (SELECT * FROM members) SELECT * FROM all_of_them', 'members'],
    ["UPDATE payments SET status = 'paid' WHERE status = 'pending'", 'payments'],
    ['DELETE FROM blackouts WHERE upper(during) < now()', 'blackouts'],
    ['INSERT INTO rooms (id, name) VALUES ($1, $2)', 'rooms'],
    [
      `SELECT 1 FROM bookings b WHERE ${WORKSPACE} UNION ALL SELECT 1 FROM payments WHERE status = $2`,
      'payments',
    ],
  ] as [string, ...string[]][])
    t.deepEqual(await unreached(sql), tables, sql);
});

test('an exception covers only the statement it names, and each has a reason', async (t) => {
  const [start] = Object.values(EXCEPTIONS)[0]!;
  t.is(await findStatementFault(`${start} LIMIT $1`), null);
  t.regex(
    (await findStatementFault('SELECT *\n  FROM events WHERE created_at < now()'))!,
    /^reaches events of any workspace: SELECT \* FROM/,
  );
  for (const [reason, starts] of Object.entries(EXCEPTIONS))
    for (const each of starts) t.true(reason.length > 20 && /^[^\n]{30,}$/.test(each), each);
});

/** What an SQL function does, with its parameters as values given by a statement. */
function functionBody(source: string): string {
  const [, list = ''] = /FUNCTION \w+\(([^]*?)\)\s+RETURNS/.exec(source) ?? [];
  const names = list.split(',').flatMap((parameter) => parameter.trim().split(' ')[0] || []);
  const [, body = ''] = /\$\$([^]*)\$\$/.exec(source) ?? [];
  return names.reduce(
    (sql, name) => sql.replaceAll(new RegExp(`(?<![.'\\w])${name}\\b(\\.\\w+)?(?!')`, 'g'), '$$1'),
    body,
  );
}

/** Functions whose callers specify the workspace. */
const OF_CALLERS = ['readable_feeds.sql', 'subscription_payers.sql'];

test('an SQL function reaches only rows given by its caller', async (t) => {
  const found: Record<string, string[]> = {};
  for (const file of readdirSync('db/functions')) {
    const source = readFileSync(`db/functions/${file}`, 'utf8');
    const tables = /LANGUAGE sql/i.test(source) ? await unreached(functionBody(source)) : [];
    if (tables.length > 0 && !OF_CALLERS.includes(file)) found[file] = tables;
  }
  t.deepEqual(found, {});
});
