import test from 'ava';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  type AccountingWorkspace,
} from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { mailTo, processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { reconcile } from './reconciliation-calls.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

const ALWAYS = [{ hours_before: 0, percent: 100 }];

/** A room with this price an hour before tax, which refunds everything at any time. */
const createRoom = (api: ApiClient, amount_minor: number, tax_code: string) =>
  newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor }, tax_code, refund_steps: ALWAYS });

type Sums = Record<string, [net: number, tax: number]>;

const withoutZeros = (sums: Sums): Sums =>
  Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum.some((amount) => amount !== 0)));

/** Net and tax that an invoice's documents charge in total, by tax code. */
async function charged(invoiceId: string): Promise<Sums> {
  const rows: { tax_code: string; net: number; tax: number }[] = await db.query(
    `SELECT l ->> 'tax_code' AS tax_code,
       sum(CASE d.kind WHEN 'credit_note' THEN -1 ELSE 1 END * (l ->> 'net_minor')::bigint)::int AS net,
       sum(CASE d.kind WHEN 'credit_note' THEN -1 ELSE 1 END * (l ->> 'tax_minor')::bigint)::int AS tax
     FROM invoice_documents d, jsonb_array_elements(d.lines) l WHERE d.invoice_id = $1 GROUP BY 1`,
    [invoiceId],
  );
  return withoutZeros(Object.fromEntries(rows.map(({ tax_code, net, tax }) => [tax_code, [net, tax]])));
}

/** Net and tax of what is paid in the books, by tax type. Waits until all of it is paid there. */
async function inBooks(workspace: AccountingWorkspace, documents: number): Promise<Sums> {
  const { invoices, credit_notes } = await until(async () => {
    const ledger = await accountingLedger(workspace);
    const all = [...ledger.invoices, ...ledger.credit_notes];
    return all.length === documents && all.every(({ Status }) => Status === 'PAID') && ledger;
  });
  const sums: Sums = {};
  const add = (sign: 1 | -1, lines: { TaxType: string; LineAmount: number; TaxAmount: number }[]): void => {
    for (const { TaxType, LineAmount, TaxAmount } of lines) {
      const [net, tax] = sums[TaxType] ?? [0, 0];
      sums[TaxType] = [net + sign * Math.round(LineAmount * 100), tax + sign * Math.round(TaxAmount * 100)];
    }
  };
  for (const { LineItems } of invoices) add(1, LineItems as never);
  for (const { LineItems } of credit_notes) add(-1, LineItems as never);
  return withoutZeros(sums);
}

const move = async (api: ApiClient, id: string, body: Record<string, unknown>) => {
  const { status, body: answer } = await api.patch(`/v1/bookings/${id}`, body);
  if (status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
};

test('an extra that is removed is credited under its own tax code, also in the books', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await createRoom(api, 10_000, 'STANDARD');
  const { body: lunch } = await api.post('/v1/extras', {
    name: 'Lunch',
    price: { currency: 'GBP', amount_minor: 10_000 },
    tax_code: 'ZERO',
  });
  const extras = [{ extra_id: lunch.id, quantity: 1 }];
  const { booking } = await confirmedBooking(api, { room_id: room.id, body: { extras } });
  t.is(booking.price.amount_minor, 22_000);
  await move(api, booking.id, { extras: [] });
  const note = await until(async () => {
    const { body } = await api.get(`/v1/invoices/${booking.invoice_id}/documents`);
    return body.data.find(({ kind }) => kind === 'credit_note');
  });
  t.like(note, { net_minor: 10_000, tax_minor: 0 });
  t.deepEqual(await charged(booking.invoice_id!), { STANDARD: [10_000, 2_000] });
  t.deepEqual(await inBooks(workspace, 2), { OUTPUT2: [10_000, 2_000] });
  await sweep(t, workspace);
});

