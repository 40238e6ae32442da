import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { HOUR_MS } from '../../domain/durations.js';
import { storing, timeRange, type Row } from './rows.js';
import { db } from './stack.js';

export type StoredBooking = Row<'bookings'> & { start_at: Date };

const store = storing<'bookings'>('bookings', () => ({
  status: 'completed',
  attendees: 1,
  currency: 'GBP',
  net_minor: 0,
  tax_minor: 0,
  price_minor: 0,
  tax_code: 'STANDARD',
  tax_rate_bps: 0,
  price_per_hour_minor: 0,
  discount_percent: '0',
  hold_seconds: 1_800,
  published_at: new Date(),
}));

/** Above those of copied rows (`test/api/full-workspace-copies.ts`). */
let counted = 1_000_000;
/** Counted, since among 20,000 random ones two are equal in one of seventy runs. */
const nextReference = (): string =>
  String(counted++)
    .padStart(7, '0')
    .replaceAll(/\d/g, (digit) => 'BCDFGHJKLM'[Number(digit)]!);

/**
 * Inserts one-hour bookings into the database, for tests that need many, or past ones that the API cannot
 * create. They have ended unless they have another status, which needs a claim of their slot, and they have
 * no invoice. Returns their ids in the given order.
 */
export async function storeBookings(
  place: { workspace_id: string; room_id: string },
  bookings: StoredBooking[],
  on: Pick<DataSource, 'query'> = db,
): Promise<string[]> {
  const rows = bookings.map((booking) => {
    const end_at = new Date(booking.start_at.getTime() + HOUR_MS);
    return {
      id: newId('bk'),
      reference: nextReference(),
      ...(!booking.member_id && { guest_name: 'Grace Guest', guest_email: 'grace@example.com' }),
      end_at,
      occupies: timeRange(booking.start_at, booking.end_at ?? end_at),
      ...booking,
      ...place,
    };
  });
  await store(on, rows);
  return rows.map(({ id }) => id);
}
