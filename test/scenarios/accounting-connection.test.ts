import test from 'ava';
import { DAY_MS } from '../../domain/durations.js';
import {
  accountingLedger,
  ageUpdates,
  giveConsent,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { accountingSimulator, mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, uniqueEmail } from '../support/workspaces.js';
import {
  readInvoice,
  markPaid,
  organisation,
  readAccountingSettings,
} from './accounting-organisation-calls.js';

async function connectAgain(workspace: AccountingWorkspace, tenant = workspace.tenant): Promise<Response> {
  const { session, callback } = await giveConsent(workspace, tenant);
  return session.get(callback);
}

test('only a real disconnection disconnects, and mails the owner once', async (t) => {
  const owner_email = uniqueEmail();
  const workspace = await newAccountingWorkspace({ owner_email });
  const invoice = await openInvoice(workspace);
  const fail = [{ path: '/api.xro/2.0/*', status: 403, times: 1_000 }];
  await withAccountingFaults(workspace, { fail }, async () => {
    t.like(await syncAccounting(workspace), { failed: 1 });
    t.regex((await readInvoice(workspace, invoice)).accounting_error!, /lack a role/);
    t.is((await readAccountingSettings(workspace)).status, 'active');
  });
  const mails = async () =>
    (await mailTo(owner_email)).filter(({ subject }) => /is disconnected/.test(subject));
  t.like(await syncAccounting(workspace), { created: 1 });
  t.is((await readInvoice(workspace, invoice)).accounting_error, null);

  for (const [how, control] of [
    ['the connection is removed in the organisation', 'disconnect'],
    ['the refresh token has ended', 'forget_tokens'],
  ] as const) {
    const before = (await mails()).length;
    const next = await openInvoice(workspace);
    await organisation(workspace, control);
    await accountingSimulator('POST', '/_sim/tokens/expire', { tenant: workspace.tenant });
    await syncAccounting(workspace);
    t.is((await readAccountingSettings(workspace)).status, 'revoked', how);
    t.regex((await readInvoice(workspace, next)).accounting_error!, /Reconnect the accounting system/);
    const sent = await until(async () => (await mails()).length > before && (await mails()));
    t.is(sent.length, before + 1);
    t.regex(sent[0]!.text, /until you reconnect it.*\/accounting/s);
    t.is((await connectAgain(workspace)).status, 200);
    t.is((await readAccountingSettings(workspace)).status, 'active');
    t.like(await syncAccounting(workspace), { created: 1 });
  }
});

test('a workspace ends its connection, also in the accounting system, and can reconnect only the same organisation', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const [first, second] = [await openInvoice(workspace), await openInvoice(workspace)];
  await syncAccounting(workspace);
  t.is((await api.delete('/v1/workspace/accounting')).status, 204);
  t.is((await api.delete('/v1/workspace/accounting')).status, 204);
  t.deepEqual(await organisation(workspace, 'disconnect'), { disconnected: 0 }, 'it was deleted there');
  const { body: log } = await api.get('/v1/audit-log?action=workspace.updated&limit=1');
  t.is(log.data[0]!.actor.member_id, workspace.ownerId);
  t.is(log.data[0]!.details.after.accounting.status, 'unconfigured');
  t.like(await readAccountingSettings(workspace), { status: 'unconfigured' });
  t.is((await api.get('/v1/workspace/accounting')).status, 412);
  const requests = (await accountingLedger(workspace)).requests!.length;
  await markPaid(workspace, first);
  const late = await openInvoice(workspace);
  await markPaid(workspace, late);
  t.like(await syncAccounting(workspace), { examined: 0 });
  t.is((await accountingLedger(workspace)).requests!.length, requests);
  t.is((await readInvoice(workspace, first)).accounting_error, null, 'it was ended on purpose');
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  const { body: report } = await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  t.deepEqual(report.differences, [], 'nothing is compared with books that the workspace has left');

  const other = await accountingSimulator('POST', '/_sim/organisations', { name: 'Another' });
  t.is((await connectAgain(workspace, other.tenant_id)).status, 409);
  const left = await accountingSimulator('POST', `/_sim/organisations/${other.tenant_id}/disconnect`, {});
  t.deepEqual(left, { disconnected: 0 }, 'a connection that nobody uses is deleted');

  t.is((await connectAgain(workspace)).status, 200);
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.like(await syncAccounting(workspace), { examined: 1 });
  const numbers = (await accountingLedger(workspace)).invoices!.map(({ InvoiceNumber }) => InvoiceNumber);
  t.deepEqual(numbers.toSorted(), ['TH-1', 'TH-2'], 'what was paid without a connection is not sent');
  t.truthy(second);
});

test('the end of the day’s calls is remembered, shown on what waits, and over when the day ends', async (t) => {
  const workspace = await newAccountingWorkspace();
  const [paid, open] = [await openInvoice(workspace), await openInvoice(workspace)];
  await until(async () => (await workspace.api.get('/v1/workspace/accounting')).status === 200);
  const refusals = async () =>
    (await accountingLedger(workspace)).requests!.filter(({ status }) => status === 429).length;
  await withAccountingFaults(workspace, { day_limit: 0 }, async () => {
    await markPaid(workspace, paid);
    const used = /daily call limit .* has been reached\. Sync continues after \w{3} \d+ \w+, \d\d:\d\d UTC/;
    await until(async () => used.test((await readInvoice(workspace, paid)).accounting_error ?? ''));
    const before = await refusals();
    t.like(await syncAccounting(workspace), { created: 0, failed: 0, postponed: 2 });
    t.regex((await readInvoice(workspace, open)).accounting_error!, used);
    t.is(await refusals(), before, 'nothing is asked until the day is over');
    t.regex((await readAccountingSettings(workspace)).problems[0]!.message, used);
    t.is((await readAccountingSettings(workspace)).status, 'active');
  });
  await db.query(
    `UPDATE accounting_connections SET limited_until = now() - interval '1 second' WHERE workspace_id = $1`,
    [workspace.id],
  );
  await ageUpdates(workspace);
  t.like(await syncAccounting(workspace), { created: 1, caught_up: 1, postponed: 0 });
  for (const invoice of [paid, open]) t.is((await readInvoice(workspace, invoice)).accounting_error, null);
  t.deepEqual((await readAccountingSettings(workspace)).problems, []);
});

test('a workspace without a connection has no chart of accounts', async (t) => {
  const { api } = await newWorkspace();
  t.is((await api.get('/v1/workspace/accounting')).body.error.code, 'accounting_unconfigured');
  t.is((await api.delete('/v1/workspace/accounting')).body.error.code, 'accounting_unconfigured');
  const patched = await api.patch('/v1/workspace', { accounting: { sales_account: '200' } });
  t.is(patched.body.error.code, 'accounting_unconfigured');
});
