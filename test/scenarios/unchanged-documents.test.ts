import test from 'ava';
import type { ApiClient } from '../support/api-client.js';
import {
  bookingBody,
  confirmedBooking,
  createBooking,
  freeHour,
  hoursLater,
  pay,
  untilStatus,
} from '../support/bookings.js';
import { openOffice, pageText } from '../support/dashboard.js';
import { NEXT_MONDAY, today } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { getPdf, readPdf } from '../support/pdf.js';
import { db } from '../support/stack.js';
import { runSubscriptionInvoices } from '../support/subscriptions.js';
import { until } from '../support/until.js';
import { readNotice, type WebSession } from '../support/web-session.js';
import { newRoom, type TestWorkspace } from '../support/workspaces.js';
import { memberSince } from './subscription-calls.js';
import { message } from '../support/message.js';

const SELLER = {
  name: 'Old House',
  legal_name: 'Old House Ltd',
  legal_address: '1 Old Quay',
  tax_number: 'GB OLD 1',
  tax_name: 'VAT',
  invoice_details: 'Registered as Old 7',
  payment_instructions: 'By transfer to Old Bank',
};
const BILLING = { company: 'Old Orchard', vat_number: 'GB OLD 2', order_reference: 'Old PO 77' };

const line = (description: string, unit_amount_minor: number) => ({
  description,
  quantity: 1,
  unit_amount_minor,
  tax_code: 'STANDARD',
});

/** Returns the response of a call, which must succeed. */
async function ok<T extends { status: number }>(call: Promise<T>): Promise<T> {
  const response = await call;
  if (response.status >= 300) throw new Error(JSON.stringify(response));
  return response;
}

/** A guest's booking with an extra, which is then lengthened by an hour and partly refunded. */
async function bookAsGuest(api: ApiClient, roomId: string, extraId: string) {
  const body = bookingBody(roomId, {
    ...freeHour(60),
    booked_by: { guest: { email: `old-guest-${roomId}@example.com`, name: 'Old Guest' } },
    extras: [{ extra_id: extraId, quantity: 2 }],
  });
  const booking = await createBooking(api, body);
  await db.query(`UPDATE bookings SET guest_billing = $2 WHERE id = $1`, [booking.id, BILLING]);
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  await ok(api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) }));
  return { booking, email: body.booked_by.guest.email };
}

const firstPayment = async (api: ApiClient, invoiceId: string) =>
  (await api.get(`/v1/payments?invoice_id=${invoiceId}&limit=100`)).body.data.find(
    ({ kind }) => kind === 'charge' || kind === 'manual',
  )!;

const refund = async (api: ApiClient, invoiceId: string, amount_minor: number) =>
  ok(api.post(`/v1/payments/${(await firstPayment(api, invoiceId)).id}/refund`, { amount_minor }));

/** An invoice to a payer that is paid and then partly credited. */
async function invoiceAndCredit(
  api: ApiClient,
  payer: { member_id: string } | { company_id: string },
  description = 'Desk',
) {
  const { body: invoice } = await ok(
    api.post('/v1/invoices', {
      ...payer,
      currency: 'GBP',
      due_at: `${NEXT_MONDAY}T00:00:00Z`,
      lines: [line(description, 10_000)],
    }),
  );
  await ok(api.post(`/v1/invoices/${invoice.id}/mark-paid`, { amount_minor: 12_000, method: 'cash' }));
  const credit = { lines: [line('A day less', -1_000)], reason: 'Ill' };
  await ok(api.post(`/v1/invoices/${invoice.id}/adjustments`, credit));
  return invoice.id;
}

/** A workspace's documents by number: each with its text and its bytes. */
async function readDocuments({ api }: TestWorkspace) {
  const { body } = await api.get('/v1/invoices?limit=100');
  const urls = new Map(
    body.data.flatMap(({ documents }) => documents.map(({ number, pdf_url }) => [number, pdf_url] as const)),
  );
  const documents: Record<string, { text: string; bytes: string }> = {};
  for (const [number, url] of urls) {
    const { response, bytes } = await getPdf(api, url);
    if (!response.ok) throw new Error(`${number}: ${response.status} ${Buffer.from(bytes).toString()}`);
    // Reading a PDF consumes its bytes.
    documents[number] = { bytes: Buffer.from(bytes).toString('base64'), text: (await readPdf(bytes)).text };
  }
  return documents;
}

