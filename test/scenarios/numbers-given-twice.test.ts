import test from 'ava';
import { enqueueAccountingUpdate } from '../../commands/accounting/pending-updates.js';
import { recoverFrom } from '../../commands/workspaces/recovery.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
  withAccountingFaults,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { internal } from '../support/api-client.js';
import { bookingBody, pay as payCheckout, untilStatus } from '../support/bookings.js';
import { openAs, pageText } from '../support/dashboard.js';
import { accountingSimulator, mailTo, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, findOwnerEmail, untilRecovered } from '../support/workspaces.js';
import { countPending, manual } from './accounting-calls.js';

/*
 * A failover loses invoices that the accounting system has, and their numbers are used again.
 */

const isPaid = ({ Status }: { Status: string }): boolean => Status === 'PAID';

const pay = ({ api }: AccountingWorkspace, id: string) =>
  api.post(`/v1/invoices/${id}/mark-paid`, { ...manual, amount_minor: 12_000 });

const shown = async ({ api }: AccountingWorkspace, id: string) => (await api.get(`/v1/invoices/${id}`)).body;

/** Invoices that the accounting system has, paid, as TH-1 and so on, and the database does not. */
async function loseInvoices(workspace: AccountingWorkspace, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const { id } = await openInvoice(workspace);
    await pay(workspace, id);
    await untilInAccounting(workspace, `TH-${number}`, isPaid);
  }
  await until(async () => (await countPending(workspace.id)) === 0);
  for (const table of [
    'accounting_documents',
    'invoice_documents',
    'mails',
    'collections',
    'payments',
    'invoice_lines',
  ])
    await db.query(
      `DELETE FROM ${table} WHERE invoice_id IN (SELECT id FROM invoices WHERE workspace_id = $1)`,
      [workspace.id],
    );
  await db.query(`DELETE FROM invoices WHERE workspace_id = $1`, [workspace.id]);
  await db.query(
    `UPDATE invoice_counters SET last_number = 0, last_document_number = 0 WHERE workspace_id = $1`,
    [workspace.id],
  );
}

/** The reference, status and total of each invoice in the accounting system, by its number. */
async function inBooks(workspace: AccountingWorkspace): Promise<Record<string, unknown[]>> {
  const { invoices } = await accountingLedger(workspace);
  return Object.fromEntries(
    invoices!.map(({ InvoiceNumber, Reference, Status, Total }) => [
      InvoiceNumber,
      [Reference, Status, Total],
    ]),
  );
}

test('an invoice whose number a lost one has in the books is sent under another number, and the owner is told', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  await loseInvoices(workspace, 2);
  const second = await openInvoice(workspace);
  t.is(second.number, 1, 'the number is given out again');
  await pay(workspace, second.id);
  await untilInAccounting(workspace, 'TH-1-2', isPaid);
  const sent = ['PAID', 120];
  t.deepEqual(await inBooks(workspace), {
    'TH-1': ['Holdfast #1', ...sent],
    'TH-2': ['Holdfast #2', ...sent],
    'TH-1-2': ['Holdfast #1', ...sent],
  });
  await until(async () => (await countPending(workspace.id)) === 0);
  const { documents, accounting_error } = await shown(workspace, second.id);
  t.deepEqual([documents[0]!.number, accounting_error], ['TH-1', null], 'what its payer has stays');
  await untilRecovered({ api });
  t.is((await openInvoice(workspace)).number, 3, 'numbers continue above those of the books');

  const mail = await until(async () =>
    (await mailTo(await findOwnerEmail(workspace.id))).find(({ subject }) => subject.includes('number TH-1')),
  );
  t.regex(mail.text, /in the accounting system as TH-1-2/);
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  const page = pageText(await session.getText(`${home}/invoices/${second.id}`));
  t.regex(page, /Up to date in Xero \([^)]*\), as TH-1-2/);
  for (const q of ['TH-1-2', 'th 1 2']) {
    const found = await session.follow(`${home}/search?q=${encodeURIComponent(q)}`);
    t.is(found.path, `${home}/invoices/${second.id}`, q);
  }
  const [read] = await db.query(
    `SELECT lost_until IS NOT NULL AS lost FROM account_reads WHERE workspace_id = $1`,
    [workspace.id],
  );
  t.true(read.lost, 'the processor is asked too');

  const made = await api.post(`/v1/invoices/${second.id}/adjustments`, {
    lines: [{ description: 'Broken desk', quantity: 1, unit_amount_minor: -1_000, tax_code: 'STANDARD' }],
    reason: 'Not as promised',
  });
  t.is(made.status, 201);
  t.is((await untilInAccounting(workspace, 'TH-1-2-C1')).Total, 12);
  t.is((await session.follow(`${home}/search?q=TH-1-2-C1`)).path, `${home}/invoices/${second.id}`);
  const numbers = (await shown(workspace, second.id)).documents.map(({ number }) => number);
  t.deepEqual(numbers, ['TH-1', 'TH-1-C1']);
});

