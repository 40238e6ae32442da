import { CopyLink } from '../../ui/copy.js';
import {
  nameOfInvoice,
  NO_DOCUMENT_REASONS,
  whyNoDocument,
} from '../../../domain/invoices/document-number.js';
import type { BookingStatus } from '../../../domain/states.js';
import { findConnection } from '../../../db/queries/accounting/connection.js';
import { isAccountingUpdatePending } from '../../../db/queries/accounting/pending-update.js';
import { findLastDecline } from '../../../commands/payments/card-declines.js';
import { findInvoiceCheckout } from '../../../db/queries/payments/checkout.js';
import { listInvoices, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { namedLines } from '../../../db/queries/invoices/named-lines.js';
import { listPayers, type ListedPayer } from '../../../db/queries/invoices/payer.js';
import { listPayments, type PaymentRow } from '../../../db/queries/payments/payment.js';
import { findMember } from '../../../db/queries/members/member.js';
import { findPaymentCauses } from '../../../db/queries/payments/refund.js';
import { findVoidReason } from '../../../db/queries/audit-log/audited-reasons.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { formatDays } from '../../../domain/members/plans.js';
import { can } from '../../../domain/policies.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { changeInvoice } from '../../../api/resources/invoices/operations.js';
import { presentWithLink } from '../../../api/resources/invoices/invoice.js';
import { visibleInvoice } from '../../../commands/invoices/invoices.js';
import { metadataForm, MetadataSection } from '../forms/metadata.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { attentionFor, attentionToInvoice, findAttention } from '../shared/attention/items.js';
import { PaymentTable } from '../payments/payment-table.js';
import { Details, FactCard } from '../shared/action.js';
import { describeDecline } from '../shared/causes.js';
import { pathIn } from '../shared/paths.js';
import { findInvoiceDocuments } from '../../../db/queries/accounting/document.js';
import { findBooking } from '../../../db/queries/bookings/booking.js';
import { BookingLink, Id } from '../shared/id.js';
import { createFormats } from '../../ui/formats.js';
import { Collection } from './collection.js';
import { DocumentTable } from './document-table.js';
import {
  describeActions,
  findActionFacts,
  InvoiceActions,
  InvoicePrimary,
  LinkActions,
  PayerActions,
  WhyNotAdjust,
} from './invoice-actions.js';
import { invoiceForms, type InvoiceData } from './invoice-forms.js';
import { InvoiceTable, KIND_NAMES } from './invoice-table.js';
import { lacksAddress, NoAddress, PayerName } from '../shared/payer-name.js';
import { Lines } from './invoice-lines.js';

const MAX_SHOWN = 100;

/** Whether the accounting system has an invoice. */
async function describeAccounting({ db }: ApiDependencies, invoice: InvoiceRow): Promise<string> {
  const { id, workspace_id, accounting_id, accounting_error } = invoice;
  if (accounting_error) return `Not sent: ${accounting_error}`;
  const connection = await findConnection(db.manager, workspace_id);
  if (connection?.status !== 'active')
    return accounting_id ? 'Sent before the accounting system was disconnected' : 'Not connected';
  if (!connection.enabled) return 'Sync is off';
  if (await isAccountingUpdatePending(db.manager, id))
    return 'The latest change is queued. Paid invoices are sent immediately, open invoices every hour.';
  // A free invoice is not sent, but supplements for changes of its booking are.
  const sent = await findInvoiceDocuments(db.manager, [id]);
  if (accounting_id || sent.length > 0) {
    const number = sent.find(({ source_id }) => source_id === id)?.number ?? invoice.document_number;
    const other = number === invoice.document_number ? '' : `, as ${number}`;
    return `Up to date in Xero (${connection.organisation})${other}`;
  }
  return outstandingMinor(invoice) > 0
    ? `Will be sent to Xero (${connection.organisation}) within the hour`
    : 'Nothing to send';
}

/** Why the number is void or when it is assigned, for an invoice without a document; else null. */
function describeNumber(invoice: InvoiceRow, booking: BookingStatus | null): string | null {
  const { document_number: number, documents } = invoice;
  if (documents.length > 0) return null;
  const why = whyNoDocument(invoice, booking);
  if (why) return `${number ? `${number} is void` : 'None'}: ${NO_DOCUMENT_REASONS[why].toLowerCase()}`;
  return number ?? 'Assigned when the invoice is issued';
}

const editMetadata = metadataForm(changeInvoice, ({ invoice }: InvoiceData) => invoice);

interface OneInvoice extends InvoiceData {
  payers: Map<string, ListedPayer>;
  payments: PaymentRow[];
  causes: Awaited<ReturnType<typeof findPaymentCauses>>;
  adjustments: InvoiceRow[];
  /** Its lines, with the names of members. */
  lines: InvoiceRow['lines'];
  accounting: string | null;
  checkout: Awaited<ReturnType<typeof findInvoiceCheckout>>;
  decline: Awaited<ReturnType<typeof findLastDecline>>;
  attention: Awaited<ReturnType<typeof findAttention>>;
  booking: Awaited<ReturnType<typeof findBooking>>;
  voidReason: Awaited<ReturnType<typeof findVoidReason>>;
  /** Whether the member who looks at it pays it. */
  own: boolean;
  pay_url: string | null;
  deps: ApiDependencies;
}

async function findOne(
  { caller, params }: PageRequest,
  { db: { manager } }: ApiDependencies,
): Promise<InvoiceData> {
  const invoice = await visibleInvoice(manager, caller, params.id!);
  const [workspace, facts] = await Promise.all([
    findWorkspace(manager, caller.workspace_id),
    findActionFacts(manager, invoice),
  ]);
  return { invoice, taxCodes: workspace!.tax_codes, facts };
}

async function readInvoice(request: PageRequest, deps: ApiDependencies): Promise<OneInvoice> {
  const { caller } = request;
  const { workspace_id, role, member_id } = caller;
  const { manager } = deps.db;
  const told = attentionFor(role);
  const found = await findOne(request, deps);
  const { invoice } = found;
  const { id: invoice_id, booking_id, company_id } = invoice;
  const [payments, adjustments, accounting, checkout, attention, decline, lines] = await Promise.all([
    listPayments(manager, { workspace_id, invoice_id, limit: MAX_SHOWN }),
    listInvoices(manager, { workspace_id, adjusts: invoice_id, limit: MAX_SHOWN }),
    can(role, 'read_billing') ? describeAccounting(deps, invoice) : null,
    findInvoiceCheckout(manager, invoice_id),
    told ? findAttention(deps, workspace_id, { ...told, ...attentionToInvoice(invoice) }) : [],
    findLastDecline(manager, invoice_id),
    namedLines(manager, invoice),
  ]);
  const paymentIds = payments.map(({ id }) => id);
  return {
    ...found,
    payers: await listPayers(manager, [invoice_id, ...adjustments.map(({ id }) => id)]),
    payments,
    causes: await findPaymentCauses(manager, paymentIds),
    adjustments,
    lines,
    accounting,
    checkout,
    decline,
    attention,
    booking: booking_id ? await findBooking(manager, workspace_id, booking_id) : null,
    voidReason: invoice.voided_at ? await findVoidReason(manager, invoice_id) : null,
    own: company_id
      ? company_id === (await findMember(manager, workspace_id, member_id))?.company_id
      : invoice.member_id === member_id,
    pay_url: presentWithLink(deps, caller, invoice).pay_url,
    deps,
  };
}

/** The link that pays the invoice, and the page for one card payment that it opens. */
function PaymentLink({ page }: { page: PageProps<OneInvoice> }) {
  const { ctx, data } = page;
  const { pay_url, checkout } = data;
  const { role } = ctx.state.membership!;
  return (
    <section class="about">
      <h2>Payment link</h2>
      <CopyLink id="pay_url" label="Payment link" url={pay_url!} />
      <p class="hint">Anyone with the link can view and pay the invoice.</p>
      {can(role, 'read_billing') && checkout?.url && (
        <>
          <h2>Card payment page</h2>
          <CopyLink id="checkout_url" label="Card payment page" url={checkout.url} />
          <p class="hint">
            <a href={checkout.url}>Open page</a>, valid until{' '}
            {createFormats(ctx).moment(checkout.session_expires_at)}
          </p>
        </>
      )}
      {can(role, 'write_billing') && (
        <div class="actions">
          <LinkActions page={page} />
        </div>
      )}
    </section>
  );
}

/** An invoice with its lines, payments, state in the accounting system and actions. */
function InvoicePage(page: PageProps<OneInvoice>) {
  const { ctx, data } = page;
  const { invoice, facts, payers, payments, causes, adjustments, lines, accounting } = data;
  const { decline, attention, booking, voidReason, own, pay_url, deps } = data;
  const { role, member_id } = ctx.state.membership!;
  const seesBilling = can(role, 'read_billing');
  const { day, moment, span } = createFormats(ctx);
  const payer = payers.get(invoice.id);
  const { adjusts, period_start, period_end, reference } = invoice;
  const number = describeNumber(invoice, booking ? booking.status : null);
  const payable = outstandingMinor(invoice) > 0;
  const isStaff = can(role, 'read_booking_invoices');
  const showsLink = payable && pay_url && (own ? can(role, 'write_billing') : isStaff);
  return (
    <>
      {can(role, 'write_billing') ? (
        <InvoiceActions page={page} showsLink={Boolean(showsLink)} />
      ) : (
        <PayerActions ctx={ctx} invoice={invoice} facts={facts} pay_url={own ? pay_url : null} />
      )}
      <AttentionList ctx={ctx} deps={deps} items={attention} />
      <div class="columns">
        <aside>
          <FactCard
            of={[
              ['Due', day(invoice.due_at)],
              ['Payer', <PayerName ctx={ctx} payer={payer} />],
              booking && [
                'Booking',
                <BookingLink
                  ctx={ctx}
                  id={booking.id}
                  reference={booking.reference}
                  own={invoice.member_id === member_id}
                  what={`${booking.room_name}, ${span(booking)}`}
                />,
              ],
              ['For', KIND_NAMES[invoice.kind]],
              number && ['Number', number],
              reference && ['Reference', reference],
              period_start && ['Period', formatDays({ start: period_start, end: period_end! })],
              adjusts && ['Adjusts', <a href={pathIn(ctx, `/invoices/${adjusts}`)}>an earlier invoice</a>],
              invoice.sent_at && ['Emailed', moment(invoice.sent_at)],
              seesBilling &&
                invoice.collection?.mailed_at && [
                  'Latest reminder',
                  moment(new Date(invoice.collection.mailed_at)),
                ],
              invoice.paid_at && ['Paid', moment(invoice.paid_at)],
              invoice.voided_at && [
                'Voided',
                <>
                  {moment(invoice.voided_at)}
                  {voidReason && <small>“{voidReason}”</small>}
                </>,
              ],
              seesBilling &&
                invoice.collection &&
                invoice.status !== 'void' && ['Collection', <Collection ctx={ctx} invoice={invoice} />],
              payable &&
                decline && [
                  'Latest attempt',
                  'The card was declined on the payment page ' +
                    `(${describeDecline(decline.code)}), ${moment(decline.declined_at)}.`,
                ],
              seesBilling &&
                payable &&
                lacksAddress(payer) && ['Emails', <NoAddress ctx={ctx} payer={payer!} />],
              accounting && [
                'Accounting',
                <span class={invoice.accounting_error ? 'alert' : undefined}>{accounting}</span>,
              ],
            ]}
          />
          {showsLink && <PaymentLink page={page} />}
          <MetadataSection page={page} of={invoice.metadata} form={editMetadata} />
          {isStaff && !can(role, 'write_billing') && (
            <p class="hint">{describeActions({ invoice, facts })}</p>
          )}
          {can(role, 'write_billing') && <WhyNotAdjust invoice={invoice} facts={facts} />}
          <Details
            of={[
              ['Created', moment(invoice.created_at)],
              ['ID', <Id of={invoice.id} />],
            ]}
          />
        </aside>
        <div>
          <h2>Lines</h2>
          <Lines
            ctx={ctx}
            invoice={{ ...invoice, lines }}
            refunded={payments.reduce((sum, { refunded_minor }) => sum + refunded_minor, 0)}
          />
          <h2>Payments</h2>
          <PaymentTable ctx={ctx} payments={payments} empty="No payments." causes={causes} />
          <DocumentTable ctx={ctx} invoice={invoice} />
          {adjustments.length > 0 && (
            <>
              <h2>Adjusted by</h2>
              <InvoiceTable ctx={ctx} invoices={adjustments} payers={payers} />
            </>
          )}
        </div>
      </div>
    </>
  );
}

export const oneInvoice = page({
  path: '/invoices/:id',
  capability: 'read_own_invoices',
  title: ({ invoice }) => `Invoice ${nameOfInvoice(invoice)}`,
  primary: (page) => <InvoicePrimary page={page} />,
  find: findOne,
  load: readInvoice,
  view: InvoicePage,
  forms: [...invoiceForms, editMetadata],
});
