import { findLiveBooking, hasPayments, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import type { Tx } from '../../../db/transaction.js';
import {
  isIssued,
  isPayable,
  wasPaid,
  whyNotAdjust,
  whyNotSend,
  whyNotVoid,
} from '../../../domain/invoices/invoice.js';
import { whyNotCharge } from '../../../domain/processor/refusals.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import type { PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import {
  adjust,
  canBePaid,
  markPaid,
  outstandingMoney,
  openPage,
  replaceLink,
  send,
  withdraw,
  type ActionFacts,
  type InvoiceData,
} from './invoice-forms.js';

/** Finds what decides what can be done with an invoice. */
export async function findActionFacts(tx: Tx, invoice: InvoiceRow): Promise<ActionFacts> {
  return {
    booking: await findLiveBooking(tx, invoice),
    hasPayments: await hasPayments(tx, invoice.id),
    byKey: false,
    email: (await findPayer(tx, invoice.id)).email,
  };
}

type Actionable = Pick<InvoiceData, 'invoice' | 'facts'>;

export function PayerActions(props: Actionable & { ctx: ApiContext; pay_url: string | null }) {
  const { ctx, invoice, facts, pay_url } = props;
  const outstanding = outstandingMinor(invoice);
  const payable = canBePaid({ invoice, facts }) && !whyNotCharge(outstandingMoney(invoice));
  return (
    <div class="do">
      {payable && pay_url && (
        <a class="button" href={pay_url}>
          Pay {createFormats(ctx).amount(outstanding, invoice.currency)}
        </a>
      )}
      {isIssued(invoice) && (
        <a class="button quiet" href={pathIn(ctx, `/invoices/${invoice.id}/pdf`)}>
          View PDF
        </a>
      )}
    </div>
  );
}

/** Why an invoice cannot be adjusted, which people expect of one that is open or paid. */
function WhyNotAdjust({ invoice, facts }: Actionable) {
  const refusal = whyNotAdjust(invoice);
  if (!refusal || !(isPayable(invoice) || wasPaid(invoice))) return null;
  const voidable = !whyNotVoid(invoice, facts);
  return (
    <p class="hint">
      {refusal.details.reason === 'subscription'
        ? 'A plan invoice cannot be adjusted.'
        : 'Only invoices that are paid in full can be adjusted.'}
      {voidable && ' To correct this invoice, void it and create a new one.'}
    </p>
  );
}

/** What owners and admins can do with the invoice, for people who must ask them; null for nothing. */
export function describeActions({ invoice, facts }: Actionable): string | null {
  const actions = [
    canBePaid({ invoice, facts }) && 'record payments for',
    !whyNotAdjust(invoice) && 'adjust',
    !whyNotSend(invoice, facts.booking, facts.email) && 'email',
    !whyNotVoid(invoice, facts) && 'void',
  ].filter((each) => each !== false);
  if (actions.length === 0) return null;
  return (
    `Owners and admins can ${actions.join(', ').replace(/, ([^,]*)$/, ' and $1')} this ` +
    'invoice. Ask one of them.'
  );
}

export function InvoiceActions({ page }: { page: PageProps<InvoiceData> }) {
  const { ctx, data } = page;
  const { invoice, facts } = data;
  const payable = canBePaid(data);
  return (
    <div class="card">
      {isIssued(invoice) && (
        <p class="links">
          <a href={pathIn(ctx, `/invoices/${invoice.id}/pdf`)}>View PDF</a>
        </p>
      )}
      {!whyNotSend(invoice, facts.booking, facts.email) && <send.Closed page={page} />}
      {payable && !whyNotCharge(outstandingMoney(invoice)) && <openPage.Closed page={page} />}
      {invoice.status !== 'draft' && <replaceLink.Closed page={page} />}
      {payable && <markPaid.Closed page={page} />}
      {!whyNotAdjust(invoice) && <adjust.Closed page={page} />}
      <WhyNotAdjust invoice={invoice} facts={facts} />
      {!whyNotVoid(invoice, facts) && <withdraw.Closed page={page} />}
      {facts.hasPayments && <p class="hint">To refund a payment, open it under Payments above.</p>}
    </div>
  );
}
