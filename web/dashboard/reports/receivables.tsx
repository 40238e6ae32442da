import { dayIn } from '../../../domain/cycle.js';
import { AGES, type Age, type Aged } from '../../../domain/reports/receivables.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Reply } from '../../../api/http/operation.js';
import type { Infer } from '../../../api/http/typed.js';
import { getReceivables, type receivables } from '../../../api/resources/reports/operations.js';
import { BarChart } from '../../ui/chart-bars.js';
import { shortAmount } from '../../ui/charts.js';
import { createFormats } from '../../ui/formats.js';
import { csvReply } from '../exports/stream.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { PayerName } from '../shared/payer-name.js';
import { assets, CsvLink, ReportTable, reportTabs } from './report.js';

type Report = Infer<typeof receivables>;
type InCurrency = Report['currencies'][number];
type Payer = InCurrency['payers'][number];

const AGE_NAMES: Record<Age, string> = {
  not_due: 'Not due',
  days_1_to_30: '1–30 days',
  days_31_to_60: '31–60 days',
  days_61_to_90: '61–90 days',
  days_over_90: 'Over 90 days',
};

/** The form in which the dashboard links payers. */
function toListedPayer({ company_id, member_id, guest_email, name }: Payer) {
  if (company_id) return { kind: 'company' as const, id: company_id, name };
  if (member_id) return { kind: 'member' as const, id: member_id, name };
  return { kind: 'guest' as const, id: guest_email, name };
}

function InOneCurrency({ ctx, report }: { ctx: ApiContext; report: InCurrency }) {
  const { currency, payers } = report;
  const { amount } = createFormats(ctx);
  const column = (name: string, field: keyof Aged) => ({
    name,
    show: (row: Aged) => (row[field] === 0 ? null : amount(row[field], currency)),
  });
  return (
    <>
      <h2>{currency}</h2>
      <BarChart
        title={`Receivables by age, ${currency}`}
        series={['Owed']}
        bars={AGES.map((age) => ({
          label: AGE_NAMES[age].replace(' days', ''),
          values: [report[`${age}_minor`]],
        }))}
        format={shortAmount(currency)}
      />
      <ReportTable<Aged>
        label={`Receivables, ${currency}`}
        first="Payer"
        rows={payers.map((payer, index) => ({
          key: String(index),
          name: <PayerName ctx={ctx} payer={toListedPayer(payer)} />,
          row: payer,
        }))}
        columns={[
          ...AGES.map((age) => column(AGE_NAMES[age], `${age}_minor`)),
          column('Total', 'total_minor'),
        ]}
        total={report}
      />
    </>
  );
}

function Receivables({ ctx, data: { currencies } }: PageProps<Report>) {
  return (
    <>
      <CsvLink ctx={ctx} path="/reports/receivables.csv" />
      {currencies.length === 0 && <p class="soft">Nothing is owed.</p>}
      {currencies.map((report) => (
        <InOneCurrency key={report.currency} ctx={ctx} report={report} />
      ))}
    </>
  );
}

export const receivablesPage = page({
  path: '/reports',
  capability: 'read_billing',
  title: 'Receivables',
  tabs: reportTabs,
  assets,
  load: (request, deps): Promise<Report> => run(getReceivables, {}, request, deps),
  view: Receivables,
});

/** `GET /dashboard/:workspace/reports/receivables.csv`: a row for each payer and currency. */
export async function exportReceivables(request: PageRequest, deps: ApiDependencies): Promise<Reply> {
  const { ctx, membership } = request;
  const { as_of, currencies } = await run(getReceivables, {}, request, deps);
  const rows = currencies.flatMap(({ currency, payers }) => payers.map((payer) => ({ ...payer, currency })));
  return csvReply<(typeof rows)[number]>(ctx, `receivables-${dayIn(membership.time_zone, new Date(as_of))}`, {
    columns: [
      'Payer',
      'Kind',
      'ID',
      'Currency',
      'Invoices',
      ...AGES.map((age) => AGE_NAMES[age].replace('–', ' to ')),
      'Total',
    ],
    read: async (after) => (after ? [] : rows),
    cells: async (page) =>
      page.map((row) => {
        const { kind, id } = toListedPayer(row);
        const money = (amount_minor: number) => ({ amount_minor, currency: row.currency });
        return [
          row.name,
          kind,
          id,
          row.currency,
          row.invoices,
          ...AGES.map((age) => money(row[`${age}_minor`])),
          money(row.total_minor),
        ];
      }),
  });
}
