import type { DataSource } from 'typeorm';
import { addressKey } from '../../db/address.js';
import { newId } from '../../db/ids.js';
import { insertAll } from '../../db/insert.js';
import { BookingMessage } from '../../db/entities/bookings.js';
import { findMember } from '../../db/queries/members/member.js';
import {
  listSentMessages,
  lockDayBookers,
  type DayBooker,
  type SentMessage,
} from '../../db/queries/bookings/message.js';
import { execute, many } from '../../db/query.js';
import { isUnproven } from '../../db/queries/mail/unproven-booking.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { dayAfter, startOfDay, type Day } from '../../domain/cycle.js';
import { invalidField, refuse } from '../../domain/errors.js';
import {
  nobodyToMessage,
  toAudience,
  whyNotMessage,
  type Audience,
  type NoMessage,
} from '../../domain/bookings/message.js';
import { presentMessage, type PresentedMessage } from '../../domain/bookings/message-presenter.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import type { Principal } from '../../domain/policies.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { countRequestedMail } from '../mail/mail-limits.js';
import { enqueueMail } from '../mail/mails.js';
import { findZone } from '../../db/queries/workspaces/workspace.js';
import { lockWorkspaceBooking } from './bookings.js';

/** What is written to a booker: plain text. */
export interface Written {
  subject: string;
  text: string;
}

/** What is written to the bookers of a day in the workspace's time zone, by default of all rooms. */
export interface DayMessage extends Written {
  date: Day;
  room_id?: string;
}

/** A day message as the API returns it: the messages, and the bookings whose bookers got none. */
export interface DayMessageResult {
  data: PresentedMessage[];
  skipped: { booking_id: string; reason: NoMessage }[];
}

interface Recipient {
  email: string;
  booking_ids: string[];
  /** What a second message to the address within ten minutes would be about. */
  about: string;
}

/** Stores a message, and enqueues and counts its mail. */
async function writeTo(
  tx: Tx,
  quotas: MailQuotas,
  by: Principal,
  { subject, text }: Written,
  { message_id, request_id, to }: { message_id: string; request_id: string; to: Recipient },
): Promise<void> {
  const { workspace_id, member_id, key_id } = by;
  await insertAll(
    tx,
    BookingMessage,
    to.booking_ids.map((booking_id) => ({
      message_id,
      booking_id,
      workspace_id,
      request_id,
      subject,
      body: text,
      actor: { member_id, key_id },
    })),
  );
  const [booking_id] = to.booking_ids;
  await enqueueMail(tx, {
    workspace_id,
    kind: 'booking_message',
    booking_id: booking_id!,
    about: message_id,
  });
  await countRequestedMail(tx, by, quotas, {
    workspace_id,
    kind: 'message',
    email: to.email,
    about: to.about,
  });
}

/**
 * Splits the messages that wait to be sent and are about some of these bookings, whose address changes, and
 * about others: those that no longer have the address of the mail get their own message and mail.
 */
export async function splitWaitingMessages(tx: Tx, bookingIds: string[]): Promise<void> {
  const left = await many<{ message_id: string; workspace_id: string; booking_ids: string[] }>(
    tx,
    `WITH waiting AS (
       SELECT mail.about, mail.workspace_id, mail.booking_id = ANY ($1) AS changes FROM mails mail
       WHERE mail.kind = 'booking_message' AND mail.status = 'pending'
         AND mail.about IN (SELECT s.message_id FROM booking_messages s WHERE s.booking_id = ANY ($1))
       ORDER BY mail.id FOR NO KEY UPDATE
     )
     SELECT s.message_id, s.workspace_id, array_agg(b.id ORDER BY b.start_at, b.id) AS booking_ids
     FROM waiting
     JOIN booking_messages s ON s.message_id = waiting.about AND s.workspace_id = waiting.workspace_id
     JOIN bookings b ON b.id = s.booking_id
     WHERE (b.id = ANY ($1)) <> waiting.changes
     GROUP BY s.message_id, s.workspace_id`,
    [bookingIds],
  );
  for (const { message_id, workspace_id, booking_ids } of left) {
    const about = newId('msg');
    await execute(
      tx,
      `UPDATE booking_messages SET message_id = $3 WHERE message_id = $1 AND booking_id = ANY ($2)`,
      [message_id, booking_ids, about],
    );
    await enqueueMail(tx, { workspace_id, kind: 'booking_message', booking_id: booking_ids[0]!, about });
  }
}

/**
 * Sends a message to the booker of a booking in any status (docs/rules/bookings.md#messages), once per key.
 * Returns the message. Errors: 404 `booking_not_found`; 409 `idempotency_conflict`; 422 if the booker was
 * erased, or is a public guest who has neither paid nor confirmed their address; 429 if the booker got a
 * message about this booking a short time ago.
 */
