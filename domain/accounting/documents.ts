import { formatMoment, formatMoney } from '../display.js';
import type { InvoiceStatus } from '../states.js';

export type AccountingStatus = 'draft' | 'submitted' | 'authorised' | 'paid' | 'voided' | 'deleted';

/**
 * A document in the accounting system. `unknown`: the request to create it was sent and its outcome is not
 * known.
 */
export interface KnownDocument {
  source_id: string;
  kind: 'invoice' | 'credit_note';
  status: AccountingStatus | 'unknown';
  reference: string | null;
  total_minor: number | null;
  /** The amount not yet paid or refunded. */
  outstanding_minor: number | null;
  /**
   * What was offset in the accounting system: credits applied to an invoice, or the amount of a credit note
   * that was applied.
   */
  credited_minor: number;
}

/** A document that the accounting system should have; one for each source. Amounts in minor units. */
export interface ExpectedDocument {
  source_id: string;
  kind: 'invoice' | 'credit_note';
  /** Null for an invoice that gets its number when it is sent. */
  number: string | null;
  total_minor: number;
  /** True if its payment or refund has succeeded. */
  settled: boolean;
}

/** A single write to the accounting system. */
export type AccountingStep =
  | { do: 'create'; source_id: string; approved: boolean }
  | { do: 'approve' | 'pay' | 'void' | 'rename'; source_id: string }
  | { do: 'credit' | 'refund'; source_id: string };

/** An invoice, the documents that the accounting system should have for it, and those it is known to have. */
export interface AccountingView {
  status: InvoiceStatus;
  currency: string;
  accounting_reference: string;
  /** The invoice's own document first, then the documents of its top-ups and credits. */
  expected: ExpectedDocument[];
  known: KnownDocument[];
}

/** True if a document in the accounting system no longer counts. */
export const isGone = (status: string): boolean => status === 'voided' || status === 'deleted';

/**
 * Returns the next write that makes the accounting system agree with the ledger about an invoice; null if
 * they agree (docs/rules/accounting.md#sync). Never writes to a document whose total differs.
 */
export function nextAccountingStep(view: AccountingView): AccountingStep | null {
  const known = new Map(view.known.map((document) => [document.source_id, document]));
  const [main] = view.expected;
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
      return nextStepWhileOpen(main, known.get(main.source_id), view.accounting_reference);
    case 'paid':
    case 'refunded':
      for (const expected of view.expected) {
        const step = nextStepOncePaid(expected, known.get(expected.source_id), view.accounting_reference);
        if (step) return step;
      }
      return null;
  }
}

function nextStepWhileOpen(
  { source_id, total_minor }: ExpectedDocument,
  document: KnownDocument | undefined,
  reference: string,
): AccountingStep | null {
  if (!document || document.status === 'unknown') return { do: 'create', source_id, approved: false };
  if (document.total_minor !== total_minor || isGone(document.status)) return null;
  return document.reference === reference ? null : { do: 'rename', source_id };
}

function nextStepOncePaid(
  { source_id, kind, total_minor, settled }: ExpectedDocument,
  document: KnownDocument | undefined,
  reference: string,
): AccountingStep | null {
  if (kind === 'credit_note') {
    if (!document || document.status === 'unknown') return { do: 'credit', source_id };
    const isAsSent = document.status === 'authorised' && document.total_minor === total_minor;
    const isDue = settled && isAsSent && document.credited_minor === 0;
    return isDue ? { do: 'refund', source_id } : null;
  }
  if (!document || document.status === 'unknown') return { do: 'create', source_id, approved: true };
  if (document.total_minor !== total_minor) return null;
  if (!isGone(document.status) && document.reference !== reference) return { do: 'rename', source_id };
  if (document.status === 'draft' || document.status === 'submitted') return { do: 'approve', source_id };
  const isDue = document.status === 'authorised' && document.credited_minor === 0;
  return isDue ? { do: 'pay', source_id } : null;
}

/**
 * Returns a message for the operator about a difference between ledger and accounting system that no write
 * can resolve; null if there is none.
 */
