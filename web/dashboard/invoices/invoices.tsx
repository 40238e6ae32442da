import joi from 'joi';
import {
  type InvoiceFilter,
  type InvoiceRow,
  listInvoices,
  sumOverdue,
  type OverdueSum,
} from '../../../db/queries/invoices/invoice.js';
import { sumIssuedDocuments, type IssuedTotals } from '../../../db/queries/invoices/issued-document.js';
import { listPayers, type ListedPayer } from '../../../db/queries/invoices/payer.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import { can } from '../../../domain/policies.js';
import { daysOverdue, INVOICE_KINDS, type InvoiceKind } from '../../../domain/invoices/invoice.js';
import { INVOICE_STATUSES, type InvoiceStatus } from '../../../domain/states.js';
import type { ApiContext } from '../../../api/http/context.js';
import { memberId, searchText, uuid } from '../../../api/http/fields.js';
import { pdfReply } from '../../../api/http/files.js';
import {
  getInvoiceDocumentPdf,
  getInvoicePdf,
  isInvoiceId,
} from '../../../api/resources/invoices/operations.js';
import { visibleTo } from '../../../domain/invoices/visibility.js';
import { Elsewhere, page, run, type PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { createFormats, toOptions } from '../../ui/formats.js';
import { Drawer, PrimaryLink } from '../shared/action.js';
import { Legend } from '../shared/legend.js';
import {
  addressWith,
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
import type { Section } from '../shared/section.js';
import { KIND_NAMES, InvoiceTable, UnseenInvoices } from './invoice-table.js';
import { oneInvoice } from './invoice.js';
import { newInvoicePage } from './new-invoice.js';

export const invoicesQuery = joi.object({
  q: searchText.allow(''),
  status: choiceFilter([...INVOICE_STATUSES, 'overdue']),
  all: joi.valid('yes'),
  kind: choiceFilter(INVOICE_KINDS),
  member_id: memberId,
  company_id: uuid,
  ...listFields,
});

export interface InvoicesQuery extends ListQuery {
  q?: string;
  status?: InvoiceStatus | 'overdue' | '';
  /** Also drafts, unpaid holds and totals of zero. */
  all?: 'yes';
  kind?: InvoiceKind | '';
  member_id?: string;
  company_id?: string;
}

/** An invoice is overdue from the day after it was due. */
const startOfToday = (timeZone: string): Date => startOfDay(dayIn(timeZone, new Date()), timeZone);

function Overdue({ ctx, sums }: { ctx: ApiContext; sums: OverdueSum[] }) {
  if (sums.length === 0) return null;
  const { amount, day } = createFormats(ctx);
  const { time_zone } = ctx.state.membership!;
  const since = sums.reduce((oldest, sum) => (sum.since < oldest ? sum.since : oldest), sums[0]!.since);
  const days = daysOverdue(since, time_zone, new Date());
  const count = sums.reduce((total, sum) => total + sum.count, 0);
  const totals = sums.map(({ outstanding_minor, currency }) => amount(outstanding_minor, currency));
  return (
    <p class="alert">
      <a href={addressWith(ctx, { status: 'overdue', cursor: undefined })}>
        {count === 1 ? 'One invoice is overdue' : `${count} invoices are overdue`}
      </a>
      : {totals.join(' and ')}. The oldest was due on {day(since)}, {days === 1 ? 'one day' : `${days} days`}{' '}
      ago.
    </p>
  );
}

export function readInvoiceFilter(ctx: ApiContext): Omit<InvoiceFilter, 'after' | 'limit'> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { q, status, kind, member_id, company_id, all, ...range } = ctx.state.query as InvoicesQuery;
  return {
    workspace_id,
    visible_to: visibleTo(ctx.state.membership!),
    q: q || undefined,
    ...(status === 'overdue' ? { due_before: startOfToday(time_zone) } : { status: status || undefined }),
    issued_only: !q && !status && !all,
    kind: kind || undefined,
    member_id,
    company_id,
    ...readRange(range, time_zone),
  };
}

/** The documents of the invoices that the query matches, by day of issue. */
export function readDocumentFilter(ctx: ApiContext) {
  const { from, to, ...invoices } = readInvoiceFilter(ctx);
  return { filter: { ...invoices, issued_only: false }, period: { from, to } };
}

/** Totals of the documents issued in a period. */
function Issued({ ctx, totals }: { ctx: ApiContext; totals: IssuedTotals[] }) {
  if (totals.length === 0) return null;
  const { amount } = createFormats(ctx);
  const sums = totals.map(
    ({ currency, net_minor, tax_minor, total_minor }) =>
      `${amount(total_minor, currency)}: ${amount(net_minor, currency)} plus ` +
      `${amount(tax_minor, currency)} tax`,
  );
  return <p>Issued in this period: {sums.join('; ')}.</p>;
}

interface ListPage {
  rows: InvoiceRow[];
  next: string | undefined;
  payers: Map<string, ListedPayer>;
  overdue: OverdueSum[];
  issued: IssuedTotals[];
}

const NewInvoice = ({ ctx }: { ctx: ApiContext }) => (
  <PrimaryLink href={pathIn(ctx, '/invoices/new')}>New invoice</PrimaryLink>
);

/** The exports of what the filter finds: by document for tax returns, by invoice for spreadsheets. */
function Exports({ ctx }: { ctx: ApiContext }) {
  const path = '/documents.csv';
  return (
    <Drawer ctx={ctx} action={pathIn(ctx, path)} label="Export" quiet>
      <h3>Documents</h3>
      <p class="hint">
        For tax returns: one row for each invoice, supplement and credit note, by date of issue. Credit notes
        are negative and void documents are zero, so the tax column adds up to the tax of the period.
      </p>
      <div class="actions">
        <ExportButton ctx={ctx} path={path}>
          Export documents (CSV)
        </ExportButton>
      </div>
      <h3>Invoices</h3>
      <p class="hint">
        For spreadsheets and imports, such as QuickBooks Online: one row for each invoice, by date of
        creation.
      </p>
      <div class="actions">
        <ExportButton ctx={ctx} path="/invoices.csv">
          Export invoices (CSV)
        </ExportButton>
      </div>
      {can(ctx.state.membership!.role, 'write_workspace') && (
        <p class="hint">
          For Xero, <a href={pathIn(ctx, '/accounting')}>connect your organisation</a> instead.
        </p>
      )}
    </Drawer>
  );
}

function Invoices({ ctx, data }: PageProps<ListPage>) {
  const { rows, next, payers, overdue, issued } = data;
  const { member_id, company_id, all } = ctx.state.query as InvoicesQuery;
  const { role } = ctx.state.membership!;
  const seesAll = can(role, 'read_billing');
  const isIssuedOnly = readInvoiceFilter(ctx).issued_only;
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'q', label: seesAll ? 'Payer or number' : 'Number' },
          {
            name: 'status',
            label: 'Status',
            options: [...toOptions(INVOICE_STATUSES), ['overdue', 'Overdue']],
          },
          { name: 'kind', label: 'For', options: Object.entries(KIND_NAMES) },
          ...DAYS,
        ]}
        keep={{ member_id, company_id, all }}
      >
        {seesAll && <Exports ctx={ctx} />}
      </Filter>
      <UnseenInvoices ctx={ctx} />
      <Overdue ctx={ctx} sums={overdue} />
      <InvoiceTable
        ctx={ctx}
        invoices={rows}
        payers={payers}
        empty={
          <Empty
            ctx={ctx}
            says="Bookings and plans are invoiced by themselves; invoice anything else here, such as a desk."
          >
            {can(role, 'write_billing') && <NewInvoice ctx={ctx} />}
          </Empty>
        }
      />
      <Pager ctx={ctx} next={next} />
      {seesAll && (isIssuedOnly || all) && (
        <p class="links soft">
          <a href={addressWith(ctx, { all: all ? undefined : 'yes', cursor: undefined })}>
            {all ? 'Hide drafts, unpaid holds and zero totals' : 'Show drafts, unpaid holds and zero totals'}
          </a>
        </p>
      )}
      <Issued ctx={ctx} totals={issued} />
      <Legend of="invoice" />
    </>
  );
}

