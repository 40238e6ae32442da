import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { reserveSlot } from '../../commands/bookings/reserve-slot.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import { transaction } from '../../db/transaction.js';
import { DEFAULT_DETAILS } from '../../domain/booking-details.js';
import type { House } from './house.js';

/**
 * The insert under the exclusion constraint, by the transaction with which the API stores a create. It uses a separate
 * workspace, because its bookings have no workflow.
 */
export async function reservations(db: DataSource, house: House): Promise<() => Promise<void>> {
  const rooms = new Map(
    await Promise.all(
      house.rooms.map(async (id) => [id, (await findRoom(db.manager, house.workspaceId, id))!] as const),
    ),
  );
  return async () => {
    const slot = house.nextSlot();
    await transaction(db, (tx) =>
      reserveSlot(tx, {
        workspace_id: house.workspaceId,
        idempotency_key: randomUUID(),
        fingerprint: '00'.repeat(32),
        room: rooms.get(slot.room_id)!,
        start_at: new Date(slot.start_at),
        end_at: new Date(slot.end_at),
        member_id: null,
        company_id: null,
        guest: { email: 'grace@example.com', name: 'Grace Guest' },
        ...DEFAULT_DETAILS,
        discount_percent: 0,
        tax_rate_bps: 2_000,
        hour_credits_used: 0,
        pricing: null,
        price: { net_minor: 2_500, tax_minor: 500, total_minor: 3_000 },
        hold_seconds: 600,
        account_days: null,
        max_unpaid: null,
        source: 'api',
        entered: null,
        confirm_until: null,
        actor: null,
        checkout: {
          account_id: 'acct_bench',
          description: 'Bench',
          session_expires_at: new Date(Date.now() + 7_200_000),
        },
      }),
    );
  };
}
