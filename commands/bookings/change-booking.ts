import { assertDifferenceAsShown, type ChangeOutcome } from '../../domain/bookings/change.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { afterRefusedCharge, notCharged, type NotCharged } from '../../domain/bookings/pending-change.js';
import { whyMoneyStandsStill } from '../../domain/processor/refusals.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import type { TaxPart } from '../../domain/invoices/credited-tax.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { Tx } from '../../db/transaction.js';
import { addChangedLines, lockInvoiceRow } from '../invoices/invoices.js';
import { createRefunds, reasonOf } from '../payments/refunds.js';
import { applyPlan } from './apply-change.js';
import { exchangedLines } from './exchange-lines.js';
import { finishChange, setCharging } from './booking-changes.js';
import { storeCharge } from './change-attempts.js';
import { lockBooking } from './bookings.js';
import { makeTakenChange } from './desk-payment.js';
import { reserveLink } from './pending-changes.js';
import { differenceOf, prepareChange } from './plan-change.js';
import { claimSlot, releaseOtherSlots } from './slots.js';

/**
 * Decides a change, and applies it if nothing has to be paid any more. Otherwise the booking now holds both
 * its old and its new slot, and the result is `charge` (docs/rules/bookings.md#charging-the-difference) or
 * `link`. Errors: 402, 403, 404, 409, 422 of `planChange` and the slot; 409, 412 of `reserveLink`; 503 if the
 * price rises while money stands still; then nothing is stored.
 */
export async function startChange(
  tx: Tx,
  quotas: Quotas,
  change: BookingChange & { kind: 'change' },
): Promise<ChangeOutcome | 'charge' | 'link'> {
  const planned = await prepareChange(tx, { ...change, request: change.request! }, change.on_authentication);
  const { booking, account, to, plan, payment, refund } = planned;
  assertDifferenceAsShown(change.request!, differenceOf(planned));
  if (payment !== 'none') {
    refuse(whyMoneyStandsStill(account));
    if (payment === 'desk') return makeTakenChange(tx, change, { booking, plan });
    await claimSlot(tx, booking.id, plan.move!);
    if (payment === 'charge') {
      await setCharging(tx, change.id, plan);
      await storeCharge(tx, { change, booking, plan });
    } else await reserveLink(tx, quotas, change, { booking, plan });
    return payment;
  }
  const reason = reasonOf(booking, change.actor);
  const refund_ids = refund
    ? await createRefunds(tx, refund.refundable, {
        amount_minor: refund.amount_minor,
        credit: refund.credit,
        purpose: 'change',
        reason,
      })
    : [];
  const changed = await applyPlan(tx, booking, to, plan, change, refund_ids);
  await storeExchange(tx, change.id, booking, changed, refund?.credit);
  const outcome: ChangeOutcome = {
    kind: 'done',
    charged_minor: 0,
    payment_id: null,
    refund_ids,
    waived: plan.move?.waived,
    blackout_id: change.request!.blackout_id,
  };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/**
 * Stores what a change for which nothing is paid exchanges on the invoice, which is
 * locked here unless it refunds.
 */
async function storeExchange(
  tx: Tx,
  change_id: string,
  before: BookingRow,
  after: BookingRow,
  refunded?: TaxPart[],
): Promise<void> {
  const invoice_id = before.invoice_id!;
  await lockInvoiceRow(tx, invoice_id);
  const lines = await exchangedLines(tx, before, after, { refunded });
  await addChangedLines(tx, invoice_id, { change_id, payment_id: null }, lines);
}

/** Ends a change whose charge was refused: the booking is unchanged and holds only its old slot. */
export async function undoChange(
  tx: Tx,
  change: BookingChange,
  { code, message, context }: ApiError = notCharged('declined'),
): Promise<void> {
  const booking = (await lockBooking(tx, change.booking_id))!;
  await releaseOtherSlots(tx, booking.id);
  await finishChange(tx, change.id, { kind: 'refused', code, message, context });
}

/**
 * Handles the refused charge of a difference: the change ends, or its payer gets a link and it keeps both
 * slots. Returns true if a link is to be opened.
 */
export async function afterRefusal(
  tx: Tx,
  quotas: Quotas,
  change: BookingChange,
  reason: NotCharged,
): Promise<boolean> {
  const next = afterRefusedCharge(reason, change.on_authentication);
  if (next !== 'link') {
    await undoChange(tx, change, next.error);
    return false;
  }
  const booking = (await lockBooking(tx, change.booking_id))!;
  try {
    await reserveLink(tx, quotas, change, { booking, plan: change.plan! });
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await undoChange(tx, change, error);
    return false;
  }
}
