import { DAY_MS } from '../../domain/durations.js';
import { served } from './served.js';
import { processorLedger, simulator } from './simulators.js';
import { until } from './until.js';
import { uniqueEmail, type TestWorkspace } from './workspaces.js';

/** Cards of the simulator, by the outcome of charges without the payer. */
export const SOFT_DECLINE = '4000000000000341';
export const AUTHENTICATION = '4000002760003184';
export const PENDING = '4000003560000297';

/** The session in an address or a page. */
export const sessionIn = (text: string): string => /cs_[A-Za-z0-9_]+/.exec(text)![0];

/** A company that pays with a card on file. */
export async function newPayer(
  workspace: TestWorkspace,
  card?: string,
): Promise<{ id: string; email: string }> {
  const { api } = workspace;
  const email = uniqueEmail();
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email: email });
  if (!card) return { id: company.id, email };
  await saveCard(workspace, company.id, card);
  const { status } = await api.patch(`/v1/companies/${company.id}`, { autopay: true });
  if (status !== 200) throw new Error('autopay was refused');
  return { id: company.id, email };
}

/** Makes a company save a card on the hosted page, replacing an earlier one. */
export async function saveCard({ api }: TestWorkspace, companyId: string, card: string): Promise<void> {
  const { status, body } = await served(() => api.post(`/v1/companies/${companyId}/card-setup`));
  if (status !== 200) throw new Error(`card-setup returned ${status} ${JSON.stringify(body)}`);
  await simulator('POST', `/_sim/checkout/${sessionIn(body.url)}/pay`, { card });
  const digits = card.slice(-4);
  await until(async () => (await api.get(`/v1/companies/${companyId}`)).body.card?.last4 === digits);
}

/** An invoice of 100.00 GBP that is due in a number of days. */
export async function newInvoice({ api }: TestWorkspace, company_id: string, days: number) {
  const { body } = await api.post('/v1/invoices', {
    company_id,
    currency: 'GBP',
    due_at: new Date(Date.now() + days * DAY_MS).toISOString(),
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 10_000, tax_code: 'ZERO' }],
  });
  return body;
}

/** The successful charges at the processor. */
export const successfulCharges = async (workspace: TestWorkspace) =>
  (await processorLedger(workspace)).charges.filter(({ status }) => status === 'succeeded');
