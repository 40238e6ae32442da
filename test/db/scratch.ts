import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import { runMigrations } from '../../db/run-migrations.js';
import { reserveSlot } from '../../db/repositories/bookings/reserve-slot.js';
import { insertRoom } from '../../db/repositories/rooms/rooms.js';
import { insertWorkspace } from '../../db/repositories/workspaces/workspaces.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { Room } from '../../db/rows.js';
import { DEFAULT_DETAILS } from '../../domain/booking-details.js';
import { db, dev, freeHour } from '../support/stack.js';

interface Slot {
  start_at: string;
  end_at: string;
}

/** Runs `work` with a new, migrated database on the stack's server, and drops the database afterwards. */
export async function withScratchDatabase<T>(
  work: (scratch: DataSource, url: string) => Promise<T>,
): Promise<T> {
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await db.query(`CREATE DATABASE ${name}`);
  const url = new URL(dev.databaseUrl);
  url.pathname = `/${name}`;
  await runMigrations(url.href);
  const scratch = await openDatabase({ url: url.href, poolSize: 12, connectTimeoutMs: 30_000 });
  try {
    return await work(scratch, url.href);
  } finally {
    await scratch.destroy();
    await db.query(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

/** A workspace with one room, created through the repositories. */
export function newPlace(scratch: DataSource): Promise<Room> {
  return transaction(scratch, async (tx) => {
    const workspace_id = await insertWorkspace(tx, {
      name: 'Scratch',
      time_zone: 'Europe/London',
      currency: 'GBP',
      processor_account_id: null,
    });
    return insertRoom(tx, {
      workspace_id,
      name: 'Blue room',
      description: null,
      time_zone: 'Europe/London',
      slot_minutes: 30,
      min_minutes: null,
      max_minutes: null,
      capacity: null,
      opening_hours: null,
      turnaround_minutes: 0,
      edit_window_minutes: 60,
      currency: 'GBP',
      price_per_hour_minor: 0,
      tax_code: 'STANDARD',
      tiers: null,
      tier_discounts: {},
      refund_steps: [],
      self_service: true,
      archived: false,
    });
  });
}

/** Reserves a time in the room as the API does, without its earlier availability check. */
export function reserve(scratch: DataSource, room: Room, slot: Slot = freeHour()): Promise<string | null> {
  return transaction(scratch, (tx) => reserveIn(tx, room, slot));
}

/** The same, in the caller's transaction. */
export function reserveIn(tx: Tx, room: Room, slot: Slot): Promise<string | null> {
  return reserveSlot(tx, {
    workspace_id: room.workspace_id,
    idempotency_key: randomBytes(16).toString('hex'),
    fingerprint: '00',
    room,
    start_at: new Date(slot.start_at),
    end_at: new Date(slot.end_at),
    member_id: null,
    company_id: null,
    guest: { email: 'guest@example.com', name: 'Guest' },
    ...DEFAULT_DETAILS,
    discount_percent: 0,
    tax_rate_bps: 0,
    hour_credits_used: 0,
    price: { net_minor: 0, tax_minor: 0, total_minor: 0 },
    hold_seconds: 1_800,
    account_days: null,
    checkout: null,
    max_unpaid: null,
  });
}
