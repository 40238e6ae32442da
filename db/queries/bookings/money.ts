import type { BookingMoney } from '../../../domain/bookings/money.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { PAID } from '../invoices/invoice.js';

/** SQL for the `ReturnedMoney` of refunds `refund`. `failed`: which failed ones count. */
export const returned = (failed = `refund.status = 'failed'`): string =>
  Object.entries({
    refunded_minor: `refund.status = 'succeeded' AND refund.account_id IS NOT NULL`,
    refunding_minor: `refund.status = 'pending' AND refund.account_id IS NOT NULL`,
    by_hand_minor: `refund.status <> 'failed' AND refund.account_id IS NULL`,
    failed_minor: failed,
  })
    .map(([name, of]) => `coalesce(sum(refund.amount_minor) FILTER (WHERE ${of}), 0)::bigint AS ${name}`)
    .join(', ');

/** A failed refund counts until the payment is refunded again. */
const REFUND_FAILED = `refund.status = 'failed' AND NOT EXISTS (
  SELECT FROM payments again WHERE again.refund_of = refund.refund_of AND again.created_at > refund.created_at
    AND again.status <> 'failed')`;

/** SQL for what has been received for a booking `b`, and what of it went back. */
const received = (late: string): string => `SELECT jsonb_build_object(
    'received_minor', coalesce(sum(p.amount_minor), 0)::bigint,
    'refunded_minor', coalesce(sum(back.refunded_minor), 0)::bigint,
    'refunding_minor', coalesce(sum(back.refunding_minor), 0)::bigint,
    'by_hand_minor', coalesce(sum(back.by_hand_minor), 0)::bigint,
    'failed_minor', coalesce(sum(back.failed_minor), 0)::bigint,
    'disputed_minor', coalesce(sum(p.disputed_minor), 0)::bigint)
    FROM payments p CROSS JOIN LATERAL (
      SELECT ${returned(REFUND_FAILED)} FROM payments refund WHERE refund.refund_of = p.id) back
    WHERE p.booking_id = b.id AND p.kind <> 'refund' AND p.status <> 'failed' AND ${late}`;

/** SQL for the `BookingMoney` of a booking `b`, with methods as they are stored. */
export const BOOKING_MONEY = `jsonb_build_object(
  'currency', b.currency, 'price_minor', b.price_minor, 'hour_credits_used', b.hour_credits_used,
  'paid', (${received('p.refusal IS NULL')}), 'late', (${received('p.refusal IS NOT NULL')}),
  'is_on_account', b.account_days IS NOT NULL,
  'methods', ARRAY(SELECT DISTINCT p.method FROM payments p WHERE p.booking_id = b.id AND p.kind <> 'refund'
    AND p.status <> 'failed'
    AND p.refusal IS NULL ORDER BY p.method),
  'owed_minor', (SELECT coalesce(sum(i.total_minor - ${PAID}), 0)::bigint FROM invoices i
    WHERE b.account_days IS NOT NULL
      AND i.id IN (SELECT b.invoice_id UNION ALL SELECT r.id FROM invoices r WHERE r.adjusts = b.invoice_id)
      AND i.status IN ('open', 'authorised')))`;

/** The same with methods in words. */
export const moneyOf = (money: BookingMoney): BookingMoney => ({
  ...money,
  methods: money.methods.map((method) => method.replaceAll('_', ' ')),
});

const FIND_BOOKING_MONEY = {
  name: 'find_booking_money',
  text: `SELECT ${BOOKING_MONEY} AS money FROM bookings b WHERE b.id = $1`,
};

/** What has been received for a booking, and what of it went back. */
export async function findBookingMoney(tx: Tx, bookingId: string): Promise<BookingMoney> {
  return moneyOf((await one<{ money: BookingMoney }>(tx, FIND_BOOKING_MONEY, [bookingId])).money);
}
