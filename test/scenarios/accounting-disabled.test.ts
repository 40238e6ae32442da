import test from 'ava';
import { workflowIds } from '../../contract/names.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { countPending, getNumber, manual } from './accounting-calls.js';

const setEnabled = ({ api }: AccountingWorkspace, enabled: boolean) =>
  api.patch('/v1/workspace', { accounting: { enabled } });

test('disabling the connection stops a sync after the invoices that it is sending', async (t) => {
  const workspace = await newAccountingWorkspace();
  for (let n = 0; n < 6; n++) await openInvoice(workspace);
  await withAccountingFaults(workspace, { latency_ms: 700 }, async () => {
    const syncing = syncAccounting(workspace);
    await until(async () =>
      (await accountingLedger(workspace)).requests.some(({ path }) => path.includes('/Contacts')),
    );
    await setEnabled(workspace, false);
    const { created, failed } = await syncing;
    t.true(created! <= 4, `${created} created`);
    t.is(failed, 0);
    t.is((await accountingLedger(workspace)).invoices.length, created!);
    t.like(await syncAccounting(workspace), { created: 0, postponed: 0 });
    await setEnabled(workspace, true);
    t.like(await syncAccounting(workspace), { created: 6 - created! });
  });
});

test('disabling the connection ends the retries of a write, which is made once it is enabled again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  const down = { method: 'PUT', path: '/api.xro/2.0/Invoices', status: 503, times: 1_000 };
  const run = temporal.workflow.getHandle(workflowIds.invoiceAccounting(invoice.id));
  await withAccountingFaults(workspace, { fail: [down] }, async () => {
    await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor: 12_000 });
    await until(async () =>
      (await run.describe().catch(() => null))?.raw.pendingActivities?.some(({ attempt }) => attempt! > 1),
    );
    await setEnabled(workspace, false);
  });
  t.is(await run.result(), 'disabled');
  t.deepEqual((await accountingLedger(workspace)).invoices, []);
  t.is(await countPending(workspace.id), 1);
  await setEnabled(workspace, true);
  await untilInAccounting(workspace, getNumber(invoice), ({ Status }) => Status === 'PAID');
  await until(async () => (await countPending(workspace.id)) === 0);
});
