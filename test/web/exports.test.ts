import test from 'ava';
import { createMember } from '../support/member-calls.js';
import { dayIn } from '../../domain/cycle.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  syncAccounting,
  untilInAccounting,
} from '../support/accounting.js';
import type { Booking } from '../support/api-bodies.js';
import { bookingBody, confirmedBooking, freeHour, pay, untilStatus } from '../support/bookings.js';
import { openAs, openOffice, pageText } from '../support/dashboard.js';
import { disputablePayment } from '../support/disputes.js';
import { sweep } from '../support/invariants.js';
import { openLink } from '../support/links.js';
import { readPdf } from '../support/pdf.js';
import { until } from '../support/until.js';
import type { WebSession } from '../support/web-session.js';
import { newRoom } from '../support/workspaces.js';
import { periodName } from '../../web/dashboard/exports/stream.js';

/** The rows of a CSV file without quoted cells, by column. */
async function fetchRows(session: WebSession, path: string): Promise<Record<string, string>[]> {
  const [head, ...lines] = (await session.getText(path)).trim().split('\r\n');
  const columns = head!.replace('\uFEFF', '').split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, i) => [columns[i]!, cell] as const)),
  );
}

const sumColumn = (rows: Record<string, string>[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0);

test('the tax of the documents of a few days is the sum of a column: credit notes are negative, also those of void invoices', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const line = { quantity: 1, tax_code: 'STANDARD' };
  const paid = await openInvoice(workspace, {
    lines: [{ ...line, description: 'Desk', unit_amount_minor: 5_000 }],
    reference: 'PO 77',
  });
  await api.post(`/v1/invoices/${paid.id}/mark-paid`, { amount_minor: 6_000, method: 'cash' });
  await api.post(`/v1/invoices/${paid.id}/adjustments`, {
    lines: [{ ...line, description: 'A day less', unit_amount_minor: -1_000 }],
    reason: 'Ill',
  });
  const typo = await openInvoice(workspace);
  t.is((await api.post(`/v1/invoices/${typo.id}/void`, { reason: 'Typo' })).status, 200);

  const documents = await fetchRows(session, `${home}/documents.csv`);
  const [voided, cancels, credit, invoice] = ['TH-2', 'TH-2-C1', 'TH-1-C1', 'TH-1'].map((number) =>
    documents.find((row) => row.Number === number),
  );
  t.is(documents.length, 4);
  t.like(invoice, { Kind: 'Invoice', Net: '50.00', Tax: '10.00', 'Tax at 20%': '10.00', Reference: 'PO 77' });
  t.like(credit, {
    Kind: 'Credit note',
    'Invoice number': 'TH-1',
    Net: '-10.00',
    Tax: '-2.00',
    Reason: 'Ill',
  });
  t.like(voided, { Kind: 'Invoice', Status: 'issued', Net: '100.00', Tax: '20.00', 'Tax at 20%': '20.00' });
  t.like(cancels, { Kind: 'Credit note', Net: '-100.00', Tax: '-20.00', Reason: 'Invoice voided' });
  t.deepEqual(
    ['Net', 'Tax', 'Total', 'Tax at 20%'].map((column) => sumColumn(documents, column)),
    [40, 8, 48, 8],
  );
  t.deepEqual(await fetchRows(session, `${home}/documents.csv?from=2020-01-01&to=2020-01-31`), []);

  const invoices = await fetchRows(session, `${home}/invoices.csv`);
  t.like(
    invoices.find(({ Number }) => Number === 'TH-1'),
    {
      Tax: '10.00',
      'Net after credits': '40.00',
      'Tax after credits': '8.00',
      'Total after credits': '48.00',
    },
  );
  t.like(
    invoices.find(({ Number }) => Number === 'TH-2'),
    {
      Status: 'void',
      Net: '0.00',
      Tax: '0.00',
      Total: '0.00',
      'Tax at 20%': '0.00',
      'Tax after credits': '0.00',
    },
  );
});

