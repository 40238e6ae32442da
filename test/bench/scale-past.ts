import type { DataSource } from 'typeorm';
import { storePast, withoutIndexes } from './past.js';

export const WORKSPACES = 1_000;
const ROOMS_EACH = 2;
/** Members who pay a monthly subscription, in each workspace. */
const PAYERS_EACH = 5;
export const PAYERS = WORKSPACES * PAYERS_EACH;
const BATCH = 100_000;

/** As in a service that has run its nightly retention: what it keeps for a year is there for a year. */
const EVENTS = `
  INSERT INTO events (id, workspace_id, type, object_id, sequence, body, created_at, position)
  SELECT 'evt_' || lpad((3 * n + each)::text, 26, '0'), workspace_id,
         (ARRAY['booking.created', 'booking.confirmed', 'booking.completed'])[each], id, each,
         json_build_object('id', id, 'filler', repeat('x', 400)), created_at + each * interval '1 minute',
         3 * ((n - 1) / ${WORKSPACES}) + each
  FROM (SELECT *, substr(id, 4)::bigint AS n FROM bookings
        WHERE id BETWEEN 'bk_' || lpad($1::text, 26, '0') AND 'bk_' || lpad($2::text, 26, '0')
          AND created_at > now() - interval '364 days') b, generate_series(1, 3) each`;

const MEMBERS = `
  WITH people AS (
    INSERT INTO profiles (id, email)
    SELECT 'prof_' || lpad(n::text, 26, '0'), 'payer-' || n || '@example.com' FROM generate_series(0, $1::int - 1) n
    RETURNING id, email
  )
  INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, joined_at, billing_anchor)
  SELECT 'mem_' || substr(id, 6), 'ws_past' || substr(id, 6)::int / ${PAYERS_EACH}, id, 'Pay Er', email, 'member', 'pro',
         'active', now(), $2::date
  FROM people`;

/** Stores workspaces with members who are due on `day`, and paid bookings that are over, with all that belongs to them. */
export async function storeScale(
  db: DataSource,
  bookings: number,
  day: string,
  say: (line: string) => void,
): Promise<void> {
  await storePast(db, { workspaces: WORKSPACES, roomsEach: ROOMS_EACH, bookings }, say);
  const rebuild = await withoutIndexes(db, ['events']);
  for (let first = 1; first <= bookings; first += BATCH) {
    say(`events from booking ${first} on`);
    await db.transaction(async (tx) => {
      await tx.query(`SET LOCAL session_replication_role = replica`);
      await tx.query(EVENTS, [first, Math.min(bookings, first + BATCH - 1)]);
    });
  }
  await rebuild();
  await db.query(
    `UPDATE workspaces SET tier_prices = '{"basic": 0, "plus": 0, "pro": 9000, "enterprise": 0}'
     WHERE id LIKE 'ws_past%'`,
  );
  await db.query(MEMBERS, [PAYERS, day]);
  say('statistics');
  await db.query('VACUUM ANALYZE');
}
