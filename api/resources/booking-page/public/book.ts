import { createHash } from 'node:crypto';
import { column } from '../../../../db/query.js';
import { findBookingById, type BookingRow } from '../../../../db/queries/bookings/booking.js';
import type { BookingPage } from '../../../../db/entities/booking-page.js';
import type { Room } from '../../../../db/entities/rooms.js';
import { answersTo } from '../../../../domain/booking-page/booking-page.js';
import type { BookedGuest, CreateRequest } from '../../../../domain/bookings/create.js';
import { DEFAULT_DETAILS } from '../../../../domain/bookings/details.js';
import { isThereForGuest } from '../../../../domain/bookings/visibility.js';
import type { ExtraRequest } from '../../../../domain/extras/extras.js';
import type { GuestBilling } from '../../../../domain/bookings/origin.js';
import { normalizeCode } from '../../../../domain/discounts/code.js';
import { ApiError, invalidField } from '../../../../domain/errors.js';
import type { ApiDependencies } from '../../../dependencies.js';
import { createBooking } from '../../bookings/create.js';
import { quoteRequest } from '../../bookings/quote.js';

/** What a public guest wants to book. */
export interface WantedTime {
  start_at: Date;
  end_at: Date;
  attendees: number;
  extras?: ExtraRequest[];
  discount_code?: string;
  /** The price that the guest was shown, in minor units, if any. */
  expected_minor?: number;
}

/** The details of the guest, and their answers to the page's questions. */
export interface EnteredGuest {
  guest: BookedGuest;
  billing: GuestBilling;
  /** By the id of the question. */
  answers: ReadonlyMap<string, string>;
  /** The version of the terms that they accepted. */
  terms_version: string | null;
  /** The answer to a proof-of-work challenge, if there was one. */
  proof?: string;
}

/** The questions to public guests of a workspace, and how long their holds last. */
export type PublicBookingRules = Pick<
  BookingPage,
  'workspace_id' | 'questions' | 'terms' | 'guest_hold_seconds'
>;

const requestFor = (
  { id }: Room,
  { start_at, end_at, attendees, extras = [], discount_code }: WantedTime,
): CreateRequest => ({
  room_id: id,
  start_at,
  end_at,
  member_id: null,
  guest: null,
  use_tokens: false,
  settle: 'checkout',
  extras,
  metadata: {},
  ...DEFAULT_DETAILS,
  attendees,
  ...(discount_code !== undefined && { discount_code: normalizeCode(discount_code) }),
});

/**
 * What a public guest's booking of a room would cost now (`quoteRequest`). Errors: those of `quoteCreate`.
 */
export const quoteForPublicGuest = (deps: Pick<ApiDependencies, 'db'>, room: Room, wanted: WantedTime) =>
  quoteRequest(deps, { workspace_id: room.workspace_id, by_staff: false }, requestFor(room, wanted));

/**
 * The key under which a public guest's request is stored: a UUID derived from `key`, which the browser chose
 * at random. It is separate from the keys of API clients. Only someone who knows the key can get the booking
 * by it.
 */
function publicGuestKey(workspaceId: string, key: string): string {
  const hex = createHash('sha256').update(`stranger\n${workspaceId}\n${key}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * The booking that a public guest has made with a key, if any. An unpublished booking is returned only while
 * it can be confirmed.
 */
export async function findPublicGuestBooking(
  { db }: Pick<ApiDependencies, 'db'>,
  workspaceId: string,
  key: string,
): Promise<BookingRow | null> {
  const [id] = await column<string>(
    db.manager,
    `SELECT booking_id FROM booking_requests
     WHERE workspace_id = $1 AND idempotency_key = $2 AND state <> 'failed'`,
    [workspaceId, publicGuestKey(workspaceId, key)],
  );
  const booking = id ? await findBookingById(db.manager, id) : null;
  return booking && isThereForGuest(booking, new Date()) ? booking : null;
}

const isEmpty = (billing: GuestBilling): boolean => Object.values(billing).every((value) => value === null);

/**
 * Books a room for a public guest (docs/rules/booking-page.md), once for each `key`. The hold lasts at most
 * as long as the page's setting. `address` is the client's. A free booking is returned unpublished until its
 * link is opened. Errors: those of `createBooking`; 422 for answers and terms; 429 `rate_limited`; 403
 * `proof_required` with `details.challenge`.
 */
export async function bookForPublicGuest(
  deps: Pick<ApiDependencies, 'db' | 'publications' | 'temporal' | 'taskQueue' | 'buckets' | 'proofs'>,
  { page, room, address, key }: { page: PublicBookingRules; room: Room; address: string; key: string },
  wanted: WantedTime,
  { guest, billing, answers, terms_version, proof }: EnteredGuest,
): Promise<{ booking: BookingRow; created: boolean }> {
  const given = answersTo(page.questions, answers);
  if (page.terms && terms_version !== page.terms.version)
    throw invalidField('terms_version', 'must be the current version of the terms, accepted by the guest');
  const entered = {
    billing: isEmpty(billing) ? null : billing,
    answers: given,
    terms_version: page.terms && page.terms.version,
  };
  const { workspace_id, guest_hold_seconds: hold_seconds } = page;
  const create = createBooking(
    deps,
    {
      workspace_id,
      by_staff: false,
      source: 'page',
      publicGuest: {
        address,
        bucket: deps.buckets.hold,
        hold_seconds,
        proof: proof ? await deps.proofs.read(proof) : null,
      },
      expected_minor: wanted.expected_minor,
    },
    publicGuestKey(workspace_id, key),
    { ...requestFor(room, wanted), guest, entered },
  );
  return create.catch((error: unknown) => withChallenge(deps, error));
}

/** Adds a challenge to a `proof_required` error, and throws the error. */
async function withChallenge({ proofs }: Pick<ApiDependencies, 'proofs'>, error: unknown): Promise<never> {
  if (!(error instanceof ApiError && error.code === 'proof_required')) throw error;
  throw new ApiError(error.code, error.message, { details: { challenge: await proofs.challenge() } });
}