test('a number that the books got for a hold is listed as void with its reason, which staff see too', async (t) => {
  const workspace = await newAccountingWorkspace({ hold_seconds: 40 });
  const { api } = workspace;
  const { session, home } = await openAs(workspace, { role: 'billing_contact' });
  const room = await newRoom(api);
  const book = async () => (await api.post('/v1/bookings', bookingBody(room.id, freeHour()))).body;
  const [expiring, cancelled, paid] = [await book(), await book(), await book()];
  t.like(await syncAccounting(workspace), { created: 3 });
  const readInvoiceNumber = async ({ invoice_id }: Booking) =>
    (await api.get(`/v1/invoices/${invoice_id}`)).body.document_number!;
  const numbers = [
    await readInvoiceNumber(expiring),
    await readInvoiceNumber(cancelled),
    await readInvoiceNumber(paid),
  ];
  t.deepEqual(numbers.toSorted(), ['TH-1', 'TH-2', 'TH-3'], 'in the books before they are issued');
  t.deepEqual(await fetchRows(session, `${home}/documents.csv`), [], 'nothing has been issued');
  await pay(paid);
  await untilStatus(api, paid.id, 'confirmed');
  t.is((await api.post(`/v1/bookings/${cancelled.id}/cancel`)).status, 200);
  await untilStatus(api, expiring.id, 'expired');
  const { booking: next } = await confirmedBooking(api);
  t.is(await readInvoiceNumber(next), 'TH-4');
  await untilInAccounting(workspace, 'TH-4');

  const rows = await fetchRows(session, `${home}/documents.csv`);
  t.is(rows.length, 4, 'no number is missing');
  const findRow = (number: string) => rows.find((row) => row.Number === number)!;
  const amounts = { Net: '0.00', Tax: '0.00', Total: '0.00', 'Tax at 20%': '0.00' };
  const today = findRow(numbers[2]!)[Object.keys(rows[0]!).find((name) => name.startsWith('Issued'))!]!;
  for (const [number, booking, Reason] of [
    [numbers[0]!, expiring, 'The hold expired before it was paid'],
    [numbers[1]!, cancelled, 'Cancelled before payment'],
  ] as const) {
    t.like(findRow(number), {
      Kind: 'Invoice',
      Status: 'void',
      'Invoice number': number,
      ...amounts,
      Reason,
    });
    t.is(findRow(number)['Booking reference'], booking.reference);
    const page = pageText(await session.getText(`${home}/invoices/${booking.invoice_id}`));
    t.true(page.includes(`${number} is void: ${Reason.toLowerCase()}`), page);
    t.false(page.includes('View PDF'));
    t.is((await session.get(`${home}/invoices/${booking.invoice_id}/pdf`)).status, 404);
    const found = await session.follow(`${home}/search?q=${number}`);
    t.is(found.path, `${home}/invoices/${booking.invoice_id}`);
  }
  t.like(findRow(numbers[2]!), { Status: 'issued', Total: '30.00', Reason: '' });
  const day = today.split(' ')[0]!;
  t.is((await fetchRows(session, `${home}/documents.csv?from=${day}&to=${day}`)).length, 4);
  t.deepEqual(await fetchRows(session, `${home}/documents.csv?from=2020-01-01&to=2020-01-31`), []);
  const { invoices } = await accountingLedger(workspace);
  t.deepEqual(
    invoices.map(({ InvoiceNumber }) => InvoiceNumber).toSorted(),
    rows.map((row) => row.Number).toSorted(),
  );
  await sweep(t, workspace);
});

test('staff find an invoice without a number by its reference, and see when it gets one', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const { body: booking } = await api.post('/v1/bookings', bookingBody((await newRoom(api)).id));
  const page = `${home}/invoices/${booking.invoice_id}`;
  const find = async (q: string) => (await session.follow(`${home}/search?q=${encodeURIComponent(q)}`)).path;
  for (const q of ['Holdfast #1', '#1', '1']) t.is(await find(q), page, q);
  t.regex(
    pageText(await session.getText(page)),
    /Invoice Holdfast #1 .*Number Assigned when the invoice is issued/,
  );
  t.true((await session.getText(`${home}/invoices?all=yes`)).includes('>Holdfast #1</a>'));
  const other = await openInvoice(workspace);
  t.deepEqual([other.number, other.document_number], [2, 'TH-1']);
  for (const q of ['TH-1', '#1', '1']) t.is(await find(q), `${home}/invoices/${other.id}`, q);
  t.is(await find('Holdfast #1'), page);
  for (const q of ['2', 'Holdfast #2']) t.is(await find(q), `${home}/invoices/${other.id}`, q);
});

test('the file of payments has the numbers of the invoices, the references of the bookings, and what a bank has taken', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { booking, dispute, untilPayment } = await disputablePayment(workspace);
  await dispute({ status: 'needs_response' });
  await untilPayment({ disputed_minor: 3_000 });
  const [row] = await fetchRows(session, `${home}/payments.csv`);
  t.like(row, {
    'Invoice number': 'TH-1',
    Amount: '30.00',
    'Booking reference': booking.reference,
    'Withdrawn by the bank': '30.00',
  });
  const list = await session.getText(`${home}/payments`);
  t.regex(list, />TH-1<\/a>/);
  t.regex(list, /<button[^>]*form="filter"[^>]*formaction="[^"]*\/payments\.csv"/);
  const taken = await fetchRows(session, `${home}/documents.csv`);
  t.is(sumColumn(taken, 'Total'), 0, 'what a bank takes is a credit note');
  t.is(taken.find(({ Kind }) => Kind === 'Credit note')!.Reason, 'Withdrawn by the bank for a dispute');
});

