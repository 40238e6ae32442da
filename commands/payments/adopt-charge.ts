import { describeBooking } from '../../domain/bookings/words.js';
import { describeInvoice } from '../../domain/invoices/document-number.js';
import type { ChangeAttempt, InvoiceAttempt } from '../../domain/payments/money-facts.js';
import type { ConfirmationSource } from '../../domain/states.js';
import { isId, newId } from '../../db/ids.js';
import { insertReturning } from '../../db/insert.js';
import { Checkout } from '../../db/entities/payments.js';
import type { Tx } from '../../db/transaction.js';
import { findInvoiceAttempt, type NamedPayment } from '../../db/queries/payments/checkout.js';
import { findInvoiceById } from '../../db/queries/invoices/invoice.js';
import { findSettlement, type Settlement } from '../../db/queries/payments/settlement.js';
import { findWorkspaceOfMoney } from '../../db/queries/workspaces/workspace.js';
import { lockBooking } from '../bookings/bookings.js';
import { settleChange } from '../bookings/change/apply.js';
import { settlePayment } from '../bookings/settle-payment.js';
import { lockInvoice } from '../invoices/invoices.js';
import type { ReceivedPayment } from './payments.js';
import { settleInvoicePayment, settleLostInvoicePayment } from '../invoices/settle-payment.js';

/** A payment at the processor that belongs to the service, according to its metadata. */
export interface ChargeToAdopt extends NamedPayment {
  /** The card that was charged without its payer; null for a hosted page. */
  card: Pick<Checkout, 'customer_id' | 'payment_method_id'> | null;
  /** Which attempt to pay a change it is, if it is for a change. */
  change_attempt: ChangeAttempt;
  money: ReceivedPayment;
}

/**
 * Settles a payment of ours that has no checkout because its row is lost
 * (docs/internals/recovery.md#after-a-loss). If its purpose is known, it is settled as usual; otherwise it is
 * late money, which is refunded in full. Money is never kept without a booking or an invoice. Returns null
 * for a payment that is not ours, or whose workspace is not the account's. Idempotent.
 */
export async function adoptCharge(
  tx: Tx,
  charge: ChargeToAdopt,
  source: ConfirmationSource | null,
): Promise<{ ownerId: string; settlement: Settlement } | null> {
  const { owner_id, attempt, money } = charge;
  const settled = await findSettlement(tx, money.payment_intent_id);
  if (settled) return { ownerId: owner_id!, settlement: settled };
  const workspace = await findWorkspaceOfMoney(tx, money.account_id);
  if (!workspace) return null;
  if (owner_id && isId('bk', owner_id)) return adoptForBooking(tx, workspace.id, charge, source);
  if (attempt && isId('inv', attempt.invoice_id))
    return adoptForInvoice(tx, workspace.id, charge, attempt, source);
  return null;
}

async function adoptForBooking(
  tx: Tx,
  workspace_id: string,
  { owner_id, change_id, change_attempt: attempt, money }: ChargeToAdopt,
  source: ConfirmationSource | null,
): Promise<{ ownerId: string; settlement: Settlement } | null> {
  const ownerId = owner_id!;
  const owner = { owner_id: ownerId, workspace_id };
  // A change must be locked before its booking, which the command does.
  if (change_id) {
    const settlement = await settleChange(tx, { id: change_id, ...owner, attempt }, money, source);
    return settlement && { ownerId, settlement };
  }
  const booking = await lockBooking(tx, ownerId);
  if (booking && booking.workspace_id !== workspace_id) return null;
  if (booking)
    await storeCheckout(tx, money, {
      workspace_id,
      booking_id: ownerId,
      ordinal: 1,
      description: describeBooking(booking),
    });
  const { settlement } = await settlePayment(tx, owner, money, source);
  return { ownerId, settlement };
}

async function adoptForInvoice(
  tx: Tx,
  workspace_id: string,
  { owner_id, card, money }: ChargeToAdopt,
  attempt: InvoiceAttempt,
  source: ConfirmationSource | null,
): Promise<{ ownerId: string; settlement: Settlement } | null> {
  const { invoice_id, ordinal, kind } = attempt;
  if (!(await findInvoiceById(tx, invoice_id)))
    return {
      ownerId: owner_id ?? invoice_id,
      settlement: await settleLostInvoicePayment(tx, workspace_id, money, source),
    };
  const invoice = await lockInvoice(tx, invoice_id);
  if (invoice.workspace_id !== workspace_id) return null;
  const description = describeInvoice(invoice);
  const checkout =
    (await findInvoiceAttempt(tx, attempt)) ??
    (await storeCheckout(tx, money, {
      id: owner_id && isId('chk', owner_id) ? owner_id : undefined,
      workspace_id,
      invoice_id,
      ordinal,
      description,
      ...(kind === 'charge' && card),
    }));
  return {
    ownerId: checkout.owner_id,
    settlement: await settleInvoicePayment(tx, checkout, money, source),
  };
}

/** Stores the row of a paid checkout. Another checkout of the invoice may be open at the same time. */
function storeCheckout(
  tx: Tx,
  { account_id, currency, amount_minor, paid_at }: ReceivedPayment,
  checkout: Partial<Checkout>,
): Promise<Checkout> {
  const money = { account_id, currency, amount_minor, session_expires_at: paid_at };
  const id = checkout.id ?? newId('chk');
  return insertReturning(tx, Checkout, { ...checkout, ...money, id, state: 'abandoned' });
}
