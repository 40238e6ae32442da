import { findLiveBooking, hasPayments, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import type { Tx } from '../../../db/transaction.js';
import {
  daysOverdue,
  isIssued,
  isPayable,
  wasPaid,
  whyNotAdjust,
  whyNotRemind,
  whyNotSend,
  whyNotVoid,
} from '../../../domain/invoices/invoice.js';
import { whyNotCharge } from '../../../domain/processor/refusals.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import type { PageProps } from '../forms/page.js';
import { Status } from '../shared/status.js';
import { pathIn } from '../shared/paths.js';
import {
  adjust,
  canBePaid,
  markPaid,
  outstandingMoney,
  openPage,
  remind,
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
export function WhyNotAdjust({ invoice, facts }: Actionable) {
  const refusal = whyNotAdjust(invoice);
  if (!refusal || !(isPayable(invoice) || wasPaid(invoice))) return null;
  return (
    <p class="hint">
      {refusal.details.reason === 'subscription'
        ? 'A plan invoice cannot be adjusted.'
        : 'Only invoices that are paid in full can be adjusted.'}
      {!whyNotVoid(invoice, facts) && ' To correct this one, void it and create a new one.'}
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

/** The amount that is due and for how long it has been overdue; otherwise the status. */
function AmountDue({ ctx, data: { invoice, facts } }: PageProps<InvoiceData>) {
  const outstanding = outstandingMinor(invoice);
  if (outstanding === 0) return <Status value={invoice.status} />;
  const { time_zone } = ctx.state.membership!;
  // An unpaid hold is never overdue.
  const days = canBePaid({ invoice, facts }) ? daysOverdue(invoice.due_at, time_zone, new Date()) : 0;
  return (
    <span class="owed">
      <strong>{createFormats(ctx).amount(outstanding, invoice.currency)} due</strong>{' '}
      {days > 0 ? (
        <Status value="overdue" name={days === 1 ? 'one day overdue' : `${days} days overdue`} />
      ) : (
        <Status value={invoice.status} />
      )}
    </span>
  );
}

/** What is due, and the most likely next step: the payment of an open invoice. */
export const InvoicePrimary = ({ page }: { page: PageProps<InvoiceData> }) => (
  <>
    <AmountDue {...page} />
    {canBePaid(page.data) && <markPaid.Drawer page={page} icon="payment" />}
  </>
);

/** The actions that change how the invoice can be paid by link. */
export const LinkActions = ({ page }: { page: PageProps<InvoiceData> }) => (
  <>
    {canBePaid(page.data) && !whyNotCharge(outstandingMoney(page.data.invoice)) && (
      <openPage.Drawer page={page} quiet />
    )}
    <replaceLink.Drawer page={page} quiet />
  </>
);

/** What else can be done, the rare last. `showsLink`: the link's own part of the page has its actions. */
export function InvoiceActions(props: { page: PageProps<InvoiceData>; showsLink: boolean }) {
  const { page, showsLink } = props;
  const { ctx, data } = page;
  const { invoice, facts } = data;
  const outstanding_minor = outstandingMinor(invoice);
  const { time_zone } = ctx.state.membership!;
  return (
    <div class="actions head">
      {isIssued(invoice) && (
        <a class="button quiet" href={pathIn(ctx, `/invoices/${invoice.id}/pdf`)}>
          View PDF
        </a>
      )}
      {!whyNotRemind(invoice, { ...facts, outstanding_minor, time_zone }, new Date()) && (
        <remind.Drawer page={page} quiet />
      )}
      {!whyNotSend(invoice, facts.booking, facts.email) && <send.Drawer page={page} quiet />}
      {!whyNotAdjust(invoice) && <adjust.Drawer page={page} quiet />}
      {!showsLink && invoice.status !== 'draft' && <replaceLink.Drawer page={page} quiet />}
      {!whyNotVoid(invoice, facts) && <withdraw.Drawer page={page} quiet />}
    </div>
  );
}
