import joi from 'joi';
import { type InvoiceFilter, listInvoices } from '../../../db/queries/billing/invoice.js';
import { listPayers } from '../../../db/queries/billing/payer.js';
import { can } from '../../../domain/policies.js';
import { INVOICE_KINDS, type InvoiceKind } from '../../../domain/invoice.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { memberId, searchText, uuid } from '../../../api/http/fields.js';
import { isInvoiceId } from '../../../api/resources/invoices/shape.js';
import { pathIn } from '../shared/api-form.js';
import { optionsOf } from '../../ui/formats.js';
import { Legend } from '../shared/legend.js';
import {
  addressWith,
  choiceOf,
  DAYS,
  Filter,
  listFields,
  readPage,
  Pager,
  rangeOf,
  type ListQuery,
} from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { KIND_NAMES, InvoiceTable } from './invoice-table.js';

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

/** `GET /dashboard/:workspace/invoices`: invoices by payer, number, status, kind and date, newest first. */
export function showInvoices({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { member_id, company_id } = ctx.state.query as InvoicesQuery;
    const filter = invoiceFilterOf(ctx);
    const { rows, next } = await readPage(ctx, isInvoiceId, 'created_at', (page) =>
      listInvoices(db.manager, { ...filter, ...page }),
    );
    if (filter.q && isInvoiceId(filter.q) && rows[0])
      return ctx.redirect(pathIn(ctx, `/invoices/${rows[0].id}`));
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
