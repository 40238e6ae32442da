import { createHash } from 'node:crypto';
import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  type BookingRow,
  findBooking,
  findBookingById,
} from '../../db/repositories/bookings/booking-queries.js';
import {
  type CreateContext,
  findCreateContext,
  type KnownRequest,
} from '../../db/repositories/bookings/create-queries.js';
import { HourCreditsExhausted } from '../../db/repositories/bookings/hour-credits.js';
import { releaseReservation } from '../../db/repositories/bookings/release-reservation.js';
import { type Reservation, reserveSlot } from '../../db/repositories/bookings/reserve-slot.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { MAX_AMOUNT_MINOR } from '../../domain/money.js';
import { can, type Principal } from '../../domain/policies.js';
import { describeBooking } from '../../domain/presenters/booking.js';
import { quote } from '../../domain/price.js';
import {
  assertBookableTime,
  assertFitsRoom,
  assertOpen,
  assertTierAllowed,
  minutesOf,
  slotUnavailable,
} from '../../domain/slots.js';
import { createBooking as createUpdate, WORKFLOWS, type CreateOutcome } from '../../workflows/contract.js';
import { ONCE, starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { serviceUnavailable } from '../http/errors.js';
import type { CreateRequest } from './schema.js';

/** Longer than the workflow's own deadline for the processor, so that a slow processor is a 502 and not a 503. */
const ANSWER_WITHIN_MS = 14_000;

/** Processors refuse sessions that end sooner than half an hour or later than a day from their start. */
const SESSION_SECONDS = { atLeast: 1_800 + 3_600, atMost: 86_400 };

type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

/** SHA-256 of what a create means, hex. */
function fingerprintOf(request: CreateRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** Members book as themselves; admins and owners for everyone. Errors: 403 `role_insufficient`. */
function assertMayBookFor(principal: Principal, request: CreateRequest): void {
  if (request.member_id === principal.member_id || can(principal.role, 'all_bookings')) return;
  throw new ApiError('role_insufficient', `The role ${principal.role} books as itself only.`);
}

/**
 * `POST /v1/bookings` (spec.md; decisions.md, "Bookings"): the request and its slot are stored first, in one
 * transaction, then Temporal gets the ids. Answers the published booking, and whether this call made it.
 *
 * What it costs (`npm run bench`, two cores): a booking takes two workflow tasks, one activity and one local
 * activity, 2.7 times the CPU of an empty update-with-start. Of its 55 ms Temporal has 20, the worker 19, Postgres 8
 * and this process 6, where the empty one has 20 in all: Temporal alone costs as much as the whole of that. That is
 * why the slot is claimed before Temporal is asked, why search attributes come with the start instead of an upsert,
 * and why the publishing transaction is a local activity in the task that also answers. The second task is the price
 * of never calling the processor from where a crash would forget it. One at a time it takes 100 ms, an empty one 50:
 * the development server's one shard hands out a task at most 20 times a second
 * (`history.transferProcessorMaxPollRPS`); without that limit 43 and 11.
 *
 * Errors: 404, 409, 412, 422 as decided; 502 `processor_error`; 503 `service_unavailable`, safe to retry.
 */
export async function createBooking(
  deps: Deps,
  principal: Principal,
  idempotencyKey: string,
  request: CreateRequest,
): Promise<{ booking: BookingRow; created: boolean }> {
  assertMayBookFor(principal, request);
  const fingerprint = fingerprintOf(request);
  const { workspace_id } = principal;
  const lookup = { ...request, workspace_id, idempotency_key: idempotencyKey };
  // A turn ends without an answer only when another request with this key has changed the picture meanwhile.
  for (let turn = 0; turn < 5; turn++) {
    const context = await findCreateContext(deps.db.manager, lookup);
    if (context.known) {
      const booking = await repeat(deps, workspace_id, context.known, fingerprint);
      if (booking) return { booking, created: false };
      // Its run can't be joined. If it ended without an outcome, the key must not stay bound to it.
      await releaseAbandoned(deps, context.abandoned);
      continue;
    }
    const reservation = {
      ...decide(context, request),
      workspace_id,
      idempotency_key: idempotencyKey,
      fingerprint,
    };
    await releaseAbandoned(deps, context.abandoned);
    const bookingId = await reserve(deps, reservation);
    const { id: room_id, name: room_name, time_zone } = reservation.room;
    const place = { ...reservation, room_id, room_name, time_zone };
    const booking = bookingId && (await publish(deps, { ...place, id: bookingId }));
    if (booking) return { booking, created: true };
  }
  throw serviceUnavailable('Too many requests are using this idempotency key at once.');
}

/** Reserves the slot; null where the key or the member's tokens went to another request in the meantime. */
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

/** Checks a create against everything it depends on, and works out what to reserve. */
function decide(
  context: CreateContext,
  request: CreateRequest,
): Omit<Reservation, 'workspace_id' | 'idempotency_key' | 'fingerprint'> {
  const { room, member, workspace } = context;
  const now = Date.now();
  const range = { start: request.start_at.getTime(), end: request.end_at.getTime() };
  assertBookableTime(range, now);
  if (!room) throw new ApiError('room_not_found', 'There is no such room.', { param: 'room_id' });
  if (request.member_id && (!member || ['archived', 'deleted'].includes(member.status))) {
    throw new ApiError('member_not_found', 'There is no such member.', { param: 'booked_by.member_id' });
  }
  assertFitsRoom(room, range, request.attendees);
  assertTierAllowed(room, member?.tier ?? null);

  const discount_percent = (member && room.tier_discounts[member.tier]) || 0;
  const tax_rate_bps = workspace.tax_codes.find((tax) => tax.code === room.tax_code)?.rate_bps ?? 0;
  const rate = { price_per_hour_minor: room.price_per_hour_minor, discount_percent, tax_rate_bps };
  const hours = Math.ceil(minutesOf(range) / 60);
  const mayUse = request.use_tokens && quote(rate, minutesOf(range)).total_minor > 0;
  const hour_credits_used = mayUse ? Math.min(member!.hour_credit_balance, hours) : 0;
  const price = quote(rate, Math.max(0, minutesOf(range) - hour_credits_used * 60));
  if (price.total_minor > MAX_AMOUNT_MINOR) {
    const message = 'The price of this booking is more than one payment can be.';
    throw new ApiError('validation_failed', message, { param: 'end_at' });
  }
  const { processor_account_id, processor_status, checkout_hold_seconds } = workspace;
  if (price.total_minor > 0 && (!processor_account_id || processor_status !== 'active')) {
    throw new ApiError(
      'processor_unconfigured',
      'The workspace has not completed onboarding to the processor.',
    );
  }
  assertOpen(room, range);
  if (context.blackout) throw slotUnavailable('blackout');
  if (context.booked) throw slotUnavailable('booked');

  const { atLeast, atMost } = SESSION_SECONDS;
  const sessionSeconds = Math.min(Math.max(checkout_hold_seconds + 3_600, atLeast), atMost);
  return {
    room,
    start_at: request.start_at,
    end_at: request.end_at,
    member_id: request.member_id,
    company_id: member?.company_id ?? null,
    guest: request.guest,
    notes: request.notes,
    attendees: request.attendees,
    discount_percent,
    tax_rate_bps,
    hour_credits_used,
    price,
    hold_seconds: checkout_hold_seconds,
    checkout:
      price.total_minor > 0
        ? {
            account_id: processor_account_id!,
            description: describeBooking({ ...request, room_name: room.name, time_zone: room.time_zone }),
            session_expires_at: new Date(now + sessionSeconds * 1000),
          }
        : null,
  };
}

/** Answers a key that is known: the booking as it is now, after waiting for a create that is still in flight. */
async function repeat(
  deps: Deps,
  workspaceId: string,
  known: KnownRequest,
  fingerprint: string,
): Promise<BookingRow | null> {
  if (known.fingerprint !== fingerprint) {
    const message = 'This idempotency key was used before, with a different body.';
    throw new ApiError('idempotency_conflict', message, { param: 'idempotency_key' });
  }
  if (known.state === 'published') return findBooking(deps.db.manager, workspaceId, known.booking_id);
  const reserved = await findBookingById(deps.db.manager, known.booking_id);
  return reserved && publish(deps, reserved);
}

type Reserved = Parameters<ReturnType<typeof starts>['booking']>[0];

/**
 * Update-with-start: starts the booking's run, or joins it, and waits for the outcome of its create. Null if the
 * run was over before it could be joined; the database knows more then.
 */
async function publish(deps: Deps, reserved: Reserved): Promise<BookingRow | null> {
  const startWorkflowOperation = new WithStartWorkflowOperation(WORKFLOWS.booking, {
    ...starts(deps.taskQueue).booking(reserved),
    ...ONCE,
  });
  let outcome: CreateOutcome;
  try {
    outcome = await deps.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
      deps.temporal.workflow.executeUpdateWithStart(createUpdate, {
        startWorkflowOperation,
        updateId: 'create',
      }),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
  if (outcome.kind === 'published') return findBooking(deps.db.manager, reserved.workspace_id, reserved.id);
  if (outcome.code === 'processor_unconfigured') {
    throw new ApiError(
      'processor_unconfigured',
      'The processor does not let this workspace take payments now.',
    );
  }
  if (outcome.code === 'service_unavailable')
    throw serviceUnavailable('The booking could not be made in time.');
  throw new ApiError(
    'processor_error',
    'The payment processor did not open a checkout. Nothing has been kept.',
  );
}