test('a move to a room with another tax and back leaves documents and books as before, and a cancellation leaves nothing', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const home = await createRoom(api, 10_000, 'STANDARD');
  // 105.00 with tax: cheaper. Then 200.00 without: more expensive.
  for (const [net, code] of [
    [10_000, 'REDUCED'],
    [20_000, 'ZERO'],
  ] as const) {
    const other = await createRoom(api, net, code);
    const { booking } = await confirmedBooking(api, { room_id: home.id });
    const invoiceId = booking.invoice_id!;
    await move(api, booking.id, { room_id: other.id });
    await until(async () => Object.keys(await charged(invoiceId)).join() === code);
    t.deepEqual(await charged(invoiceId), { [code]: [net, code === 'ZERO' ? 0 : 500] });
    await move(api, booking.id, { room_id: home.id });
    await until(async () => Object.keys(await charged(invoiceId)).join() === 'STANDARD');
    t.deepEqual(await charged(invoiceId), { STANDARD: [10_000, 2_000] });
    const { status } = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    t.is(status, 200);
    await until(async () => Object.keys(await charged(invoiceId)).length === 0);
  }
  await sweep(t, workspace);
  const [from, to] = [-864e5, 864e5].map((ms) => new Date(Date.now() + ms).toISOString());
  const { body: report } = await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
  t.is(report.totals.ledger, report.totals.accounting);
  const ledger = await accountingLedger(workspace);
  const documents = ledger.invoices.length + ledger.credit_notes.length;
  t.deepEqual(await inBooks(workspace, documents), {});
});

test('a change with an equal or nearly equal price and another tax has a credit note and a supplement', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const home = await createRoom(api, 12_000, 'ZERO');
  const exempt = await createRoom(api, 12_000, 'EXEMPT');
  // 120.00 with tax; and 20 pence more, which is too little to charge.
  const standard = await createRoom(api, 10_000, 'STANDARD');
  const nearly = await createRoom(api, 12_020, 'EXEMPT');
  const { booking } = await confirmedBooking(api, { room_id: home.id });
  const invoiceId = booking.invoice_id!;
  const steps = [
    [exempt, { EXEMPT: [12_000, 0] }],
    [standard, { STANDARD: [10_000, 2_000] }],
    [nearly, { EXEMPT: [12_000, 0] }],
  ] as const;
  for (const [room, sums] of steps) {
    const moved = await move(api, booking.id, { room_id: room.id });
    t.is(moved.price.amount_minor, 12_000);
    t.deepEqual(await charged(invoiceId), sums as never);
  }
  const { body: invoice } = await api.get(`/v1/invoices/${invoiceId}`);
  t.like(invoice, { total_minor: 12_000, paid_minor: 12_000, status: 'paid' });
  t.deepEqual(
    invoice.documents.map(({ kind, total_minor }) => `${kind} ${total_minor}`),
    ['invoice', ...['', '', ''].flatMap(() => ['credit_note', 'supplement'])].map((kind) => `${kind} 12000`),
  );
  t.deepEqual(await inBooks(workspace, 7), { EXEMPTOUTPUT: [12_000, 0] });
  const { charges, refunds } = await processorLedger(workspace);
  t.deepEqual([charges.length, refunds.length], [1, 0], 'no money moves');
  await sweep(t, workspace);
});

test('an extra added after a move is refunded by its own steps, and the old price by the step of the move', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, {
    price_per_hour: { currency: 'GBP', amount_minor: 10_000 },
    refund_steps: [{ hours_before: 1_000, percent: 100 }],
  });
  const { body: lunch } = await api.post('/v1/extras', {
    name: 'Lunch',
    price: { currency: 'GBP', amount_minor: 50_000 },
    tax_code: 'ZERO',
    refund_steps: ALWAYS,
  });
  const extras = [{ extra_id: lunch.id, quantity: 1 }];
  const lives = [
    (start_at: string) => [{ start_at }, { extras }],
    (start_at: string) => [{ start_at, extras }],
  ];
  for (const changes of lives) {
    const { booking } = await confirmedBooking(api, { room_id: room.id });
    for (const change of changes(hoursLater(booking.start_at, 30 * 24))) await move(api, booking.id, change);
    const { body } = await api.post(`/v1/bookings/${booking.id}/cancel`);
    t.is(body.refund?.amount_minor, 50_000);
    await until(async () => Object.keys(await charged(booking.invoice_id!)).join() === 'STANDARD');
    t.deepEqual(await charged(booking.invoice_id!), { STANDARD: [10_000, 2_000] });
  }
  await sweep(t, workspace);
});

