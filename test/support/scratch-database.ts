import { DEFAULTS } from '../../domain/rooms/room.js';
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import { runMigrations } from '../../db/run-migrations.js';
import { prepareServiceRole } from '../../dev/launcher/service-role.js';
import { reserveSlot, type Reservation } from '../../commands/bookings/reserve-slot.js';
import { insertExtra } from '../../commands/extras/extras.js';
import { insertRoom } from '../../commands/rooms/rooms.js';
import { insertWorkspace } from '../../commands/workspaces/workspaces.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { Discount } from '../../db/entities/discounts.js';
import type { Extra } from '../../db/entities/extras.js';
import { newUuid } from '../../db/ids.js';
import type { Room } from '../../db/entities/rooms.js';
import { DEFAULT_DETAILS } from '../../domain/bookings/details.js';
import type { Pricing } from '../../domain/rates/price-lines.js';
import { freeHour } from './bookings.js';
import { db, dev } from './stack.js';
import { until } from './until.js';

interface Slot {
  start_at: string;
  end_at: string;
}

/** The migrated database that others are copied from: a copy takes a tenth of the time of the migrations. */
const TEMPLATE = 'scratch_template';
let migrated: Promise<void> | undefined;

function scratchUrl(database: string): string {
  const url = new URL(dev.databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Creates the template unless another process has. */
async function migrateTemplate(): Promise<void> {
  const runner = db.createQueryRunner();
  try {
    await runner.query(`SELECT pg_advisory_lock(hashtext('${TEMPLATE}'))`);
    if ((await runner.query(`SELECT FROM pg_database WHERE datname = '${TEMPLATE}'`)).length > 0) return;
    const unfinished = `${TEMPLATE}_unfinished`;
    await runner.query(`DROP DATABASE IF EXISTS ${unfinished}`);
    await runner.query(`CREATE DATABASE ${unfinished}`);
    await runMigrations(scratchUrl(unfinished));
    await runner.query(`ALTER DATABASE ${unfinished} RENAME TO ${TEMPLATE}`);
  } finally {
    await runner.query(`SELECT pg_advisory_unlock(hashtext('${TEMPLATE}'))`);
    await runner.release();
  }
}

/** Runs `work` with a new, migrated database on the stack's server, and drops the database afterwards. */
export async function withScratchDatabase<T>(
  work: (scratch: DataSource, url: string) => Promise<T>,
): Promise<T> {
  await (migrated ??= migrateTemplate());
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await db.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const url = scratchUrl(name);
  const scratch = await openDatabase({ url, poolSize: 12, connectTimeoutMs: 30_000 });
  try {
    return await work(scratch, url);
  } finally {
    await scratch.destroy();
    await db.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** Waits until this many statements of a scratch database wait for a lock. Returns them. */
export const untilLocked = (scratch: DataSource, statements = 1): Promise<string[]> =>
  until(async () => {
    const waiting: { query: string }[] = await scratch.query(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
    );
    return waiting.length >= statements && waiting.map(({ query }) => query);
  });

/** A workspace with one room, created through the repositories. */
export function newPlace(scratch: DataSource): Promise<Room> {
  return transaction(scratch, async (tx) => {
    const workspace_id = await insertWorkspace(tx, {
      name: 'Scratch',
      time_zone: 'Europe/London',
      currency: 'GBP',
      processor_account_id: null,
    });
    return newRoomIn(tx, workspace_id);
  });
}

/** A room of a workspace. */
export function newRoomIn(tx: Tx, workspace_id: string): Promise<Room> {
  return insertRoom(tx, {
    workspace_id,
    name: 'Blue room',
    ...DEFAULTS,
    refund_steps: [],
    time_zone: 'Europe/London',
    currency: 'GBP',
    price_per_hour_minor: 0,
  });
}

/** A free extra of a workspace. */
export const newExtra = (tx: Tx, workspace_id: string, stock: number): Promise<Extra> =>
  insertExtra(tx, {
    id: newUuid(),
    workspace_id,
    name: 'Projector',
    unit: 'piece',
    currency: 'GBP',
    price_minor: 0,
    tax_code: 'STANDARD',
    room_ids: null,
    stock,
    cutoff_hours: 0,
    refund_steps: null,
    internal: false,
    archived: false,
    accounting_account: null,
    metadata: {},
  });

/** The stored price details of a free booking with an extra. */
export const withExtra = (room: Room, { id: extra_id, name, unit }: Extra, quantity = 1): Pricing => ({
  room_id: room.id,
  version: null,
  audience: { tier: null, company_id: null },
  lines: [],
  extras: [
    {
      extra_id,
      quantity,
      name,
      unit,
      unit_amount_minor: 0,
      tax_code: 'STANDARD',
      tax_rate_bps: 0,
      account: null,
      refund_steps: null,
    },
  ],
});

/** The stored price details of a free booking with a code. */
export const withDiscount = (room: Room, { id: discount_id, code }: Discount): Pricing => ({
  room_id: room.id,
  version: null,
  audience: { tier: null, company_id: null },
  lines: [],
  discount: { discount_id, code, percent: 10, amount_minor: null, room_ids: null },
});

/** A transaction whose reservation locks neither extras nor codes. */
export function withoutLocks(tx: Tx): Tx {
  const connect = async () => {
    const client = await tx.queryRunner!.connect();
    const query = ({ name, text, ...rest }: { name?: string; text: string }) => {
      if (name !== 'lock_room_and_more') return client.query({ ...rest, text });
      const [room, ...others] = text.split(/(?<=FOR NO KEY UPDATE)/);
      return client.query({ ...rest, text: room + others.join('').replaceAll('FOR NO KEY UPDATE', '') });
    };
    return { query };
  };
  return Object.create(tx, { queryRunner: { value: { connect } } });
}

/** Reserves a time in the room as the API does, without its earlier availability check. */
export function reserve(scratch: DataSource, room: Room, slot: Slot = freeHour()): Promise<string | null> {
  return transaction(scratch, (tx) => reserveIn(tx, room, slot));
}

/** The same, in the caller's transaction. `other`: the differing fields. */
export function reserveIn(
  tx: Tx,
  room: Room,
  slot: Slot,
  other: Partial<Reservation> = {},
): Promise<string | null> {
  return reserveSlot(tx, newReservation(room, slot, other));
}

/** The input that reserves a time in the room. `other`: the differing fields. */
export function newReservation(room: Room, slot: Slot, other: Partial<Reservation> = {}): Reservation {
  return {
    workspace_id: room.workspace_id,
    idempotency_key: randomBytes(16).toString('hex'),
    fingerprint: '00',
    room,
    start_at: new Date(slot.start_at),
    end_at: new Date(slot.end_at),
    member_id: null,
    company_id: null,
    guest: { email: 'guest@example.com', name: 'Guest' },
    metadata: {},
    ...DEFAULT_DETAILS,
    discount_percent: 0,
    tax_rate_bps: 0,
    hour_credits_used: 0,
    pricing: null,
    price: { net_minor: 0, tax_minor: 0, total_minor: 0 },
    hold_seconds: 1_800,
    account_days: null,
    checkout: null,
    max_unpaid: null,
    source: 'api',
    by_staff: false,
    entered: null,
    confirm_until: null,
    actor: null,
    ...other,
  };
}

/** Runs `work` with a scratch database as its owner and as the role of the service. */
export async function withServiceRole(
  work: (service: DataSource, owner: DataSource, url: string) => Promise<void>,
): Promise<void> {
  const role = {
    name: `service_${randomBytes(6).toString('hex')}`,
    password: randomBytes(8).toString('hex'),
  };
  await withScratchDatabase(async (owner, ownerUrl) => {
    const url = (await prepareServiceRole(ownerUrl, role))!;
    await runMigrations(ownerUrl, role.name);
    const service = await openDatabase({ url, poolSize: 2, connectTimeoutMs: 30_000 });
    try {
      await work(service, owner, ownerUrl);
    } finally {
      await service.destroy();
    }
  });
  await db.query(`DROP ROLE ${role.name}`);
}
