import type { ApiClient } from './api-client.js';
import { NEXT_MONDAY } from './days.js';

export const line = (overrides: Record<string, unknown> = {}) => ({
  description: 'Desk for a month',
  quantity: 1,
  unit_amount_minor: 10_000,
  tax_code: 'STANDARD',
  ...overrides,
});

async function createCompany(api: ApiClient): Promise<string> {
  return (await api.post('/v1/companies', { name: 'Acme', billing_email: 'acme@example.com' })).body.id;
}

export async function body(
  api: ApiClient,
  overrides: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const due_at = `${NEXT_MONDAY}T00:00:00Z`;
  return { company_id: await createCompany(api), currency: 'gbp', due_at, lines: [line()], ...overrides };
}

export async function createInvoice(api: ApiClient, overrides: Record<string, unknown> = {}) {
  const { body: invoice, status } = await api.post('/v1/invoices', await body(api, overrides));
  if (status !== 201) throw new Error(JSON.stringify(invoice));
  return invoice;
}
