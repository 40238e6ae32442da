import { createHash } from 'node:crypto';
import { addressKey } from '../../db/address.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { isGuest } from '../../db/queries/bookings/guest.js';
import { ABANDONED } from '../../db/queries/bookings/abandoned.js';
import { affected, execute, maybeOne, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { isConspicuous, type Bucket } from '../../domain/limits.js';
import { enqueueMail } from '../mail/mails.js';
import { spendProof, takeFromBucket, tokensBefore } from '../access/buckets.js';
import { reserveSlot, type Reservation } from './reserve-slot.js';

/** How many bookings a stranger may have that are neither paid nor confirmed, by their mailbox. */
export const MAX_UNPAID_OF_MAILBOX = 2;

/** How many unpaid bookings strangers may have in a room at a time. */
export const MAX_UNPAID_OF_ROOM = 20;

/** How a stranger is counted: the client's address, and the bucket of its holds. */
export interface Stranger {
  address: string;
  bucket: Bucket;
  /** How long the slot is held, in seconds. */
  hold_seconds: number;
  /** The id of a proof of work; null without one. */
  proof: string | null;
}

/** As long as the bucket of an address takes for another hold. */
const RETRY_AFTER_MS = 2 * MINUTE_MS;

/** One answer for all bounds: it does not say which of them. */
const tooMany = (wait_ms = 0): ApiError => {
  const message =
    `There are too many unpaid bookings: at most ${MAX_UNPAID_OF_MAILBOX} for an email address, 5 from one ` +
    `connection within 10 minutes, and ${MAX_UNPAID_OF_ROOM} in a room. Pay for one of them, or try again later.`;
  return new ApiError('rate_limited', message, { retry_after_ms: Math.max(wait_ms, RETRY_AFTER_MS) });
};

const proofRequired = (): ApiError =>
  new ApiError(
    'proof_required',
    'Several rooms were held from your connection within 10 minutes. Solve the challenge, or try again later.',
  );

/** Counts unpaid bookings of strangers, as far as `limit`: those that a condition over `bookings` selects. */
const countUnpaid = (tx: Tx, condition: string, values: unknown[], limit: number): Promise<number> =>
  affected(
    tx,
    `SELECT FROM bookings WHERE ${condition} AND bookings.source = 'page'
       AND bookings.status = 'pending_payment' AND NOT (${ABANDONED}) LIMIT ${limit}`,
    values,
  );

/**
 * Whether a booking gets the mail that an address gets before it has paid or opened a link: the first two of a mailbox that are neither
 * paid nor confirmed, whoever has made them.
 */
export async function getsHeldMail(
  tx: Tx,
  {
    id,
    workspace_id,
    source,
    guest_email,
  }: Pick<BookingRow, 'id' | 'workspace_id' | 'source' | 'guest_email'>,
): Promise<boolean> {
  if (source !== 'page' || !guest_email) return true;
  const earlier = `bookings.workspace_id = $1 AND ${isGuest('bookings', '$2')} AND bookings.id < $3`;
  const values = [workspace_id, addressKey(guest_email), id];
  return (await countUnpaid(tx, earlier, values, MAX_UNPAID_OF_MAILBOX)) < MAX_UNPAID_OF_MAILBOX;
}

/**
 * Bounds the holds of a mailbox by this client, of the client, and of the room. What others have done with a mailbox changes
 * nothing for a client: otherwise anybody could find out who is booking. Errors: 429 `rate_limited`; 403 `proof_required`.
 */
async function assertFewHolds(
  tx: Tx,
  { id, workspace_id, room, guest }: Reservation & { id: string },
  { address, bucket, proof }: Stranger,
): Promise<void> {
  const { client } = await one<{ client: string }>(tx, `SELECT address_bucket($1) AS client`, [address]);
  const mailbox = addressKey(guest!.email);
  const who = createHash('sha256').update([workspace_id, mailbox, client].join('\n')).digest();
  // One transaction at a time decides about them, so that concurrent bookings do not exceed the bound together.
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('stranger_holds'), hashtext($1))`, [
    who.toString('hex'),
  ]);
  await execute(tx, `UPDATE booking_requests SET stranger = $2 WHERE booking_id = $1`, [id, who]);
  const theirs = `bookings.workspace_id = $1 AND ${isGuest('bookings', '$2')}
    AND EXISTS (SELECT FROM booking_requests q WHERE q.booking_id = bookings.id AND q.stranger = $3)`;
  const ofMailbox = MAX_UNPAID_OF_MAILBOX + 1;
  if ((await countUnpaid(tx, theirs, [workspace_id, mailbox, who], ofMailbox)) >= ofMailbox) throw tooMany();
  // The room is locked by its reservation.
  const ofRoom = MAX_UNPAID_OF_ROOM + 1;
  if ((await countUnpaid(tx, 'bookings.room_id = $1', [room.id], ofRoom)) >= ofRoom) throw tooMany();
  const holds = `holds_${workspace_id}_${client}`;
  const wait = await takeFromBucket(tx, holds, bucket);
  if (wait > 0) throw tooMany(wait);
  if (isConspicuous(await tokensBefore(tx, holds), bucket) && !(proof && (await spendProof(tx, proof))))
    throw proofRequired();
}

/**
 * Reserves a slot for somebody whom nobody knows (docs/rules/booking-page.md#limits): as `reserveSlot`, and bounded by mailbox,
 * client and room. For a free booking the mail whose link confirms it is queued. Errors: those of `reserveSlot`; 429
 * `rate_limited`; 403 `proof_required`; then nothing is stored.
 */
export async function reserveForStranger(
  tx: Tx,
  reservation: Reservation,
  stranger: Stranger,
): Promise<string | null> {
  const id = await reserveSlot(tx, reservation);
  if (!id) return null;
  await assertFewHolds(tx, { ...reservation, id }, stranger);
  const { workspace_id, confirm_until, source, guest } = reservation;
  const booking = { id, workspace_id, source, guest_email: guest!.email };
  if (confirm_until && (await getsHeldMail(tx, booking)))
    await enqueueMail(tx, { workspace_id, kind: 'booking_to_confirm', about: id });
  return id;
}

/** Long enough for a booking whose link was opened to reach its run. */
const PROVEN_SECONDS = 60;

/**
 * Keeps a free booking whose link was opened until its run publishes it. Returns false if it is given up, or published
 * already.
 */
export const keepProven = async (tx: Tx, bookingId: string): Promise<boolean> =>
  (await maybeOne(
    tx,
    `UPDATE bookings SET confirm_until = greatest(confirm_until, now() + interval '${PROVEN_SECONDS} seconds')
     WHERE id = $1 AND published_at IS NULL AND confirm_until > now() RETURNING id`,
    [bookingId],
  )) !== null;
