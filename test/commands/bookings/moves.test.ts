import test from 'ava';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { assertSlotFree, claimSlot } from '../../../commands/bookings/slots.js';
import { transaction } from '../../../db/transaction.js';
import type { Move } from '../../../domain/bookings/change.js';
import { freeHour } from '../../support/bookings.js';
import { newPlace, reserve, untilLocked, withScratchDatabase } from '../../support/scratch-database.js';

const moveTo = (roomId: string, slot: { start_at: string; end_at: string }): Move =>
  ({
    room_id: roomId,
    start_at: Date.parse(slot.start_at),
    end_at: Date.parse(slot.end_at),
    occupied_until: Date.parse(slot.end_at),
  }) as Move;

test('a claim that overlaps another booking is refused, not ignored, and an already held claim stays', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const [taken, free] = [freeHour(), freeHour()];
    await reserve(scratch, room, taken);
    const moving = (await reserve(scratch, room))!;
    const claim = (slot: typeof taken) =>
      transaction(scratch, (tx) => claimSlot(tx, moving, moveTo(room.id, slot)));
    const refused = await t.throwsAsync(claim(taken));
    t.like(refused, { code: 'slot_unavailable', context: { details: { reason: 'booked' } } });
    await claim(free);
    await claim(free);
    const claims = await scratch.query(`SELECT FROM slot_claims WHERE booking_id = $1`, [moving]);
    t.is(claims.length, 2);
  });
});

test('a room that was archived after a request has read it is not booked', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    await scratch.query(`UPDATE rooms SET archived = true`);
    const refused = await t.throwsAsync(reserve(scratch, room));
    t.like(refused, { code: 'slot_unavailable', context: { details: { reason: 'closed' } } });
  });
});

test('a reservation that is published while its slot is taken over keeps the slot', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const slot = freeHour();
    const abandoned = (await reserve(scratch, room, slot))!;
    await scratch.query(`UPDATE bookings SET created_at = now() - interval '2 minutes' WHERE id = $1`, [
      abandoned,
    ]);
    const moving = (await reserve(scratch, room))!;
    const publishing = scratch.createQueryRunner();
    await publishing.startTransaction();
    await publishing.query(`UPDATE bookings SET published_at = now() WHERE id = $1`, [abandoned]);
    const taking = transaction(scratch, (tx) => assertSlotFree(tx, moving, moveTo(room.id, slot))).catch(
      (error: unknown) => error,
    );
    await untilLocked(scratch);
    await publishing.commitTransaction();
    await publishing.release();
    t.like(await taking, { code: 'slot_unavailable' });
    t.false(await releaseReservation(scratch.manager, abandoned, 'test'));
  });
});