/**
 * Invoices by payer, number, status, kind and date, newest first, overdue ones oldest first. Members see
 * those that they pay.
 */
const list = page({
  path: '/invoices',
  capability: 'read_own_invoices',
  query: invoicesQuery,
  title: 'Invoices',
  primary: ({ ctx }) => can(ctx.state.membership!.role, 'write_billing') && <NewInvoice ctx={ctx} />,
  async load({ ctx, membership }, { db: { manager } }): Promise<ListPage> {
    const oldest_due_first = (ctx.state.query as InvoicesQuery).status === 'overdue';
    const filter = readInvoiceFilter(ctx);
    const { rows, next } = await readPage(
      ctx,
      isInvoiceId,
      oldest_due_first ? 'due_at' : 'created_at',
      (page) => listInvoices(manager, { ...filter, ...page, oldest_due_first }),
    );
    if (filter.q && isInvoiceId(filter.q) && rows[0]) throw new Elsewhere(`/invoices/${rows[0].id}`);
    const overdue = await sumOverdue(manager, {
      ...filter,
      status: undefined,
      issued_only: false,
      due_before: startOfToday(membership.time_zone),
    });
    const { filter: documents, period } = readDocumentFilter(ctx);
    const sums = can(membership.role, 'read_billing') && (period.from || period.to);
    const ids = rows.map(({ id }) => id);
    return {
      rows,
      next,
      payers: await listPayers(manager, ids),
      overdue,
      issued: sums ? await sumIssuedDocuments(manager, documents, period) : [],
    };
  },
  view: Invoices,
});

/** Invoices. Members see what they pay; the operations find nothing else for them. */
export const invoices = [
  list,
  newInvoicePage,
  {
    path: '/invoices/:id/pdf',
    capability: 'read_own_invoices',
    file: async (request, deps) => pdfReply(await run(getInvoicePdf, {}, request, deps)),
  },
  {
    path: '/invoices/:id/documents/:number.pdf',
    capability: 'read_own_invoices',
    file: async (request, deps) => pdfReply(await run(getInvoiceDocumentPdf, {}, request, deps)),
  },
  oneInvoice,
] satisfies Section;
