import test from 'ava';
import { storeClaims, storePayments, storing, timeRange } from '../../support/rows.js';
import type { DataSource } from 'typeorm';
import { ApiError } from '../../../domain/errors.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { freeHour } from '../../support/bookings.js';
import {
  newPlace,
  reserve,
  reserveIn,
  untilLocked,
  withScratchDatabase,
} from '../../support/scratch-database.js';

const later = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * 60_000).toISOString();

async function liveOverlaps(scratch: DataSource): Promise<number> {
  const [{ count }] = await scratch.query(
    `SELECT count(*) FROM bookings a JOIN bookings b ON a.room_id = b.room_id AND a.id < b.id
       AND tstzrange(a.start_at, a.end_at) && tstzrange(b.start_at, b.end_at)
     WHERE a.live_room_id IS NOT NULL AND b.live_room_id IS NOT NULL`,
  );
  return count;
}

/** Twelve concurrent reservations with different times that all contain the same half hour. */
async function race(scratch: DataSource): Promise<{ held: number; refused: unknown[] }> {
  const room = await newPlace(scratch);
  const { start_at, end_at } = freeHour();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, turn) =>
      reserve(scratch, room, { start_at: later(start_at, -turn), end_at: later(end_at, turn) }),
    ),
  );
  return {
    held: outcomes.filter(({ status }) => status === 'fulfilled').length,
    refused: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
  };
}

test('of concurrent overlapping bookings one succeeds; the others are conflicts, not deadlocks', async (t) => {
  await withScratchDatabase(async (scratch) => {
    for (let round = 0; round < 10; round++) {
      const { held, refused } = await race(scratch);
      t.is(held, 1);
      for (const error of refused) {
        if (!(error instanceof ApiError)) throw error;
        t.is(error.code, 'slot_unavailable');
        t.deepEqual(error.context.details, { reason: 'booked' });
      }
    }
    t.is(await liveOverlaps(scratch), 0);
  });
});

test('a second booking of a room waits for the room lock before it inserts a claim, so two cannot deadlock', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const slot = freeHour();
    const first = scratch.createQueryRunner();
    await first.startTransaction();
    await reserveIn(first.manager, room, slot);
    const second = reserve(scratch, room, slot).catch((error: unknown) => error);
    const [waiting] = await untilLocked(scratch);
    t.regex(
      waiting!,
      /^SELECT FROM rooms/,
      'it waits after its claim, so Postgres can abort it as a deadlock',
    );
    await first.commitTransaction();
    await first.release();
    t.like(await second, { code: 'slot_unavailable' });
  });
});

/**
 * Bypasses every check in code: twelve bookings, each with its own slot, concurrently claim one more slot.
 */
async function raceForClaim(scratch: DataSource): Promise<number> {
  const room = await newPlace(scratch);
  const bookings = await Promise.all(Array.from({ length: 12 }, () => reserve(scratch, room)));
  const { start_at, end_at } = freeHour();
  const during = timeRange(start_at, end_at);
  const claims = bookings.map((id) => storeClaims(scratch, [{ booking_id: id!, room_id: room.id, during }]));
  return (await Promise.allSettled(claims)).filter(({ status }) => status === 'fulfilled').length;
}

test('the exclusion constraint alone accepts only one of many concurrent claims of a slot', async (t) => {
  await withScratchDatabase(async (scratch) => t.is(await raceForClaim(scratch), 1));
});

test('negative control: without the exclusion constraint all claims are accepted', async (t) => {
  await withScratchDatabase(async (scratch) => {
    await scratch.query('ALTER TABLE slot_claims DROP CONSTRAINT slot_claims_no_overlap');
    t.is(await raceForClaim(scratch), 12);
  });
});

test('back-to-back bookings do not conflict, and a released slot can be booked immediately', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { start_at, end_at } = freeHour();
    const first = await reserve(scratch, room, { start_at, end_at });
    t.truthy(await reserve(scratch, room, { start_at: end_at, end_at: later(end_at, 60) }));
    await t.throwsAsync(reserve(scratch, room, { start_at, end_at }), { instanceOf: ApiError });
    t.true(await releaseReservation(scratch.manager, first!, 'test'));
    t.truthy(await reserve(scratch, room, { start_at, end_at }));
    t.is(await liveOverlaps(scratch), 0);
  });
});

