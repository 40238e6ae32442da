import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { addressKey } from '../../db/address.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { affected, execute, maybeOne, one } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { isConspicuous, type Bucket } from '../../domain/api-keys/limits.js';
import { longestOffer } from '../../domain/bookings/offered-times.js';
import { MAX_HELD_MINUTES, elapsedMinutes, type BookableRoom } from '../../domain/bookings/slots.js';
import { enqueueMail } from '../mail/mails.js';
import type { IdempotencyKey } from '../api-keys/idempotency.js';
import { returnToBucket, spendProof, takeFromBucket, tokensBefore } from '../api-keys/buckets.js';
import { insertChange, insertChangeOnce, type NewChange } from './change/plan.js';
import { HourCreditsExhausted } from './hour-credits.js';
import { reserveSlot, type Reservation } from './reserve-slot.js';

/** The maximum number of bookings of a public guest, by mailbox, that are neither paid nor confirmed. */
const MAX_UNPAID_OF_MAILBOX = 2;

/** The maximum number of unpaid bookings of public guests in a room at a time. */
const MAX_UNPAID_OF_ROOM = 20;

/** A public guest: the client's address, and the bucket that counts their holds. */
export interface PublicGuest {
  address: string;
  bucket: Bucket;
  /** How long the slot is held, in seconds. */
  hold_seconds: number;
  /** The id of a proof of work; null without a proof. */
  proof: string | null;
}

/** The time in which the bucket of an address gets a token for another hold. */
const RETRY_AFTER_MS = 2 * MINUTE_MS;

/** Returns the same error for all limits, so that it does not reveal which one was reached. */
const tooMany = (wait_ms = 0): ApiError => {
  const message =
    `There are too many unpaid bookings. The limits are ${MAX_UNPAID_OF_MAILBOX} for an email ` +
    `address, 5 from one connection within 10 minutes, ${MAX_UNPAID_OF_ROOM} in a room, and ` +
    `${MAX_HELD_MINUTES / 60} hours of a room from one connection, or one booking of the longest ` +
    'length that is offered. Pay for a booking, or try again later.';
  return new ApiError('rate_limited', message, { retry_after_ms: Math.max(wait_ms, RETRY_AFTER_MS) });
};

const proofRequired = (): ApiError =>
  new ApiError(
    'proof_required',
    'Several rooms were held from your connection within 10 minutes. Solve the ' +
      'challenge, or try again later.',
  );

const digestParts = (...parts: string[]): Buffer => createHash('sha256').update(parts.join('\n')).digest();

/** A client of a workspace. `digest`: the form in which it is stored. */
interface Client {
  /** An IPv4 address or IPv6 /64. */
  name: string;
  digest: Buffer;
}

/** A booking in its room. */
type PlacedBooking = Pick<BookingRow, 'id' | 'workspace_id' | 'room_id'>;

