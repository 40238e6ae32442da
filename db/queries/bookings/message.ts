import type { BookingMessage } from '../../entities/bookings.js';
import type { MessagedBooking } from '../../../domain/bookings/message.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A booking of a day with the address of its booker. */
export interface DayBooker extends MessagedBooking {
  id: string;
  start_at: Date;
}

export interface DayFilter {
  workspace_id: string;
  from: Date;
  to: Date;
  room_id?: string;
}

/**
 * Lists the bookings of a period for a message to their bookers, by start: those in the calendar
 * (`listCalendarBookings`), and cancelled ones. They are locked by id, as every change of a booking does.
 */
export async function lockDayBookers(tx: Tx, filter: DayFilter): Promise<DayBooker[]> {
  const rows = await many<DayBooker>(
    tx,
    `SELECT b.id, b.start_at, b.status, coalesce(b.guest_email, m.email) AS email,
            is_unproven(b) AS is_unproven
     FROM bookings b LEFT JOIN members m ON m.id = b.member_id AND m.status <> 'deleted'
     WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND b.start_at < $3 AND b.end_at > $2
       AND b.status <> 'expired'
       AND b.id = ANY (ARRAY(
         SELECT c.booking_id FROM slot_claims c JOIN rooms r ON r.id = c.room_id
         WHERE r.workspace_id = $1 AND ($4::uuid IS NULL OR r.id = $4) AND c.during && tstzrange($2, $3)
         UNION
         SELECT d.id FROM bookings d WHERE d.workspace_id = $1 AND ($4::uuid IS NULL OR d.room_id = $4)
           AND d.start_at >= $2::timestamptz - interval '1 day' AND d.start_at < $3))
       AND ($4::uuid IS NULL OR b.room_id = $4)
     ORDER BY b.id FOR NO KEY UPDATE OF b`,
    [filter.workspace_id, filter.from, filter.to, filter.room_id ?? null],
  );
  return rows.toSorted((one, other) => one.start_at.getTime() - other.start_at.getTime());
}

/** A message as it is stored, with its bookings and the address that it is sent to; null after an erasure. */
export interface SentMessage extends Pick<BookingMessage, 'subject' | 'created_at'> {
  id: string;
  text: string | null;
  booking_ids: string[];
  sent_to: string | null;
}

/** Lists the messages that were sent with a request, in the order of their first bookings. */
export const listSentMessages = (tx: Tx, workspaceId: string, requestId: string): Promise<SentMessage[]> =>
  many<SentMessage>(
    tx,
    `SELECT s.message_id AS id, s.subject, s.body AS text, s.created_at,
            array_agg(b.id ORDER BY b.start_at, b.id) AS booking_ids,
            min(coalesce(b.guest_email, m.email)) AS sent_to
     FROM booking_messages s JOIN bookings b ON b.id = s.booking_id
     LEFT JOIN members m ON m.id = b.member_id AND m.status <> 'deleted'
     WHERE s.workspace_id = $1 AND s.request_id = $2
     GROUP BY s.message_id, s.subject, s.body, s.created_at
     ORDER BY min(b.start_at), s.message_id`,
    [workspaceId, requestId],
  );
