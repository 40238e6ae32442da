import joi from 'joi';
import { listPayments, type PaymentFilter, type PaymentRow } from '../../../db/queries/payments/payment.js';
import { listPayers, type ListedPayer } from '../../../db/queries/invoices/payer.js';
import { findPaymentCauses, type PaymentCause } from '../../../db/queries/payments/refund.js';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/presenter.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../domain/states.js';
import type { ApiContext } from '../../../api/http/context.js';
import { searchText } from '../../../api/http/fields.js';
import { isPaymentId } from '../../../api/resources/payments/operations.js';
import { toOptions } from '../../ui/formats.js';
import { Legend } from '../shared/legend.js';
import {
  choiceFilter,
  DAYS,
  Empty,
  ExportButton,
  Filter,
  listFields,
  readPage,
  Pager,
  readRange,
  type ListQuery,
} from '../shared/list.js';
import { Elsewhere, page, type PageProps } from '../forms/page.js';
import { onePayment } from './payment.js';
import { PAYMENT_KIND_NAMES, PaymentTable } from './payment-table.js';

export const paymentsQuery = joi.object({
  q: searchText.allow(''),
  status: choiceFilter(PAYMENT_STATUSES),
  kind: choiceFilter(PAYMENT_KINDS),
  ...listFields,
});

interface Query extends ListQuery {
  q?: string;
  status?: PaymentStatus | '';
  kind?: PaymentKind | '';
}

export function readPaymentFilter(ctx: ApiContext): Omit<PaymentFilter, 'after' | 'limit'> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { q, status, kind, ...range } = ctx.state.query as Query;
  return {
    workspace_id,
    q: q || undefined,
    status: status || undefined,
    kind: kind || undefined,
    ...readRange(range, time_zone),
  };
}

interface ListPage {
  rows: PaymentRow[];
  next: string | undefined;
  payers: Map<string, ListedPayer>;
  causes: Map<string, PaymentCause>;
}

function Payments({ ctx, data: { rows, next, payers, causes } }: PageProps<ListPage>) {
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'q', label: 'Payer or number' },
          { name: 'status', label: 'Status', options: toOptions(PAYMENT_STATUSES) },
          { name: 'kind', label: 'Kind', options: Object.entries(PAYMENT_KIND_NAMES) },
          ...DAYS,
        ]}
      >
        <ExportButton ctx={ctx} path="/payments.csv">
          Export CSV
        </ExportButton>
      </Filter>
      <PaymentTable
        ctx={ctx}
        payments={rows}
        empty={
          <Empty ctx={ctx} says="Payments and refunds appear here, such as a card payment for a booking." />
        }
        payers={payers}
        causes={causes}
      />
      <Pager ctx={ctx} next={next} />
      <Legend of="payment" />
    </>
  );
}

/** Payments and refunds by payer, status, kind and when money moved, newest first. */
export const payments = [
  page({
    path: '/payments',
    capability: 'read_billing',
    query: paymentsQuery,
    title: 'Payments',
    async load({ ctx }, { db: { manager } }): Promise<ListPage> {
      const filter = readPaymentFilter(ctx);
      const { rows, next } = await readPage(ctx, isPaymentId, 'listed_at', (page) =>
        listPayments(manager, { ...filter, ...page }),
      );
      if (filter.q && isPaymentId(filter.q) && rows[0]) throw new Elsewhere(`/payments/${rows[0].id}`);
      const ids = rows.map(({ id }) => id);
      const invoices = rows.flatMap(({ invoice_id }) => invoice_id ?? []);
      const [payers, causes] = await Promise.all([
        listPayers(manager, invoices),
        findPaymentCauses(manager, ids),
      ]);
      return { rows, next, payers, causes };
    },
    view: Payments,
  }),
  onePayment,
];
