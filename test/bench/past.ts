import type { DataSource } from 'typeorm';

export interface PastSize {
  workspaces: number;
  roomsEach: number;
  /** Completed and paid bookings, spread evenly over the rooms, one every 30 hours in each. */
  bookings: number;
}

/** Rows of each statement. */
const BATCH = 100_000;
const TABLES = ['booking_requests', 'bookings', 'checkouts', 'invoices', 'invoice_lines', 'payments'];

/** Ids of what belongs to a booking, and when it was: `n` counts all bookings, `number` those of its workspace. */
const PAST = `
  past AS (
    SELECT lpad(n::text, 26, '0') AS id, 'ws_past' || (n - 1) % $3::int AS workspace_id,
           md5('room ' || (n - 1) % $3::int || ' ' || ((n - 1) / $3::int) % $4::int)::uuid AS room_id,
           ((n - 1) / $3::int + 1)::int AS number,
           date_trunc('hour', now()) - ((n - 1) / ($3::int * $4::int) + 1) * interval '30 hours' AS start_at,
           'acct_past' || (n - 1) % $3::int AS account_id
    FROM generate_series($1::bigint, $2::bigint) n
  )`;

/** Columns of the first schema only, so that later migrations can be applied to the rows. */
const STATEMENTS = [
  `INSERT INTO booking_requests (booking_id, workspace_id, idempotency_key, fingerprint, state, created_at, finished_at)
   SELECT 'bk_' || id, workspace_id, md5(id), sha256(id::bytea), 'published', start_at - interval '2 days', start_at
   FROM past`,
  `INSERT INTO bookings (id, workspace_id, room_id, status, start_at, end_at, occupies, guest_email, guest_name, attendees,
     currency, net_minor, tax_minor, price_minor, tax_code, tax_rate_bps, price_per_hour_minor, discount_percent, hold_seconds,
     published_at, confirmed_at, confirmation_source, processor_payment_intent_id, completed_at, invoice_id, sequence,
     created_at, updated_at)
   SELECT 'bk_' || id, workspace_id, room_id, 'completed', start_at, start_at + interval '1 hour',
     tstzrange(start_at, start_at + interval '1 hour'), 'guest-' || number || '@example.com', 'Guest ' || number, 1,
     'GBP', 2500, 500, 3000, 'STANDARD', 2000, 2500, 0, 1800, start_at - interval '2 days', start_at - interval '2 days',
     'platform_webhook', 'pi_' || id, start_at + interval '1 hour', 'inv_' || id, 2, start_at - interval '2 days',
     start_at + interval '1 hour'
   FROM past`,
  `INSERT INTO checkouts (id, workspace_id, booking_id, account_id, currency, amount_minor, description, url, session_id,
     session_expires_at, state, created_at)
   SELECT 'chk_' || id, workspace_id, 'bk_' || id, account_id, 'GBP', 3000, 'Room, an hour', 'https://example.com/' || id,
     'cs_' || id, start_at, 'paid', start_at - interval '2 days'
   FROM past`,
  `INSERT INTO invoices (id, workspace_id, number, status, currency, net_minor, tax_minor, total_minor, due_at, booking_id,
     accounting_id, accounting_reference, created_at, paid_at)
   SELECT 'inv_' || id, workspace_id, number, 'paid', 'GBP', 2500, 500, 3000, start_at, 'bk_' || id,
     md5('accounting ' || id), 'HF-' || number, start_at - interval '2 days', start_at - interval '2 days'
   FROM past`,
  `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code, tax_rate_bps,
     net_minor, tax_minor)
   SELECT 'inv_' || id, 1, 'Room, an hour', 1, 2500, 'STANDARD', 2000, 2500, 500 FROM past`,
  `INSERT INTO payments (id, workspace_id, invoice_id, booking_id, kind, status, amount_minor, currency, method, account_id,
     processor_payment_intent_id, source, paid_at, settled_at, created_at)
   SELECT 'pay_' || id, workspace_id, 'inv_' || id, 'bk_' || id, 'charge', 'succeeded', 3000, 'GBP', 'card', account_id,
     'pi_' || id, 'platform_webhook', start_at - interval '2 days', start_at - interval '2 days', start_at - interval '2 days'
   FROM past`,
];

const WORKSPACES = `
  WITH houses AS (
    INSERT INTO workspaces (id, name, time_zone, currency, processor_account_id, processor_status, tax_codes)
    SELECT 'ws_past' || n, 'House ' || n, 'Europe/London', 'GBP', 'acct_past' || n, 'active',
           '[{"code": "STANDARD", "rate_bps": 2000, "accounting_tax_type": "OUTPUT2"}]'
    FROM generate_series(0, $1::int - 1) n
  ), counters AS (
    INSERT INTO invoice_counters SELECT 'ws_past' || n, $3::int FROM generate_series(0, $1::int - 1) n
  )
  INSERT INTO rooms (id, workspace_id, name, time_zone, slot_minutes, currency, price_per_hour_minor, tax_code,
                     tier_discounts, refund_steps)
  SELECT md5('room ' || n || ' ' || room)::uuid, 'ws_past' || n, 'Room ' || room, 'Europe/London', 30, 'GBP', 2500,
         'STANDARD', '{}', '[]'
  FROM generate_series(0, $1::int - 1) n, generate_series(0, $2::int - 1) room`;

/**
 * Fills a new database with paid and completed bookings: each with its request, checkout, invoice, line and payment.
 * Their events and deliveries are left out, since retention deletes them. Works with the first schema and with the
 * current one.
 */
export async function storePast(
  db: DataSource,
  { workspaces, roomsEach, bookings }: PastSize,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  await db.query(WORKSPACES, [workspaces, roomsEach, Math.ceil(bookings / workspaces)]);
  const rebuild = await withoutIndexes(db, TABLES);
  for (let first = 1; first <= bookings; first += BATCH) {
    const last = Math.min(bookings, first + BATCH - 1);
    for (const statement of STATEMENTS)
      await db.transaction(async (tx) => {
        // Foreign keys are not checked, which saves a million lookups.
        await tx.query(`SET LOCAL session_replication_role = replica`);
        await tx.query(`WITH ${PAST} ${statement}`, [first, last, workspaces, roomsEach]);
      });
    say(`${last} bookings`);
  }
  say('indexes');
  await rebuild();
  await db.query('VACUUM ANALYZE');
}

/**
 * Drops the indexes of tables, except of primary keys. Returns a function that creates them again, which is five times
 * faster than to maintain them.
 */
export async function withoutIndexes(db: DataSource, tables: string[]): Promise<() => Promise<void>> {
  const constraints: { owner: string; name: string; definition: string }[] = await db.query(
    `SELECT conrelid::regclass::text AS owner, conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE conrelid = ANY ($1::regclass[]) AND contype IN ('u', 'x')`,
    [tables],
  );
  const indexes: { name: string; definition: string }[] = await db.query(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index i
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('u', 'x'))`,
    [tables],
  );
  for (const { owner, name } of constraints) await db.query(`ALTER TABLE ${owner} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
  return async () => {
    for (const { definition } of indexes) await db.query(definition);
    for (const { owner, name, definition } of constraints)
      await db.query(`ALTER TABLE ${owner} ADD CONSTRAINT ${name} ${definition}`);
  };
}
