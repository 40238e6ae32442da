import type { DataSource } from 'typeorm';
import type { BookingPlan, PlanProblem } from '../../domain/blackouts/plan.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { PLAN_TRANSITIONS } from '../../domain/states.js';
import { execute } from '../../db/query.js';
import type { BlackoutBooking } from '../../db/entities/rooms.js';
import { isUnproven } from '../../db/queries/mail/unproven-booking.js';
import { findBookingsDuring, type BlackoutRow } from '../../db/queries/blackouts/blackout.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { Created, IdempotencyKey } from '../api-keys/idempotency.js';
import { enqueueMail } from '../mail/mails.js';
import { createBlackoutBy, insertBlackout, type NewBlackout } from './blackouts.js';

/** The plan for a booking. `note` is for its payer. */
export interface PlannedBooking {
  booking_id: string;
  plan: BookingPlan;
  note: string | null;
}

type Key = Pick<BlackoutBooking, 'workspace_id' | 'blackout_id' | 'booking_id'>;

/** A blackout with the room that it closes. */
export type RoomBlackout = BlackoutRow & { room_id: string };

/**
 * Creates a blackout with a plan for each booking in its way, which is carried out afterwards. Errors: 404
 * `room_not_found`; 409 as for `insertPlannedBlackout`; 422.
 */
export const createPlannedBlackout = (
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  { planned, ...sent }: NewBlackout & { planned: PlannedBooking[] },
  idempotency: IdempotencyKey | null,
): Promise<Created<RoomBlackout>> =>
  createBlackoutBy(db, caller, sent, idempotency, {
    insert: (tx, row) => insertPlannedBlackout(tx, quotas, row, planned),
    show: async (_, blackout) => ({ ...blackout, room_id: sent.room_id }),
  });

/**
 * Stores a blackout with a plan for each booking in its way (docs/rules/rooms.md#bookings-in-the-way). Once
 * it is committed, nobody can book the time, so no other bookings get in the way while the plans are carried
 * out. Returns the bookings in its way. Errors: 409 `slot_unavailable` if one has no plan, `limit_reached`.
 */
export async function insertPlannedBlackout(
  tx: Tx,
  quotas: Quotas,
  blackout: Omit<Parameters<typeof insertBlackout>[2], 'force'>,
  planned: PlannedBooking[],
): Promise<{ blackout: BlackoutRow; bookings: string[] }> {
  const { blackout: stored, bookings } = await insertBlackout(tx, quotas, { ...blackout, force: true });
  if (bookings.some((id) => !planned.some(({ booking_id }) => booking_id === id))) {
    const message = 'Another booking was made during this time. Choose what happens to it too.';
    throw new ApiError('slot_unavailable', message, { details: { reason: 'unplanned' } });
  }
  const { id, workspace_id } = blackout;
  await planBookings(
    tx,
    { workspace_id, blackout_id: id },
    planned.filter(({ booking_id }) => bookings.includes(booking_id)),
  );
  return { blackout: stored!, bookings };
}

/** Replaces the plans for bookings in the way of a blackout. */
export const planAnew = (
  db: DataSource,
  { workspace_id }: Pick<Principal, 'workspace_id'>,
  blackout: RoomBlackout,
  planned: PlannedBooking[],
): Promise<void> =>
  transaction(db, async (tx) => {
    const inTheWay = await findBookingsDuring(tx, blackout.room_id, blackout);
    await planBookings(
      tx,
      { workspace_id, blackout_id: blackout.id },
      planned.filter(({ booking_id }) => inTheWay.includes(booking_id)),
    );
  });

/** Stores plans for bookings in the way of a blackout, in place of earlier ones. */
async function planBookings(
  tx: Tx,
  { workspace_id, blackout_id }: Omit<Key, 'booking_id'>,
  planned: PlannedBooking[],
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO blackout_bookings (workspace_id, blackout_id, booking_id, plan, note)
     SELECT $1, $2, p.booking_id, p.plan, p.note
     FROM jsonb_to_recordset($3::jsonb) AS p (booking_id text, plan jsonb, note text)
     ON CONFLICT (blackout_id, booking_id) DO UPDATE
     SET plan = excluded.plan, note = excluded.note, state = 'planned', problem = NULL`,
    [workspace_id, blackout_id, JSON.stringify(planned)],
  );
}

/** Plans a booking again whose plan has failed. */
export const planAgain = (db: DataSource, { workspace_id, blackout_id, booking_id }: Key): Promise<void> =>
  transaction(db, async (tx) => {
    await execute(
      tx,
      `UPDATE blackout_bookings SET state = 'planned', problem = NULL
       WHERE workspace_id = $1 AND blackout_id = $2 AND booking_id = $3 AND state = 'failed'`,
      [workspace_id, blackout_id, booking_id],
    );
  });

/** Records that a plan was carried out, or with a problem that it failed. */
export async function finishPlan(
  tx: Tx,
  { workspace_id, blackout_id, booking_id }: Key,
  problem: PlanProblem | null,
): Promise<void> {
  const { from, to } = PLAN_TRANSITIONS[problem ? 'fail' : 'finish'];
  await execute(
    tx,
    `UPDATE blackout_bookings SET state = $4, problem = $5
     WHERE workspace_id = $1 AND blackout_id = $2 AND booking_id = $3 AND state = ANY ($6)`,
    [workspace_id, blackout_id, booking_id, to, problem && JSON.stringify(problem), from],
  );
}

/**
 * Informs the payer of a booking that stays: enqueues the mail with the note, once, unless a public guest has
 * not proved that the address is theirs. Completes the plan.
 */
export const tellPayer = (db: DataSource, key: Key): Promise<void> =>
  transaction(db, async (tx) => {
    if (!(await isUnproven(tx, key.booking_id))) await enqueueNote(tx, key);
    await finishPlan(tx, key, null);
  });

async function enqueueNote(tx: Tx, { workspace_id, blackout_id, booking_id }: Key): Promise<void> {
  await execute(
    tx,
    `UPDATE blackout_bookings SET told_at = coalesce(told_at, now())
     WHERE workspace_id = $1 AND blackout_id = $2 AND booking_id = $3`,
    [workspace_id, blackout_id, booking_id],
  );
  const about = `${blackout_id}:${booking_id}`;
  await enqueueMail(tx, { workspace_id, kind: 'booking_note', booking_id, about });
}
