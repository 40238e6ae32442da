import type { Arrival } from '../../../domain/rooms/arrival.js';
import type { BookingSource } from '../../../domain/bookings/origin.js';
import type { BookingMailKind } from '../../../domain/mail/kinds.js';
import type { BookedExtra } from '../../../domain/extras/extras.js';
import type { PricedBooking } from '../../../domain/rates/price-lines.js';
import type { RefundStep } from '../../../domain/bookings/refund-policy.js';
import type { RefundCap } from '../../../domain/bookings/refund-shares.js';
import type { BookingStatus } from '../../../domain/states.js';
import type { BookingMoney, ReturnedMoney } from '../../../domain/bookings/money.js';
import type { RefundPart } from '../../../domain/payments/refund-parts.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { listPartsToTell, mailedRefunds, type MailedRefund } from '../payments/refund-part.js';
import { findPaymentCauses } from '../payments/refund.js';
import type { Language } from '../../../domain/words/languages.js';

/** The contents of a mail to the payer of a booking. */
export interface BookingMail extends Arrival, PricedBooking {
  id: string;
  kind: BookingMailKind;
  /** What it is about, as `NewMail` has it. */
  about: string;
  booking_id: string;
  reference: string;
  to: string;
  name: string;
  locale: Language;
  source: BookingSource;
  workspace_name: string;
  /** The company that pays a booking on account; null if no company does. */
  company_name: string | null;
  price_minor: number;
  status: BookingStatus;
  confirmed_at: Date | null;
  no_show_at: Date | null;
  /** How long before the start the room sends reminders. */
  reminder_hours: number | null;
  checkout_url: string | null;
  /** The end of the hold. */
  expires_at: Date | null;
  refund_steps: RefundStep[];
  refund_percent_cap: number;
  refund_caps: RefundCap[] | null;
  /** Whether the payer may cancel and move with the manage link. */
  self_service: boolean;
  edit_window_minutes: number;
  /** Where the payer can book again. */
  booking_url: string | null;
  /** The fields for which its manage link is signed. */
  booking: { id: string; manage_link_version: number | null };
  /** The amount of the refund that the mail is about, and all refunds of its cause. */
  refund_minor: number | null;
  refund_parts: RefundPart[];
  /** The refunds that it reports as on their way or made, without those that another mail reports. */
  told_refunds: MailedRefund[];
  /** Why the invoice was credited, if that is the reason for the refund. */
  credit_reason: string | null;
  /** What was charged by the change that the mail is about; null for other mails. */
  charged_minor: number | null;
  /** Whether that was received at the desk. */
  charged_at_desk: boolean | null;
  /** The outcome of the refunds of that change. */
  change_refund: ReturnedMoney;
  /** The change that the mail is about, while the payer can pay for it; its times are JSON. */
  pending: {
    url: string;
    amount_minor: number;
    expires_at: string;
    /** UTC milliseconds. */
    start_at: number;
    end_at: number;
    room_name: string;
    time_zone: string;
    extras: BookedExtra[] | null;
  } | null;
  /** Who cancelled the booking, if known. A request with a key does not show who wanted it. */
  cancelled_by: 'payer' | 'workspace' | null;
  /** The reason that was given for the cancellation. */
  cancellation_reason: string | null;
  /** Who requested the change that the mail is about, in the same way; null for other mails. */
  changed_by: 'payer' | 'workspace' | null;
  /**
   * Whether the booking has been changed again since. It then has the details and price of the later change.
   */
  changed_again: boolean;
  /** What the operator writes about a blackout. */
  note: string | null;
  money: BookingMoney;
  sequence: number;
  created_at: Date;
}

