import type { DataSource } from 'typeorm';
import { isId, newId } from '../../db/ids.js';
import { execute, maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { Blackout } from '../../db/entities/rooms.js';
import { timeRange } from '../../db/time-range.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { assertPeriod, noSuchBlackout } from '../../domain/blackouts/blackout.js';
import { presentBlackout } from '../../domain/blackouts/presenter.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { noSuchRoom } from '../../domain/rooms/room.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { assertFewBlackouts } from '../workspaces/quotas.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import {
  findAbandonedDuring,
  findBlackout,
  findBookingsDuring,
  type BlackoutRow,
} from '../../db/queries/blackouts/blackout.js';
import { releaseReservation } from '../bookings/release-reservation.js';

/** A blackout as sent in a request. */
export interface NewBlackout {
  room_id: string;
  start_at: Date;
  end_at: Date;
  reason?: string | null;
}

/** A blackout with the ids of the live bookings that it overlaps. */
type Shown = ReturnType<typeof presentBlackout> & { booking_ids: string[] };

/**
 * Creates a blackout (docs/rules/rooms.md#blackouts). Errors: 404 `room_not_found`; 409 `slot_unavailable` if
 * it overlaps live bookings and `force` is not set, `limit_reached`, `idempotency_conflict`; 422.
 */
export const createBlackout = (
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  { force, ...sent }: NewBlackout & { force: boolean },
  idempotency: IdempotencyKey | null,
): Promise<Created<Shown>> =>
  createBlackoutBy(db, caller, sent, idempotency, {
    async insert(tx, row) {
      const { blackout, bookings } = await insertBlackout(tx, quotas, { ...row, force });
      if (blackout) return { blackout, bookings };
      const message =
        'The blackout overlaps pending or confirmed bookings. To create it anyway and keep the ' +
        'bookings, set force to true.';
      throw new ApiError('slot_unavailable', message, {
        details: { reason: 'booked', booking_ids: bookings },
      });
    },
    show: async (tx, blackout) => ({
      ...presentBlackout(blackout),
      booking_ids: await findBookingsDuring(tx, sent.room_id, blackout),
    }),
  });

/**
 * Creates a blackout, which `insert` stores. Errors: 404 `room_not_found`; 409 `idempotency_conflict`; 422.
 */
export function createBlackoutBy<Result>(
  db: DataSource,
  caller: Principal,
  { room_id: of, start_at, end_at, reason }: NewBlackout,
  idempotency: IdempotencyKey | null,
  work: {
    insert(
      tx: Tx,
      row: Omit<StoredBlackout, 'force'>,
    ): Promise<{ blackout: BlackoutRow; bookings: string[] }>;
    show(tx: Tx, blackout: BlackoutRow): Promise<Result>;
  },
): Promise<Created<Result>> {
  const { workspace_id } = caller;
  const id = newId('bo');
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        const room = await findRoom(tx, workspace_id, of);
        if (!room) throw noSuchRoom();
        assertPeriod({ start_at, end_at });
        const { id: room_id } = room;
        const row = { id, workspace_id, room_id, start_at, end_at, reason: reason || null };
        const { blackout, bookings: booking_ids } = await work.insert(tx, row);
        const details = { room_id, after: presentBlackout(blackout), booking_ids };
        await audit(tx, caller, { action: 'blackout.created', object: id, details });
      },
      async find(tx, id) {
        const blackout = await findBlackout(tx, of, id);
        return blackout && work.show(tx, blackout);
      },
    },
  );
}

type StoredBlackout = Omit<Blackout, 'during' | 'created_at'> & {
  start_at: Date;
  end_at: Date;
  force: boolean;
};

/**
 * Stores a blackout unless there are bookings in its period; with `force` it is stored anyway and the
 * bookings stay unchanged. Returns the bookings' ids, and the blackout if it was stored. Releases abandoned
 * reservations. Locks the rows of the room and its leaves, as each new booking does, so that a blackout and a
 * booking always see each other. Errors: 409 `limit_reached`.
 */
export async function insertBlackout(
  tx: Tx,
  quotas: Quotas,
  blackout: StoredBlackout,
): Promise<{ blackout: BlackoutRow | null; bookings: string[] }> {
  const { start_at, end_at, force, ...row } = blackout;
  await execute(
    tx,
    `SELECT FROM rooms WHERE id = ANY (ARRAY(SELECT with_leaves(ARRAY[$1::uuid]))) ORDER BY id FOR UPDATE`,
    [row.room_id],
  );
  for (const id of await findAbandonedDuring(tx, row.room_id, blackout))
    await releaseReservation(tx, id, 'abandoned');
  const bookings = await findBookingsDuring(tx, row.room_id, blackout);
  if (bookings.length > 0 && !force) return { blackout: null, bookings };
  if (end_at > new Date()) await assertFewBlackouts(tx, quotas, row.room_id);
  const stored = await insertReturning(tx, Blackout, { ...row, during: timeRange(start_at, end_at) });
  return { blackout: { ...stored, start_at, end_at }, bookings };
}

/** Deletes a blackout. Errors: 404 `room_not_found`, `not_found`. */
export const deleteBlackout = (
  db: DataSource,
  caller: Principal,
  { room_id: of, id }: { room_id: string; id: string },
): Promise<void> =>
  transaction(db, async (tx) => {
    const room = await findRoom(tx, caller.workspace_id, of);
    if (!room) throw noSuchRoom();
    const { id: room_id } = room;
    const blackout = isId('bo', id)
      ? await maybeOne<BlackoutRow>(
          tx,
          `DELETE FROM blackouts WHERE id = $1 AND room_id = $2
            RETURNING id, lower(during) AS start_at, upper(during) AS end_at, reason, created_at`,
          [id, room_id],
        )
      : null;
    if (!blackout) throw noSuchBlackout();
    const details = { room_id, before: presentBlackout(blackout) };
    await audit(tx, caller, { action: 'blackout.deleted', object: id, details });
  });