/** The rows of `documents.csv`, by the number of the document. */
async function exported(session: WebSession, home: string): Promise<Record<string, string>> {
  const [, ...rows] = (await session.getText(`${home}/documents.csv`)).trim().split('\r\n');
  return Object.fromEntries(rows.map((row) => [row.split(',')[0]!, row]));
}

/** A workspace with every kind of document for a guest, a member and a company. */
async function openScene() {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  await db.query(`UPDATE members SET billing_anchor = NULL WHERE workspace_id = $1`, [workspace.id]);
  const plans = { pro: { name: 'Old plan' } };
  await ok(
    api.patch('/v1/workspace', { ...SELLER, plans, invoice_prefix: 'OLD', tier_prices: { pro: 9_000 } }),
  );
  const { body: company } = await ok(
    api.post('/v1/companies', {
      name: 'Old Acme',
      address: '2 Old Lane',
      vat_number: 'GB OLD 3',
      payment_terms: 14,
    }),
  );
  const ada = await memberSince(workspace, '2026-10-05');
  const bob = await memberSince(workspace, '2026-10-05', { company_id: company.id });
  await ok(api.patch(`/v1/members/${ada}`, { name: 'Old Ada' }));
  await ok(api.patch(`/v1/members/${bob}`, { name: 'Old Bob' }));
  const room = await newRoom(api, { name: 'Old room' });
  const price = { currency: 'GBP', amount_minor: 1_000 };
  const { body: extra } = await ok(api.post('/v1/extras', { name: 'Old lunch', price }));

  const guest = await bookAsGuest(api, room.id, extra.id);
  await refund(api, guest.booking.invoice_id!, 1_200);
  const { booking: ofAda } = await confirmedBooking(api, {
    room_id: room.id,
    body: { booked_by: { member_id: ada } },
  });
  await refund(api, ofAda.invoice_id!, 600);
  const onAccount = bookingBody(room.id, { booked_by: { member_id: bob }, settle: 'on_account' });
  await ok(api.post('/v1/bookings', onAccount));
  await invoiceAndCredit(api, { member_id: ada });
  const ofBob = await invoiceAndCredit(api, { company_id: company.id }, `Desk (${bob})`);
  const debit = { lines: [line('Cleaning', 500)], reason: 'Spilled' };
  await ok(api.post(`/v1/invoices/${guest.booking.invoice_id}/adjustments`, debit));
  await runSubscriptionInvoices(workspace, '2026-10-05');
  await until(async () => {
    const documents = (await api.get('/v1/invoices?limit=100')).body.data.flatMap((each) => each.documents);
    return documents.filter(({ kind }) => kind === 'credit_note').length === 4;
  });
  const day = await today();
  for (const page of [`${home}/members/${ada}`, `${home}/companies/${company.id}`]) {
    const issued = await session.submit(page, `${page}/statements`, { from: day, to: day });
    if (readNotice(issued) !== 'Statement issued.') throw new Error(pageText(await issued.text()));
  }
  return { workspace, session, home, company, ada, bob, room, extra, guest, ofAda, ofBob };
}

/** Renames everything that documents name. */
async function renameAll({
  workspace: { api },
  company,
  ada,
  bob,
  room,
  extra,
  guest,
}: Scene): Promise<void> {
  const renamed = Object.fromEntries(Object.keys(SELLER).map((field) => [field, `New ${field}`]));
  await ok(
    api.patch('/v1/workspace', {
      ...renamed,
      tax_name: 'GST',
      invoice_prefix: 'NEW',
      plans: { pro: { name: 'New plan' } },
    }),
  );
  await ok(
    api.patch(`/v1/companies/${company.id}`, { name: 'New Acme', address: 'New', vat_number: 'GB NEW' }),
  );
  await ok(api.patch(`/v1/members/${ada}`, { name: 'New Ada' }));
  await ok(api.patch(`/v1/members/${bob}`, { name: 'New Bob' }));
  await ok(api.patch(`/v1/rooms/${room.id}`, { name: 'New room' }));
  await ok(api.patch(`/v1/extras/${extra.id}`, { name: 'New lunch' }));
  const booked_by = { guest: { name: 'New Guest' } };
  await ok(api.patch(`/v1/bookings/${guest.booking.id}`, { booked_by }));
}

