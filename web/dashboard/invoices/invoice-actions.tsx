import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import { findLiveBooking, hasPayments, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import type { Tx } from '../../../db/transaction.js';
import { MANUAL_METHODS } from '../../../commands/invoices/payments.js';
import { dayIn } from '../../../domain/cycle.js';
import {
  isIssued,
  isPayable,
  wasPaid,
  whyNotAdjust,
  whyNotPay,
  whyNotSend,
  whyNotVoid,
  type LiveBooking,
} from '../../../domain/invoices/invoice.js';
import { whyNotCharge } from '../../../domain/processor/refusals.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { outstandingOf } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Choices, Select, TextField } from '../shared/fields.js';
import { formatsOf, optionsOf } from '../../ui/formats.js';
import { amountInput } from '../shared/money-field.js';
import { inputOf } from '../shared/declared-fields.js';
import {
  adjustSchema,
  lineSchema,
  markPaidSchema,
  voidSchema,
} from '../../../api/resources/invoices/shape.js';

/** What decides what can be done with an invoice, besides its row. */
interface ActionFacts {
  booking: LiveBooking | null;
  hasPayments: boolean;
  /** The page is for people who are signed in. */
  byKey: false;
  /** The payer's address. */
  email: string | null;
}

/** Finds what decides what can be done with an invoice. */
export async function findActionFacts(tx: Tx, invoice: InvoiceRow): Promise<ActionFacts> {
  return {
    booking: await findLiveBooking(tx, invoice),
    hasPayments: await hasPayments(tx, invoice.id),
    byKey: false,
    email: (await findPayer(tx, invoice.id)).email,
  };
}

interface Props {
  ctx: ApiContext;
  invoice: InvoiceRow;
  taxCodes: TaxCode[];
  facts: ActionFacts;
}

/** What is to be paid of an invoice. */
export const moneyOf = (invoice: InvoiceRow) => ({
  amount_minor: outstandingOf(invoice),
  currency: invoice.currency,
});

/** The tax codes of a workspace as options. */
export const taxOptions = (taxCodes: TaxCode[]): (readonly [string, string])[] =>
  taxCodes.map(({ code, rate_bps }) => [code, `${code} (${rate_bps / 100}%)`]);

function MarkPaid({ ctx, invoice, at }: Props & { at: string }) {
  const { currency } = invoice;
  return (
    <Action ctx={ctx} action={`${at}/mark-paid`} summary="Record a payment" button="Continue">
      <p class="hint">For money received outside card payments, such as cash or a bank transfer.</p>
      <TextField
        name="amount_minor"
        label={`Amount (${currency})`}
        inputMode="decimal"
        required
        value={amountInput({ amount_minor: outstandingOf(invoice), currency })}
      />
      <Select name="method" label="Method" options={optionsOf(MANUAL_METHODS)} chosen={['bank_transfer']} />
      <TextField
        name="paid_at"
        label="Received on"
        type="date"
        max={dayIn(ctx.state.membership!.time_zone, new Date())}
        value={dayIn(ctx.state.membership!.time_zone, new Date())}
      />
      <TextField {...inputOf(markPaidSchema, 'reference')} label="Reference (optional)" />
    </Action>
  );
}

function Adjust({ ctx, invoice, taxCodes, at }: Props & { at: string }) {
  return (
    <Action ctx={ctx} action={`${at}/adjust`} summary="Adjust" button="Continue">
      <p class="hint">
        Charging more creates another invoice. Refunding returns money to the payments of this invoice and
        creates a credit note.
      </p>
      <Choices
        type="radio"
        name="direction"
        label="Adjustment"
        options={[
          ['credit', 'Refund'],
          ['debit', 'Charge more'],
        ]}
        chosen={['credit']}
      />
      <TextField {...inputOf(lineSchema, 'description')} label="Description" />
      <TextField
        name="unit_amount_minor"
        label={`Amount excluding tax (${invoice.currency})`}
        inputMode="decimal"
        required
      />
      <Select
        name="tax_code"
        label="Tax"
        options={taxOptions(taxCodes)}
        chosen={[invoice.lines[0]?.tax_code ?? taxCodes[0]!.code]}
      />
      <TextField {...inputOf(adjustSchema, 'reason')} name="adjust_reason" label="Reason for the payer" />
    </Action>
  );
}

/** What its payer does with an invoice: pay it on the page of its link, and read it as PDF. */
export function PayerActions(props: Pick<Props, 'ctx' | 'invoice' | 'facts'> & { pay_url: string | null }) {
  const { ctx, invoice, facts, pay_url } = props;
  const outstanding = outstandingOf(invoice);
  const payable = outstanding > 0 && !whyNotPay(invoice, facts.booking) && !whyNotCharge(moneyOf(invoice));
  return (
    <div class="do">
      {payable && pay_url && (
        <a class="button" href={pay_url}>
          Pay {formatsOf(ctx).amount(outstanding, invoice.currency)}
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
function WhyNotAdjust({ invoice, facts }: Pick<Props, 'invoice' | 'facts'>) {
  const refusal = whyNotAdjust(invoice);
  if (!refusal || !(isPayable(invoice) || wasPaid(invoice))) return null;
  const voidable = !whyNotVoid(invoice, facts);
  return (
    <p class="hint">
      {refusal.details.reason === 'subscription'
        ? 'A plan invoice cannot be adjusted.'
        : 'Only an invoice that is paid in full can be adjusted or credited in part.'}
      {voidable && ' To correct this one, void it and create a new invoice with the right amount.'}
    </p>
  );
}

/**
 * What owners and admins can do with an invoice in its state, for those who have to
 * ask them; null for nothing.
 */
export function actionsInWords({ invoice, facts }: Pick<Props, 'invoice' | 'facts'>): string | null {
  const actions = [
    outstandingOf(invoice) > 0 && !whyNotPay(invoice, facts.booking) && 'record payments for',
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

/** What can be done with an invoice in its state, for roles that write billing. */
export function InvoiceActions(props: Props) {
  const { ctx, invoice, facts } = props;
  const { amount } = formatsOf(ctx);
  const at = pathIn(ctx, `/invoices/${invoice.id}`);
  const outstanding = outstandingOf(invoice);
  const payable = outstanding > 0 && !whyNotPay(invoice, facts.booking);
  return (
    <div class="card">
      {isIssued(invoice) && (
        <p class="links">
          <a href={`${at}/pdf`}>View PDF</a>
        </p>
      )}
      {!whyNotSend(invoice, facts.booking, facts.email) && (
        <Action ctx={ctx} action={`${at}/send`} summary="Email invoice" button="Send email">
          <p class="hint">Emails the invoice to the payer as a PDF.</p>
        </Action>
      )}
      {payable && !whyNotCharge(moneyOf(invoice)) && (
        <Action ctx={ctx} action={`${at}/checkout`} summary="Card payment page" button="Create page">
          <p class="hint">
            A page of Stripe on which {amount(outstanding, invoice.currency)} can be paid by card now, valid
            for one day. The payment link above stays valid and leads there too.
          </p>
        </Action>
      )}
      {invoice.status !== 'draft' && (
        <Action
          ctx={ctx}
          action={`${at}/rotate-link`}
          summary={payable ? 'Replace payment link' : 'Replace link to this invoice'}
          button="Replace link"
          rare
        >
          <p class="hint">
            Anyone who has the link can view the invoice{payable && ' and pay it'}. The current link stops
            working, for instance because somebody else has it.
          </p>
        </Action>
      )}
      {payable && <MarkPaid {...props} at={at} />}
      {!whyNotAdjust(invoice) && <Adjust {...props} at={at} />}
      <WhyNotAdjust invoice={invoice} facts={facts} />
      {!whyNotVoid(invoice, facts) && (
        <Action
          ctx={ctx}
          action={`${at}/void`}
          summary="Void"
          button={`Void invoice ${nameOfInvoice(invoice)}`}
          rare
        >
          <p>
            {amount(invoice.total_minor, invoice.currency)} will no longer be due
            {invoice.accounting_id !== null && ', and the invoice is voided in the accounting system'}. This
            cannot be undone.
          </p>
          {invoice.kind === 'subscription' && (
            <p>
              This month of the plan is not invoiced again: to bill another amount for it, create a{' '}
              <a href={pathIn(ctx, '/invoices/new')}>new invoice</a>. The next month is invoiced as usual: to
              stop that, set “Pays for their plan” to “No” on the page of the member.
            </p>
          )}
          <TextField {...inputOf(voidSchema, 'reason')} label="Reason for the payer (optional)" />
        </Action>
      )}
      {facts.hasPayments && <p class="hint">To refund a payment, open it under Payments above.</p>}
    </div>
  );
}
