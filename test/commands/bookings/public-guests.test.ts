import test from 'ava';
import type { DataSource } from 'typeorm';
import { confirmBooking } from '../../../commands/bookings/confirm-booking.js';
import { expireBooking } from '../../../commands/bookings/expire-booking.js';
import { lockBooking } from '../../../commands/bookings/bookings.js';
import { publishBooking } from '../../../commands/bookings/publish-booking.js';
import { insertMoveByLink, reserveForPublicGuest } from '../../../commands/bookings/public-guests.js';
import type { Room } from '../../../db/entities/rooms.js';
import { findBookingById } from '../../../db/queries/bookings/booking.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { newPlace, newReservation, withScratchDatabase } from '../../support/scratch-database.js';
import { freeHour } from '../../support/bookings.js';

test('public guests are limited by client, and each client by mailbox, with the same error for both', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const bucket = { size: 2, per_minute: 0.5 };
    let proofs = 0;
    const hold = (email: string, address: string, of = room) =>
      transaction(scratch, (tx) => {
        const guest = { email, name: 'Grace' };
        const reservation = newReservation(of, freeHour(), { source: 'page', guest });
        const publicGuest = { address, bucket, hold_seconds: 900, proof: `proof ${proofs++}` };
        return reserveForPublicGuest(tx, reservation, publicGuest);
      });
    const held = async (): Promise<number> =>
      (await scratch.query(`SELECT FROM bookings WHERE workspace_id = $1`, [room.workspace_id])).length;
    const findRefusal = async (email: string, address: string) => {
      const { message, code, context } = await t.throwsAsync<ApiError>(hold(email, address), {
        instanceOf: ApiError,
      });
      return { message, code, context };
    };
    const wide = { size: 9, per_minute: 0.5 };
    const mailboxes = ['Ada@example.com', 'ada@Example.com', 'ADA@example.com'];
    const inBucket = (of: typeof wide, email: string, address: string) =>
      transaction(scratch, (tx) => {
        const guest = { email, name: 'Ada' };
        const reservation = newReservation(room, freeHour(), { source: 'page', guest });
        const publicGuest = { address, bucket: of, hold_seconds: 900, proof: `proof ${proofs++}` };
        return reserveForPublicGuest(tx, reservation, publicGuest);
      });
    for (const email of mailboxes.slice(0, 2)) await inBucket(wide, email, '192.0.2.9');
    const { message, code, context } = await t.throwsAsync<ApiError>(
      inBucket(wide, mailboxes[2]!, '192.0.2.9'),
      { instanceOf: ApiError },
    );
    const byMailbox = { message, code, context };
    t.is(byMailbox.code, 'rate_limited');
    await hold(mailboxes[2]!, '192.0.2.3');
    for (const n of [1, 2]) await hold(`b${n}@example.com`, '192.0.2.1');
    const byClient = await findRefusal('c@example.com', '192.0.2.1');
    t.deepEqual(byMailbox, byClient, 'neither words nor the time to wait say which');
    t.is(await held(), 5, 'a refused one holds nothing');

    for (const n of [1, 2]) await hold(`d${n}@example.com`, `2001:db8::${n}`);
    await findRefusal('e@example.com', '2001:db8::ffff:3');
    await hold('e@example.com', '2001:db8:1::3');
    const other = await newPlace(scratch);
    t.truthy(await hold('ada@example.com', '192.0.2.1', other), 'another workspace counts for itself');
  });
});

/** Makes public guests hold a room and pay, each from their own address. */
function createPublicGuests(scratch: DataSource, size: number) {
  let made = 0;
  const hold = (room: Room, address: string, hours = 1): Promise<string | null> =>
    transaction(scratch, async (tx) => {
      const { start_at } = freeHour(30 + 400 * made);
      const end_at = new Date(Date.parse(start_at) + hours * HOUR_MS).toISOString();
      const reservation = newReservation(
        room,
        { start_at, end_at },
        {
          source: 'page',
          guest: { email: `stranger${made++}@example.com`, name: 'Grace' },
          price: { net_minor: 2_500, tax_minor: 500, total_minor: 3_000 },
        },
      );
      const bucket = { size, per_minute: 0.5 };
      const id = await reserveForPublicGuest(tx, reservation, {
        address,
        bucket,
        hold_seconds: 900,
        proof: null,
      });
      await publishBooking(tx, id!, { id: `cs_${id}`, url: 'https://pay.example/1' });
      return id;
    });
  const pay = (id: string) =>
    transaction(scratch, async (tx) =>
      confirmBooking(tx, (await lockBooking(tx, id))!, {
        source: null,
        paymentIntentId: null,
        at: new Date(),
      }),
    );
  return { hold, pay };
}

