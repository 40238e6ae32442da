import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { Language } from '../../../domain/words/languages.js';

/** The contents of the mail whose link confirms a free booking of a public guest. */
export interface ProofMail {
  id: string;
  booking_id: string;
  to: string;
  locale: Language;
  workspace_name: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  currency: string;
  confirm_until: Date;
}

/** Returns the contents; null once the booking is confirmed, given up, or its guest erased. */
export function findProofMail(tx: Tx, mailId: string): Promise<ProofMail | null> {
  return maybeOne<ProofMail>(
    tx,
    `SELECT mail.id, b.id AS booking_id, b.guest_email AS to, coalesce(b.locale, w.locale) AS locale,
      w.name AS workspace_name,
            r.name AS room_name, r.time_zone, b.start_at, b.end_at, b.currency, b.confirm_until
     FROM mails mail JOIN bookings b ON b.id = mail.about AND b.workspace_id = mail.workspace_id
     JOIN rooms r ON r.id = b.room_id JOIN workspaces w ON w.id = b.workspace_id
     WHERE mail.id = $1 AND b.published_at IS NULL AND b.confirm_until > now() AND b.guest_email IS NOT NULL`,
    [mailId],
  );
}