/** Locks the client with an address: only one transaction at a time decides about its holds. */
async function lockClient(tx: Tx, workspaceId: string, address: string): Promise<Client> {
  const { name } = await one<{ name: string }>(tx, `SELECT address_bucket($1) AS name`, [address]);
  const digest = digestParts(workspaceId, name);
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('stranger_holds'), hashtext($1))`, [
    digest.toString('hex'),
  ]);
  return { name, digest };
}

/** Returns the id of the bucket for a client's holds. */
const holdsBucket = (digest: string): string => `holds_${digest}`;

/**
 * Returns how much time of a booking's room a client holds unpaid, without that booking, in minutes: its
 * unpaid bookings, and moves that wait for their payment.
 */
async function minutesHeld(tx: Tx, { digest }: Client, booking: PlacedBooking): Promise<number> {
  const { minutes } = await one<{ minutes: number }>(
    tx,
    `SELECT coalesce(sum(extract(epoch
      FROM held.end_at - greatest(held.start_at, now()))), 0)::float8 / 60 AS minutes
     FROM (
       SELECT bookings.start_at, bookings.end_at FROM bookings
         JOIN booking_requests q ON q.booking_id = bookings.id
       WHERE bookings.room_id = $1 AND bookings.source = 'page' AND bookings.status = 'pending_payment'
         AND NOT is_abandoned(bookings) AND q.client = $2 AND bookings.id <> $3
       UNION ALL
       SELECT to_timestamp(coalesce(c.plan #>> '{move,start_at}', c.request ->> 'start_at')::float8 / 1000),
              to_timestamp(coalesce(c.plan #>> '{move,end_at}', c.request ->> 'end_at')::float8 / 1000)
       FROM booking_changes c JOIN bookings b ON b.id = c.booking_id AND b.room_id = $1
       WHERE c.workspace_id = $4 AND c.client = $2 AND c.booking_id <> $3
         AND (c.state IN ('opening', 'pending') OR c.state = 'requested')
     ) held WHERE held.end_at > now()`,
    [booking.room_id, digest, booking.id, booking.workspace_id],
  );
  return minutes;
}

/**
 * Limits the time that a client holds in a room. `longest`: the length of a single booking in minutes.
 * Errors: 429 `rate_limited`.
 */
async function assertLittleTime(
  tx: Tx,
  client: Client,
  booking: PlacedBooking,
  { minutes, longest }: { minutes: number; longest: number },
): Promise<void> {
  const others = await minutesHeld(tx, client, booking);
  if (others + minutes <= MAX_HELD_MINUTES || (others === 0 && minutes <= longest)) return;
  throw tooMany();
}

/**
 * Limits the holds of this client for a mailbox, of the client, and of the room. What others have done with a
 * mailbox does not affect a client: otherwise anyone could find out who is booking. Errors: 429
 * `rate_limited`; 403 `proof_required`.
 */
async function assertFewHolds(
  tx: Tx,
  { id, workspace_id, room, guest, start_at, end_at }: Reservation & { id: string },
  { address, bucket, proof }: PublicGuest,
): Promise<void> {
  const client = await lockClient(tx, workspace_id, address);
  const mailbox = addressKey(guest!.email);
  const who = digestParts(workspace_id, mailbox, client.name);
  const request = `UPDATE booking_requests SET public_guest = $2, client = $3 WHERE booking_id = $1`;
  await execute(tx, request, [id, who, client.digest]);
  const ofMailbox = await affected(
    tx,
    `SELECT FROM bookings b
     WHERE b.workspace_id = $1 AND guest_key(b) = $2 AND b.guest_email IS NOT NULL AND b.source = 'page'
       AND b.status = 'pending_payment' AND NOT is_abandoned(b)
       AND EXISTS (SELECT FROM booking_requests q WHERE q.booking_id = b.id AND q.public_guest = $3)
     LIMIT $4`,
    [workspace_id, mailbox, who, MAX_UNPAID_OF_MAILBOX + 1],
  );
  if (ofMailbox > MAX_UNPAID_OF_MAILBOX) throw tooMany();
  // The reservation has locked the room.
  const ofRoom = await affected(
    tx,
    `SELECT FROM bookings b
     WHERE b.room_id = $1 AND b.source = 'page' AND b.status = 'pending_payment' AND NOT is_abandoned(b)
     LIMIT $2`,
    [room.id, MAX_UNPAID_OF_ROOM + 1],
  );
  if (ofRoom > MAX_UNPAID_OF_ROOM) throw tooMany();
  const range = { start: start_at.getTime(), end: end_at.getTime() };
  await assertLittleTime(
    tx,
    client,
    { id, workspace_id, room_id: room.id },
    { minutes: elapsedMinutes(range), longest: longestOffer(room, range.start) },
  );
  const holds = holdsBucket(client.digest.toString('hex'));
  const wait = await takeFromBucket(tx, holds, bucket);
  if (wait > 0) throw tooMany(wait);
  if (isConspicuous(await tokensBefore(tx, holds), bucket) && !(proof && (await spendProof(tx, proof))))
    throw proofRequired();
}

/**
 * Reserves a slot for a public guest (docs/rules/booking-page.md#limits): like `reserveSlot`, within the
 * limits per mailbox, client and room. For a free booking, the mail with the link that confirms it is
 * enqueued. Errors: those of `reserveSlot`; 429 `rate_limited`; 403 `proof_required`. Nothing is stored if it
 * fails.
 */
export async function reserveForPublicGuest(
  tx: Tx,
  reservation: Reservation,
  publicGuest: PublicGuest,
): Promise<string | null> {
  const id = await reserveSlot(tx, reservation);
  if (!id) return null;
  await assertFewHolds(tx, { ...reservation, id }, publicGuest);
  const { workspace_id, confirm_until } = reservation;
  if (confirm_until) await enqueueMail(tx, { workspace_id, kind: 'booking_to_confirm', about: id });
  return id;
}

/**
 * Ends the hold of a public guest's booking, which no longer counts towards the time that its client holds. A
 * paid booking is treated as if it had never been a hold of the client: others at the same address can hold
 * as many as before.
 */
export async function endHold(tx: Tx, bookingId: string, { isPaid }: { isPaid: boolean }): Promise<void> {
  const ended = await maybeOne<{ client: string }>(
    tx,
    `UPDATE booking_requests SET client = NULL WHERE booking_id = $1 AND client IS NOT NULL
     RETURNING encode(old.client, 'hex') AS client`,
    [bookingId],
  );
  if (ended && isPaid) await returnToBucket(tx, holdsBucket(ended.client));
}

/**
 * Reserves the slot of a planned booking; for a public guest, within the limits of public guests. Returns the
 * id of the booking, or null if another request has taken the key or the member's hour credits in the
 * meantime. Errors: those of `reserveSlot` and `reserveForPublicGuest`.
 */
export async function reserve(
  db: DataSource,
  reservation: Reservation,
  publicGuest?: PublicGuest,
): Promise<string | null> {
  try {
    return await transaction(db, (tx) =>
      publicGuest ? reserveForPublicGuest(tx, reservation, publicGuest) : reserveSlot(tx, reservation),
    );
  } catch (error) {
    if (error instanceof HourCreditsExhausted) return null;
    throw error;
  }
}

/** The person who moves a booking with its manage link: their address, and the booking's room. */
export interface LinkHolder {
  address: string;
  room: BookableRoom;
}

/**
 * Stores a move that the holder of a manage link requests, unless their client would hold too much time of
 * the room until it is paid (docs/rules/booking-page.md#limits). The booking may always keep its length.
 * Returns the id of the change. Errors: 429 `rate_limited`.
 */
export async function insertMoveByLink(
  tx: Tx,
  change: Extract<NewChange, { kind: 'change' }>,
  booking: Pick<BookingRow, 'id' | 'workspace_id' | 'room_id' | 'start_at' | 'end_at'>,
  { address, room }: LinkHolder,
): Promise<string> {
  const { start_at, end_at } = booking;
  const current = { start: start_at.getTime(), end: end_at.getTime() };
  const { start_at: start = current.start, end_at: end = current.end } = change.request;
  const client = await lockClient(tx, booking.workspace_id, address);
  const longest = Math.max(longestOffer(room, start), elapsedMinutes(current));
  await assertLittleTime(tx, client, booking, { minutes: elapsedMinutes({ start, end }), longest });
  return insertChange(tx, { ...change, client: client.digest });
}

/**
 * Stores a requested change of a booking once per key. A request of the holder of its manage link is stored
 * by `insertMoveByLink`.
 */
export const storeChange = (
  db: DataSource,
  change: Extract<NewChange, { kind: 'change' }>,
  booking: BookingRow,
  { by_link, idempotency = null }: { by_link?: LinkHolder; idempotency?: IdempotencyKey | null },
): Promise<string> =>
  by_link
    ? transaction(db, (tx) => insertMoveByLink(tx, change, booking, by_link))
    : insertChangeOnce(db, change, idempotency);

/**
 * Keeps a free booking whose link was opened until its run publishes it, which takes less than a minute.
 * Returns false if it was given up or already published.
 */
export const keepProven = (db: DataSource, bookingId: string): Promise<boolean> =>
  transaction(
    db,
    async (tx) =>
      (await maybeOne(
        tx,
        `UPDATE bookings
          SET confirm_until = greatest(confirm_until, now() + interval '60 seconds')
         WHERE id = $1 AND published_at IS NULL AND confirm_until > now() RETURNING id`,
        [bookingId],
      )) !== null,
  );
