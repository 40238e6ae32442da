import type { Account, TaxRate } from '../state/records.js';
import { Refused } from '../http/errors.js';
import { endpoint } from '../http/endpoint.js';
import { saveAll } from '../http/elements.js';
import { listValues } from '../http/listing.js';
import { TAX_RATE } from './schemas.js';

/** The currencies of an organisation without a limit on them. */
const EVERY_CURRENCY = Intl.supportedValuesOf('currency');

/** Organisation, chart of accounts, currencies and tax rates. */
export const settingsEndpoints = [
  endpoint('get', '/Organisation', 'settings', ({ organisation }) => {
    const { tenant_id, name, currency, created_at } = organisation;
    return {
      Organisations: [
        {
          Name: name,
          LegalName: name,
          PaysTax: true,
          Version: 'UK',
          OrganisationType: 'COMPANY',
          BaseCurrency: currency,
          CountryCode: 'GB',
          IsDemoCompany: true,
          OrganisationStatus: 'ACTIVE',
          DefaultSalesTax: 'Tax Exclusive',
          CreatedDateUTC: `/Date(${created_at})/`,
          Timezone: 'GMTSTANDARDTIME',
          ShortCode: `!${tenant_id.slice(0, 5)}`,
          OrganisationID: tenant_id,
        },
      ],
    };
  }),

  endpoint('get', '/Accounts', 'settings', (call) =>
    listValues(call, 'Accounts', call.organisation.accounts.map(presentAccount)),
  ),

  endpoint('get', '/Currencies', 'settings', (call) => {
    const { currency, currencies } = call.organisation;
    const codes = [...new Set([currency, ...(currencies ?? EVERY_CURRENCY)])];
    return listValues(
      call,
      'Currencies',
      codes.map((Code) => ({ Code, Description: Code })),
    );
  }),

  endpoint('get', '/TaxRates', 'settings', (call) =>
    listValues(call, 'TaxRates', call.organisation.tax_rates.map(presentTaxRate)),
  ),

  endpoint('put', '/TaxRates', 'settings', (call) =>
    saveAll(call, 'TaxRates', TAX_RATE, ({ Name, ReportTaxType, TaxComponents }) => {
      const { store } = call.sim;
      const organisation = store.organisations.get(call.organisation.tenant_id)!;
      const { tax_rates } = organisation;
      if (tax_rates.some(({ name }) => name === Name))
        throw new Refused([`The tax rate name '${Name}' is already in use.`]);
      const own = tax_rates.filter(({ tax_type }) => tax_type.startsWith('TAX')).length;
      const made: TaxRate = {
        tax_type: `TAX${String(own + 1).padStart(3, '0')}`,
        name: Name,
        report_tax_type: ReportTaxType ?? 'OUTPUT',
        rate: TaxComponents.reduce((sum, { Rate }) => sum + Rate, 0),
        on_income: ReportTaxType !== 'INPUT',
        on_expenses: ReportTaxType !== 'OUTPUT',
      };
      store.organisations.set(organisation.tenant_id, { ...organisation, tax_rates: [...tax_rates, made] });
      return presentTaxRate(made);
    }),
  ),
];

const CLASSES: Record<string, string> = {
  BANK: 'ASSET',
  CURRENT: 'ASSET',
  CURRLIAB: 'LIABILITY',
  EQUITY: 'EQUITY',
  REVENUE: 'REVENUE',
};

function presentAccount({ id, code, name, type, tax_type, payments, system }: Account) {
  return {
    AccountID: id,
    Code: code,
    Name: name,
    Status: 'ACTIVE',
    Type: type,
    Class: CLASSES[type] ?? 'EXPENSE',
    TaxType: tax_type,
    EnablePaymentsToAccount: payments,
    ...(system && { SystemAccount: system }),
    ...(type === 'BANK' && { BankAccountType: 'BANK' }),
  };
}

function presentTaxRate({ tax_type, name, report_tax_type, rate, on_income, on_expenses }: TaxRate) {
  return {
    Name: name,
    TaxType: tax_type,
    ReportTaxType: report_tax_type,
    CanApplyToAssets: true,
    CanApplyToEquity: true,
    CanApplyToExpenses: on_expenses,
    CanApplyToLiabilities: true,
    CanApplyToRevenue: on_income,
    DisplayTaxRate: rate,
    EffectiveRate: rate,
    Status: 'ACTIVE',
    TaxComponents: [{ Name: 'VAT', Rate: rate, IsCompound: false, IsNonRecoverable: false }],
  };
}
