import { readFileSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { deleteExpired, type DeletedRows } from '../../commands/retention/delete-expired.js';
import { firstIdAt, newId } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { keptSince, RETENTION_DAYS, type RetainedKind } from '../../domain/retention.js';
import { storeDeliveries, storeEndpoints, storeEvents, storeRetries } from '../support/rows.js';
import { newPlace, withScratchDatabase } from '../db/scratch.js';

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Deletes all expired rows of a kind, two at a time. */
async function run(db: DataSource, kind: RetainedKind): Promise<number> {
  let total = 0;
  let after: string | null = '';
  while (after !== null) {
    const step = { before: keptSince(kind, new Date()), limit: 2, after };
    const rows: DeletedRows = await transaction(db, (tx) => deleteExpired(tx, kind, step));
    total += rows.deleted;
    after = rows.next;
  }
  return total;
}

const count = async (db: DataSource, table: string): Promise<number> =>
  Number((await db.query(`SELECT count(*) FROM ${table}`))[0].count);

/** Inserts a row of a kind as it was `age` days ago. */
const INSERTS: Record<Exclude<RetainedKind, 'events' | 'deliveries'>, string> = {
  processor_events: `INSERT INTO processor_events (id, type, via, received_at)
    VALUES ('evt_' || $3::text, 'charge.succeeded', 'connect', $2) RETURNING $1::text`,
  reconciliations: `WITH r AS (INSERT INTO reconciliations (id, workspace_id, from_at, to_at, created_at)
      VALUES ($4, $1, $2, $2, $2) RETURNING id)
    INSERT INTO reconciliation_charges
      (reconciliation_id, charge_id, amount_minor, refunded_minor, currency, created_at)
    SELECT id, 'ch_' || $3::text, 1, 0, 'GBP', $2 FROM r`,
  idempotency_keys: `INSERT INTO idempotency_keys VALUES ($1, $3::text, '\\x00', 'inv_1', $2)`,
  booking_requests: `INSERT INTO booking_requests (booking_id, workspace_id, idempotency_key, fingerprint, state, created_at)
    VALUES ($5, $1, $3::text, '\\x00', 'published', $2)`,
  audit_log: `INSERT INTO audit_log (workspace_id, at, action, actor, object, details)
    VALUES ($1, $2, 'room.created', '{}', $3::text, '{}')`,
  sessions: `INSERT INTO sessions (id_hash, profile_id, return_to, expires_at)
    SELECT sha256($3::text::bytea), id, '/', $2 FROM profiles WHERE $1::text IS NOT NULL`,
  sign_in_links: `INSERT INTO sign_in_links (id, email, token_hash, return_to, created_at, expires_at)
    VALUES ('link_' || $3::text, 'ada@example.com', sha256($3::text::bytea), coalesce('/', $1::text), $2, $2)`,
  requested_addresses: `WITH m AS (INSERT INTO members (id, workspace_id, role, tier, status)
      VALUES ('mem_' || $3::text, $1, 'member', 'basic', 'deleted') RETURNING id)
    INSERT INTO member_invites (member_id, workspace_id, id, expires_at, new_email)
    SELECT id, $1, 'ivt_' || $3::text, $2::timestamptz, 'new@example.com' FROM m`,
  oauth_artifacts: `INSERT INTO oauth_artifacts (model, id_hash, payload, expires_at)
    VALUES (coalesce('Grant', $1::text), sha256($3::text::bytea), '{}', $2)`,
  accounting_consents: `INSERT INTO accounting_consents (id, workspace_id, state_hash, nonce, verifier, url, created_at)
    VALUES ('cns_' || $3::text, $1, sha256($3::text::bytea), 'n', '\\x00', 'u', $2)`,
  rate_limit_buckets: `INSERT INTO rate_limit_buckets (id, tokens, refilled_at)
    VALUES ('b' || $3::text, 1, CASE WHEN $1::text IS NOT NULL THEN $2::timestamptz END)`,
};

/** Fills in the parameters that a statement uses. */
function insert(db: DataSource, sql: string, workspaceId: string, at: Date, n: number): Promise<unknown> {
  const values = [workspaceId, at, String(n), `${firstIdAt('rec', at).slice(0, -3)}${100 + n}`];
  values.push(`${firstIdAt('bk', at).slice(0, -3)}${100 + n}`);
  const used = [...sql.matchAll(/\$(\d)/g)].map(([, index]) => Number(index));
  const compact = [...new Set(used)].toSorted();
  const text = sql.replace(/\$(\d)/g, (_, index: string) => `$${compact.indexOf(Number(index)) + 1}`);
  return db.query(
    text,
    compact.map((index) => values[index - 1]),
  );
}

test('rows of each kind are deleted after their time and not before, in small steps', async (t) => {
  await withScratchDatabase(async (db) => {
    const { workspace_id } = await newPlace(db);
    await db.query(`INSERT INTO profiles (id, email) VALUES ($1, 'ada@example.com')`, [newId('prof')]);
    let n = 0;
    for (const [kind, sql] of Object.entries(INSERTS)) {
      const days = RETENTION_DAYS[kind as RetainedKind];
      for (const age of [days + 2, days + 1.5, days + 1, days - 0.5, 0.1])
        await insert(db, sql, workspace_id, daysAgo(age), n++);
      t.is(await run(db, kind as RetainedKind), 3, kind);
      t.is(await count(db, kind === 'requested_addresses' ? 'member_invites' : kind), 2, kind);
      t.is(await run(db, kind as RetainedKind), 0, `${kind}: nothing is left to delete`);
    }
    t.is(await count(db, 'reconciliation_charges'), 2);
  });
});

test('events and deliveries expire; what still has to be sent, and the newest event of an object, stay', async (t) => {
  await withScratchDatabase(async (db) => {
    const { workspace_id } = await newPlace(db);
    const old = daysAgo(RETENTION_DAYS.events + 10);
    let position = 0;
    const addEvent = async (object: string, sequence: number, at: Date): Promise<string> => {
      const id = `${firstIdAt('evt', at).slice(0, -3)}${100 + ++position}`;
      const event = { id, workspace_id, object_id: object, sequence, created_at: at, position };
      await storeEvents(db, [event]);
      return id;
    };
    const delivered = (event_id: string) => storeDeliveries(db, [{ event_id, workspace_id }]);
    const first = await addEvent('bk_a', 1, old);
    const second = await addEvent('bk_a', 2, old);
    const newestOfA = await addEvent('bk_a', 3, old);
    const waiting = await addEvent('bk_b', 1, old);
    const newestOfB = await addEvent('bk_b', 2, old);
    const young = await addEvent('bk_c', 1, daysAgo(RETENTION_DAYS.events - 1));
    const newestOfC = await addEvent('bk_c', 2, new Date());
    const unsent = await addEvent('bk_d', 1, old);
    const newestOfD = await addEvent('bk_d', 2, old);
    await storeEndpoints(db, [{ workspace_id, sent_up_to: position - 2 }]);
    await storeRetries(db, [{ event_id: waiting, workspace_id, object_id: 'bk_b', position: 4 }]);
    for (const id of [first, second, waiting, newestOfC]) await delivered(id);
    t.is(await run(db, 'events'), 0, 'deliveries go first');
    t.is(await run(db, 'deliveries'), 2);
    t.is(await count(db, 'webhook_deliveries'), 2, 'of the waiting event and of the new one');
    t.is(await run(db, 'events'), 2);
    const left = await db.query(`SELECT id FROM events ORDER BY position`);
    t.deepEqual(
      left.map(({ id }: { id: string }) => id),
      [newestOfA, waiting, newestOfB, young, newestOfC, unsent, newestOfD],
    );
    t.is(await run(db, 'events'), 0);
  });
});

test('every kind has its time in the documentation', (t) => {
  const rows = readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `(\w+)` \| (\d+) days?/gm);
  t.deepEqual(
    [...rows].map(([, kind, days]) => [kind, Number(days)]).toSorted(),
    Object.entries(RETENTION_DAYS).toSorted(),
  );
});
