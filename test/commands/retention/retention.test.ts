import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import {
  deleteExpired,
  type DeletedRows,
  type RetainedRows,
} from '../../../commands/retention/delete-expired.js';
import { firstIdAt, newId } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { keptSince, RETENTION_DAYS } from '../../../domain/retention/retention.js';
import {
  storeAuditEntries,
  storeDeliveries,
  storeEndpoints,
  storeEvents,
  storeMembers,
  storeRetries,
  storing,
  storeProfiles,
} from '../../support/rows.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';

const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Deletes all expired rows of a kind, two at a time. */
async function run(db: DataSource, kind: RetainedRows): Promise<number> {
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

/** Inserts a row of a kind as of a time; `n` distinguishes it from others. */
type Store = (db: DataSource, workspace_id: string, at: Date, n: number) => Promise<unknown>;
const digestNumber = (n: number): Buffer => createHash('sha256').update(String(n)).digest();
/** An id for a time that differs from others for the same time. */
const idAt = (prefix: 'rec' | 'bk', at: Date, n: number): string =>
  `${firstIdAt(prefix, at).slice(0, -3)}${100 + n}`;
const BYTES = Buffer.alloc(1);

const STORE: Record<Exclude<RetainedRows, 'events' | 'deliveries'>, Store> = {
  processor_events: (db, _, received_at, n) =>
    storing('processor_events')(db, [
      { id: `evt_${n}`, type: 'charge.succeeded', via: 'connect', received_at },
    ]),
  reconciliations: async (db, workspace_id, at, n) => {
    const id = idAt('rec', at, n);
    await storing('reconciliations')(db, [{ id, workspace_id, from_at: at, to_at: at, created_at: at }]);
    const charge = {
      charge_id: `ch_${n}`,
      amount_minor: 1,
      refunded_minor: 0,
      currency: 'GBP',
      created_at: at,
    };
    await storing('reconciliation_charges')(db, [{ reconciliation_id: id, ...charge }]);
  },
  idempotency_keys: (db, workspace_id, created_at, n) =>
    storing('idempotency_keys')(db, [
      { workspace_id, key: `${n}`, fingerprint: BYTES, object_id: 'inv_1', created_at },
    ]),
  booking_requests: (db, workspace_id, created_at, n) =>
    storing('booking_requests')(db, [
      {
        booking_id: idAt('bk', created_at, n),
        workspace_id,
        idempotency_key: `${n}`,
        fingerprint: BYTES,
        state: 'published',
        created_at,
      },
    ]),
  audit_log: (db, workspace_id, at, n) => storeAuditEntries(db, [{ workspace_id, at, object: `${n}` }]),
  sessions: async (db, _, expires_at, n) => {
    const [{ id }] = await db.query(`SELECT id FROM profiles LIMIT 1`);
    await storing('sessions')(db, [
      { id_hash: digestNumber(n), handle: `${n}`, profile_id: id, return_to: '/', expires_at },
    ]);
  },
  passkey_challenges: (db, _, created_at, n) =>
    storing('passkey_challenges')(db, [{ digest: digestNumber(n), purpose: 'sign_in', created_at }]),
  sign_in_links: (db, _, at, n) => {
    const link = { id: `link_${n}`, email: 'ada@example.com', token_hash: digestNumber(n), return_to: '/' };
    return storing('sign_in_links')(db, [{ ...link, created_at: at, expires_at: at }]);
  },
  requested_addresses: async (db, workspace_id, expires_at, n) => {
    const member = { id: `mem_${n}`, workspace_id, email: `${n}@example.com` };
    await storeMembers(db, [member]);
    const invite = {
      id: `ivt_${n}`,
      member_id: member.id,
      workspace_id,
      new_email: 'new@example.com',
      expires_at,
    };
    await storing('member_invites')(db, [invite]);
  },
  oauth_artifacts: (db, _, expires_at, n) =>
    storing('oauth_artifacts')(db, [{ model: 'Grant', id_hash: digestNumber(n), payload: {}, expires_at }]),
  accounting_consents: (db, workspace_id, created_at, n) => {
    const consent = { id: `cns_${n}`, state_hash: digestNumber(n), nonce: 'n', verifier: BYTES, url: 'u' };
    return storing('accounting_consents')(db, [{ ...consent, workspace_id, created_at }]);
  },
  rate_limit_buckets: (db, _, refilled_at, n) =>
    storing('rate_limit_buckets')(db, [{ id: `b${n}`, tokens: 1, refilled_at }]),
};

test('rows of each kind are deleted when their retention ends and not before, in small steps', async (t) => {
  await withScratchDatabase(async (db) => {
    const { workspace_id } = await newPlace(db);
    await storeProfiles(db, [{ id: newId('prof'), email: 'ada@example.com' }]);
    let n = 0;
    for (const [kind, store] of Object.entries(STORE)) {
      const days = RETENTION_DAYS[kind as RetainedRows];
      for (const age of [days + 2, days + 1.5, days + 1, days - 0.5, 0.1])
        await store(db, workspace_id, daysAgo(age), n++);
      t.is(await run(db, kind as RetainedRows), 3, kind);
      t.is(await count(db, kind === 'requested_addresses' ? 'member_invites' : kind), 2, kind);
      t.is(await run(db, kind as RetainedRows), 0, `${kind}: nothing is left to delete`);
    }
    t.is(await count(db, 'reconciliation_charges'), 2);
  });
});

test('events and deliveries expire, but unsent ones and the newest event of an object stay', async (t) => {
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
