import test from 'ava';
import { WorkflowNotFoundError } from '@temporalio/client';
import { workflowIds, WORKFLOWS } from '../../contract/names.js';
import { starts } from '../../contract/starts.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { confirmedBooking } from '../support/bookings.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { countPending } from './accounting-calls.js';

const INVOICES = '/api.xro/2.0/Invoices';

const getRun = (invoiceId: string) => temporal.workflow.getHandle(workflowIds.invoiceAccounting(invoiceId));
const isPaid = ({ Status }: { Status: string }): boolean => Status === 'PAID';

test('a worker sends the invoice of a paid booking without a run', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  await untilInAccounting(workspace, 'TH-1', isPaid);
  await until(async () => (await countPending(workspace.id)) === 0);
  await t.throwsAsync(getRun(booking.invoice_id!).describe(), { instanceOf: WorkflowNotFoundError });
});

test('whatever the accounting system does not accept at first is left to a run', async (t) => {
  const workspace = await newAccountingWorkspace();
  const fail = [{ method: 'PUT', path: INVOICES, status: 503, times: 1 }];
  const { booking } = await withAccountingFaults(workspace, { fail }, async () => {
    const paid = await confirmedBooking(workspace.api);
    await untilInAccounting(workspace, 'TH-1', isPaid);
    return paid;
  });
  t.is(await getRun(booking.invoice_id!).result(), 'settled');
  const { invoices, payments } = await accountingLedger(workspace);
  t.is(invoices.length, 1);
  t.is(payments!.length, 1);
});

test('a run that begins during the first attempt waits for it', async (t) => {
  const workspace = await newAccountingWorkspace();
  await withAccountingFaults(workspace, { latency_ms: 600 }, async () => {
    const { booking } = await confirmedBooking(workspace.api);
    await until(async () =>
      (await accountingLedger(workspace)).requests!.some(({ path }) => path.includes('/Contacts')),
    );
    const start = starts('holdfast').invoiceAccounting(booking.invoice_id!, workspace.id);
    await temporal.workflow.start(WORKFLOWS.invoiceAccounting, start);
    const { body } = await workspace.api.get(`/v1/payments?booking_id=${booking.id}`);
    const refund = { amount_minor: 1_000, reason: 'requested_by_customer' };
    const refunded = await workspace.api.post(`/v1/payments/${body.data[0]!.id}/refund`, refund);
    t.is(refunded.status, 200, JSON.stringify(refunded.body));
    await untilInAccounting(workspace, 'TH-1-C1', isPaid);
  });
  await until(async () => (await countPending(workspace.id)) === 0);
  const { invoices, credit_notes, payments, requests } = await accountingLedger(workspace);
  t.deepEqual([invoices.length, credit_notes.length, payments!.length], [1, 1, 2]);
  const lookups = requests!.filter(({ method, path }) => method === 'GET' && path === INVOICES);
  t.deepEqual(lookups, [], 'a second writer would have looked for what the first may have made');
});
