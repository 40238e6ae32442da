import type { InvoiceMoney } from '../../db/queries/invoices/money.js';
import type { InvoiceRow } from '../../db/queries/invoices/invoice.js';
import type { Refund } from '../../db/queries/payments/refund.js';
import type { Workspace } from '../../db/entities/workspaces.js';
import { factsOfInvoice, describeMethod } from '../../domain/invoices/words.js';
import { daysOverdue } from '../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { Documents } from './documents.js';
import type { Words } from '../../domain/words/words.js';
import { useWords } from '../ui/language.js';
import { FactList } from '../ui/parts.js';

export interface OpenedInvoice {
  invoice: InvoiceRow;
  workspace: Workspace;
  path: string;
  money: InvoiceMoney[];
  refunds: Refund[];
  /** The booker; null for an invoice without a booking. */
  bookedBy: string | null;
  /** The last digits of the card that it is charged to. */
  autopay: string | null;
  /** The payer's card may be charged, even after a decline. */
  isCharged: boolean;
}

/** The amount due and the due date, at the top of an invoice's page. */
export function AmountDue({ invoice, workspace }: Pick<OpenedInvoice, 'invoice' | 'workspace'>) {
  const words = useWords();
  const { due_at, currency } = invoice;
  const { time_zone } = workspace;
  const isLate = daysOverdue(due_at, time_zone, new Date()) > 0;
  return (
    <div class="booked">
      <p class="when">{words.amount(outstandingMinor(invoice), currency)}</p>
      <p>
        {words.say(isLate ? 'payer.was_due' : 'payer.due')} {words.day(due_at, { currency, time_zone })}
      </p>
    </div>
  );
}

export function InvoiceFacts({ invoice, workspace, path, money, refunds, bookedBy }: OpenedInvoice) {
  const outstanding = outstandingMinor(invoice);
  const words = useWords();
  const { currency } = invoice;
  const amount = (minor: number): string => words.amount(minor, currency);
  const day = (at: Date): string => words.day(at, { currency, time_zone: workspace.time_zone });
  return (
    <>
      <FactList
        of={[
          ...(invoice.document_number
            ? [[words.say('payer.invoice'), invoice.document_number] as const]
            : []),
          ...(invoice.reference ? [[words.say('payer.reference'), invoice.reference] as const] : []),
          [words.say('payer.from'), invoice.parties?.seller.name ?? workspace.name],
          ...factsOfInvoice(words, invoice, bookedBy),
          ...money.map((moved) => [describeMovement(words, moved, day), amount(moved.amount_minor)] as const),
          ...(outstanding > 0 && outstanding < invoice.total_minor
            ? [[words.say('payer.amount_due'), amount(outstanding)] as const]
            : []),
        ]}
      />
      <Documents documents={invoice.documents} refunds={refunds} path={path} currency={invoice.currency} />
    </>
  );
}

/** `Paid on Tue 24 Nov by card`. */
export function describeMovement(
  words: Words,
  { kind, is_pending, at, ...means }: InvoiceMoney,
  day: (at: Date) => string,
): string {
  if (kind === 'payment')
    return words.say('payer.paid_on', { day: day(at), means: describeMethod(words, means) });
  return is_pending ? words.say('payer.being_refunded') : words.say('payer.refunded_on', { day: day(at) });
}
