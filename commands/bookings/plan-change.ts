import type { DataSource } from 'typeorm';
import { planChange, type ChangePlan, type ChangeRequest, type Move } from '../../domain/bookings/change.js';
import type { RateTable } from '../../domain/rates/booking-price.js';
import { ApiError, refuse } from '../../domain/errors.js';
import {
  paymentOfDifference,
  whyNotAnotherChange,
  type OnAuthentication,
} from '../../domain/bookings/pending-change.js';
import type { TaxCode, Tier } from '../../domain/rates/price.js';
import type { PlannedRefund } from '../../domain/payments/refund-parts.js';
import { byHandMinor } from '../../domain/bookings/refund-policy.js';
import { limitedRefund, refundOfDifference, type LineRefund } from '../../domain/bookings/refund-shares.js';
import { RoomRates, type Room } from '../../db/entities/rooms.js';
import { findCreditable } from '../../db/queries/invoices/creditable.js';
import { findBookingMoney } from '../../db/queries/bookings/money.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { findUnsettledChange } from '../../db/queries/bookings/booking-change.js';
import { recoveringSince } from '../../db/queries/workspaces/recovery.js';
import { one } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { lockRefundable, type RefundablePayment } from '../payments/refunds.js';
import { extrasIn } from '../../domain/rates/price-lines.js';
import { lockExtras } from '../extras/extras.js';
import { lockRooms } from '../rooms/rooms.js';
import { lockBooking } from './bookings.js';
import { lockUnpaidInvoice } from './cancel-unpaid.js';
import { assertPlaceFree } from './slots.js';

const UNPAID =
  'The change has another price, and the invoice of this booking on account is unpaid. Pay it first, or ' +
  'cancel and book again.';

/** What the price of a change depends on, and whether money moves on the workspace's account. */
interface PriceFacts {
  /** Of the member who booked; null for a guest. */
  tier: Tier | null;
  tax_codes: TaxCode[];
  recovering_since: Date | null;
}

/** A change as it would be made now, with its booking and room locked. */
interface PlannedChange {
  booking: BookingRow;
  account: Pick<PriceFacts, 'recovering_since'>;
  to: Room;
  plan: ChangePlan;
  /** How the difference is paid. */
  payment: ReturnType<typeof paymentOfDifference>;
  /** Null if nothing is refunded; minor units. */
  refund: ({ refundable: RefundablePayment[]; by_hand_minor: number } & LineRefund) | null;
}

/** Plans a change of a booking. Errors: those of `startChange` in change-booking.ts. */
export async function prepareChange(
  tx: Tx,
  { workspace_id, booking_id, request }: { workspace_id: string; booking_id: string; request: ChangeRequest },
  onAuthentication: OnAuthentication,
): Promise<PlannedChange> {
  const booking = (await lockBooking(tx, booking_id))!;
  refuse(whyNotAnotherChange(await findUnsettledChange(tx, booking.id)));
  const toId = request.room_id ?? booking.room_id;
  const rooms = await lockRooms(tx, workspace_id, [booking.room_id, toId]);
  const from = rooms.get(booking.room_id)!;
  const to = rooms.get(toId);
  if (!to) throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
  const { tier, tax_codes, ...account } = await findPriceFacts(tx, booking);
  const table = toId === booking.room_id ? await findTable(tx, booking) : null;
  const extraIds = [...extrasIn(booking), ...(request.extras ?? [])].map(({ extra_id }) => extra_id);
  const extras = extraIds.length > 0 ? await lockExtras(tx, workspace_id, extraIds) : [];
  const plan = planChange(booking, { from, to, table, extras }, { tier }, tax_codes, request, Date.now());
  if (plan.move && plan.move.difference.total_minor !== 0 && (await lockUnpaidInvoice(tx, booking)))
    throw new ApiError('booking_not_editable', UNPAID);
  if (plan.move) await assertPlaceFree(tx, booking, plan.move);
  const payment = paymentOfDifference(plan.move?.difference.total_minor ?? 0, {
    isTaken: request.taken !== undefined,
    hasCard: booking.processor_payment_intent_id !== null && !request.pay_by_link,
    onAuthentication,
  });
  const refund = plan.move && (await planDifference(tx, booking, from, plan.move));
  return { booking, account, to, plan, payment, refund };
}

/** What a change would cost or refund now; minor units. */
export interface ChangePreview extends PlannedRefund {
  /** Of a cheaper change: what banks withdrew, which cannot be refunded. Minor units. */
  disputed_minor: number;
  price_minor: number;
  charge_minor: number;
  plan: ChangePlan;
  /** How the difference is paid, if a link is wanted where only the payer can pay. */
  payment: ReturnType<typeof paymentOfDifference>;
  to: Room;
}

/** What a planned change charges and refunds; minor units. */
export const differenceOf = ({ plan, refund }: PlannedChange) => ({
  charge_minor: Math.max(0, plan.move?.difference.total_minor ?? 0),
  refund_minor: refund?.amount_minor ?? 0,
  by_hand_minor: refund?.by_hand_minor ?? 0,
});

/** Plans a change without making it. Errors: those of `startChange` in change-booking.ts. */
export const previewChange = (
  db: DataSource,
  change: { workspace_id: string; booking_id: string; request: ChangeRequest },
): Promise<ChangePreview> =>
  transaction(db, async (tx) => {
    const planned = await prepareChange(tx, change, 'link');
    const { booking, plan, payment, to } = planned;
    const price_minor = plan.move?.price.total_minor ?? booking.price_minor;
    const isCheaper = planned.refund !== null;
    const disputed_minor = isCheaper ? (await findBookingMoney(tx, booking.id)).paid.disputed_minor : 0;
    return { price_minor, ...differenceOf(planned), disputed_minor, plan, payment, to };
  });

function findPriceFacts(tx: Tx, booking: BookingRow): Promise<PriceFacts> {
  return one<PriceFacts>(
    tx,
    `SELECT w.tax_codes, m.tier, ${recoveringSince('w.id')} AS recovering_since FROM workspaces w LEFT JOIN members m ON m.id = $2 WHERE w.id = $1`,
    [booking.workspace_id, booking.member_id],
  );
}

/**
 * The rates that have priced a booking, which price its changes in the same room; null for the hourly price.
 */
async function findTable(tx: Tx, { workspace_id, room_id, pricing }: BookingRow): Promise<RateTable | null> {
  if (!pricing || pricing.version === null) return null;
  const { version, audience } = pricing;
  const { rates } = await tx.findOneByOrFail(RoomRates, { workspace_id, room_id, version });
  return { room_id, version, audience, rates };
}

/** The refund of a cheaper change; null if it is not cheaper. */
async function planDifference(
  tx: Tx,
  booking: BookingRow,
  { refund_steps }: Room,
  move: Move,
): Promise<PlannedChange['refund']> {
  if (move.difference.total_minor >= 0) return null;
  const refundable = await lockRefundable(tx, { booking_id: booking.id }, 'change');
  const left = await findCreditable(tx, booking.id);
  const { price, rate, tax_code, pricing = null } = move;
  const after = {
    price_minor: price.total_minor,
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    tax_code,
    tax_rate_bps: rate.tax_rate_bps,
    pricing,
  };
  const due = refundOfDifference(booking, after, refund_steps, Date.now());
  const refund = limitedRefund(due, { left, refundable }, booking.currency);
  return { refundable, ...refund, by_hand_minor: byHandMinor(refundable, refund.amount_minor) };
}
