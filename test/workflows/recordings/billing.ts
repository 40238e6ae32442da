import { SCHEDULES } from '../../../contract/jobs.js';
import { WORKFLOWS, workflowIds } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import { DAY_MS } from '../../../domain/durations.js';
import { createMember } from '../../support/member-calls.js';
import { openInvoice } from '../../support/accounting.js';
import { internal } from '../../support/api-client.js';
import { confirmedBooking, pay, checkoutSessionId } from '../../support/bookings.js';
import { simulator } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { newWorkspace } from '../../support/workspaces.js';
import { temporal } from '../../support/temporal.js';
import { newTierWorkspace } from '../../support/tiers.js';
import type { Recorder } from './recorder.js';

const TASK_QUEUE = 'holdfast';

/** Runs about invoices, subscriptions and members. */
export async function recordBilling(recorder: Recorder): Promise<void> {
  const workspace = await newTierWorkspace();
  const { api, id: workspaceId } = workspace;

  const invoice = await openInvoice(workspace);
  const { body: checkout } = await api.post(`/v1/invoices/${invoice.id}/checkout`);
  await pay(checkout);
  await until(async () => (await api.get(`/v1/invoices/${invoice.id}`)).body.status === 'paid');
  await recorder.saveAny('invoice-checkout', 'invoiceCheckout');

  const { body: payer } = await api.post('/v1/companies', { name: 'Acme' });
  const { body: setup } = await api.post(`/v1/companies/${payer.id}/card-setup`);
  // A card that can be saved, but is declined later.
  const declined = { card: '4000000000000341' };
  await simulator('POST', `/_sim/checkout/${checkoutSessionId({ checkout_url: setup.url })}/pay`, declined);
  await recorder.saveAny('card-setup', 'cardSetup');
  await api.patch(`/v1/companies/${payer.id}`, { autopay: true });
  const due = await openInvoice(workspace, { company_id: payer.id, due_at: new Date().toISOString() });
  const isRetrying = async () =>
    (await api.get(`/v1/invoices/${due.id}`)).body.collection!.status === 'retrying';
  await until(isRetrying);
  await recorder.saveEnded('collect-invoice', workflowIds.collectInvoice(due.id));
  await api.delete(`/v1/companies/${payer.id}/card`);
  await recorder.saveAny('detach-card', 'detachCard');

  const fresh = await newWorkspace({ processor_account_id: null });
  await fresh.api.post('/v1/workspace/processor/onboarding');
  await recorder.saveEnded('processor-onboarding', workflowIds.processorOnboarding(fresh.id));

  const member = await createMember(api, { tier: 'basic' });
  await api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
  await recorder.saveEnded('tier-changes', workflowIds.tierChanges(workspaceId));

  const inAMonth = new Date(Date.now() + 40 * DAY_MS).toISOString().slice(0, 10);
  const runJob = (job: string) => internal('run_job', { job, workspace_id: workspaceId, as_of: inAMonth });
  await runJob('member_cycle');
  await recorder.saveAny('member-cycle', 'memberCycle');
  await runJob('sso_certificates');
  await recorder.saveAny('sso-certificates', 'ssoCertificates');
  await runJob('payouts');
  await recorder.saveAny('payouts', 'payouts');
  await temporal.schedule.getHandle(SCHEDULES.retention).trigger();
  await recorder.saveAny('retention', 'retention');
  await runJob('subscription_invoices');
  await recorder.saveAny('subscription-invoices', 'subscriptionInvoices');

  await confirmedBooking(api);
  const [from, to] = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString());
  await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  await recorder.saveEnded('reconciliation', workflowIds.reconciliation(workspaceId, from!, to!));
  const nightly = starts(TASK_QUEUE).byHand('nightlyReconciliation', { workspaceId });
  await temporal.workflow.execute(WORKFLOWS.nightlyReconciliation, nightly);
  await recorder.save('nightly-reconciliation', nightly.workflowId);
}
