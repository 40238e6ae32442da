import joi from 'joi';
import { monthIn, type Month } from '../../../domain/reports/months.js';
import type { RateTotals } from '../../../domain/reports/tax.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Reply } from '../../../api/http/operation.js';
import type { Infer } from '../../../api/http/typed.js';
import { getTaxReport, MONTH, type taxReport } from '../../../api/resources/reports/operations.js';
import { BarChart } from '../../ui/chart-bars.js';
import { shortAmount } from '../../ui/charts.js';
import { createFormats } from '../../ui/formats.js';
import { csvReply } from '../exports/stream.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { assets, CsvLink, ReportTable, reportTabs } from './report.js';

type Report = Infer<typeof taxReport>;
type Totals = Report['by_document_date'][number];

/** A month of the address; anything else is the current month. */
export const taxQuery = joi.object({
  month: joi
    .string()
    .allow('')
    .custom((value: string) => (MONTH.test(value) ? value : undefined)),
});

const BASES = [
  ['by_document_date', 'By document date', 'Documents'],
  ['by_payment_date', 'By payment date', 'Payments'],
] as const;

const formatRate = (bps: number): string => `${bps / 100} %`;

/** The report of the month in the address, by default the current one. */
function read(request: PageRequest, deps: ApiDependencies): Promise<Report> {
  const month: Month = request.query.month || monthIn(request.membership.time_zone, new Date());
  return run(getTaxReport, { query: { month } }, request, deps);
}

function Rates({ ctx, name, totals }: { ctx: ApiContext; name: string; totals: Totals | undefined }) {
  const { amount } = createFormats(ctx);
  const show = (minor: number) => (minor === 0 ? null : amount(minor, totals!.currency));
  return (
    <>
      <h3>{name}</h3>
      {totals ? (
        <ReportTable<Omit<RateTotals, 'tax_rate_bps'>>
          label={`${name}, ${totals.currency}`}
          first="Rate"
          rows={totals.rates.map((rate) => ({
            key: String(rate.tax_rate_bps),
            name: formatRate(rate.tax_rate_bps),
            row: rate,
          }))}
          columns={[
            { name: 'Net', show: ({ net_minor }) => show(net_minor) },
            { name: 'Tax', show: ({ tax_minor }) => show(tax_minor) },
          ]}
          total={totals}
        />
      ) : (
        <p class="soft">Nothing in this month.</p>
      )}
    </>
  );
}

function InOneCurrency({ ctx, report, currency }: { ctx: ApiContext; report: Report; currency: string }) {
  const each = BASES.map(([basis, name, short]) => ({
    name,
    short,
    totals: report[basis].find((totals) => totals.currency === currency),
  }));
  const rates = [
    ...new Set(each.flatMap(({ totals }) => totals?.rates ?? []).map((rate) => rate.tax_rate_bps)),
  ]
    .filter((rate) => rate > 0)
    .sort((a, b) => b - a);
  return (
    <>
      <h2>{currency}</h2>
      {rates.length > 0 && (
        <BarChart
          title={`Tax of ${report.month} by rate, ${currency}`}
          series={rates.map(formatRate)}
          bars={each.map(({ short, totals }) => ({
            label: short,
            values: rates.map(
              (rate) => totals?.rates.find(({ tax_rate_bps }) => tax_rate_bps === rate)?.tax_minor ?? 0,
            ),
          }))}
          format={shortAmount(currency)}
        />
      )}
      {each.map(({ name, totals }) => (
        <Rates key={name} ctx={ctx} name={name} totals={totals} />
      ))}
    </>
  );
}

const currenciesIn = (report: Report): string[] =>
  [...new Set(BASES.flatMap(([basis]) => report[basis].map(({ currency }) => currency)))].sort();

function Tax({ ctx, data }: PageProps<Report>) {
  const currencies = currenciesIn(data);
  return (
    <>
      <form class="filter">
        <div>
          <label>
            <span>Month</span>
            <input type="month" name="month" value={data.month} required />
          </label>
        </div>
        <button>Show</button>
      </form>
      <CsvLink ctx={ctx} path="/reports/tax.csv" />
      {currencies.length === 0 && <p class="soft">No tax in this month.</p>}
      {currencies.map((currency) => (
        <InOneCurrency key={currency} ctx={ctx} report={data} currency={currency} />
      ))}
    </>
  );
}

export const taxPage = page({
  path: '/reports/tax',
  at: '/reports',
  capability: 'read_billing',
  query: taxQuery,
  title: 'Tax',
  tabs: reportTabs,
  assets,
  load: read,
  view: Tax,
});

/** `GET /dashboard/:workspace/reports/tax.csv`: a row for each basis, currency and rate. */
export async function exportTax(request: PageRequest, deps: ApiDependencies): Promise<Reply> {
  const report = await read(request, deps);
  const rows = BASES.flatMap(([basis, name]) =>
    report[basis].flatMap(({ currency, rates }) => rates.map((rate) => ({ ...rate, name, currency }))),
  );
  return csvReply<(typeof rows)[number]>(request.ctx, `tax-${report.month}`, {
    columns: ['Month', 'Basis', 'Currency', 'Rate (%)', 'Net', 'Tax'],
    read: async (after) => (after ? [] : rows),
    cells: async (page) =>
      page.map(({ name, currency, tax_rate_bps, net_minor, tax_minor }) => [
        report.month,
        name,
        currency,
        tax_rate_bps / 100,
        { amount_minor: net_minor, currency },
        { amount_minor: tax_minor, currency },
      ]),
  });
}
