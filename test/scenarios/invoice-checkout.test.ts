import test from 'ava';
import { insertInvoiceCheckout } from '../../commands/payments/checkouts.js';
import { openInvoice } from '../support/accounting.js';
import { sweep } from '../support/invariants.js';
import { ROLLED_KEY, withProxyFaults } from '../support/proxy-faults.js';
import { checkoutSessionId } from '../support/bookings.js';
import { processorLedger, simulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import type { Invoice } from '../support/api-bodies.js';

/** An open invoice of £100.00 without tax. */
const newInvoice = (workspace: TestWorkspace) =>
  openInvoice(workspace, {
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 10_000, tax_code: 'ZERO' }],
  });

/** A checkout as it is left when Temporal is unavailable: stored, and no run was ever started for it. */
const leftOpening = (workspace: TestWorkspace, invoice: Invoice): Promise<string | null> =>
  insertInvoiceCheckout(db.manager, {
    invoice_id: invoice.id,
    workspace_id: workspace.id,
    account_id: workspace.accountId!,
    currency: 'GBP',
    amount_minor: 10_000,
    description: 'Invoice',
    session_expires_at: new Date(Date.now() + 86_000_000),
  });

const isPayable = async (workspace: TestWorkspace): Promise<boolean> =>
  (await processorLedger(workspace)).sessions.some(({ status }) => status === 'open');

test('a checkout that was never dispatched does not block mark-paid', async (t) => {
  const workspace = await newWorkspace();
  const invoice = await newInvoice(workspace);
  t.truthy(await leftOpening(workspace, invoice));
  const paid = await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 10_000,
    method: 'cash',
  });
  t.like(paid, { status: 200, body: { invoice: { status: 'paid' } } }, JSON.stringify(paid.body));
  t.false(await isPayable(workspace));
  await sweep(t, workspace);
});

test('a checkout that was never dispatched does not block void', async (t) => {
  const workspace = await newWorkspace();
  const invoice = await newInvoice(workspace);
  await leftOpening(workspace, invoice);
  const voided = await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'mistake' });
  t.like(voided, { status: 200, body: { status: 'void' } }, JSON.stringify(voided.body));
  t.false(await isPayable(workspace));
  await sweep(t, workspace);
});

test('a checkout that was never dispatched is opened by the next request', async (t) => {
  const workspace = await newWorkspace();
  const invoice = await newInvoice(workspace);
  await leftOpening(workspace, invoice);
  const opened = await workspace.api.post(`/v1/invoices/${invoice.id}/checkout`);
  t.is(opened.status, 200, JSON.stringify(opened.body));
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(opened.body)}/pay`, {});
  await until(async () => (await workspace.api.get(`/v1/invoices/${invoice.id}`)).body.status === 'paid');
  await sweep(t, workspace);
});

test('an open checkout whose run was lost is closed before the invoice is paid otherwise', async (t) => {
  const workspace = await newWorkspace();
  const invoice = await newInvoice(workspace);
  await workspace.api.post(`/v1/invoices/${invoice.id}/checkout`);
  const [{ id }] = await db.query(`SELECT id FROM checkouts WHERE invoice_id = $1`, [invoice.id]);
  await temporal.workflow.getHandle(id).terminate('lost');
  t.true(await isPayable(workspace));
  const paid = await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 10_000,
    method: 'cash',
  });
  t.is(paid.status, 200, JSON.stringify(paid.body));
  t.false(await isPayable(workspace));
  await sweep(t, workspace);
});

test('while the platform key is refused, an open checkout is neither closed nor forgotten', async (t) => {
  const workspace = await newWorkspace();
  const invoice = await newInvoice(workspace);
  const { body: opened } = await workspace.api.post(`/v1/invoices/${invoice.id}/checkout`);
  await withProxyFaults(workspace, [ROLLED_KEY], async () => {
    const refused = await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'mistake' });
    t.is(refused.status, 503);
    await simulator('POST', `/_sim/checkout/${checkoutSessionId(opened)}/pay`, {});
  });
  await until(async () => (await workspace.api.get(`/v1/invoices/${invoice.id}`)).body.status === 'paid');
  await sweep(t, workspace);
});
