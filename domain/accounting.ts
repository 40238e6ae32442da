import { roundHalfUp } from './money.js';
import type { InvoiceLine } from './invoice.js';
import type { InvoiceStatus } from './states.js';
import { Decimal } from 'decimal.js';

export type AccountingStatus = 'draft' | 'submitted' | 'authorised' | 'paid' | 'voided' | 'deleted';

/** A document that is, or may be, in the books. `unknown`: it has been asked for, and nothing has been heard. */
export interface KnownDocument {
  source_id: string;
  kind: 'invoice' | 'credit_note';
  status: AccountingStatus | 'unknown';
  reference: string | null;
  total_minor: number | null;
  /** What is still to be paid, in or out. */
  left_minor: number | null;
}

/** What the books should have: a document for each source. Amounts in minor units. */
export interface DocumentDue {
  source_id: string;
  kind: 'invoice' | 'credit_note';
  total_minor: number;
  /** The money that it is about has moved. */
  settled: boolean;
}

/** One write to the books. */
export type AccountingStep =
  | { do: 'create'; source_id: string; approved: boolean }
  | { do: 'approve' | 'pay' | 'void' | 'rename'; source_id: string }
  | { do: 'credit' | 'give_back'; source_id: string };

/** An invoice as the books should see it. */
export interface AccountingView {
  status: InvoiceStatus;
  accounting_reference: string;
  /** Its own document first, then those of its top-ups and its credits. */
  due: DocumentDue[];
  known: KnownDocument[];
}

const isGone = (status: string): boolean => status === 'voided' || status === 'deleted';

/**
 * The next write that brings the books to what the ledger says of an invoice; null when they agree
 * (decisions.md, "Accounting"; spec.md, "Accounting invariants"). A document whose total is not ours is left alone.
 */
export function nextAccountingStep(view: AccountingView): AccountingStep | null {
  const known = new Map(view.known.map((document) => [document.source_id, document]));
  const [main] = view.due;
  if (!main) return null;
  switch (view.status) {
    case 'draft':
      return null;
    case 'void':
    case 'cancelled': {
      const document = known.get(main.source_id);
      return document && !isGone(document.status) ? { do: 'void', source_id: main.source_id } : null;
    }
    case 'open':
    case 'authorised':
      return stepOfOpen(main, known.get(main.source_id), view.accounting_reference);
    case 'paid':
    case 'refunded':
      for (const due of view.due) {
        const step = stepOfSettled(due, known.get(due.source_id), view.accounting_reference);
        if (step) return step;
      }
      return null;
  }
}

function stepOfOpen(
  { source_id, total_minor }: DocumentDue,
  document: KnownDocument | undefined,
  reference: string,
): AccountingStep | null {
  if (!document || document.status === 'unknown') return { do: 'create', source_id, approved: false };
  if (document.total_minor !== total_minor || isGone(document.status)) return null;
  return document.reference === reference ? null : { do: 'rename', source_id };
}

function stepOfSettled(
  { source_id, kind, total_minor, settled }: DocumentDue,
  document: KnownDocument | undefined,
  reference: string,
): AccountingStep | null {
  if (kind === 'credit_note') {
    if (!document || document.status === 'unknown') return { do: 'credit', source_id };
    return settled && document.status === 'authorised' ? { do: 'give_back', source_id } : null;
  }
  if (!document || document.status === 'unknown') return { do: 'create', source_id, approved: true };
  if (document.total_minor !== total_minor) return null;
  if (!isGone(document.status) && document.reference !== reference) return { do: 'rename', source_id };
  if (document.status === 'draft' || document.status === 'submitted') return { do: 'approve', source_id };
  return document.status === 'authorised' ? { do: 'pay', source_id } : null;
}

/** What is wrong between ledger and books that no write of ours mends, in words for the operator; null if nothing. */
export function accountingProblem(view: AccountingView): string | null {
  const due = new Map(view.due.map((document) => [document.source_id, document]));
  for (const { source_id, kind, status, total_minor } of view.known) {
    const ours = due.get(source_id);
    if (status === 'unknown') continue;
    if (!ours && kind === 'credit_note' && !isGone(status))
      return 'The accounting system has a credit note for a refund that has failed. Void it there.';
    if (ours && total_minor !== ours.total_minor)
      return `The total is ${total_minor} in the accounting system and ${ours.total_minor} in the ledger (minor units).`;
    const closed = view.status === 'void' || view.status === 'cancelled';
    if (ours && !closed && isGone(status)) return `The document was ${status} in the accounting system.`;
    if (status === 'paid' && (view.status === 'open' || view.status === 'authorised'))
      return 'The invoice is paid in the accounting system but not in the ledger. Record the payment here (mark-paid).';
  }
  return null;
}

/** A part of an amount under one tax code; minor units. */
export type TaxPart = Pick<InvoiceLine, 'tax_code' | 'tax_rate_bps' | 'net_minor' | 'tax_minor'>;

/**
 * Splits an amount, tax included, over the tax codes of an invoice's lines, by their share of its total. The parts
 * sum to the amount; each part's tax is what its rate takes of it.
 */
export function splitOverTaxCodes(amountMinor: number, lines: TaxPart[]): TaxPart[] {
  const groups = new Map<string, { tax_code: string; tax_rate_bps: number; gross: number }>();
  for (const { tax_code, tax_rate_bps, net_minor, tax_minor } of lines) {
    const key = `${tax_code} ${tax_rate_bps}`;
    const group = groups.get(key) ?? { tax_code, tax_rate_bps, gross: 0 };
    groups.set(key, { ...group, gross: group.gross + net_minor + tax_minor });
  }
  const taxed = [...groups.values()].filter(({ gross }) => gross > 0);
  const parts: TaxPart[] = [];
  let [left, leftGross] = [amountMinor, taxed.reduce((sum, { gross }) => sum + gross, 0)];
  for (const { tax_code, tax_rate_bps, gross } of taxed) {
    const amount = roundHalfUp(new Decimal(left).mul(gross).div(leftGross));
    left -= amount;
    leftGross -= gross;
    if (amount === 0) continue;
    const tax_minor = roundHalfUp(new Decimal(amount).mul(tax_rate_bps).div(10_000 + tax_rate_bps));
    parts.push({ tax_code, tax_rate_bps, net_minor: amount - tax_minor, tax_minor });
  }
  return parts;
}

/** An invoice's number in the books; unique there, and `N`-based (decisions.md, "Accounting"). */
export function accountingNumber(
  number: number,
  part?: { kind: 'top_up' | 'credit'; index: number },
): string {
  return part ? `HF-${number}-${part.kind === 'top_up' ? 'T' : 'C'}${part.index}` : `HF-${number}`;
}

/** What the books should have received for an invoice, and what they have, as far as is known; minor units. */
export function receivedInAccounting({ due, known }: Pick<AccountingView, 'due' | 'known'>): {
  ledger: number;
  books: number;
} {
  const sign = (kind: 'invoice' | 'credit_note'): number => (kind === 'invoice' ? 1 : -1);
  const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  return {
    ledger: sum(
      due.filter(({ settled }) => settled).map(({ kind, total_minor }) => sign(kind) * total_minor),
    ),
    books: sum(
      known
        .filter(({ status }) => !isGone(status))
        .map(({ kind, total_minor, left_minor }) => sign(kind) * ((total_minor ?? 0) - (left_minor ?? 0))),
    ),
  };
}
