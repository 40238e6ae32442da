import { wasPaid } from '../invoices/invoice.js';
import { formatMoney } from '../display.js';
import { accountingProblem, receivedInAccounting, type AccountingView } from '../accounting/documents.js';

/** How ledger, processor and accounting system can differ (docs/rules/billing.md#reconciliation). */
export type DifferenceKind =
  /** The ledger has a payment without a charge at the processor. */
  | 'processor_missing'
  /** The processor has a charge without a payment in the ledger, or whose payment is recorded as failed. */
  | 'ledger_missing'
  /** Both have the payment, but with different amounts, refunds or currencies. */
  | 'processor_amount'
  /** A paid invoice has not received its total. */
  | 'ledger_amount'
  /** The latest change has not arrived in the accounting system. */
  | 'accounting_missing'
  /** The accounting system has another amount or status. */
  | 'accounting_amount'
  /** The accounting system has a sale twice. */
  | 'accounting_duplicate';

/** A difference. Amounts in minor units; null for a side that is not compared. */
export interface Difference {
  invoice_id: string | null;
  kind: DifferenceKind;
  ledger_minor: number | null;
  processor_minor: number | null;
  accounting_minor: number | null;
  message: string;
}

/**
 * The money that moved in the period: payments received minus refunds and disputed amounts. `processor`
 * counts only payments made through it. The totals of two consecutive periods add up.
 */
export interface ReconciliationTotals {
  ledger: number;
  processor: number;
  accounting: number;
}

/** The report, as `GET /v1/reconciliation` returns it and as it is stored. */
export interface ReconciliationReport {
  from: string;
  to: string;
  invoices_examined: number;
  /** In the workspace's currency. */
  totals: ReconciliationTotals;
  /** The same for every other currency. */
  other_currencies: Record<string, ReconciliationTotals>;
  differences: Difference[];
}

/** A payment through the processor, and its charge at the processor. */
export interface ComparedPayment {
  payment_id: string;
  invoice_id: string | null;
  amount_minor: number;
  /** The refunded amount, including pending refunds. */
  refunded_minor: number;
  /** The amount that banks withdrew for disputes. */
  disputed_minor: number;
  currency: string;
  /** How much of it moved in the period, according to the ledger. */
  moved_minor: number;
  /** True if it was received in the period. */
  is_received_within: boolean;
  charge: { amount_minor: number; refunded_minor: number; disputed_minor: number; currency: string } | null;
}

/** Returns what is left of a payment. */
const keptAmount = (side: { amount_minor: number; refunded_minor: number; disputed_minor: number }): number =>
  side.amount_minor - side.refunded_minor - side.disputed_minor;

/**
 * Returns how much of a payment moved in the period at the processor. Amounts move on the days of the ledger;
 * any difference counts on the payment's day. 0 without a charge.
 */
export function movedAtProcessor(payment: ComparedPayment): number {
  const { charge, moved_minor, is_received_within } = payment;
  if (!charge) return 0;
  return moved_minor + (is_received_within ? keptAmount(charge) - keptAmount(payment) : 0);
}

/**
 * Returns how much of the amount that the accounting system received for a document moved in a period. The
 * amount is assigned to the parts of the document's money from the oldest on, and any excess moved with the
 * last part. Without parts, `otherwise` is returned. Minor units.
 */
export function movedInAccounting(
  amount_minor: number,
  parts: { amount_minor: number; at: Date }[],
  isWithin: (at: Date) => boolean,
  otherwise: Date,
): number {
  if (parts.length === 0) return isWithin(otherwise) ? amount_minor : 0;
  let left = amount_minor;
  let moved = 0;
  for (const [n, part] of parts.entries()) {
    const taken = n === parts.length - 1 ? left : Math.min(left, part.amount_minor);
    left -= taken;
    if (isWithin(part.at)) moved += taken;
  }
  return moved;
}

const difference = (
  kind: DifferenceKind,
  invoice_id: string | null,
  message: string,
  amounts: Partial<Pick<Difference, 'ledger_minor' | 'processor_minor' | 'accounting_minor'>>,
): Difference => ({
  invoice_id,
  kind,
  ledger_minor: null,
  processor_minor: null,
  accounting_minor: null,
  ...amounts,
  message,
});

/**
 * Returns the difference between a payment in the ledger and its charge at the processor; null if there is
 * none.
 */
