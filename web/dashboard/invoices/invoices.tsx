import joi from 'joi';
import { type InvoiceFilter, type InvoiceRow, listInvoices } from '../../../db/queries/billing/invoice.js';
import { listPayers, type ListedPayer } from '../../../db/queries/billing/payer.js';
import { dayIn } from '../../../domain/cycle.js';
import { can } from '../../../domain/policies.js';
import { INVOICE_KINDS, type InvoiceKind } from '../../../domain/invoice.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { decodeCursor } from '../../../api/http/cursor.js';
import { memberId, searchText, uuid } from '../../../api/http/fields.js';
import { isInvoiceId } from '../../../api/resources/invoices/shape.js';
import { pathIn } from '../shared/api-form.js';
import { formatsOf, optionsOf } from '../../ui/formats.js';
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
import { PayerName } from '../shared/payer-name.js';

/** What each kind is called. */
export const KIND_NAMES: Record<InvoiceKind, string> = {
  booking: 'Booking',
  ad_hoc: 'One-off',
  adjustment: 'Adjustment',
  subscription: 'Membership',
};

export const invoicesQuery = joi.object({
  q: searchText.allow(''),
  status: choiceOf(INVOICE_STATUSES),
  kind: choiceOf(INVOICE_KINDS),
  member_id: memberId,
  company_id: uuid,
  ...listFields,
});

export interface InvoicesQuery extends ListQuery {
  q?: string;
  status?: InvoiceStatus | '';
  kind?: InvoiceKind | '';
  member_id?: string;
  company_id?: string;
}

/** The filter of the current address. */
export function invoiceFilterOf(ctx: ApiContext): Omit<InvoiceFilter, 'after' | 'limit'> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { q, status, kind, member_id, company_id, ...range } = ctx.state.query as InvoicesQuery;
  return {
    workspace_id,
    q: q || undefined,
    status: status || undefined,
    kind: kind || undefined,
    member_id,
    company_id,
    ...rangeOf(range, time_zone),
  };
}

/** Invoices with their payers. */
export function InvoiceTable(props: {
  ctx: ApiContext;
  invoices: InvoiceRow[];
  payers: Map<string, ListedPayer>;
}) {
  const { ctx, invoices, payers } = props;
  const { amount, day } = formatsOf(ctx);
  const due = (invoice: InvoiceRow) => {
    const outstanding = outstandingOf(invoice);
    if (outstanding === 0) return <Status value={invoice.status} />;
    const { time_zone } = ctx.state.membership!;
    const overdue = dayIn(time_zone, invoice.due_at) < dayIn(time_zone, new Date());
    return (
      <>
        <Status value={invoice.status} />{' '}
        <small class={overdue ? 'alert' : undefined}>
          {overdue ? 'overdue since' : 'due'} {day(invoice.due_at)}
        </small>
      </>
    );
  };
  return (
    <Table
      rows={invoices}
      empty="No invoices."
      columns={[
        {
          name: 'Invoice',
          show: ({ id, number }) => <a href={pathIn(ctx, `/invoices/${id}`)}>#{number}</a>,
        },
        { name: 'Payer', show: ({ id }) => <PayerName ctx={ctx} payer={payers.get(id)} /> },
        {
          name: 'For',
          show: ({ kind, created_at }) => (
            <>
              {KIND_NAMES[kind]} <span class="soft">· {day(created_at)}</span>
            </>
          ),
        },
        { name: 'Status', show: due },
        {
          name: 'Total',
          number: true,
          show: (invoice) => {
            const outstanding = outstandingOf(invoice);
            const partly = outstanding > 0 && outstanding < invoice.total_minor;
            return (
              <>
                {amount(invoice.total_minor, invoice.currency)}
                {partly && <small>{amount(outstanding, invoice.currency)} left</small>}
              </>
            );
          },
        },
      ]}
    />
  );
}

/** `GET /dashboard/:workspace/invoices`: invoices by payer, number, status, kind and date, newest first. */
export function showInvoices({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { cursor, member_id, company_id } = ctx.state.query as InvoicesQuery;
    const after = decodeCursor(cursor, isInvoiceId);
    const filter = invoiceFilterOf(ctx);
    const found = await listInvoices(db.manager, {
      ...filter,
      after: after && { created_at: after.key, id: after.id },
      limit: PAGE_SIZE + 1,
    });
    if (filter.q && isInvoiceId(filter.q) && found[0])
      return ctx.redirect(pathIn(ctx, `/invoices/${found[0].id}`));
    const { rows, next } = pageOf(found, ({ created_at }) => created_at);
    const payers = await listPayers(
      db.manager,
      rows.map(({ id }) => id),
    );
    const csv = addressWith(ctx, { cursor: undefined }).replace('/invoices', '/invoices.csv');
    showSection(ctx, {
      title: 'Invoices',
      at: '/invoices',
      children: (
        <>
          <Filter
            ctx={ctx}
            fields={[
              { name: 'q', label: 'Number, payer or ID' },
              { name: 'status', label: 'Status', options: optionsOf(INVOICE_STATUSES) },
              { name: 'kind', label: 'For', options: Object.entries(KIND_NAMES) },
              ...DAYS,
            ]}
            keep={{ member_id, company_id }}
          />
          <p class="links">
            {can(ctx.state.membership!.role, 'write_billing') && (
              <a href={pathIn(ctx, '/invoices/new')}>New invoice</a>
            )}
            <a href={csv}>Export CSV</a>
          </p>
          <InvoiceTable ctx={ctx} invoices={rows} payers={payers} />
          <Pager ctx={ctx} next={next} />
          <Legend of="invoice" />
        </>
      ),
    });
  };
}