export function accountingProblem(view: AccountingView): string | null {
  const expected = new Map(view.expected.map((document) => [document.source_id, document]));
  const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency: view.currency });
  for (const { source_id, kind, status, total_minor, credited_minor } of view.known) {
    const ours = expected.get(source_id);
    if (status === 'unknown') continue;
    if (!ours && kind === 'credit_note' && !isGone(status))
      return 'The accounting system has a credit note for a refund that failed. Void the credit note there.';
    if (ours && total_minor !== ours.total_minor)
      return (
        `The total is ${amount(total_minor ?? 0)} in the accounting system and ` +
        `${amount(ours.total_minor)} in the ledger.`
      );
    const closed = view.status === 'void' || view.status === 'cancelled';
    if (ours && !closed && isGone(status)) return `The document was ${status} in the accounting system.`;
    if (ours && credited_minor > 0 && !isGone(status))
      return kind === 'invoice'
        ? `A credit of ${amount(credited_minor)} was applied to the invoice in the accounting system. ` +
            'Remove it there, so that the payment can be recorded.'
        : `${amount(credited_minor)} of the credit note was applied to an invoice in the accounting ` +
            'system. Remove it there, so that the refund can be recorded.';
    if (status === 'paid' && (view.status === 'open' || view.status === 'authorised'))
      return 'The invoice is paid in the accounting system but not in the ledger. Record the payment here.';
  }
  return null;
}

/** Money that settles a document: a payment or a refund. */
export interface MoneyPart {
  source_id: string;
  /** The reference by which its payment in the accounting system is found. */
  reference: string;
  amount_minor: number;
  /** The day on which the money moved, in the workspace's time zone: `2026-10-17`. */
  day: string;
}

/**
 * Returns the reference of a payment in the accounting system: the source of the document, followed by the
 * source of the part if the document has several.
 */
export const referenceOfPart = (document: string, part: string, isOnly: boolean): string =>
  isOnly ? document : `${document} ${part}`;

/** Returns the source of the document in the reference of a payment, if the service wrote that reference. */
export const documentInReference = (reference: string): string => reference.split(' ', 1)[0]!;

/**
 * Returns the next payment that a document in the accounting system lacks, one for each part of its money;
 * null if nothing is outstanding. `paid` are the payments that it already has. Payments with other references
 * count towards the oldest parts. The last part pays everything that is left. `parts` must not be empty.
 * Amounts in minor units.
 */
export function nextPayment(
  parts: MoneyPart[],
  there: {
    total_minor: number;
    outstanding_minor: number;
    paid: { reference: string; amount_minor: number }[];
  },
): MoneyPart | null {
  const { total_minor, outstanding_minor, paid } = there;
  if (outstanding_minor <= 0) return null;
  const isIn = (list: { reference: string }[], { reference }: { reference: string }): boolean =>
    list.some((each) => each.reference === reference);
  const ours = paid.filter((payment) => isIn(parts, payment));
  const missing = parts.filter((part) => !isIn(paid, part));
  let others = ours.reduce((rest, { amount_minor }) => rest - amount_minor, total_minor - outstanding_minor);
  for (const part of missing.slice(0, -1)) {
    const amount_minor = Math.min(part.amount_minor - others, outstanding_minor);
    if (amount_minor > 0) return { ...part, amount_minor };
    others -= part.amount_minor;
  }
  return { ...(missing.at(-1) ?? parts.at(-1)!), amount_minor: outstanding_minor };
}

/** The message that invoices show while they wait for the next day's calls. */
export const dayLimitMessage = (until: Date, now: Date): string =>
  'The daily call limit of the accounting system has been reached. ' +
  `Sync continues after ${formatMoment(until, 'UTC', now)} UTC.`;

const documentSign = (kind: 'invoice' | 'credit_note'): number => (kind === 'invoice' ? 1 : -1);

/**
 * Returns what the accounting system received for a document, as last read, in minor units; below zero for
 * refunded money. Credits that were applied there do not count as money.
 */
export const receivedFor = (document: KnownDocument): number => {
  const { kind, status, total_minor, outstanding_minor, credited_minor } = document;
  if (isGone(status)) return 0;
  return documentSign(kind) * ((total_minor ?? 0) - (outstanding_minor ?? 0) - credited_minor);
};

/**
 * Returns the amount received for an invoice according to the ledger and according to the accounting system;
 * minor units.
 */
export function receivedInAccounting({ expected, known }: Pick<AccountingView, 'expected' | 'known'>): {
  ledger: number;
  accounting: number;
} {
  const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  return {
    ledger: sum(
      expected
        .filter(({ settled }) => settled)
        .map(({ kind, total_minor }) => documentSign(kind) * total_minor),
    ),
    accounting: sum(known.map(receivedFor)),
  };
}
