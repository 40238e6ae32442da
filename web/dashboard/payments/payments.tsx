import joi from 'joi';
import { listPayments, type PaymentFilter, type PaymentRow } from '../../../db/queries/billing/payment.js';
import { listPayers, type ListedPayer } from '../../../db/queries/billing/payer.js';
import { findPaymentCauses, type PaymentCause } from '../../../db/queries/billing/refund.js';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/presenters/payment.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { decodeCursor } from '../../../api/http/cursor.js';
import { searchText } from '../../../api/http/fields.js';
import { isPaymentId } from '../../../api/resources/payments/shape.js';
import { PayerName } from '../shared/payer-name.js';
import { pathIn } from '../shared/api-form.js';
import { Id } from '../shared/id.js';
import { formatsOf, optionsOf, spaced } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { Legend } from '../shared/legend.js';
import {
  addressWith,
  choiceOf,
  DAYS,
  Filter,
  listFields,
  PAGE_SIZE,
  pageOf,
  Pager,
  rangeOf,
  Table,
  type ListQuery,
} from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { reasonInWords } from './reasons.js';

/** What each kind is called. */
export const PAYMENT_KIND_NAMES: Record<PaymentKind, string> = {
  charge: 'Card payment',
  top_up: 'Charge for a change',
  manual: 'Manual payment',
  refund: 'Refund',
};

export const paymentsQuery = joi.object({
  q: searchText.allow(''),
  status: choiceOf(PAYMENT_STATUSES),
  kind: choiceOf(PAYMENT_KINDS),
  ...listFields,
});

interface Query extends ListQuery {
  q?: string;
  status?: PaymentStatus | '';
  kind?: PaymentKind | '';
}

/** The filter of the current address. */
export function paymentFilterOf(ctx: ApiContext): Omit<PaymentFilter, 'after' | 'limit'> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { q, status, kind, ...range } = ctx.state.query as Query;
  return {
    workspace_id,
    q: q || undefined,
    status: status || undefined,
    kind: kind || undefined,
    ...rangeOf(range, time_zone),
  };
}

/** What of a payment has gone back, and what is on its way: `£10.00 refunded, £5.00 being refunded`. */
export function refundedInWords(
  { refunded_minor, refunds, currency }: PaymentRow,
  amount: (minor: number, currency: string) => string,
): string {
  const pending = refunds
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const done = refunded_minor - pending;
  return [
    ...(done > 0 ? [`${amount(done, currency)} refunded`] : []),
    ...(pending > 0 ? [`${amount(pending, currency)} being refunded`] : []),
  ].join(', ');
}

/** Payments and refunds. */
export function PaymentTable(props: {
  ctx: ApiContext;
  payments: PaymentRow[];
  empty: string;
  /** Who paid, by invoice; without it the table does not say it. */
  payers?: Map<string, ListedPayer>;
  causes: Map<string, PaymentCause>;
}) {
  const { ctx, payments, empty, payers, causes } = props;
  const { amount, moment } = formatsOf(ctx);
  return (
    <Table
      rows={payments}
      empty={empty}
      columns={[
        {
          name: 'When',
          show: ({ id, paid_at, created_at }) => (
            <a class="time" href={pathIn(ctx, `/payments/${id}`)}>
              {moment(paid_at ?? created_at)}
            </a>
          ),
        },
        {
          name: 'What',
          show: (payment) => {
            const { id, kind, method } = payment;
            const reason = reasonInWords(payment, causes.get(id));
            return (
              <>
                {PAYMENT_KIND_NAMES[kind]}
                {kind === 'manual' && <span class="soft"> · {spaced(method)}</span>}
                {reason && <span class="soft"> · {reason}</span>}
                <small>
                  <Id of={id} />
                </small>
              </>
            );
          },
        },
        ...(payers
          ? [
              {
                name: 'Payer',
                show: ({ invoice_id }: PaymentRow) => (
                  <PayerName ctx={ctx} payer={payers.get(invoice_id ?? '')} />
                ),
              },
            ]
          : []),
        { name: 'Status', show: ({ status }) => <Status value={status} /> },
        {
          name: 'Amount',
          number: true,
          show: (payment) => {
            const { kind, amount_minor, refunded_minor, currency } = payment;
            return (
              <>
                {amount(kind === 'refund' ? -amount_minor : amount_minor, currency)}
                {refunded_minor > 0 && <small>{refundedInWords(payment, amount)}</small>}
              </>
            );
          },
        },
      ]}
    />
  );
}

/** `GET /dashboard/:workspace/payments`: payments and refunds by payer, status, kind and date, newest first. */
export function showPayments({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { cursor } = ctx.state.query as Query;
    const after = decodeCursor(cursor, isPaymentId);
    const filter = paymentFilterOf(ctx);
    const found = await listPayments(db.manager, {
      ...filter,
      after: after && { created_at: after.key, id: after.id },
      limit: PAGE_SIZE + 1,
    });
    if (filter.q && isPaymentId(filter.q) && found[0])
      return ctx.redirect(pathIn(ctx, `/payments/${found[0].id}`));
    const { rows, next } = pageOf(found, ({ created_at }) => created_at);
    const [payers, causes] = await Promise.all([
      listPayers(
        db.manager,
        rows.flatMap(({ invoice_id }) => invoice_id ?? []),
      ),
      findPaymentCauses(
        db.manager,
        rows.map(({ id }) => id),
      ),
    ]);
    showSection(ctx, {
      title: 'Payments',
      at: '/payments',
      children: (
        <>
          <Filter
            ctx={ctx}
            fields={[
              { name: 'q', label: 'Payer, invoice number or ID' },
              { name: 'status', label: 'Status', options: optionsOf(PAYMENT_STATUSES) },
              { name: 'kind', label: 'Kind', options: Object.entries(PAYMENT_KIND_NAMES) },
              ...DAYS,
            ]}
          />
          <p class="links">
            <a href={addressWith(ctx, { cursor: undefined }).replace('/payments', '/payments.csv')}>
              Export CSV
            </a>
          </p>
          <PaymentTable ctx={ctx} payments={rows} empty="No payments." payers={payers} causes={causes} />
          <Pager ctx={ctx} next={next} />
          <Legend of="payment" />
        </>
      ),
    });
  };
}
