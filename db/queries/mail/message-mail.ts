import { addressKey } from '../../address.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { Language } from '../../../domain/words/languages.js';

/** One of the bookings that a message is about. */
export interface BookingOfMessage {
  reference: string;
  room_name: string;
  time_zone: string;
  currency: string;
  start_at: Date;
  end_at: Date;
  /** The fields for which its manage link is signed. */
  booking: { id: string; manage_link_version: number | null };
}

/** The contents of a mail with a message of staff. */
export interface MessageMail {
  id: string;
  to: string;
  name: string;
  locale: Language;
  workspace_name: string;
  subject: string;
  text: string;
  /** By start; all have the same booker. */
  bookings: BookingOfMessage[];
}

type Stored = Omit<MessageMail, 'bookings'> & {
  bookings: (Omit<BookingOfMessage, 'start_at' | 'end_at'> & {
    start_at: string;
    end_at: string;
    email: string | null;
  })[];
};

/**
 * Returns the contents; null if the booker was erased. A booking that somebody else has now is left out,
 * because its manage link is theirs.
 */
export async function findMessageMail(tx: Tx, mailId: string): Promise<MessageMail | null> {
  const found = await maybeOne<Stored>(
    tx,
    `SELECT mail.id, coalesce(b.guest_email, m.email) AS to, coalesce(b.guest_name, m.name) AS name,
            coalesce(b.locale, m.locale, w.locale) AS locale, w.name AS workspace_name, s.subject,
            s.body AS text,
            (SELECT jsonb_agg(jsonb_build_object('reference', o.reference, 'room_name', r.name,
               'time_zone', r.time_zone, 'currency', o.currency, 'start_at', o.start_at, 'end_at', o.end_at,
               'email', coalesce(o.guest_email, a.email),
               'booking', jsonb_build_object('id', o.id, 'manage_link_version', o.manage_link_version))
               ORDER BY o.start_at, o.id)
             FROM booking_messages n JOIN bookings o ON o.id = n.booking_id JOIN rooms r ON r.id = o.room_id
             LEFT JOIN members a ON a.id = o.member_id
             WHERE n.message_id = mail.about) AS bookings
     FROM mails mail
     JOIN booking_messages s ON s.message_id = mail.about AND s.booking_id = mail.booking_id
     JOIN bookings b ON b.id = mail.booking_id
     JOIN workspaces w ON w.id = b.workspace_id
     LEFT JOIN members m ON m.id = b.member_id
     WHERE mail.id = $1 AND s.body IS NOT NULL AND num_nonnulls(b.guest_email, m.email) = 1`,
    [mailId],
  );
  if (!found) return null;
  const isTheirs = ({ email }: { email: string | null }): boolean =>
    email !== null && addressKey(email) === addressKey(found.to);
  const bookings = found.bookings.filter(isTheirs).map(({ start_at, end_at, email: _email, ...booking }) => ({
    ...booking,
    start_at: new Date(start_at),
    end_at: new Date(end_at),
  }));
  return { ...found, bookings };
}