export const messageBooker = (
  db: DataSource,
  quotas: MailQuotas,
  by: Principal,
  id: string,
  written: Written,
  idempotency: IdempotencyKey | null,
): Promise<Created<PresentedMessage>> => {
  const message_id = newId('msg');
  const { workspace_id } = by;
  return createOnce(
    db,
    { workspace_id, idempotency, id: message_id },
    {
      async create(tx) {
        const { guest_email, member_id } = await lockWorkspaceBooking(tx, by, id);
        const member = member_id ? await findMember(tx, workspace_id, member_id) : null;
        const email = guest_email ?? member?.email ?? null;
        refuse(whyNotMessage({ email, is_unproven: await isUnproven(tx, id) }));
        const to = { email: email!, booking_ids: [id], about: id };
        await writeTo(tx, quotas, by, written, { message_id, request_id: message_id, to });
        await audit(tx, by, { action: 'booking.message_sent', object: id, details: { message_id } });
      },
      async find(tx, request_id) {
        const [message] = await listSentMessages(tx, workspace_id, request_id);
        return message ? presentMessage(message) : null;
      },
    },
  );
};

/** A message reaches at most this many bookings. */
export const MAX_DAY_BOOKINGS = 500;

/**
 * Locks the bookings of a day and returns who gets a message about them, and who does not. Errors: 422 for a
 * room that the workspace does not have, and for more than 500 bookings.
 */
async function lockAudience(
  tx: Tx,
  workspaceId: string,
  { date, room_id }: Pick<DayMessage, 'date' | 'room_id'>,
): Promise<Audience<DayBooker>> {
  if (room_id && !(await findRoom(tx, workspaceId, room_id)))
    throw invalidField('room_id', 'is not a room of this workspace');
  const time_zone = await findZone(tx, workspaceId);
  const bookings = await lockDayBookers(tx, {
    workspace_id: workspaceId,
    from: startOfDay(date, time_zone),
    to: startOfDay(dayAfter(date), time_zone),
    room_id,
  });
  if (bookings.length > MAX_DAY_BOOKINGS)
    throw invalidField('date', `has more than ${MAX_DAY_BOOKINGS} bookings: choose a room`);
  return toAudience(bookings, addressKey);
}

/**
 * Returns who would get a message to the bookers of a day, and who would not. Errors: 422 as for
 * `messageDay`, except that nobody to message is no error.
 */
export const previewDayMessage = (
  db: DataSource,
  workspaceId: string,
  day: Pick<DayMessage, 'date' | 'room_id'>,
): Promise<Audience<DayBooker>> => transaction(db, (tx) => lockAudience(tx, workspaceId, day));

/** The bookings of a day whose bookers did not get a message, with the reason. */
const listSkipped = async (
  tx: Tx,
  workspaceId: string,
  day: DayMessage,
  sent: SentMessage[],
): Promise<DayMessageResult['skipped']> => {
  const reached = new Set(sent.flatMap(({ booking_ids }) => booking_ids));
  const { skipped } = await lockAudience(tx, workspaceId, day);
  return skipped.flatMap(({ booking, reason }) =>
    reached.has(booking.id) ? [] : [{ booking_id: booking.id, reason }],
  );
};

/**
 * Sends a message to the bookers of a day (docs/rules/bookings.md#messages), once per key: one to each
 * address, however many bookings it has on that day. Either all of them are sent or none. Errors: 409
 * `idempotency_conflict`; 422 for an unknown room, more than 500 bookings, or nobody to message; 429 if one
 * of the addresses got a message to this day a short time ago, or for too many emails.
 */
export const messageDay = (
  db: DataSource,
  quotas: MailQuotas,
  by: Principal,
  message: DayMessage,
  idempotency: IdempotencyKey | null,
): Promise<Created<DayMessageResult>> => {
  const request_id = newId('msg');
  const { workspace_id } = by;
  const { date, room_id } = message;
  return createOnce(
    db,
    { workspace_id, idempotency, id: request_id },
    {
      async create(tx) {
        const { reached } = await lockAudience(tx, workspace_id, message);
        if (reached.length === 0) throw nobodyToMessage();
        const about = `${date}:${room_id ?? ''}`;
        for (const { email, bookings } of reached) {
          const to = { email, booking_ids: bookings.map(({ id }) => id), about };
          await writeTo(tx, quotas, by, message, { message_id: newId('msg'), request_id, to });
        }
        const details = { date, ...(room_id && { room_id }), messages: reached.length };
        await audit(tx, by, { action: 'day.message_sent', object: workspace_id, details });
      },
      async find(tx, id) {
        const sent = await listSentMessages(tx, workspace_id, id);
        const skipped = await listSkipped(tx, workspace_id, message, sent);
        return { data: sent.map(presentMessage), skipped };
      },
    },
  );
};
