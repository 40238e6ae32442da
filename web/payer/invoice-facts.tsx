import type { InvoiceMoney } from '../../db/queries/billing/invoice-money.js';
import type { InvoiceRow } from '../../db/queries/billing/invoice.js';
import type { Refund } from '../../db/queries/billing/refund.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import { factsOfInvoice, meansOf } from '../../domain/invoice-words.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';
import { Documents } from './documents.js';
import { documentNumberOf } from '../../domain/invoice-document.js';
import { formatsIn } from '../ui/formats.js';
import { Facts } from '../ui/parts.js';

/** An invoice as its payer sees it. */
export interface OpenedInvoice {
  invoice: InvoiceRow;
  workspace: Workspace;
  /** The path of the page. */
  path: string;
  money: InvoiceMoney[];
  refunds: Refund[];
  /** Who booked what it is for; null for an invoice of no booking. */
  bookedBy: string | null;
  /** The last digits of the card that it is charged to. */
  autopay: string | null;
  /** The payer's card may be charged for it, also one that was refused. */
  isCharged: boolean;
}

/** What an invoice is for, what was paid and refunded, and its documents. */
export function InvoiceFacts({ invoice, workspace, path, money, refunds, bookedBy }: OpenedInvoice) {
  const outstanding = outstandingOf(invoice);
  const { amount, day } = formatsIn({ currency: invoice.currency, time_zone: workspace.time_zone });
  const isLate = invoice.due_at < new Date() && day(invoice.due_at) !== day(new Date());
  return (
    <>
      <Facts
        of={[
          ['Invoice', documentNumberOf(invoice)],
          ...(invoice.reference ? [['Reference', invoice.reference] as const] : []),
          ['From', invoice.parties?.seller.name ?? workspace.name],
          ...factsOfInvoice(invoice, bookedBy),
          ...money.map((moved) => [movementOf(moved, day), amount(moved.amount_minor)] as const),
          ...(outstanding > 0 && outstanding < invoice.total_minor
            ? [['Amount due', amount(outstanding)] as const]
            : []),
          ...(outstanding > 0 ? [[isLate ? 'Was due' : 'Due', day(invoice.due_at)] as const] : []),
        ]}
      />
      {invoice.documents.length === 0 && (
        <p>
          <a href={`${path}/pdf`}>Download invoice (PDF)</a>
        </p>
      )}
      <Documents documents={invoice.documents} refunds={refunds} path={path} currency={invoice.currency} />
    </>
  );
}

/** `Paid on Tue 24 Nov by card`. */
export function movementOf(
  { kind, is_pending, at, ...means }: InvoiceMoney,
  day: (at: Date) => string,
): string {
  if (kind === 'payment') return `Paid on ${day(at)} by ${meansOf(means)}`;
  return is_pending ? 'Being refunded' : `Refunded on ${day(at)}`;
}
