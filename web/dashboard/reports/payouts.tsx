import joi from 'joi';
import {
  findPayout,
  listPayoutEntries,
  listPayoutRows,
  listPayouts as find,
  type PayoutRow,
} from '../../../db/queries/reports/payouts.js';
import {
  presentPayout,
  type PayoutEntryFacts,
  type PayoutEntryKind,
  type PayoutFacts,
} from '../../../domain/reports/payouts.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Reply } from '../../../api/http/operation.js';
import { isPayoutEntryId, isPayoutId } from '../../../api/resources/reports/payouts.js';
import { BarChart } from '../../ui/chart-bars.js';
import { shortAmount } from '../../ui/charts.js';
import { createFormats } from '../../ui/formats.js';
import { PageError } from '../../ui/browser.js';
import { cellTime, csvReply } from '../exports/stream.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { Status } from '../shared/status.js';
import { DAYS, ExportButton, Filter, listFields, Pager, readPage, readRange, Table } from '../shared/list.js';
import { pathIn } from '../shared/paths.js';
import { assets, reportTabs } from './report.js';

export const payoutsQuery = joi.object(listFields);

const KIND_NAMES: Record<PayoutEntryKind, string> = {
  payment: 'Payment',
  refund: 'Refund',
  dispute: 'Dispute',
  fee: 'Fee',
  other: 'Other',
};

/** The most bars of a chart: the newest payouts. */
const MAX_BARS = 8;

interface ListPage {
  rows: PayoutFacts[];
  next: string | undefined;
}

/** The newest payouts of a page in a currency, oldest first. */
function PayoutChart({ rows, currency }: { rows: PayoutFacts[]; currency: string }) {
  const shown = rows
    .filter((row) => row.currency === currency && row.entries_read_at)
    .slice(0, MAX_BARS)
    .reverse();
  if (shown.length === 0) return null;
  const label = (day: string): string =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
      new Date(day),
    );
  return (
    <>
      <h2>{currency}</h2>
      <BarChart
        title={`Payouts and fees by day of arrival, ${currency}`}
        series={['Paid out', 'Fees']}
        bars={shown.map((payout) => ({
          label: label(payout.arrives_on),
          values: [payout.amount_minor, presentPayout(payout).fee_minor],
        }))}
        format={shortAmount(currency)}
      />
    </>
  );
}

function Payouts({ ctx, data: { rows, next } }: PageProps<ListPage>) {
  const { amount, day } = createFormats(ctx);
  const known = (row: PayoutFacts, minor: number) => (row.entries_read_at ? amount(minor, row.currency) : '');
  return (
    <>
      <Filter ctx={ctx} fields={DAYS} />
      <p class="links">
        <ExportButton ctx={ctx} path="/reports/payouts.csv">
          Export CSV
        </ExportButton>
      </p>
      {[...new Set(rows.map(({ currency }) => currency))].map((currency) => (
        <PayoutChart key={currency} rows={rows} currency={currency} />
      ))}
      <Table
        rows={rows}
        empty="No payouts."
        columns={[
          {
            name: 'Arrives',
            show: ({ id, arrives_on }) => (
              <a href={pathIn(ctx, `/reports/payouts/${id}`)}>{day(`${arrives_on}T12:00:00Z`)}</a>
            ),
          },
          { name: 'Status', show: ({ status }) => <Status value={status} /> },
          {
            name: 'Gross',
            number: true,
            show: (row) => known(row, presentPayout(row).gross_minor),
          },
          { name: 'Fees', number: true, show: (row) => known(row, presentPayout(row).fee_minor) },
          {
            name: 'Paid out',
            number: true,
            show: ({ amount_minor, currency }) => amount(amount_minor, currency),
          },
        ]}
      />
      <Pager ctx={ctx} next={next} />
    </>
  );
}

export const payoutsPage = page({
  path: '/reports/payouts',
  at: '/reports',
  capability: 'read_billing',
  query: payoutsQuery,
  title: 'Payouts',
  tabs: reportTabs,
  assets,
  load({ ctx, membership }, { db }): Promise<ListPage> {
    const { workspace_id, time_zone } = membership;
    const range = readRange(ctx.state.query as object, time_zone);
    return readPage(ctx, isPayoutId, 'created_at', (page) =>
      find(db.manager, { workspace_id, ...range, ...page }),
    );
  },
  view: Payouts,
});

interface OnePayout {
  payout: PayoutFacts;
  rows: PayoutEntryFacts[];
  next: string | undefined;
}

