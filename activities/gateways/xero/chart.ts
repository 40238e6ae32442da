import type { Accounting } from '../accounting.js';
import type { XeroCall } from './client.js';

/** Reads the settings of an organisation to which documents refer. */
export function createXeroChart(call: XeroCall): Pick<Accounting, 'readChart'> {
  return {
    async readChart(workspaceId) {
      const active = 'Status=="ACTIVE"';
      const { accounts = [] } = await call(workspaceId, (api, tenant) =>
        api.getAccounts(tenant, undefined, active, 'Code ASC'),
      );
      const { taxRates = [] } = await call(workspaceId, (api, tenant) => api.getTaxRates(tenant, active));
      const { currencies = [] } = await call(workspaceId, (api, tenant) => api.getCurrencies(tenant));
      return {
        sales_accounts: accounts
          .filter(({ code, type, systemAccount }) => code && String(type) !== 'BANK' && !systemAccount)
          .map(({ code, name, _class }) => ({
            code: code!,
            name: name ?? '',
            is_revenue: String(_class) === 'REVENUE',
          })),
        payment_accounts: accounts
          .filter(({ type, enablePaymentsToAccount }) => String(type) === 'BANK' || enablePaymentsToAccount)
          // A bank account may have no code.
          .map(({ code, accountID, name }) => ({ code: code || accountID!, name: name ?? '' })),
        tax_types: taxRates
          .filter(({ canApplyToRevenue }) => canApplyToRevenue)
          .map(({ taxType, name, effectiveRate }) => ({
            tax_type: taxType!,
            name: name ?? '',
            rate_bps: Math.round((effectiveRate ?? 0) * 100),
          })),
        currencies: currencies.map(({ code }) => String(code)),
      };
    },
  };
}
