import test from 'ava';
import { findConnection } from '../../db/queries/accounting/connection.js';
import { revokeConnection } from '../../commands/accounting/connections.js';
import { transaction } from '../../db/transaction.js';
import {
  accountingLedger,
  giveConsent,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { WebSession } from '../support/web-session.js';
import { newMember } from '../support/people.js';
import { accountingSimulator } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, findOwnerEmail } from '../support/workspaces.js';
import { manual } from './accounting-calls.js';

test('an expired access token is refreshed, and a revoked consent is shown and can be granted again', async (t) => {
  const workspace = await newAccountingWorkspace();
  await accountingSimulator('POST', '/_sim/tokens/expire', { tenant: workspace.tenant });
  const invoice = await openInvoice(workspace);
  t.like(await syncAccounting(workspace), { created: 1 });

  // A write in progress: with another test's sync, one that starts later might find the connection already
  // revoked.
  const fail = [{ method: 'POST', path: '/api.xro/2.0/Payments', status: 503, times: 100 }];
  await withAccountingFaults(workspace, { fail }, async () => {
    await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor: 12_000 });
    await until(async () =>
      (await accountingLedger(workspace)).requests!.some(({ status }) => status === 503),
    );
    await accountingSimulator('POST', `/_sim/organisations/${workspace.tenant}/disconnect`, {});
  });
  const settings = () => workspace.api.get('/v1/workspace');
  await until(async () => (await settings()).body.accounting.status === 'revoked');
  await until(async () => {
    const { body } = await workspace.api.get(`/v1/invoices/${invoice.id}`);
    return /Reconnect the accounting system/.test(body.accounting_error ?? '');
  });
  const failed = (await findConnection(db.manager, workspace.id))!;

  const consent = await giveConsent(workspace, workspace.tenant);
  const page = await consent.session.get(consent.callback);
  t.is(page.status, 200);
  t.regex(await page.text(), /Your accounting system is connected/);
  t.like((await settings()).body.accounting, { status: 'active', enabled: true });
  await transaction(db, (tx) => revokeConnection(tx, failed));
  t.is((await settings()).body.accounting.status, 'active', 'a late failure of the old tokens is ignored');
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
});

test('an organisation belongs to one workspace, a forged state is refused, and a disabled connection sends nothing', async (t) => {
  const [mine, other] = [await newAccountingWorkspace(), await newWorkspace()];
  const { session, callback } = await giveConsent(other, mine.tenant);
  t.is((await session.get(callback)).status, 409);
  t.is((await other.api.get('/v1/workspace')).body.accounting.status, 'unconfigured');
  t.is((await session.get(callback.replace(/state=[^&]+/, 'state=made-up'))).status, 404);

  t.is((await other.api.patch('/v1/workspace', { accounting: { enabled: true } })).status, 412);
  t.false(
    (await mine.api.patch('/v1/workspace', { accounting: { enabled: false } })).body.accounting.enabled,
  );
  await openInvoice(mine);
  t.like(await syncAccounting(mine), { examined: 0 });
  t.is((await accountingLedger(mine)).invoices!.length, 0);
});

test('a consent is bound to the session of the admin who opened it, in both directions', async (t) => {
  const mine = await newAccountingWorkspace();
  const workspace = await newWorkspace();
  const { body } = await workspace.api.post('/v1/workspace/accounting/connect');
  const { pathname } = new URL(body.url);
  t.is(new URL(body.url).origin, dev.baseUrl, 'a page of ours');
  const outsider = await WebSession.start(await findOwnerEmail(mine.id));
  await outsider.enrol();
  t.is((await outsider.get(pathname)).status, 404, 'an admin of another workspace');
  t.is((await fetch(body.url, { redirect: 'manual' })).status, 302, 'without a session: to the sign-in');

  const { session, callback, path } = await giveConsent(workspace, mine.tenant);
  for (const other of [outsider, await WebSession.start(await findOwnerEmail(workspace.id))]) {
    const page = await other.get(callback);
    t.is(page.status, 403);
    t.regex(await page.text(), /started in another browser/);
  }
  t.is((await fetch(dev.baseUrl + callback)).status, 403);
  const colleague = await newMember(workspace, { role: 'admin' });
  const theirs = await WebSession.start(colleague.email);
  await theirs.enrol();
  t.is((await theirs.get(path)).status, 410, 'another session of the workspace');
  t.is((await workspace.api.get('/v1/workspace')).body.accounting.status, 'unconfigured');
  t.is(
    (await session.get(callback)).status,
    409,
    'the right session completes it: the organisation is taken',
  );
});
