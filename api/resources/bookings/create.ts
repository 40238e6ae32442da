import { createHash } from 'node:crypto';
import { findBooking, findBookingById, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { HourCreditsExhausted } from '../../../commands/bookings/hour-credits.js';
import { findCreateContext, type KnownRequest } from '../../../db/queries/bookings/create.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { reserveSlot, type Reservation } from '../../../commands/bookings/reserve-slot.js';
import { transaction } from '../../../db/transaction.js';
import { MAX_UNPAID_BOOKINGS, planCreate, type CreateRequest } from '../../../domain/booking-create.js';
import { ApiError } from '../../../domain/errors.js';
import { can, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { serviceUnavailable } from '../../http/errors.js';
import { createRequestOf } from './aliases.js';
import { presentBookingFor } from './present.js';
import { publish } from './publish.js';
import type { CreateBody } from './shape.js';

const MAX_ATTEMPTS = 5;

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'manageLinks'>;

/** `POST /v1/bookings` */
export function create(deps: Deps): Handler<CreateBody> {
  return async (ctx) => {
    const { body, principal } = ctx.state;
    assertSameKey(ctx.headers['idempotency-key'], body.idempotency_key);
    const request = createRequestOf(body);
    const { booking, created } = await createBooking(deps, principal, body.idempotency_key, request);
    ctx.status = created ? 201 : 200;
    ctx.body = presentBookingFor(deps, principal, booking);
  };
}

/** The header may repeat the key of the body, but not contradict it; an empty one does. */
function assertSameKey(header: string | string[] | undefined, key: string): void {
  if (header === undefined || String(header).toLowerCase() === key) return;
  const message =
    'The Idempotency-Key header must match idempotency_key in the body. Send only idempotency_key.';
  throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
}

/** SHA-256 of a create request, hex. */
const fingerprintOf = (request: CreateRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');

/** Admins and owners can book for others. Errors: 403 `role_insufficient`. */
export function assertCanBookFor(principal: Principal, request: CreateRequest): void {
  if (request.member_id === principal.member_id || can(principal.role, 'all_bookings')) return;
  throw new ApiError(
    'role_insufficient',
    'Booking for a guest or another member requires the role admin or owner. Send your own member_id.',
  );
}

/**
 * Creates a booking (docs/architecture.md#creating-a-booking): the request and its slot are stored first, in one
 * transaction, then Temporal receives the ids. Returns the published booking and whether this call created it.
 *
 * The slot is claimed before Temporal is called, and the run opens the checkout and publishes in its first workflow task:
 * docs/costs.md#what-a-booking-costs.
 *
 * Errors: those of `planCreate`; 409 `idempotency_conflict`, `slot_unavailable`,
 * `credit_limit_exceeded`, `too_many_unpaid_bookings`; 422 `amount_too_small`; 502 `processor_error`; 503
 * `service_unavailable`, safe to retry.
 */
async function createBooking(
  deps: Deps,
  principal: Principal,
  idempotencyKey: string,
  request: CreateRequest,
): Promise<{ booking: BookingRow; created: boolean }> {
  assertCanBookFor(principal, request);
  const fingerprint = fingerprintOf(request);
  const { workspace_id } = principal;
  const lookup = { ...request, workspace_id, idempotency_key: idempotencyKey };
  // An attempt ends without a result only if another request with this key has changed the state in the meantime.
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const context = await findCreateContext(deps.db.manager, lookup);
    if (context.known) {
      const booking = await findOriginal(deps, workspace_id, context.known, fingerprint);
      if (booking) return { booking, created: false };
      // Its run cannot be joined. If it ended without an outcome, the key must not stay bound to it.
      await releaseAbandoned(deps, context.abandoned);
      continue;
    }
    const plan = planCreate(context, request, Date.now());
    await releaseAbandoned(deps, context.abandoned);
    const max_unpaid = can(principal.role, 'all_bookings') ? null : MAX_UNPAID_BOOKINGS;
    const key = { workspace_id, idempotency_key: idempotencyKey, fingerprint };
    const id = await reserve(deps, { ...plan, ...key, max_unpaid });
    const { id: room_id, name: room_name, time_zone } = plan.room;
    const booking = id && (await publish(deps, { ...plan, id, workspace_id, room_id, room_name, time_zone }));
    if (booking) return { booking, created: true };
  }
  throw serviceUnavailable('Too many concurrent requests use this idempotency key.');
}

/** Reserves the slot; null if another request has taken the key or the member's hour credits in the meantime. */
async function reserve({ db }: Deps, reservation: Reservation): Promise<string | null> {
  try {
    return await transaction(db, (tx) => reserveSlot(tx, reservation));
  } catch (error) {
    if (error instanceof HourCreditsExhausted) return null;
    throw error;
  }
}

async function releaseAbandoned({ db }: Deps, bookingIds: string[]): Promise<void> {
  for (const id of bookingIds) await transaction(db, (tx) => releaseReservation(tx, id, 'abandoned'));
}

/** The booking that a known key belongs to, in its current state. Waits for a create that is still in flight. */
async function findOriginal(
  deps: Deps,
  workspaceId: string,
  known: KnownRequest,
  fingerprint: string,
): Promise<BookingRow | null> {
  if (known.fingerprint !== fingerprint) {
    const message = 'This idempotency key has been used for a different request. Use a new key.';
    throw new ApiError('idempotency_conflict', message, { param: 'idempotency_key' });
  }
  if (known.state === 'published') return findBooking(deps.db.manager, workspaceId, known.booking_id);
  const reserved = await findBookingById(deps.db.manager, known.booking_id);
  return reserved && publish(deps, reserved);
}
