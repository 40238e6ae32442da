import type { DataSource } from 'typeorm';
import type { House } from './house.js';

export interface Storm {
  won: number;
  lost: number;
  losersPerSecond: number;
  /** Rows in the database for this slot. */
  kept: { bookings: number; requests: number; claims: number };
}

/** Concurrent creates for one slot, each with its own idempotency key. */
export async function storm(house: House, db: DataSource, creates: number): Promise<Storm> {
  const slot = house.nextSlot();
  await house.connect(creates);
  const before = await countRequests(db, house);
  let lastLoss = 0;
  const began = performance.now();
  const responses = await Promise.all(
    Array.from({ length: creates }, async () => {
      const response = await house.book(slot);
      if (response.status === 409 && response.body.error?.code === 'slot_unavailable')
        lastLoss = performance.now();
      return response;
    }),
  );
  const won = responses.filter(({ status }) => status === 201).length;
  const lost = responses.filter(({ status }) => status === 409).length;
  const [kept] = await db.query(
    `SELECT (SELECT count(*) FROM bookings WHERE room_id = $1 AND start_at = $2) AS bookings,
            (SELECT count(*) FROM slot_claims WHERE room_id = $1 AND during && tstzrange($2, $3)) AS claims`,
    [slot.room_id, slot.start_at, slot.end_at],
  );
  const requests = (await countRequests(db, house)) - before;
  return { won, lost, losersPerSecond: (lost * 1000) / (lastLoss - began), kept: { ...kept, requests } };
}

async function countRequests(db: DataSource, house: House): Promise<number> {
  const [{ count }] = await db.query(`SELECT count(*) FROM booking_requests WHERE workspace_id = $1`, [
    house.workspaceId,
  ]);
  return count;
}
