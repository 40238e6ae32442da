import { DEFAULTS } from '../../api/resources/rooms/shape.js';
import type { DataSource } from 'typeorm';
import { mintToken } from '../../api/http/tokens.js';
import { openDatabase } from '../../db/data-source.js';
import { insertApiKey } from '../../commands/access/api-keys.js';
import { insertMember } from '../../commands/members/members.js';
import { insertRoom } from '../../commands/rooms/rooms.js';
import { insertWorkspace } from '../../commands/workspaces/workspaces.js';
import { execute } from '../../db/query.js';
import { runMigrations } from '../../db/run-migrations.js';
import { transaction } from '../../db/transaction.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { WEEKDAYS } from '../../domain/slots.js';
import { withoutIndexes } from './past.js';

export const ROOMS = 20;
/** Number of workspaces that share the bookings outside the requested time. */
const HOUSES = 25;

/** A workspace in its own database, with its rooms and an API key. */
export interface StoredHouse {
  db: DataSource;
  url: string;
  workspaceId: string;
  token: string;
  /** 31 days with a fixed number of bookings. */
  from: Date;
  to: Date;
  close(): Promise<void>;
}

/** Inserts bookings of an hour: `count` in each room, some hours apart. They are live, each with its slot claim. */
const STORE = `
  WITH rows AS (
    SELECT 'bk_' || lpad(($4::bigint + row_number() OVER ())::text, 26, '0') AS id, r.id AS room_id, r.workspace_id,
           (SELECT id FROM members WHERE workspace_id = r.workspace_id) AS member_id,
           $1::timestamptz + n * $2 * interval '1 hour' AS start_at
    FROM rooms r, generate_series(0, $3::int - 1) n WHERE r.workspace_id = ANY ($5)
  ), claims AS (
    INSERT INTO slot_claims (booking_id, room_id, during)
    SELECT id, room_id, tstzrange(start_at, start_at + interval '1 hour') FROM rows
  )
  INSERT INTO bookings (id, workspace_id, room_id, status, start_at, end_at, occupies, member_id, attendees, currency,
                        net_minor, tax_minor, price_minor, tax_code, tax_rate_bps, price_per_hour_minor,
                        discount_percent, hold_seconds, published_at, confirmed_at, reference)
  SELECT id, workspace_id, room_id, 'confirmed', start_at, start_at + interval '1 hour',
         tstzrange(start_at, start_at + interval '1 hour'), member_id, 1, 'GBP', 2500, 500, 3000, 'STANDARD', 2000, 2500,
         0, 600, now(), now(), right(id, 7)
  FROM rows`;

/**
 * Creates a database with `stored` bookings: `standing` of them in the requested 31 days, spread over the workspace's
 * rooms, and all others in the two years before and after, in that workspace and others.
 */
export async function storeHouse(server: string, stored: number, standing: number): Promise<StoredHouse> {
  const name = `bench_${stored}_${process.pid}`;
  const admin = await openDatabase({ url: server, poolSize: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await runMigrations(url.href);
  const db = await openDatabase({ url: url.href, poolSize: 2 });

  const houses = [];
  for (let n = 0; n < HOUSES; n++) houses.push(await openHouse(db, n));
  const { workspaceId, token } = houses[0]!;
  const from = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS);
  const to = new Date(from.getTime() + 31 * DAY_MS);

  const rebuild = await withoutIndexes(db, ['bookings', 'slot_claims']);
  let ids = 0;
  const store = async (start: Date, days: number, count: number, workspaces: string[]): Promise<void> => {
    const perRoom = Math.round(count / (workspaces.length * ROOMS));
    if (perRoom < 1) return;
    const hours = Math.max(1, Math.floor((days * 24) / perRoom));
    await transaction(db, async (tx) => {
      // Foreign keys are not checked, which saves a million lookups.
      await execute(tx, `SET LOCAL session_replication_role = replica`);
      await execute(tx, STORE, [start, hours, perRoom, ids, workspaces]);
    });
    ids += perRoom * workspaces.length * ROOMS;
  };
  await store(from, 31, standing, [workspaceId]);
  const others = (stored - standing) / 2;
  const all = houses.map((house) => house.workspaceId);
  await store(new Date(from.getTime() - 730 * DAY_MS), 725, others, all);
  await store(new Date(to.getTime() + HOUR_MS), 690, others, all);
  await rebuild();
  await db.query('VACUUM ANALYZE');
  return {
    db,
    url: url.href,
    workspaceId,
    token,
    from,
    to,
    async close() {
      await db.destroy();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.destroy();
    },
  };
}

/** Inserts a workspace with rooms, a member who books them, and that member's API key. */
async function openHouse(db: DataSource, n: number): Promise<{ workspaceId: string; token: string }> {
  return transaction(db, async (tx) => {
    const place = { name: `House ${n}`, time_zone: 'Europe/London', currency: 'GBP' };
    const workspace_id = await insertWorkspace(tx, { ...place, processor_account_id: null });
    const email = `bench-${n}@example.com`;
    const person = { workspace_id, email, name: 'Ben Bench', role: 'owner', tier: 'pro' } as const;
    const { id: member_id } = await insertMember(tx, person);
    for (let room = 1; room <= ROOMS; room++)
      await insertRoom(tx, { ...ROOM, workspace_id, name: `Room ${room}` });
    const { token, record } = mintToken();
    await insertApiKey(tx, {
      workspace_id,
      member_id,
      name: 'Bench',
      token: record,
      resources: ['calendar'],
      actions: ['read'],
      expires_at: new Date(Date.now() + DAY_MS),
    });
    return { workspaceId: workspace_id, token };
  });
}

/** Typical room settings: opening hours, a turnaround, a minimum duration. */
const ROOM: Omit<Parameters<typeof insertRoom>[1], 'workspace_id' | 'name'> = {
  ...DEFAULTS,
  refund_steps: [],
  time_zone: 'Europe/London',
  min_minutes: 60,
  max_minutes: 480,
  opening_hours: Object.fromEntries(WEEKDAYS.map((day) => [day, [['07:00', '23:00']]])),
  currency: 'GBP',
  price_per_hour_minor: 2_500,
};