test('a credit note without its own reason states why its refund was made, and the list has the tax of its days', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const [cancelled, refunded] = [await confirmedBooking(api), await confirmedBooking(api)];
  await api.post(`/v1/bookings/${cancelled.booking.id}/cancel`, { reason: 'Guest is ill' });
  const { body } = await api.get(`/v1/payments?booking_id=${refunded.booking.id}&kind=charge`);
  await api.post(`/v1/payments/${body.data[0]!.id}/refund`, { amount_minor: 1_200, reason: 'duplicate' });
  const notes = await until(async () => {
    const rows = await fetchRows(session, `${home}/documents.csv`);
    const found = rows.filter(({ Kind }) => Kind === 'Credit note');
    return found.length === 2 && found;
  });
  t.deepEqual(notes.map(({ Reason }) => Reason).toSorted(), [
    'Cancellation of the booking: “Guest is ill”',
    'paid twice',
  ]);
  const listed = pageText(await session.getText(`${home}/invoices`));
  t.regex(listed, /Refunded £30\.00 £0\.00 after credits/);
  t.regex(listed, /Paid £30\.00 £18\.00 after credits/);
  const { time_zone } = (await api.get('/v1/workspace')).body;
  const today = dayIn(time_zone, new Date());
  t.regex(
    pageText(await session.getText(`${home}/invoices?from=${today}&to=${today}`)),
    /Issued in this period: £18\.00: £15\.00 plus £3\.00 tax\./,
  );
  t.notRegex(pageText(await session.getText(`${home}/invoices`)), /Issued in this period/);
});

test('an export contains what the filter selects, even before it is searched', async (t) => {
  const { session, home } = await openOffice();
  const typed = {
    bookings: '?q=&status=&from=2026-11-01&to=2026-11-30',
    'audit-log': '?action=&actor=&from=2026-11-01&to=2026-11-30',
    preparations: '?day=2026-11-01&room_id=',
  };
  for (const [list, query] of Object.entries(typed)) {
    const page = await session.getText(`${home}/${list === 'preparations' ? 'day' : list}`);
    t.true(page.includes(`form="filter" formaction="${home}/${list}.csv"`), list);
    t.is((await session.get(`${home}/${list}.csv${query}`)).status, 200, list);
  }
});

test('the name of a file contains its days', async (t) => {
  const { session, home } = await openOffice();
  const { headers } = await session.get(`${home}/documents.csv?from=2026-11-01&to=2026-11-30`);
  t.is(headers.get('content-disposition'), 'attachment; filename="documents-2026-11.csv"');
  t.deepEqual(
    [
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2026-11-01', to: '2026-11-15' },
      { from: '2026-11-05', to: '2026-11-05' },
      { from: '2026-11-05', to: '' },
      { to: '2026-11-05' },
      {},
    ].map(periodName),
    ['-2026-02', '-2026-11-01-to-2026-11-15', '-2026-11-05', '-from-2026-11-05', '-until-2026-11-05', ''],
  );
});

test('a membership is invoiced with the name of its member, on the page, the PDF and the pay page', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const time_zone = new Date().getUTCHours() < 12 ? 'Asia/Tokyo' : 'Atlantic/Azores';
  await api.patch('/v1/workspace', { time_zone, tier_prices: { basic: 2_000 } });
  const { id } = await createMember(api, { name: 'Ada Lovelace', send_invite: false });
  await createMember(api, { tier: 'plus', send_invite: false });
  const due = pageText(await session.getText(`${home}/subscriptions`));
  t.regex(due, /Due today: 1\./, 'a plan without a price is not invoiced');
  await session.submit(`${home}/subscriptions`, `${home}/subscriptions/run`);
  const [invoice] = await until(async () => {
    const { data } = (await api.get('/v1/invoices?status=open')).body;
    return data.length > 0 && data;
  });
  const { data: runs } = (await api.get('/v1/audit-log?action=job.run')).body;
  t.like(runs, [
    { actor: { member_id: workspace.ownerId, key_id: null }, details: { job: 'subscription_invoices' } },
  ]);
  t.true(invoice!.lines[0]!.description.endsWith(`(${id})`), 'the API has the id');
  const page = pageText(await session.getText(`${home}/invoices/${invoice!.id}`));
  const days = /Basic membership, (\d+ \w+(?: \d{4})? – \d+ \w+ \d{4}) \(Ada Lovelace\)/.exec(page)?.[1];
  t.truthy(days, page);
  t.true(page.includes(`Period ${days}`), 'the period is written in the same way');
  const pdfInput = new Uint8Array(
    await (await session.get(`${home}/invoices/${invoice!.id}/pdf`)).arrayBuffer(),
  );
  const { text } = await readPdf(pdfInput);
  t.true(text.includes('(Ada Lovelace)') && !text.includes('mem_'), text);
  const payPage = await (await openLink(invoice!.pay_url!)).text();
  t.true(payPage.includes('(Ada Lovelace)') && !payPage.includes('mem_'));
});