test('a void invoice keeps its document, and a credit note cancels it', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const invoice = await openInvoice(workspace);
  t.is((await api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'Typo' })).status, 200);
  const { body } = await api.get(`/v1/invoices/${invoice.id}/documents`);
  t.like(body.data, [
    { kind: 'invoice', number: 'TH-1', total_minor: 12_000 },
    { kind: 'credit_note', number: 'TH-1-C1', total_minor: 12_000, tax_minor: 2_000, voided_at: null },
  ]);
  t.is(body.data[0]!.voided_at, body.data[1]!.issued_at);
  t.deepEqual(await charged(invoice.id), {});
  const { credit_notes } = await accountingLedger(workspace);
  t.deepEqual(credit_notes, [], 'the books void the invoice itself');
  await sweep(t, workspace);
});

test('a refund that fails after its credit note was issued is charged again by a supplement with the same lines', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await createRoom(api, 10_000, 'STANDARD');
  const { booking, email } = await confirmedBooking(api, { room_id: room.id, hours: 2 });
  await move(api, booking.id, { end_at: hoursLater(booking.end_at, -1) });
  const invoiceId = booking.invoice_id!;
  await until(async () => (await charged(invoiceId)).STANDARD?.[0] === 10_000);
  const { refunds } = await processorLedger(workspace);
  await simulator('POST', `/_sim/refunds/${refunds[0]!.id}/settle`, { status: 'failed' });
  await until(async () => (await charged(invoiceId)).STANDARD?.[0] === 20_000);
  const { body } = await api.get(`/v1/invoices/${invoiceId}/documents`);
  t.deepEqual(body.data.map(({ kind, number, total_minor }) => [kind, number, total_minor]).toSorted(), [
    ['credit_note', 'TH-1-C1', 12_000],
    ['invoice', 'TH-1', 24_000],
    ['supplement', 'TH-1-T1', 12_000],
  ]);
  t.deepEqual(await charged(invoiceId), { STANDARD: [20_000, 4_000] });
  t.deepEqual(await inBooks(workspace, 3), { OUTPUT2: [20_000, 4_000] });
  // The supplement's money moves when the refund fails, no matter how old the invoice is.
  await db.query(`UPDATE invoices SET created_at = created_at - interval '40 days' WHERE id = $1`, [
    invoiceId,
  ]);
  const paid = await until(async () => {
    const { totals } = await reconcile(workspace);
    return totals.accounting === totals.ledger && totals;
  });
  t.is(paid.ledger, 24_000);
  const files = await until(async () => {
    const all = (await mailTo(email)).flatMap(({ attachments }) =>
      attachments.map(({ filename }) => filename),
    );
    return all.includes('TH-1-T1.pdf') && all;
  });
  t.true(files.includes('TH-1-C1.pdf'));
  await sweep(t, workspace);
});

test('a credit whose refund fails is charged again, in the books as well', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await createRoom(api, 10_000, 'STANDARD');
  const { booking } = await confirmedBooking(api, { room_id: room.id });
  const invoiceId = booking.invoice_id!;
  const line = { description: 'Heating', quantity: 1, unit_amount_minor: -5_000, tax_code: 'STANDARD' };
  await withRefundMode(workspace, 'pending', async () => {
    const made = await api.post(`/v1/invoices/${invoiceId}/adjustments`, { lines: [line], reason: 'Cold' });
    t.is(made.status, 201);
    const refund = await until(async () => (await processorLedger(workspace)).refunds[0]);
    await simulator('POST', `/_sim/refunds/${refund.id}/settle`, { status: 'failed' });
  });
  await until(async () => (await api.get(`/v1/invoices/${invoiceId}/documents`)).body.data.length === 3);
  t.deepEqual(await charged(invoiceId), { STANDARD: [10_000, 2_000] });
  t.deepEqual(await inBooks(workspace, 3), { OUTPUT2: [10_000, 2_000] });
  await sweep(t, workspace);
});