export function comparePayment(payment: ComparedPayment): Difference | null {
  const { payment_id, invoice_id, amount_minor, refunded_minor, disputed_minor, currency, charge } = payment;
  const ledger_minor = keptAmount(payment);
  if (!charge) {
    const message =
      `The processor has no charge for payment ${payment_id} of ` +
      `${formatMoney({ amount_minor, currency })}.`;
    return difference('processor_missing', invoice_id, message, { ledger_minor });
  }
  const processor_minor = keptAmount(charge);
  const same =
    charge.amount_minor === amount_minor &&
    charge.refunded_minor === refunded_minor &&
    charge.disputed_minor === disputed_minor &&
    charge.currency === currency;
  if (same) return null;
  const described = (side: NonNullable<ComparedPayment['charge']>): string => {
    const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency: side.currency });
    const refunded = side.refunded_minor > 0 ? `, ${amount(side.refunded_minor)} refunded` : '';
    const disputed = side.disputed_minor > 0 ? `, ${amount(side.disputed_minor)} disputed` : '';
    return `${amount(side.amount_minor)}${refunded}${disputed}`;
  };
  return difference(
    'processor_amount',
    invoice_id,
    `Payment ${payment_id}: ${described(charge)} at the processor; ${described(payment)} in the ledger.`,
    { ledger_minor, processor_minor },
  );
}

/**
 * Returns the difference for a charge without a payment in the ledger, or whose payment is recorded as
 * failed.
 */
export function unknownCharge(charge: {
  charge_id: string;
  payment_intent_id: string | null;
  failed_payment_id: string | null;
  invoice_id: string | null;
  amount_minor: number;
  refunded_minor: number;
  currency: string;
}): Difference {
  const { charge_id, payment_intent_id, failed_payment_id, invoice_id, amount_minor, refunded_minor } =
    charge;
  const intent = payment_intent_id ?? 'no payment intent';
  const described = `charge ${charge_id} of ${formatMoney(charge)} (${intent})`;
  const processor_minor = amount_minor - refunded_minor;
  if (failed_payment_id === null)
    return difference('ledger_missing', invoice_id, `The ledger has no payment for ${described}.`, {
      processor_minor,
    });
  const message = `Payment ${failed_payment_id} failed in the ledger; the processor has its ${described}.`;
  return difference('ledger_missing', invoice_id, message, { ledger_minor: 0, processor_minor });
}

/**
 * Returns the difference for a sale that the accounting system has twice: the ledger lost its first invoice
 * (`lost_number`) and created it again.
 */
export const repeatedSale = (sale: {
  invoice_id: string;
  number: string;
  lost_number: string;
  amount_minor: number;
  currency: string;
}): Difference =>
  difference(
    'accounting_duplicate',
    sale.invoice_id,
    `The accounting system has the sale of ${sale.number} twice: also as ${sale.lost_number} of ` +
      `${formatMoney(sale)}. The record of ${sale.lost_number} was lost here, and the booking was ` +
      `invoiced again. Void ${sale.lost_number} there.`,
    { accounting_minor: sale.amount_minor },
  );

/** Returns the difference between a paid invoice's total and the amount received; null if there is none. */
export function compareInvoice(invoice: {
  invoice_id: string;
  total_minor: number;
  received_minor: number;
  currency: string;
}): Difference | null {
  const { invoice_id, total_minor, received_minor, currency } = invoice;
  if (total_minor === received_minor) return null;
  const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const message =
    `The invoice is paid. Its total is ${amount(total_minor)}, but ` +
    `${amount(received_minor)} was received.`;
  return difference('ledger_amount', invoice_id, message, { ledger_minor: received_minor });
}

/** Returns the difference between ledger and accounting system about an invoice; null if there is none. */
export function compareAccounting(
  invoice_id: string,
  view: AccountingView,
  { pending, error }: { pending: boolean; error: string | null },
): Difference | null {
  const settled = wasPaid(view);
  const { ledger, accounting } = receivedInAccounting(view);
  const amounts = { ledger_minor: settled ? ledger : 0, accounting_minor: accounting };
  const problem = accountingProblem(view);
  if (problem) return difference('accounting_amount', invoice_id, problem, amounts);
  if (pending) {
    const message = `The accounting system does not have the latest change${error ? `: ${error}` : ' yet.'}`;
    return difference('accounting_missing', invoice_id, message, amounts);
  }
  if (settled && ledger !== accounting) {
    const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency: view.currency });
    return difference(
      'accounting_amount',
      invoice_id,
      `Received: ${amount(accounting)} in the accounting system, ${amount(ledger)} in the ledger.`,
      amounts,
    );
  }
  return null;
}
