import test from 'ava';
import type { DataSource } from 'typeorm';
import { insertDiscount } from '../../../commands/discounts/discounts.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { Discount } from '../../../db/entities/discounts.js';
import { newUuid } from '../../../db/ids.js';
import { findDiscount } from '../../../db/queries/discounts/discount.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import type { ApiError } from '../../../domain/errors.js';
import { freeHour } from '../../support/bookings.js';
import { until } from '../../support/until.js';
import {
  newPlace,
  newRoomIn,
  reserveIn,
  withDiscount,
  withoutLocks,
  withScratchDatabase,
} from '../../support/scratch-database.js';

const AT_ONCE = 50;

type Limits = { max_uses: number | null; max_uses_per_payer: number | null };

const newDiscount = (tx: Tx, workspace_id: string, limits: Limits, code = 'SPRING') =>
  insertDiscount(tx, {
    id: newUuid(),
    workspace_id,
    code,
    percent: '10',
    amount_minor: null,
    currency: null,
    room_ids: null,
    audience: { kind: 'everyone', tiers: null, company_ids: null },
    valid_from: null,
    valid_until: null,
    archived: false,
    ...limits,
  });

/**
 * Fifty concurrent bookings of as many rooms, each with a code. Returns how many have used it, and the
 * others' errors.
 */
async function race(
  scratch: DataSource,
  limits: Limits,
  toEmail: (n: number) => string,
  through: (tx: Tx) => Tx = (tx) => tx,
) {
  const { workspace_id } = await newPlace(scratch);
  const discount = await newDiscount(scratch.manager, workspace_id, limits);
  const rooms = await Promise.all(
    Array.from({ length: AT_ONCE }, () => newRoomIn(scratch.manager, workspace_id)),
  );
  const slot = freeHour();
  const outcomes = await Promise.allSettled(
    rooms.map((room, n) =>
      transaction(scratch, (tx) =>
        reserveIn(through(tx), room, slot, {
          pricing: withDiscount(room, discount),
          guest: { email: toEmail(n), name: 'Grace Guest' },
        }),
      ),
    ),
  );
  const { used } = (await findDiscount(scratch.manager, workspace_id, discount.id))!;
  const errors = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []));
  const held = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return { workspace_id, discount, used, held, errors };
}

const others = (n: number): string => `guest-${n}@example.com`;
/** One mailbox, in spellings that are the same address. */
const one = (n: number): string => (n % 2 ? 'Grace@EXAMPLE.com' : 'grace@example.com');

test('of 50 concurrent bookings one gets the last use of a code, and its end frees the use again', async (t) => {
  await withScratchDatabase(async (scratch) => {
    for (let round = 0; round < 3; round++) {
      const { workspace_id, discount, used, held, errors } = await race(
        scratch,
        { max_uses: 1, max_uses_per_payer: null },
        others,
      );
      t.is(held.length, 1);
      t.is(used, 1);
      t.deepEqual([...new Set(errors.map(({ code }) => code))], ['discount_unavailable']);
      t.true(await releaseReservation(scratch.manager, held[0]!, 'test'));
      t.is((await findDiscount(scratch.manager, workspace_id, discount.id))!.used, 0);
    }
  });
});

test('of 50 concurrent bookings by one mailbox one gets its last use of a code', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const limits = { max_uses: null, max_uses_per_payer: 1 };
    const same = await race(scratch, limits, one);
    t.is(same.held.length, 1);
    t.is(same.used, 1);
    const different = await race(scratch, limits, others);
    t.is(different.used, AT_ONCE, 'others use it');
  });
});

test('staff who lose the last use of a code learn why, others do not', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { workspace_id } = await newPlace(scratch);
    const unlimited = { max_uses: null, max_uses_per_payer: null };
    for (const [reason, limits] of [
      ['archived', unlimited],
      ['used_up', { ...unlimited, max_uses: 1 }],
      ['used_up_by_payer', { ...unlimited, max_uses_per_payer: 1 }],
    ] as const) {
      const discount = await newDiscount(scratch.manager, workspace_id, limits, reason.toUpperCase());
      const use = async (by_staff: boolean) => {
        const room = await newRoomIn(scratch.manager, workspace_id);
        const guest = { email: 'grace@example.com', name: 'Grace Guest' };
        const other = { pricing: withDiscount(room, discount), guest, by_staff };
        return transaction(scratch, (tx) => reserveIn(tx, room, freeHour(), other));
      };
      t.truthy(await use(false));
      if (reason === 'archived') await scratch.manager.update(Discount, discount.id, { archived: true });
      for (const [by_staff, details] of [
        [true, { reason }],
        [false, undefined],
      ] as const) {
        const error = await t.throwsAsync<ApiError>(use(by_staff));
        t.is(error.code, 'discount_unavailable', reason);
        t.deepEqual(error.context.details, details, reason);
      }
    }
  });
});

test('negative control: without the lock of the code more bookings use it than allowed', async (t) => {
  await withScratchDatabase(async (scratch) => {
    // Without a lock they race: on a busy machine not at each try.
    const exceeds = (limits: Parameters<typeof race>[1], by: typeof one) =>
      until(async () => (await race(scratch, limits, by, withoutLocks)).used > 1);
    t.true(await exceeds({ max_uses: 1, max_uses_per_payer: null }, others));
    t.true(await exceeds({ max_uses: null, max_uses_per_payer: 1 }, one));
  });
});
