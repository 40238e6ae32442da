import test from 'ava';
import { listSettingProblems, type Chart, type LineAccount } from '../../../domain/accounting/settings.js';

const CHART: Chart = {
  sales_accounts: [{ code: '200', name: 'Sales', is_revenue: true }],
  payment_accounts: [{ code: '090', name: 'Bank' }],
  tax_types: [{ tax_type: 'OUTPUT', name: 'GST on Income', rate_bps: 1000 }],
  currencies: ['AUD'],
};
const settings = { sales_account: '200', payment_account: '090' };
const workspace = {
  currency: 'AUD',
  tax_codes: [{ code: 'GST', rate_bps: 1000, accounting_tax_type: 'OUTPUT' }],
};

const params = (change: {
  settings?: object;
  workspace?: object;
  chart?: object;
  lineAccounts?: LineAccount[];
}): string[] =>
  listSettingProblems(
    { ...settings, ...change.settings },
    { ...workspace, ...change.workspace },
    { ...CHART, ...change.chart },
    change.lineAccounts ?? [],
  ).map(({ param }) => param);

test('a setting that the organisation lacks, or a tax type with another rate, is named by its path', (t) => {
  t.deepEqual(params({}), []);
  t.deepEqual(params({ settings: { sales_account: '090' } }), ['accounting.sales_account']);
  t.deepEqual(params({ settings: { payment_account: '200' } }), ['accounting.payment_account']);
  const tax_codes = [...workspace.tax_codes, { code: 'VAT', rate_bps: 2000, accounting_tax_type: 'OUTPUT2' }];
  t.deepEqual(params({ workspace: { tax_codes } }), ['tax_codes.1.accounting_tax_type']);
  const none = { tax_type: 'NONE', name: 'No tax', rate_bps: 0 };
  const untaxed = [{ code: 'GST', rate_bps: 1000, accounting_tax_type: 'NONE' }];
  t.deepEqual(params({ workspace: { tax_codes: untaxed }, chart: { tax_types: [none] } }), [
    'tax_codes.0.accounting_tax_type',
  ]);
  const rate = { path: 'rooms.room_1.rates.rate_1', name: 'Evening', room_name: 'Blue room' };
  const extra = { path: 'extras.extra_1', name: 'Lunch', room_name: null };
  const lineAccounts = ['200', '999'].flatMap((account) => [rate, extra].map((of) => ({ ...of, account })));
  t.deepEqual(params({ lineAccounts }), [
    'rooms.room_1.rates.rate_1.accounting_account',
    'extras.extra_1.accounting_account',
  ]);
  t.deepEqual(params({ workspace: { currency: 'NZD' } }), ['currency']);
  t.deepEqual(params({ workspace: { currency: 'NZD' }, chart: { currencies: [] } }), []);
});
