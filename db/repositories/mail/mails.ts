import { newId } from '../../ids.js';
import { execute, many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** What a payer is told of (decisions.md, "Mail and erasure"). */
export type MailKind =
  | 'booking_confirmed'
  | 'booking_changed'
  | 'booking_cancelled'
  | 'booking_expired'
  /** Money that came too late to confirm its booking. */
  | 'late_payment_refunded'
  | 'payment_refunded';

/** Everything a mail to a booking's payer is written from. */
export interface PendingMail {
  id: string;
  kind: MailKind;
  booking_id: string;
  to: string;
  name: string;
  workspace_name: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  currency: string;
  price_minor: number;
  /** What the refund that the mail tells of gave back. */
  refund_minor: number | null;
  sequence: number;
  created_at: Date;
}

/**
 * Owes the payer of a booking a mail; owing the same kind twice is owing it once. `about` is the change or refund
 * that it tells of, where a booking can have several.
 */
export async function enqueueMail(
  tx: Tx,
  mail: { workspace_id: string; booking_id: string; kind: MailKind; about?: string },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO mails (id, workspace_id, booking_id, kind, about) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (booking_id, kind, about) DO NOTHING`,
    [newId('mail'), mail.workspace_id, mail.booking_id, mail.kind, mail.about ?? ''],
  );
}

/**
 * The mails still owed to a booking's payer, oldest first: those that its own run sends, or those of one refund,
 * which has a run of its own. So each mail has one sender, and goes out once. Who was erased gets none.
 */
export async function findPendingMails(
  tx: Tx,
  of: { booking_id: string } | { refund_id: string },
): Promise<PendingMail[]> {
  const byBooking = 'booking_id' in of;
  return many<PendingMail>(
    tx,
    `SELECT mail.id, mail.kind, mail.booking_id, coalesce(b.guest_email, p.email) AS to,
            coalesce(b.guest_name, p.name) AS name, w.name AS workspace_name, r.name AS room_name, r.time_zone,
            b.start_at, b.end_at, b.currency, b.price_minor, b.sequence, mail.created_at,
            refund.amount_minor AS refund_minor
     FROM mails mail
     JOIN bookings b ON b.id = mail.booking_id
     JOIN rooms r ON r.id = b.room_id
     JOIN workspaces w ON w.id = b.workspace_id
     LEFT JOIN payments refund ON refund.id = mail.about
     LEFT JOIN members m ON m.id = b.member_id
     LEFT JOIN profiles p ON p.id = m.profile_id
     WHERE ${byBooking ? 'mail.booking_id = $1 AND refund.id IS NULL' : 'mail.about = $1'} AND mail.sent_at IS NULL
       AND num_nonnulls(b.guest_email, p.email) = 1
     ORDER BY mail.created_at, mail.id`,
    [byBooking ? of.booking_id : of.refund_id],
  );
}

/** Notes that a mail has been accepted by the mail server. */
export async function markMailSent(tx: Tx, mailId: string): Promise<void> {
  await execute(tx, `UPDATE mails SET sent_at = now() WHERE id = $1 AND sent_at IS NULL`, [mailId]);
}
