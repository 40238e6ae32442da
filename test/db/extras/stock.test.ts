import test from 'ava';
import type { DataSource } from 'typeorm';
import { transaction, type Tx } from '../../../db/transaction.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import type { ApiError } from '../../../domain/errors.js';
import { freeHour, hoursLater } from '../../support/bookings.js';
import {
  newExtra,
  newPlace,
  newRoomIn,
  reserveIn,
  withExtra,
  withoutLocks,
  withScratchDatabase,
} from '../../support/scratch-database.js';
import { until } from '../../support/until.js';

const AT_ONCE = 50;

/**
 * Fifty concurrent bookings of as many rooms, each with the last one of an extra. Returns how many got it,
 * and the others' errors.
 */
async function race(scratch: DataSource, through: (tx: Tx) => Tx = (tx) => tx) {
  const { workspace_id } = await newPlace(scratch);
  const extra = await newExtra(scratch.manager, workspace_id, 1);
  const rooms = await Promise.all(
    Array.from({ length: AT_ONCE }, () => newRoomIn(scratch.manager, workspace_id)),
  );
  const slot = freeHour();
  const outcomes = await Promise.allSettled(
    rooms.map((room) =>
      transaction(scratch, (tx) => reserveIn(through(tx), room, slot, { pricing: withExtra(room, extra) })),
    ),
  );
  const [{ taken }] = await scratch.query(`SELECT extra_taken($1, '(,)', '{}') AS taken`, [extra.id]);
  const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []));
  return { extra, taken, held: AT_ONCE - errors.length, errors };
}

test('of 50 concurrent bookings of different rooms one gets the last extra, and the others learn that none is left', async (t) => {
  await withScratchDatabase(async (scratch) => {
    for (let round = 0; round < 3; round++) {
      const { extra, taken, held, errors } = await race(scratch);
      t.is(held, 1);
      t.is(taken, 1);
      for (const { code, context } of errors) {
        t.is(code, 'extra_unavailable');
        t.deepEqual(context.details, { reason: 'stock', extra_id: extra.id, available: 0 });
      }
    }
  });
});

test('negative control: without the lock of the extra more bookings get it than there are', async (t) => {
  await withScratchDatabase(async (scratch) => {
    // Without a lock they race: on a busy machine not at each try.
    const { taken, held } = await until(async () => {
      const raced = await race(scratch, withoutLocks);
      return raced.held > 1 && raced;
    });
    t.is(taken, held);
  });
});

test('stock is counted at each moment: consecutive bookings take one each, and one across both needs what is left of each', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const extra = await newExtra(scratch.manager, workspace_id, 3);
    const { start_at, end_at } = freeHour();
    const later = { start_at: end_at, end_at: hoursLater(end_at, 1) };
    const both = { start_at, end_at: later.end_at };
    const book = async (slot: typeof later, quantity: number) => {
      const room = await newRoomIn(scratch.manager, workspace_id);
      return transaction(scratch, (tx) =>
        reserveIn(tx, room, slot, { pricing: withExtra(room, extra, quantity) }),
      );
    };
    const first = await book({ start_at, end_at }, 2);
    await book(later, 1);
    await book(later, 1);
    const refused = await t.throwsAsync(book(both, 2));
    t.like((refused as ApiError).context.details, { available: 1 });
    await book(both, 1);
    await t.throwsAsync(book(later, 1), { message: /sold out/ });
    t.true(await releaseReservation(scratch.manager, first!, 'test'));
    await book({ start_at, end_at }, 2);
    await t.throwsAsync(book({ start_at, end_at }, 1));
  });
});
