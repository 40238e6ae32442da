import test from 'ava';
import { reserveForStranger } from '../../commands/bookings/strangers.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { newPlace, reservationOf, withScratchDatabase } from '../db/scratch.js';
import { freeHour } from '../support/bookings.js';

test('strangers are bounded by client, and for each client by mailbox, with one answer for both', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const room = await newPlace(scratch);
    const bucket = { size: 2, per_minute: 0.5 };
    let proofs = 0;
    const hold = (email: string, address: string, of = room) =>
      transaction(scratch, (tx) => {
        const guest = { email, name: 'Grace' };
        const reservation = reservationOf(of, freeHour(), { source: 'page', guest });
        const stranger = { address, bucket, hold_seconds: 900, proof: `proof ${proofs++}` };
        return reserveForStranger(tx, reservation, stranger);
      });
    const held = async (): Promise<number> =>
      (await scratch.query(`SELECT FROM bookings WHERE workspace_id = $1`, [room.workspace_id])).length;
    const refusalOf = async (email: string, address: string) => {
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
        const reservation = reservationOf(room, freeHour(), { source: 'page', guest });
        const stranger = { address, bucket: of, hold_seconds: 900, proof: `proof ${proofs++}` };
        return reserveForStranger(tx, reservation, stranger);
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
    const byClient = await refusalOf('c@example.com', '192.0.2.1');
    t.deepEqual(byMailbox, byClient, 'neither words nor the time to wait say which');
    t.is(await held(), 5, 'a refused one holds nothing');

    for (const n of [1, 2]) await hold(`d${n}@example.com`, `2001:db8::${n}`);
    await refusalOf('e@example.com', '2001:db8::ffff:3');
    await hold('e@example.com', '2001:db8:1::3');
    const other = await newPlace(scratch);
    t.truthy(await hold('ada@example.com', '192.0.2.1', other), 'another workspace counts for itself');
  });
});