/** Makes an attempt to send an invoice, with an unknown outcome. Its payer has since had another address. */
async function attempt(workspace: AccountingWorkspace, id: string): Promise<void> {
  await db.query(
    `INSERT INTO accounting_contacts (workspace_id, payer, contact_id, digest)
     SELECT workspace_id, company_id, gen_random_uuid(), 'before' FROM invoices
     WHERE id = $1 AND workspace_id = $2`,
    [id, workspace.id],
  );
  await db.query(
    `INSERT INTO accounting_documents (source_id, workspace_id, invoice_id, kind, number, attempts)
     SELECT id, workspace_id, id, 'invoice', document_number, 1 FROM invoices
     WHERE id = $1 AND workspace_id = $2`,
    [id, workspace.id],
  );
}

test('after an attempt with an unknown outcome, a payment identifies the owner of the document', async (t) => {
  const workspace = await newAccountingWorkspace();
  await loseInvoices(workspace, 2);
  const [paid, void_] = [await openInvoice(workspace), await openInvoice(workspace)];
  for (const { id } of [paid, void_]) await attempt(workspace, id);
  t.is((await workspace.api.post(`/v1/invoices/${void_.id}/void`)).status, 200);
  await pay(workspace, paid.id);
  await untilInAccounting(workspace, 'TH-1-2', isPaid);
  await until(async () => (await countPending(workspace.id)) === 0);
  t.is((await shown(workspace, void_.id)).accounting_error, null);
  t.deepEqual(Object.keys(await inBooks(workspace)).sort(), ['TH-1', 'TH-1-2', 'TH-2']);
});

/** Marks what happened on a workspace's accounts as missing. */
const lose = (workspace_id: string) =>
  recoverFrom(db.manager, { workspace_id }, { at: new Date(), since: new Date(), known_to: 'accounting' });

/** Ends the wait for the next day's calls. */
const allowCalls = ({ id }: AccountingWorkspace) =>
  db.query(`UPDATE accounting_connections SET limited_until = NULL WHERE workspace_id = $1`, [id]);

/**
 * Adds paid invoices to the books, as if the organisation or another release had written them. Returns their
 * ids there.
 */
async function addToBooks(
  workspace: AccountingWorkspace,
  documents: { number: string; reference: string }[],
): Promise<string[]> {
  const { ids } = await accountingSimulator<{ ids: string[] }>(
    'POST',
    `/_sim/organisations/${workspace.tenant}/history`,
    { documents: documents.map((document) => ({ kind: 'invoice', net: 50, ...document })) },
  );
  return ids;
}

test('a refused first attempt reports that the document is a different one, whoever has paid it', async (t) => {
  const workspace = await newAccountingWorkspace();
  await addToBooks(workspace, [
    { number: 'TH-1', reference: 'Holdfast #1 — Order 7' },
    { number: 'TH-1-2', reference: 'Holdfast #1' },
  ]);
  const { id } = await openInvoice(workspace);
  // Nothing is sent while the day's calls are used up.
  await withAccountingFaults(workspace, { day_limit: 0 }, async () => {
    t.like(await syncAccounting(workspace), { created: 0 });
  });
  await allowCalls(workspace);
  t.like(await syncAccounting(workspace), { created: 1, failed: 0 });
  t.is((await untilInAccounting(workspace, 'TH-1-3')).Status, 'SUBMITTED');
  // A void has a document with a number, which waits until the numbers in the books are known.
  const voided = await until(async () => {
    const response = await workspace.api.post(`/v1/invoices/${id}/void`);
    return response.status !== 503 && response;
  });
  t.is(voided.status, 200);
  t.is((await untilInAccounting(workspace, 'TH-1-3')).Status, 'DELETED');
});

