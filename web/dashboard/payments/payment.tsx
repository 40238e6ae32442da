import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import { listPayers, type ListedPayer } from '../../../db/queries/invoices/payer.js';
import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import { findInvoice, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPaymentCauses, type PaymentCause } from '../../../db/queries/payments/refund.js';
import { toPaymentMethod } from '../../../domain/payments/methods.js';
import { RETURN_YOURSELF } from '../../../domain/payments/refund-parts.js';
import type { PaymentStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { paymentIn } from '../../../commands/payments/payments.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { PayerName } from '../shared/payer-name.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { attentionFor, attentionToInvoice, findAttention } from '../shared/attention/items.js';
import { Details, FactCard } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { findLiveMode } from '../../../db/queries/processor/platform.js';
import { findReference } from '../../../db/queries/bookings/reference.js';
import { BookingLink, Id } from '../shared/id.js';
import { createFormats, spaced } from '../../ui/formats.js';
import { Table } from '../shared/list.js';
import { describePaymentReason } from './reasons.js';
import { PAYMENT_KIND_NAMES, describeRefunded, StatusOfPayment } from './payment-table.js';
import { Disputes } from './disputes.js';
import { refund, RefundDrawer, type OnePayment } from './refund-form.js';

const REFUND_STATES: Partial<Record<PaymentStatus, string>> = {
  pending: 'The refund is in progress in Stripe. Banks can take several days.',
  succeeded: 'The money has been refunded.',
  failed: 'The payer did not receive the money. You can refund the amount again from the payment.',
};

function Refunds(props: { ctx: ApiContext; payment: PaymentRow; causes: Map<string, PaymentCause> }) {
  const { ctx, payment, causes } = props;
  const { amount, moment } = createFormats(ctx);
  if (payment.refunds.length === 0) return null;
  return (
    <>
      <h2>Refunds</h2>
      <Table
        rows={payment.refunds}
        empty=""
        columns={[
          {
            name: 'When',
            show: ({ id, created_at }) => (
              <a href={pathIn(ctx, `/payments/${id}`)}>{moment(new Date(created_at))}</a>
            ),
          },
          {
            name: 'Reason',
            show: ({ id, reason }) => describePaymentReason({ kind: 'refund', reason }, causes.get(id)),
          },
          {
            name: 'Status',
            show: ({ status }) => (
              <StatusOfPayment of={{ kind: 'refund', status, account_id: payment.account_id }} />
            ),
          },
          {
            name: 'Amount',
            number: true,
            show: ({ amount_minor }) => amount(amount_minor, payment.currency),
          },
        ]}
      />
    </>
  );
}

interface ShownPayment extends OnePayment {
  invoice: InvoiceRow | null;
  payer: ListedPayer | undefined;
  causes: Map<string, PaymentCause>;
  bookingReference: Awaited<ReturnType<typeof findReference>>;
  attention: Awaited<ReturnType<typeof findAttention>>;
  /** Whether its disputes are linked at the live processor. */
  isLive: boolean;
  deps: ApiDependencies;
}

/** `bank transfer (sepa debit)`: the method, and what the processor calls it. */
function methodInWords({ method }: PaymentRow): string {
  const [name, processorName] = [spaced(toPaymentMethod(method)), spaced(method)];
  return name === processorName ? name : `${name} (${processorName})`;
}

/** A payment with its refunds and disputes, or a refund. */
function OnePaymentPage(page: PageProps<ShownPayment>) {
  const { ctx, data } = page;
  const { payment, invoice, payer, causes, bookingReference, attention, isLive, deps } = data;
  const { amount, moment } = createFormats(ctx);
  const { booking_id, kind, currency, refund_of } = payment;
  const reason = describePaymentReason(payment, causes.get(payment.id));
  const isRefund = kind === 'refund';
  // The attention list explains its state in more detail.
  const isExplained = attention.some(({ refund_id }) => refund_id === payment.id);
  return (
    <>
      <AttentionList ctx={ctx} deps={deps} items={attention} />
      <div class="columns">
        <aside>
          <FactCard
            of={[
              ['Payer', <PayerName ctx={ctx} payer={payer} />],
              invoice && [
                'Invoice',
                <a href={pathIn(ctx, `/invoices/${invoice.id}`)}>{nameOfInvoice(invoice)}</a>,
              ],
              booking_id && [
                'Booking',
                <BookingLink ctx={ctx} id={booking_id} reference={bookingReference} />,
              ],
              refund_of && ['Refund of', <a href={pathIn(ctx, `/payments/${refund_of}`)}>the payment</a>],
              isRefund &&
                invoice &&
                payment.status === 'succeeded' && [
                  'Document',
                  <a href={`${deps.payLinks.linkTo(invoice)}/refunds/${payment.id}.pdf`}>
                    Credit note (PDF)
                  </a>,
                ],
            ]}
          />
          <Details
            of={[
              ['ID', <Id of={payment.id} />],
              payment.processor_refund_id && ['Refund in Stripe', <Id of={payment.processor_refund_id} />],
              payment.processor_payment_intent_id && [
                isRefund ? 'Payment in Stripe' : 'In Stripe',
                <Id of={payment.processor_payment_intent_id} />,
              ],
            ]}
          />
        </aside>
        <div>
          <FactCard
            of={[
              [
                'Status',
                <>
                  <StatusOfPayment of={payment} />{' '}
                  {isRefund && !isExplained && (
                    <small>{payment.account_id ? REFUND_STATES[payment.status] : RETURN_YOURSELF}</small>
                  )}
                </>,
              ],
              ['Kind', PAYMENT_KIND_NAMES[kind]],
              ['Method', methodInWords(payment)],
              payment.reference && ['Reference', payment.reference],
              reason && ['Reason', reason],
              payment.origin === 'processor' && ['Created', 'in Stripe, not here'],
              [
                isRefund ? 'Requested' : payment.status === 'failed' ? 'Tried' : 'Received',
                moment(isRefund ? payment.created_at : payment.moved_at),
              ],
              !isRefund && payment.account_id === null && ['Recorded', moment(payment.created_at)],
              payment.settled_at && isRefund && ['Completed', moment(payment.settled_at)],
              payment.refunded_minor > 0 && ['Refunds', describeRefunded(payment, amount)],
              payment.disputed_minor > 0 && [
                'Withdrawn for disputes',
                amount(payment.disputed_minor, currency),
              ],
            ]}
          />
          <Disputes ctx={ctx} isLive={isLive} payment={payment} />
          <Refunds ctx={ctx} payment={payment} causes={causes} />
        </div>
      </div>
    </>
  );
}

const findOne = async ({ caller, params }: PageRequest, { db }: ApiDependencies): Promise<OnePayment> => ({
  payment: await paymentIn(db.manager, caller.workspace_id, params.id!),
});

export const onePayment = page({
  path: '/payments/:id',
  capability: 'read_billing',
  title: ({ payment: { kind, amount_minor, currency } }, ctx) =>
    `${kind === 'refund' ? 'Refund' : 'Payment'} of ${createFormats(ctx).amount(amount_minor, currency)}`,
  primary: (page) => <RefundDrawer page={page} />,
  find: findOne,
  async load(request, deps): Promise<ShownPayment> {
    const { workspace_id, role } = request.caller;
    const { manager } = deps.db;
    const { payment } = await findOne(request, deps);
    const { invoice_id, booking_id } = payment;
    const invoice = invoice_id ? await findInvoice(manager, workspace_id, invoice_id) : null;
    const told = attentionFor(role);
    return {
      payment,
      invoice,
      payer: (await listPayers(manager, invoice_id ? [invoice_id] : [])).get(invoice_id ?? ''),
      causes: await findPaymentCauses(manager, [payment.id, ...payment.refunds.map(({ id }) => id)]),
      bookingReference: await findReference(manager, workspace_id, booking_id),
      attention:
        invoice && told
          ? await findAttention(deps, workspace_id, { ...told, ...attentionToInvoice(invoice) })
          : [],
      isLive: payment.disputes.length > 0 && (await findLiveMode(manager)) === true,
      deps,
    };
  },
  view: OnePaymentPage,
  forms: [refund],
});