function Entries({ ctx, data: { payout, rows, next } }: PageProps<OnePayout>) {
  const { amount, day, moment } = createFormats(ctx);
  const money = (minor: number): string => amount(minor, payout.currency);
  const { gross_minor, fee_minor } = presentPayout(payout);
  return (
    <>
      <div class="card">
        <dl class="facts">
          <dt>Paid out</dt>
          <dd>
            {money(payout.amount_minor)} <Status value={payout.status} />
          </dd>
          <dt>Arrives</dt>
          <dd>{day(`${payout.arrives_on}T12:00:00Z`)}</dd>
          {payout.failure_code && (
            <>
              <dt>Failure</dt>
              <dd>
                <code>{payout.failure_code}</code>
              </dd>
            </>
          )}
          {payout.entries_read_at && (
            <>
              <dt>Gross</dt>
              <dd>{money(gross_minor)}</dd>
              <dt>Fees</dt>
              <dd>{money(fee_minor)}</dd>
            </>
          )}
          <dt>ID</dt>
          <dd>
            <code class="id">{payout.id}</code>
          </dd>
        </dl>
      </div>
      <h2>Contents</h2>
      <Table
        rows={rows}
        empty={
          payout.automatic
            ? 'Stripe has not listed the contents yet.'
            : 'This payout was requested at Stripe, which does not list its contents.'
        }
        columns={[
          {
            name: 'Kind',
            show: ({ kind, payment_id }) =>
              payment_id ? (
                <a href={pathIn(ctx, `/payments/${payment_id}`)}>{KIND_NAMES[kind]}</a>
              ) : (
                KIND_NAMES[kind]
              ),
          },
          {
            name: 'Invoice',
            show: ({ invoice_id, invoice_number }) =>
              invoice_id && (
                <a href={pathIn(ctx, `/invoices/${invoice_id}`)}>{invoice_number ?? 'Invoice'}</a>
              ),
          },
          { name: 'Booking', show: ({ booking_reference }) => booking_reference },
          { name: 'Date', show: ({ created_at }) => moment(created_at) },
          { name: 'Gross', number: true, show: (entry) => money(entry.gross_minor) },
          {
            name: 'Fee',
            number: true,
            show: (entry) => (entry.fee_minor === 0 ? '' : money(entry.fee_minor)),
          },
          { name: 'Net', number: true, show: (entry) => money(entry.net_minor) },
        ]}
      />
      <Pager ctx={ctx} next={next} />
    </>
  );
}

export const payoutPage = page({
  path: '/reports/payouts/:id',
  at: '/reports',
  capability: 'read_billing',
  query: joi.object({ cursor: listFields.cursor }),
  title: 'Payout',
  async load({ ctx, membership, params }, { db: { manager } }): Promise<OnePayout> {
    const { workspace_id } = membership;
    const payout = await findPayout(manager, workspace_id, params.id!);
    if (!payout) throw new PageError(404, 'Payout not found', 'The workspace has no such payout.');
    const entries = await readPage(ctx, isPayoutEntryId, 'created_at', (page) =>
      listPayoutEntries(manager, { workspace_id, payout_id: payout.id, ...page }),
    );
    return { payout, ...entries };
  },
  view: Entries,
});

/**
 * `GET /dashboard/:workspace/reports/payouts.csv`: a row for each entry of the payouts, newest payout first;
 * a payout whose contents are not known has one row with its amount.
 */
export async function exportPayouts(
  { ctx, membership }: PageRequest,
  { db }: ApiDependencies,
): Promise<Reply> {
  const { workspace_id, time_zone } = membership;
  const range = readRange(ctx.state.query as object, time_zone);
  return csvReply<PayoutRow>(ctx, 'payouts', {
    columns: [
      'Payout',
      'Arrives',
      'Status',
      'Kind',
      'Invoice number',
      'Booking reference',
      `Date (${time_zone})`,
      'Currency',
      'Gross',
      'Fee',
      'Net',
      'Payment',
      'Invoice',
      'Booking',
    ],
    read: (after, limit) => listPayoutRows(db.manager, { workspace_id, ...range, limit, after }),
    cells: async (rows) =>
      rows.map((row) => {
        const money = (amount_minor: number | null) =>
          amount_minor === null ? null : { amount_minor, currency: row.currency };
        return [
          row.payout_id,
          row.arrives_on,
          row.status,
          row.kind && KIND_NAMES[row.kind],
          row.invoice_number,
          row.booking_reference,
          cellTime(row.created_at ?? row.payout_at, time_zone),
          row.currency,
          money(row.gross_minor),
          money(row.fee_minor),
          money(row.net_minor ?? row.amount_minor),
          row.payment_id,
          row.invoice_id,
          row.booking_id,
        ];
      }),
  });
}