test('when an account is read because its facts were lost, numbers continue above those of the books', async (t) => {
  const workspace = await newAccountingWorkspace();
  await addToBooks(workspace, [{ number: 'TH-7', reference: 'Holdfast #7' }]);
  await lose(workspace.id);
  const { body } = await internal('run_job', { job: 'read_accounts', workspace_id: workspace.id });
  t.like(body, { accounts: 1, failed: 0 });
  t.is((await openInvoice(workspace)).number, 8);
});

test('a document with a payment of the invoice is the invoice’s own, although its row is lost and somebody edited it', async (t) => {
  const workspace = await newAccountingWorkspace();
  const invoice = await openInvoice(workspace);
  await pay(workspace, invoice.id);
  const { InvoiceID } = await untilInAccounting(workspace, 'TH-1', isPaid);
  await until(async () => (await countPending(workspace.id)) === 0);
  await db.query(`DELETE FROM accounting_documents WHERE invoice_id = $1`, [invoice.id]);
  await accountingSimulator('POST', `/_sim/invoices/${InvoiceID}`, { Reference: 'Holdfast #1, by card' });
  await enqueueAccountingUpdate(db.manager, invoice.id);
  const error = await until(async () => (await shown(workspace, invoice.id)).accounting_error);
  t.regex(error, /^The number TH-1 belongs to another document/);
  t.deepEqual(Object.keys(await inBooks(workspace)), ['TH-1']);
});

test('unreported money waits until the numbers in the books are known', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api, id: workspace_id } = workspace;
  await addToBooks(workspace, [{ number: 'TH-7', reference: 'Holdfast #7' }]);
  const { body: booking } = await api.post('/v1/bookings', bookingBody((await newRoom(api)).id));
  const read = async () => (await internal('run_job', { job: 'read_accounts', workspace_id })).body;
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    await payCheckout(booking);
    await withAccountingFaults(workspace, { day_limit: 0 }, async () => {
      await lose(workspace_id);
      t.like(await read(), { failed: 1 });
      t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
    });
  });
  await allowCalls(workspace);
  t.like(await read(), { accounts: 1, failed: 0 });
  await untilStatus(api, booking.id, 'confirmed');
  t.true((await openInvoice(workspace)).number! > 7, 'their numbers are asked for again');
});

test('a number of somebody else’s document, or of one that may be ours, is refused until it is renamed there', async (t) => {
  const workspace = await newAccountingWorkspace();
  const ids = await addToBooks(workspace, [
    { number: 'TH-1', reference: 'Order 7' },
    { number: 'TH-2', reference: 'Holdfast #2' },
  ]);
  const [first, second] = [await openInvoice(workspace), await openInvoice(workspace)];
  await attempt(workspace, second.id);
  t.like(await syncAccounting(workspace), { created: 0, failed: 2 });
  for (const [invoice, error] of [
    [first, /^The number TH-1 belongs to another document in the accounting system \(Order 7\)\.$/],
    [second, /^The number TH-2 belongs to another document in the accounting system \(Holdfast #2\)\.$/],
  ] as const)
    t.regex((await shown(workspace, invoice.id)).accounting_error!, error);
  for (const [index, id] of ids.entries())
    await accountingSimulator('POST', `/_sim/invoices/${id}`, { InvoiceNumber: `OLD-${index}` });
  t.like(await syncAccounting(workspace), { created: 2, failed: 0 });
  for (const number of ['TH-1', 'TH-2'])
    t.is((await untilInAccounting(workspace, number)).Status, 'SUBMITTED');
});
