import type { ChangeOutcome } from '../../domain/bookings/change.js';
import { isPayable, wasPaid, type InvoiceLine } from '../../domain/invoices/invoice.js';
import { newId } from '../../db/ids.js';
import type { InvoiceRow } from '../../db/queries/invoices/invoice.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';
import type { Tx } from '../../db/transaction.js';
import { markInvoicePaid, unrefundInvoice } from '../invoices/lifecycle.js';
import { addChangedLines, insertInvoice, lockInvoice } from '../invoices/invoices.js';
import { insertPayment, type NewPayment } from '../payments/payments.js';
import { lockRooms } from '../rooms/rooms.js';
import { applyPlan } from './apply-change.js';
import { finishChange } from './booking-changes.js';
import { exchangedLines } from './exchange-lines.js';
import { lockBooking } from './bookings.js';

/**
 * Finishes a change whose difference was paid, also at the desk: releases the old slot, stores the payment
 * and its invoice lines. Returns the outcome.
 */
export async function finishPaidChange(
  tx: Tx,
  change: BookingChange,
  paid: Pick<NewPayment, 'id' | 'received' | 'source' | 'reference'>,
): Promise<ChangeOutcome & { kind: 'done'; payment_id: string }> {
  const { received } = paid;
  const booking = (await lockBooking(tx, change.booking_id))!;
  const plan = change.plan!;
  const move = plan.move!;
  const to = (await lockRooms(tx, change.workspace_id, [move.room_id])).get(move.room_id)!;
  // Before the payments (docs/architecture.md#transactions-and-locks).
  const invoice = await lockInvoice(tx, booking.invoice_id!);
  const moved = await applyPlan(tx, booking, to, plan, change);
  const lines = await exchangedLines(tx, booking, moved, { paid_minor: received.amount_minor });
  const voided = !isPayable(invoice) && !wasPaid(invoice);
  const at = new Date();
  const invoice_id = voided ? await invoiceDifference(tx, invoice, lines.added, at) : invoice.id;
  const { workspace_id } = change;
  const payment = { ...paid, workspace_id, invoice_id, booking_id: booking.id };
  const payment_id = await insertPayment(tx, { ...payment, kind: 'top_up' });
  if (voided) await markInvoicePaid(tx, invoice_id, at);
  else {
    await addChangedLines(tx, invoice_id, { change_id: change.id, payment_id }, lines);
    await unrefundInvoice(tx, invoice_id);
  }
  const charged_minor = received.amount_minor;
  const outcome = { kind: 'done' as const, charged_minor, payment_id, refund_ids: [] };
  await finishChange(tx, change.id, outcome);
  return outcome;
}

/**
 * Opens an invoice of a paid difference beside the void one of its booking: nothing is added to what the
 * accounting system does not get. Returns its id.
 */
async function invoiceDifference(
  tx: Tx,
  { id: adjusts, workspace_id, currency, company_id, member_id }: InvoiceRow,
  lines: InvoiceLine[],
  at: Date,
): Promise<string> {
  const id = newId('inv');
  const payer = { company_id, member_id };
  const invoice = { id, workspace_id, kind: 'adjustment', adjusts, currency, ...payer, lines } as const;
  await insertInvoice(tx, { ...invoice, due_at: at, created_at: at, is_received: true });
  return id;
}