test('a live booking cannot be stored without a matching claim, and neither can change without the other', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const id = await reserve(scratch, room);
    const breaks = (statement: string) =>
      t.throwsAsync(
        scratch.query(statement, [id]),
        { message: /bookings_hold_their_slot|slot_claims/ },
        statement,
      );
    await breaks('DELETE FROM slot_claims WHERE booking_id = $1');
    await breaks(
      `UPDATE slot_claims SET during = tstzrange(now(), now() + interval '1 hour') WHERE booking_id = $1`,
    );
    await breaks(
      `UPDATE bookings SET occupies = tstzrange(start_at, end_at + interval '1 minute') WHERE id = $1`,
    );
    await breaks(
      `INSERT INTO bookings (id, workspace_id, room_id, start_at, end_at, occupies, guest_email,
        guest_name, attendees,
                             currency, net_minor, tax_minor, price_minor, tax_code, tax_rate_bps,
                             price_per_hour_minor, discount_percent, hold_seconds)
       SELECT 'bk_other', workspace_id, room_id, start_at, end_at, occupies, guest_email,
         guest_name, attendees,
              currency, net_minor, tax_minor, price_minor, tax_code, tax_rate_bps, price_per_hour_minor,
              discount_percent, hold_seconds
       FROM bookings WHERE id = $1`,
    );
    await t.throwsAsync(
      scratch.query(`UPDATE bookings SET start_at = start_at - interval '1 hour' WHERE id = $1`, [id]),
      { message: /check constraint/ },
      'a booking lies inside what it occupies',
    );
  });
});

test('an ended booking releases its slot, and cannot become live again while the slot is taken', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const slot = freeHour();
    const first = await reserve(scratch, room, slot);
    await scratch.query(`UPDATE bookings SET status = 'expired' WHERE id = $1`, [first]);
    await scratch.query('DELETE FROM slot_claims WHERE booking_id = $1', [first]);
    t.truthy(await reserve(scratch, room, slot));
    await t.throwsAsync(scratch.query(`UPDATE bookings SET status = 'confirmed' WHERE id = $1`, [first]), {
      message: /bookings_hold_their_slot/,
    });
    await t.throwsAsync(
      storeClaims(scratch, [
        { booking_id: first!, room_id: room.id, during: timeRange(slot.start_at, slot.end_at) },
      ]),
      { message: /slot_claims_no_overlap/ },
    );
  });
});

test('an idempotency key is unique in a workspace among the creates that have not failed', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const other = await newPlace(scratch);
    const request = (booking_id: string, workspace: string, state: 'in_flight' | 'published' | 'failed') =>
      storing('booking_requests')(scratch, [
        {
          booking_id,
          workspace_id: workspace,
          idempotency_key: 'key',
          fingerprint: Buffer.alloc(0),
          state,
        },
      ]);
    await request('bk_1', workspace_id, 'failed');
    await request('bk_2', workspace_id, 'in_flight');
    await request('bk_3', other.workspace_id, 'in_flight');
    await t.throwsAsync(request('bk_4', workspace_id, 'published'), { message: /booking_requests_key/ });
  });
});

test('a payment intent is unique in all workspaces', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const other = await newPlace(scratch);
    const charge = (id: string, workspace: string) =>
      storePayments(scratch, [{ id, workspace_id: workspace, processor_payment_intent_id: 'pi_1' }]);
    await charge('pay_1', workspace_id);
    await t.throwsAsync(charge('pay_2', workspace_id), { message: /payments_intent_key/ });
    await t.throwsAsync(charge('pay_3', other.workspace_id), { message: /payments_intent_key/ });
  });
});

test('a processor account is unique in all workspaces', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const other = await newPlace(scratch);
    const bind = (workspace: string) =>
      scratch.query(`UPDATE workspaces SET processor_account_id = 'acct_1' WHERE id = $1`, [workspace]);
    await bind(workspace_id);
    await t.throwsAsync(bind(other.workspace_id), { message: /workspaces_processor_account_key/ });
  });
});