test('guests behind one address who have paid count differently from those who only hold rooms', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { hold, pay } = createPublicGuests(scratch, 2);
    const address = '192.0.2.1';
    for (let n = 0; n < 6; n++) await pay((await hold(room, address))!);
    await hold(room, address);
    // A bucket of two requires a proof of work from its first hold on.
    await t.throwsAsync(hold(room, address), { message: /Solve the challenge/ });
  });
});

test('a client holds one booking of the longest offered time, or one day of a room, until it is paid', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { hold, pay } = createPublicGuests(scratch, 100);
    const refused = (held: Promise<unknown>, why: string) =>
      t.throwsAsync(held, { instanceOf: ApiError, code: 'rate_limited' }, why);
    await refused(hold(room, '192.0.2.1', 365 * 24), 'a year');
    await refused(hold(room, '192.0.2.1', 25), 'more than a day');
    const day = (await hold(room, '192.0.2.1', 24))!;
    await refused(hold(room, '192.0.2.1'), 'an hour beyond a day');
    t.truthy(await hold(room, '192.0.2.2'), 'another client');
    t.truthy(await hold(await newPlace(scratch), '192.0.2.1'), 'another room');
    await transaction(scratch, (tx) => expireBooking(tx, day));
    const paid = (await hold(room, '192.0.2.1', 24))!;
    await pay(paid);
    for (let n = 0; n < 2; n++) await hold(room, '192.0.2.1', 12);
    await refused(hold(room, '192.0.2.1'), 'two bookings of a day together');

    const weekly = { ...(await newPlace(scratch)), max_minutes: 7 * 24 * 60 };
    t.truthy(await hold(weekly, '192.0.2.1', 7 * 24), 'as long as the room says');
    await refused(hold(weekly, '192.0.2.1'), 'and nothing beyond it');

    const kept = await scratch.query(
      `SELECT b.status FROM booking_requests q JOIN bookings b ON b.id = q.booking_id
        WHERE q.client IS NOT NULL`,
    );
    t.true(
      kept.every(({ status }: { status: string }) => status === 'pending_payment'),
      'nothing is kept of the others',
    );
  });
});

test('a move by the manage link has the limits of a hold', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const { workspace_id } = room;
    const { hold, pay } = createPublicGuests(scratch, 100);
    const paid = async () => {
      const id = (await hold(room, '192.0.2.1'))!;
      await pay(id);
      return id;
    };
    const move = (id: string, hours: number, address = '192.0.2.1', booked = 1) =>
      transaction(scratch, async (tx) => {
        const found = (await findBookingById(tx, id))!;
        const after = (length: number): number => found.start_at.getTime() + length * HOUR_MS;
        const booking = { ...found, end_at: new Date(after(booked)) };
        const request = { end_at: after(hours) };
        const of = { workspace_id, booking_id: id, actor: { guest: id } };
        const change = { ...of, kind: 'change', request, on_authentication: 'link' } as const;
        return insertMoveByLink(tx, change, booking, { room, address });
      });
    const [first, second] = [await paid(), await paid()];
    const limited = { instanceOf: ApiError, code: 'rate_limited' };
    await t.throwsAsync(move(first, 365 * 24), limited);
    await move(first, 24);
    await t.throwsAsync(move(second, 2), limited, 'while the other waits for its payment');
    await t.throwsAsync(hold(room, '192.0.2.1'), limited);
    t.truthy(await move(second, 2, '192.0.2.2'), 'another client');
    t.truthy(await move(second, 72, '192.0.2.3', 72), 'a booking may keep its length');
  });
});
