import { createHash } from 'node:crypto';
import { findBooking, findBookingById, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { HourCreditsExhausted } from '../../../commands/bookings/hour-credits.js';
import { findCreateContext, type KnownRequest } from '../../../db/queries/bookings/create.js';
import { reserveForStranger, type Stranger } from '../../../commands/bookings/strangers.js';
import { releaseReservation } from '../../../commands/bookings/release-reservation.js';
import { reserveSlot, type Reservation } from '../../../commands/bookings/reserve-slot.js';
import { transaction } from '../../../db/transaction.js';
import {
  holdEnd,
  MAX_UNPAID_BOOKINGS,
  planCreate,
  type CreateRequest,
} from '../../../domain/bookings/create.js';
import type { MemberActor } from '../../../domain/bookings/change.js';
import type { BookingSource } from '../../../domain/bookings/origin.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { can, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { serviceUnavailable } from '../../http/errors.js';
import { createRequestOf } from './aliases.js';
import { presentBookingFor } from './present.js';
import { publish } from './publish.js';
import { actorOf } from './run-update.js';
import type { CreateBody } from './shape.js';

const MAX_ATTEMPTS = 5;

type Deps = Pick<ApiDependencies, 'db' | 'publications' | 'temporal' | 'taskQueue'>;

/** Who creates a booking. */
export interface Booker {
  workspace_id: string;
  by_staff: boolean;
  source: BookingSource;
  /** The member who asks at the dashboard; null for a request with a key. */
  actor?: MemberActor | null;
  /** Set for a guest who books by themselves. */
  stranger?: Stranger;
  /** The price that they were shown, in minor units: another one creates nothing. */
  expected_minor?: number;
}

/** The field with the price that was shown. */
export const EXPECTED_PRICE = 'expected_price_minor';

/** `POST /v1/bookings` */
export function create(deps: Deps & Pick<ApiDependencies, 'manageLinks'>): Handler<CreateBody> {
  return async (ctx) => {
    const { body, principal } = ctx.state;
    assertSameKey(ctx.headers['idempotency-key'], body.idempotency_key);
    const request = createRequestOf(body);
    assertCanBookFor(principal, request);
    const atDashboard = principal.key_id === null;
    const booker: Booker = {
      workspace_id: principal.workspace_id,
      by_staff: can(principal.role, 'all_bookings'),
      source: atDashboard ? 'dashboard' : 'api',
      actor: atDashboard ? actorOf(principal) : null,
    };
    const { booking, created } = await createBooking(deps, booker, body.idempotency_key, request);
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

/** The front desk, admins and owners can book for others. Errors: 403 `role_insufficient`. */
export function assertCanBookFor(principal: Principal, request: CreateRequest): void {
  if (request.member_id === principal.member_id || can(principal.role, 'all_bookings')) return;
  throw new ApiError(
    'role_insufficient',
    'Booking for a guest or another member requires the role front_desk, admin or owner. ' +
      'Send your own member_id.',
  );
}

/**
 * Creates a booking (docs/architecture.md#creating-a-booking): the request and its slot are stored
 * first, in one transaction, then Temporal receives the ids. Returns the published booking and
 * whether this call created it.
 *
 * The slot is claimed before Temporal is called, and the run opens the checkout and publishes in its first
 * workflow task: docs/internals/costs.md#a-booking.
 *
 * A free booking of a stranger is returned as it is reserved, unpublished: it waits for the link in its mail.
 *
 * Errors: those of `planCreate`; 409 `idempotency_conflict`, `slot_unavailable`,
 * `credit_limit_exceeded`, `too_many_unpaid_bookings`; 422 `amount_too_small`; 502 `processor_error`; 503
 * `service_unavailable`, safe to retry; of a stranger 429 `rate_limited`.
 */
export async function createBooking(
  deps: Deps,
  { workspace_id, by_staff, source, actor, stranger, expected_minor }: Booker,
  idempotencyKey: string,
  request: CreateRequest,
): Promise<{ booking: BookingRow; created: boolean }> {
  const fingerprint = fingerprintOf(request);
  const lookup = { ...request, workspace_id, idempotency_key: idempotencyKey };
  // An attempt ends without a result only if another request with this key has changed
  // the state in the meantime.
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const context = await findCreateContext(deps.db.manager, lookup);
    if (context.known) {
      const booking = await findOriginal(deps, workspace_id, context.known, fingerprint);
      if (booking) return { booking, created: false };
      // Its run cannot be joined. If it ended without an outcome, the key must not stay bound to it.
      await releaseAbandoned(deps, context.abandoned);
      continue;
    }
    const { hold_seconds } = stranger ?? {};
    const plan = planCreate(context, request, Date.now(), { by_staff, hold_seconds });
    if (expected_minor !== undefined && expected_minor !== plan.price.total_minor)
      throw invalidField(EXPECTED_PRICE, 'is not the price any more');
    await releaseAbandoned(deps, context.abandoned);
    const max_unpaid = by_staff || stranger ? null : MAX_UNPAID_BOOKINGS;
    const key = { workspace_id, idempotency_key: idempotencyKey, fingerprint };
    const entered = request.entered ?? null;
    const confirm_until = stranger && !plan.checkout ? holdEnd(plan, new Date()) : null;
    const reservation = { ...plan, ...key, actor: actor ?? null, max_unpaid, source, entered, confirm_until };
    const id = await reserve(deps, reservation, stranger);
    if (id && confirm_until) {
      const reserved = await findBookingById(deps.db.manager, id);
      if (reserved) return { booking: reserved, created: true };
      continue;
    }
    const { id: room_id, name: room_name, time_zone } = plan.room;
    const booking = id && (await publish(deps, { ...plan, id, workspace_id, room_id, room_name, time_zone }));
    if (booking) return { booking, created: true };
  }
  throw serviceUnavailable('Too many concurrent requests use this idempotency key.');
}

/**
 * Reserves the slot; null if another request has taken the key or the member's hour credits in the meantime.
 */
async function reserve({ db }: Deps, reservation: Reservation, stranger?: Stranger): Promise<string | null> {
  try {
    return await transaction(db, (tx) =>
      stranger ? reserveForStranger(tx, reservation, stranger) : reserveSlot(tx, reservation),
    );
  } catch (error) {
    if (error instanceof HourCreditsExhausted) return null;
    throw error;
  }
}

async function releaseAbandoned({ db }: Deps, bookingIds: string[]): Promise<void> {
  for (const id of bookingIds) await transaction(db, (tx) => releaseReservation(tx, id, 'abandoned'));
}

/**
 * The booking that a known key belongs to, in its current state. Waits for a create that is still in flight.
 */
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
  if (!reserved?.confirm_until) return reserved && publish(deps, reserved);
  return reserved.confirm_until > new Date() ? reserved : null;
}