type Scene = Awaited<ReturnType<typeof openScene>>;

test('issued documents stay unchanged, whatever is renamed, and only an erasure removes people', async (t) => {
  const scene = await openScene();
  const { workspace, session, home, ada, bob, guest, ofAda, ofBob } = scene;
  const { api } = workspace;
  const documents = await readDocuments(workspace);
  const rows = await exported(session, home);
  const texts = Object.entries(documents).map(([number, { text }]) => `${number}: ${text}`);
  const naming = (name: string) => texts.filter((text) => text.includes(name)).length;
  t.is(texts.length, 15, texts.join('\n'));
  // Invoice, supplement, credit note and adjustment of the booking.
  t.is(naming('Old Orchard Old Guest VAT number GB OLD 2 Order reference Old PO 77'), 4);
  // Two invoices with their credit notes, the plan's invoice and line, and the statement.
  t.is(naming('Billed to Old Ada'), 5);
  t.is(naming('Old Ada'), 6);
  t.is(naming('(Old Bob)'), 2);
  t.is(naming('Old Acme'), 5);
  t.is(Object.values(rows).filter((row) => row.includes(',Old Ada,')).length, 5);
  t.is(Object.keys(rows).length, 13);

  await renameAll(scene);
  t.deepEqual(await readDocuments(workspace), documents);
  t.deepEqual(await exported(session, home), rows);

  // A later document for an invoice names its payer in the same way.
  await refund(api, guest.booking.invoice_id!, 100);
  await refund(api, ofAda.invoice_id!, 100);
  const less = { lines: [line(`Lamp (${bob})`, -100)], reason: 'Broken' };
  await ok(api.post(`/v1/invoices/${ofBob}/adjustments`, less));
  const later = await until(async () => {
    const found = await readDocuments(workspace);
    return 'OLD-1-C2' in found && 'OLD-2-C2' in found && found;
  });
  t.regex(later['OLD-1-C2']!.text, /Billed to Old Orchard Old Guest VAT/);
  t.regex(later['OLD-2-C2']!.text, /Billed to Old Ada Date/);
  t.regex(later['OLD-5-C2']!.text, /Lamp \(Old Bob\)/);
  const more = await exported(session, home);
  t.regex(more['OLD-1-C2']!, /,Old Guest,/);
  t.regex(more['OLD-2-C2']!, /,Old Ada,/);

  const { body } = await api.get(`/v1/invoices?member_id=${ada}&limit=100`);
  const plan = body.data.find(({ kind }) => kind === 'subscription')!;
  const pages = async () => {
    const paid = await fetch(plan.pay_url!);
    return [await session.getText(`${home}/invoices/${plan.id}`), await paid.text()].map(pageText);
  };
  for (const page of await pages()) t.regex(page, /Old plan membership, 5 Oct – 4 Nov 2026 \(Old Ada\)/);

  await ok(api.delete(`/v1/members/${ada}`));
  await ok(api.delete(`/v1/members/${bob}`));
  t.deepEqual((await api.post('/v1/guests/erase', { email: guest.email })).body, { bookings: 1 });
  const erased = JSON.stringify(Object.values(await readDocuments(workspace)).map(({ text }) => text));
  for (const text of [erased, JSON.stringify(await exported(session, home))])
    for (const name of ['Ada', 'Bob', 'Guest', 'Orchard', 'GB OLD 2', 'PO 77'])
      t.false(text.includes(name), name);
  t.true(erased.includes(message('documents.former_customer')));
  t.true(erased.includes('Old Acme 2 Old Lane'), 'a company is no person');
  for (const page of await pages()) t.regex(page, /Old plan membership, 5 Oct – 4 Nov 2026 (?!\()/);
  await sweep(t, workspace);
});
