import test from 'ava';
import { findAccount } from '../../db/queries/invoices/account.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
} from '../support/accounting.js';
import { bookingBody, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { accountingSimulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { countPending, getNumber, manual } from './accounting-calls.js';

test('a void is sent before the client gets its response, and deletes a draft or voids an approved invoice', async (t) => {
  const workspace = await newAccountingWorkspace();
  const [first, second, third] = [
    await openInvoice(workspace),
    await openInvoice(workspace),
    await openInvoice(workspace),
  ];
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  t.like(await syncAccounting(workspace), { created: 4 });
  const { InvoiceID } = await untilInAccounting(workspace, getNumber(second));
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Status: 'AUTHORISED' });
  for (const { id } of [first, second])
    t.is((await workspace.api.post(`/v1/invoices/${id}/void`, { reason: 'test' })).body.status, 'void');
  t.is((await workspace.api.post(`/v1/bookings/${booking.id}/cancel`)).body.status, 'cancelled');
  const { invoices } = await accountingLedger(workspace);
  const status = Object.fromEntries(invoices!.map((each) => [each.InvoiceNumber, each.Status]));
  t.deepEqual(status, {
    [getNumber(first)]: 'DELETED',
    [getNumber(second)]: 'VOIDED',
    [getNumber(third)]: 'SUBMITTED',
    'TH-4': 'DELETED',
  });
});

test('a booking that expires voids its synced invoice in the accounting system', async (t) => {
  const workspace = await newAccountingWorkspace({ hold_seconds: 10 });
  const room = await newRoom(workspace.api);
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  t.like(await syncAccounting(workspace), { created: 1 });
  await untilStatus(workspace.api, booking.id, 'expired');
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'DELETED');
  t.pass();
});

test('a void that races the sync that is creating the invoice ends void on both sides', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await withAccountingFaults(workspace, { latency_ms: 700 }, async () => {
    const sync = syncAccounting(workspace);
    await until(
      async () => (await accountingLedger(workspace)).requests!.length > 0 || hasDocuments(invoice.id),
    );
    const voided = await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'race' });
    t.is(voided.body.status, 'void');
    await sync;
  });
  await until(async () => (await countPending(workspace.id)) === 0);
  const { invoices } = await accountingLedger(workspace);
  t.true(invoices!.every(({ Status }) => Status === 'DELETED' || Status === 'VOIDED'));
});

test('an open invoice is voided once its payments are refunded in full, and its payer owes nothing', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const paid = await api.post(`/v1/invoices/${invoice.id}/mark-paid`, { ...manual, amount_minor: 6_000 });
  const refund = (amount_minor: number) =>
    api.post(`/v1/payments/${paid.body.payment.id}/refund`, { amount_minor, reason: 'duplicate' });
  const withdraw = () => api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'the wrong payer' });
  await refund(2_000);
  t.like(await withdraw(), { status: 409, body: { error: { code: 'invoice_not_voidable' } } });
  await refund(4_000);
  t.is((await withdraw()).body.status, 'void');
  await until(async () => (await countPending(workspace.id)) === 0);
  const { invoices, payments } = await accountingLedger(workspace);
  t.deepEqual([invoices.map(({ Status }) => Status), payments], [['DELETED'], []]);
  const payer = { company_id: invoice.company_id!, member_id: null };
  const later = { from: '2100-01-01', to: '2100-01-01' };
  t.like(await findAccount(db.manager, workspace.id, payer, later), {
    opening: [{ currency: 'GBP', amount_minor: 0 }],
    open: [],
  });
  await sweep(t, workspace);
});

test('a void that does not reach the accounting system is retried until it does', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  const path = '/api.xro/2.0/Invoices/*';
  await withAccountingFaults(
    workspace,
    { fail: [{ method: 'POST', path, status: 503, times: 3 }] },
    async () => {
      t.is(
        (await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'x' })).body.status,
        'void',
      );
      await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'DELETED');
    },
  );
});

test('a void made while the connection is disabled is sent once it is enabled again', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await syncAccounting(workspace);
  await workspace.api.patch('/v1/workspace', { accounting: { enabled: false } });
  await workspace.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'meanwhile' });
  t.is((await untilInAccounting(workspace, 'TH-1')).Status, 'SUBMITTED');
  await workspace.api.patch('/v1/workspace', { accounting: { enabled: true } });
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'DELETED');
});

async function hasDocuments(invoiceId: string): Promise<boolean> {
  return (await db.query(`SELECT FROM accounting_documents WHERE invoice_id = $1`, [invoiceId])).length > 0;
}
