import test from 'ava';
import { requested } from '../../api/resources/bookings/run-update.js';
import { cancelUpdate, changeUpdate, withdrawUpdate } from '../../contract/bookings.js';
import { newId } from '../../db/ids.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { confirmedBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import { getNumber } from './accounting-calls.js';

/*
 * Postgres fails over to a replica that lacks the last seconds: runs continue, but the requests for them no
 * longer exist.
 */

test('a change, a cancellation or a withdrawal whose request is lost leaves the booking as it is, and its run continues', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const run = temporal.workflow.getHandle(booking.id);
  const changeId = newId('chg');
  for (const update of [changeUpdate, cancelUpdate, withdrawUpdate])
    await temporal.withDeadline(Date.now() + 20_000, () =>
      run.executeUpdate(update as typeof cancelUpdate, { args: [{ changeId }], updateId: update.name }),
    );
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  await t.throwsAsync(requested(db.manager, changeId), { message: /^The request was lost/ });
  t.is((await api.post(`/v1/bookings/${booking.id}/cancel`)).status, 200);
  await sweep(t, workspace);
});

test('a document planned for the books whose row is lost is planned again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const planned = () =>
    db.query(`SELECT source_id FROM accounting_documents WHERE workspace_id = $1`, [workspace.id]);
  const path = '/api.xro/2.0/Invoices*';
  const times = 100;
  let synced: Promise<unknown> | undefined;
  const fail = [
    { method: 'PUT', path, times, status: 503 },
    { method: 'POST', path, times, status: 503 },
  ];
  const invoice = await withAccountingFaults(workspace, { fail }, async () => {
    const opened = await openInvoice(workspace);
    synced = syncAccounting(workspace).catch(() => undefined);
    await until(async () => (await planned()).length > 0);
    await db.query(`DELETE FROM accounting_documents WHERE workspace_id = $1`, [workspace.id]);
    return opened;
  });
  await synced;
  await untilInAccounting(workspace, getNumber(invoice));
  const { invoices } = await accountingLedger(workspace);
  t.is(invoices.length, 1);
  t.is((await planned()).length, 1);
});

test('a refund or a recorded payment that is lost before the response is 503, not 500', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const key = (name: string) => ({ 'Idempotency-Key': `${name}-${workspace.id}` });
  const lose = (id: string) => db.query(`DELETE FROM payments WHERE id = $1`, [id]);
  const invoice = await openInvoice(workspace);
  const markPaid = () =>
    api.post(`/v1/invoices/${invoice.id}/mark-paid`, { method: 'cash', amount_minor: 12_000 }, key('paid'));
  const { payment } = (await markPaid()).body;
  const refund = () => api.post(`/v1/payments/${payment.id}/refund`, { amount_minor: 1_000 }, key('refund'));
  await lose((await refund()).body.refund.id);
  const lost = { status: 503, body: { error: { code: 'service_unavailable' } } };
  t.like(await refund(), lost);
  await lose(payment.id);
  t.like(await markPaid(), lost);
});
