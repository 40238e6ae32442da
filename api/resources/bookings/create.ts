import { createHash } from 'node:crypto';
import { releaseAbandoned } from '../../../commands/bookings/release-reservation.js';
import { reserve, type PublicGuest } from '../../../commands/bookings/public-guests.js';
import { findBooking, findBookingById, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { findCreateContext, type KnownRequest } from '../../../db/queries/bookings/create.js';
import {
  holdEnd,
  MAX_UNPAID_BOOKINGS,
  planCreate,
  type CreateRequest,
} from '../../../domain/bookings/create.js';
import type { MemberActor } from '../../../domain/bookings/change.js';
import type { BookingSource } from '../../../domain/bookings/origin.js';
import { isThereForGuest } from '../../../domain/bookings/visibility.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import { serviceUnavailable } from '../../http/errors.js';
import { assertSameKey } from '../../http/idempotency.js';
import { created, operation } from '../../http/operation.js';
import type { Infer } from '../../http/typed.js';
import { EXAMPLE_ROOM_ID } from '../rooms/operations.js';
import { EXAMPLE_KEY, exampleTime } from '../shared/examples.js';
import { DETAILS, linkedBooking, presentBookingFor } from './booking.js';
import { linked, pending } from './examples.js';
import { publish } from './publish.js';
import { assertCanBookFor, toCreateRequest, createSchema } from './request.js';
import { toChangeActor } from './run-update.js';

const MAX_ATTEMPTS = 5;

type Deps = Pick<ApiDependencies, 'db' | 'publications' | 'temporal' | 'taskQueue'>;

export interface Booker {
  workspace_id: string;
  by_staff: boolean;
  source: BookingSource;
  /** The member who uses the dashboard; null for a request with a key. */
  actor?: MemberActor | null;
  /** Set for a guest who uses the booking page or a website. */
  publicGuest?: PublicGuest;
  /** The price that was shown, in minor units. If the price differs, no booking is created. */
  expected_minor?: number;
}

export const EXPECTED_PRICE = 'expected_price_minor';

export type CreateBody = Infer<typeof createSchema> & {
  /** Set only by the dashboard's form: the price that it showed. */
  [EXPECTED_PRICE]?: number;
};

export const postBooking = operation({
  route: 'POST /v1/bookings',
  summary: 'Create a booking',
  description:
    'Creates a booking with status `pending_payment` and a hold on the slot until ' +
    '`expires_at`. Redirect the payer to `checkout_url`; the booking is confirmed when the payment ' +
    'succeeds. A booking with a price of 0 is confirmed immediately and has no `checkout_url`. With ' +
    '`settle: on_account`, the booking is also confirmed immediately, and its invoice is due ' +
    'according to the `payment_terms` of the member’s company, or of the member if there is no ' +
    'company. With the role `front_desk`, `admin` or `owner`, a booking can start in a slot that has ' +
    'already begun. A repeat with the same `idempotency_key` and body returns 200 with the booking ' +
    'in its current state. `resource_id` and `member_id` are aliases of `room_id` and ' +
    '`booked_by.member_id`, and `duration_minutes` can be sent instead of `end_at`. For 409 ' +
    '`slot_unavailable`, `details.reason` is `booked`, `part_booked`, `blackout` or `closed`. For ' +
    '409 `extra_unavailable`, `details.available` is the quantity that is left.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  body: createSchema,
  idempotent: true,
  responses: { 200: linkedBooking, 201: linkedBooking },
  errors: [
    'room_not_found',
    'member_not_found',
    'member_cancelled',
    'tier_not_allowed',
    'slot_unavailable',
    'extra_unavailable',
    'discount_unavailable',
    'slot_misaligned',
    'idempotency_conflict',
    'credit_limit_exceeded',
    'too_many_unpaid_bookings',
    'processor_unconfigured',
    'amount_too_small',
    'processor_error',
  ],
  examples: {
    body: {
      room_id: EXAMPLE_ROOM_ID,
      start_at: exampleTime(45, 9),
      end_at: exampleTime(45, 11),
      booked_by: { guest: { email: 'grace@example.com', name: 'Grace Guest' } },
      idempotency_key: EXAMPLE_KEY,
      ...DETAILS,
    },
    response: linked(pending),
  },
  async run({ body, idempotency }, caller, deps) {
    const { [EXPECTED_PRICE]: expected_minor }: CreateBody = body;
    assertSameKey(idempotency, body.idempotency_key);
    const request = toCreateRequest(body);
    assertCanBookFor(caller, request);
    const atDashboard = caller.key_id === null;
    const booker: Booker = {
      workspace_id: caller.workspace_id,
      by_staff: can(caller.role, 'all_bookings'),
      source: atDashboard ? 'dashboard' : 'api',
      actor: atDashboard ? toChangeActor(caller) : null,
      expected_minor,
    };
    const made = await createBooking(deps, booker, body.idempotency_key, request);
    return { object: presentBookingFor(deps, caller, made.booking), isNew: made.created };
  },
  reply: created,
});

/** SHA-256 of a create request, hex. */
const fingerprintRequest = (request: CreateRequest): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * Creates a booking (docs/internals/architecture.md#creating-a-booking): the request and its slot are stored
 * first, in one transaction, then Temporal receives the ids. Returns the published booking and
 * whether this call created it.
 *
 * The slot is claimed before Temporal is called, and the run opens the checkout and publishes in its first
 * workflow task: docs/internals/costs.md#a-booking.
 *
 * A free booking of a public guest is returned as it is reserved, unpublished: it waits
 * for the link in its mail.
 *
 * Errors: those of `planCreate`; 409 `idempotency_conflict`, `slot_unavailable`,
 * `credit_limit_exceeded`, `too_many_unpaid_bookings`; 422 `amount_too_small`; 502 `processor_error`; 503
 * `service_unavailable`, safe to retry; of a public guest 429 `rate_limited`.
 */
export async function createBooking(
  deps: Deps,
  { workspace_id, by_staff, source, actor, publicGuest, expected_minor }: Booker,
  idempotencyKey: string,
  request: CreateRequest,
): Promise<{ booking: BookingRow; created: boolean }> {
  const fingerprint = fingerprintRequest(request);
  const lookup = { ...request, workspace_id, idempotency_key: idempotencyKey };
  // An attempt has no result only if another request with this key has changed the state in the meantime.
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const context = await findCreateContext(deps.db.manager, lookup);
    if (context.known) {
      const booking = await findOriginal(deps, workspace_id, context.known, fingerprint);
      if (booking) return { booking, created: false };
      // The run cannot be joined. If it ended without an outcome, the key must be released from it.
      await releaseAbandoned(deps.db, context.abandoned);
      continue;
    }
    const { hold_seconds } = publicGuest ?? {};
    const plan = planCreate(context, request, Date.now(), { by_staff, hold_seconds });
    if (expected_minor !== undefined && expected_minor !== plan.price.total_minor)
      throw invalidField(EXPECTED_PRICE, 'is no longer the price');
    await releaseAbandoned(deps.db, context.abandoned);
    const max_unpaid = by_staff || publicGuest ? null : MAX_UNPAID_BOOKINGS;
    const key = { workspace_id, idempotency_key: idempotencyKey, fingerprint };
    const entered = request.entered ?? null;
    const confirm_until = publicGuest && !plan.checkout ? holdEnd(plan, new Date()) : null;
    const by = { by_staff, actor: actor ?? null, source };
    const reservation = { ...plan, ...key, ...by, max_unpaid, entered, confirm_until };
    const id = await reserve(deps.db, reservation, publicGuest);
    if (id && confirm_until) {
      const reserved = await findBookingById(deps.db.manager, id);
      if (reserved) return { booking: reserved, created: true };
      continue;
    }
    const { id: room_id, name: room_name, time_zone } = plan.room;
    const booking = id && (await publish(deps, { ...plan, id, workspace_id, room_id, room_name, time_zone }));
    if (booking) return { booking, created: true };
  }
  throw serviceUnavailable('Too many requests are using this idempotency key at the same time.');
}

/**
 * The booking that a known key belongs to, in its current state. Waits for a create that is still in flight.
 * Null if the key is free again, because nobody has confirmed its free booking in time.
 */
async function findOriginal(
  deps: Deps,
  workspaceId: string,
  known: KnownRequest,
  fingerprint: string,
): Promise<BookingRow | null> {
  const reserved =
    known.state === 'published' ? null : await findBookingById(deps.db.manager, known.booking_id);
  if (reserved?.confirm_until && !isThereForGuest(reserved, new Date())) return null;
  if (known.fingerprint !== fingerprint) {
    const message = 'This idempotency key has already been used for a different request. Use a new key.';
    throw new ApiError('idempotency_conflict', message, { param: 'idempotency_key' });
  }
  if (known.state === 'published') return findBooking(deps.db.manager, workspaceId, known.booking_id);
  return reserved?.confirm_until ? reserved : reserved && publish(deps, reserved);
}