const FIND_BOOKING_MAIL = {
  name: 'find_booking_mail',
  text: `SELECT mail.id, mail.kind, mail.about, mail.booking_id, b.reference,
            coalesce(b.guest_email, m.email) AS to,
            coalesce(b.guest_name, m.name) AS name, coalesce(b.locale, m.locale, w.locale) AS locale,
              b.source, w.name AS workspace_name, c.name AS company_name, r.name AS room_name, r.time_zone,
            r.address, r.directions, r.access_notes, r.reminder_hours, b.confirmed_at, b.no_show_at,
              b.start_at, b.end_at,
            b.currency, b.price_minor, b.net_minor, b.tax_minor, b.tax_rate_bps, b.tax_code,
            b.price_per_hour_minor, b.discount_percent, b.hour_credits_used, b.pricing, b.status,
            b.checkout_url,
            b.expires_at, r.refund_steps, b.refund_percent_cap::float8, b.refund_caps,
            r.self_service, r.edit_window_minutes,
              book_again_url(w.id) AS booking_url, b.sequence,
            jsonb_build_object('id', b.id, 'manage_link_version', b.manage_link_version) AS booking,
              mail.created_at, money.money,
            refund.amount_minor AS refund_minor, refund.id AS refund_id,
              (change.outcome ->> 'charged_minor')::bigint AS charged_minor,
            (SELECT p.account_id IS NULL FROM payments p
              WHERE p.id = change.outcome ->> 'payment_id') AS charged_at_desk,
            (SELECT jsonb_build_object('url', k.url, 'amount_minor', k.amount_minor, 'expires_at',
              change.expires_at,
               'start_at', change.plan #> '{move,start_at}', 'end_at', change.plan #> '{move,end_at}',
               'room_name', t.name, 'time_zone', t.time_zone, 'extras',
                 change.plan #> '{move,pricing,extras}')
             FROM checkouts k JOIN rooms t ON t.id = (change.plan #>> '{move,room_id}')::uuid
             WHERE k.change_id = change.id AND change.state = 'pending') AS pending,
            (SELECT jsonb_build_object(
                'refunded_minor', coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'succeeded'
                  AND r.account_id IS NOT NULL), 0)::bigint,
                'refunding_minor', coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'pending'
                  AND r.account_id IS NOT NULL), 0)::bigint,
                'by_hand_minor', coalesce(sum(r.amount_minor) FILTER (WHERE r.status <> 'failed'
                  AND r.account_id IS NULL), 0)::bigint,
                'failed_minor', coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'failed'), 0)::bigint)
              FROM payments r WHERE r.id = ANY (ARRAY(SELECT jsonb_array_elements_text(change.outcome ->
                'refund_ids')))) AS change_refund,
            coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'status', p.status))
              FROM payments p JOIN payments paid ON paid.id = p.refund_of
              WHERE p.booking_id = b.id AND p.kind = 'refund' AND p.status <> 'failed'
                AND p.account_id IS NOT NULL AND NOT is_on_account(b, paid)
                AND CASE mail.kind WHEN 'booking_cancelled' THEN p.purpose = 'cancellation'
                                   WHEN 'booking_changed'
                                     THEN change.outcome -> 'refund_ids' ? p.id END), '[]') AS told_refunds,
            CASE WHEN change.id IS NULL THEN NULL WHEN change.actor ? 'guest'
              OR change.actor ->> 'member_id' = b.member_id THEN 'payer'
                 WHEN change.actor ->> 'key_id' IS NULL THEN 'workspace' END AS changed_by,
            EXISTS (SELECT FROM mails later WHERE later.booking_id = b.id AND later.kind = mail.kind
              AND later.created_at > mail.created_at
                    AND mail.kind = 'booking_changed') AS changed_again,
            (SELECT CASE WHEN c.actor ? 'guest' OR c.actor ->> 'member_id' = b.member_id THEN 'payer'
                  WHEN c.actor ->> 'key_id' IS NULL THEN 'workspace' END
             FROM booking_changes c WHERE c.booking_id = b.id AND c.kind = 'cancel'
               AND c.outcome ? 'refund_policy')
              AS cancelled_by, audited_reason(b.workspace_id, 'booking.cancelled', b.id,
                b.cancelled_at) AS cancellation_reason,
            (SELECT n.note FROM blackout_bookings n WHERE n.booking_id = b.id
               AND n.blackout_id = CASE mail.kind WHEN 'booking_note' THEN split_part(mail.about, ':', 1)
                                                  WHEN 'booking_changed'
                                                    THEN change.outcome ->> 'blackout_id' END) AS note
     FROM mails mail
     JOIN bookings b ON b.id = mail.booking_id
     JOIN rooms r ON r.id = b.room_id
     JOIN workspaces w ON w.id = b.workspace_id
     CROSS JOIN LATERAL booking_money(b) money
     LEFT JOIN payments refund ON refund.id = mail.about
     LEFT JOIN booking_changes change ON change.id = mail.about
     LEFT JOIN members m ON m.id = b.member_id
     LEFT JOIN companies c ON c.id = b.company_id
     WHERE mail.id = $1 AND num_nonnulls(b.guest_email, m.email) = 1`,
};

/** Reads the contents of a mail to the payer of a booking; null if the payer was erased. */
export async function findBookingMail(tx: Tx, mailId: string): Promise<BookingMail | null> {
  const found = await maybeOne<
    Omit<BookingMail, 'refund_parts' | 'credit_reason'> & { refund_id: string | null }
  >(tx, FIND_BOOKING_MAIL, [mailId]);
  if (!found) return null;
  const { refund_id, ...mail } = found;
  const refund_parts = refund_id ? await listPartsToTell(tx, mail.kind, refund_id) : [];
  const cause = refund_id ? (await findPaymentCauses(tx, [refund_id])).get(refund_id) : undefined;
  const credit_reason = cause?.kind === 'adjustment' ? cause.reason : null;
  const told_refunds = [...mail.told_refunds, ...mailedRefunds(refund_parts)];
  return { ...mail, refund_parts, told_refunds, credit_reason };
}
