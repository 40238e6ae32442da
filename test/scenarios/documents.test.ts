import test from 'ava';
import { listRefunds } from '../../db/queries/payments/refund.js';
import { newMember } from '../support/people.js';
import { newAccountingWorkspace, openInvoice, untilInAccounting } from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import {
  confirmedBooking,
  hoursLater,
  pendingBooking,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { openLink } from '../support/links.js';
import { sweep } from '../support/invariants.js';
import { mailTo, processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { getPdf, readPdf } from '../support/pdf.js';
import { dayOnDocuments, NEXT_MONDAY } from '../support/days.js';
import { message } from '../support/message.js';

const listDocuments = async (api: ApiClient, id: string) =>
  (await api.get(`/v1/invoices/${id}/documents`)).body.data;

test('issued documents do not change: a change and a refund are separate documents, with the numbers of the books', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api);
  const invoiceId = booking.invoice_id!;
  const [first] = await listDocuments(api, invoiceId);
  t.like(first, { kind: 'invoice', number: 'TH-1', total_minor: 3_000, tax_minor: 500, voided_at: null });
  const before = await readPdf((await getPdf(api, first!.pdf_url)).bytes);
  t.regex(
    before.text,
    /Invoice TH-1.*Date of supply.*Booking [B-Z2-9]{7}.*VAT 20% on £25\.00 £5\.00.*Total £30\.00.*Paid on .* by card/,
  );

  const longer = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) });
  t.is(longer.status, 200);
  const { body: payments } = await api.get(`/v1/payments?booking_id=${booking.id}`);
  const charge = payments.data.find(({ kind }) => kind === 'charge')!;
  t.is((await api.post(`/v1/payments/${charge.id}/refund`, { amount_minor: 1_200 })).status, 200);
  const all = await until(async () => {
    const documents = await listDocuments(api, invoiceId);
    return documents.length === 3 && documents;
  });
  t.deepEqual(
    all.map(({ number, kind, total_minor }) => [number, kind, total_minor]),
    [
      ['TH-1', 'invoice', 3_000],
      ['TH-1-T1', 'supplement', 3_000],
      ['TH-1-C1', 'credit_note', 1_200],
    ],
  );
  t.deepEqual(await readPdf((await getPdf(api, first!.pdf_url)).bytes), before);
  t.deepEqual(await readPdf((await getPdf(api, `/v1/invoices/${invoiceId}.pdf`)).bytes), before);
  const note = await readPdf((await getPdf(api, all[2]!.pdf_url)).bytes);
  t.regex(note.text, /Credit note TH-1-C1.*VAT 20% on £10\.00 £2\.00.*Credited £12\.00/);
  for (const { number, total_minor } of all) {
    const booked = await untilInAccounting(workspace, number, ({ Status }) => Status === 'PAID');
    t.is(booked.Total * 100, total_minor, number);
  }
  const attached = await until(async () => {
    const files = (await mailTo(email)).flatMap(({ attachments }) =>
      attachments.map(({ filename }) => filename),
    );
    const pdfs = files.filter((name) => name.endsWith('.pdf'));
    return pdfs.length === 3 && pdfs;
  });
  t.deepEqual(attached.toSorted(), ['TH-1-C1.pdf', 'TH-1-T1.pdf', 'TH-1.pdf']);
});

test('a confirmation that is sent again after a refund has the invoice and the credit note', async (t) => {
  const { api } = await newWorkspace();
  const { booking, email } = await confirmedBooking(api);
  const [charge] = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data;
  t.is((await api.post(`/v1/payments/${charge!.id}/refund`)).status, 200);
  await until(async () => (await listDocuments(api, booking.invoice_id!)).length === 2);
  t.is((await api.post(`/v1/bookings/${booking.id}/send`)).status, 200);
  const [, again] = await until(async () => {
    const found = (await mailTo(email)).filter(({ subject }) => subject.endsWith('is confirmed'));
    return found.length === 2 && found.toSorted((a, b) => a.attachments.length - b.attachments.length);
  });
  const files = again!.attachments.map(({ filename }) => filename);
  t.deepEqual(
    files.filter((name) => name.endsWith('.pdf')),
    ['TH-1.pdf', 'TH-1-C1.pdf'],
  );
  t.notRegex(again!.text, /has been paid/);
});

test('the database refuses to change a document', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await openInvoice({ api });
  const change = (sql: string) => db.query(`UPDATE invoice_documents SET ${sql} WHERE source_id = $1`, [id]);
  await t.throwsAsync(change('total_minor = total_minor + 1, net_minor = net_minor + 1'), {
    message: /was issued/,
  });
  await t.throwsAsync(change(`number = 'TH-2'`), { message: /was issued/ });
  t.like(await listDocuments(api, id), { 0: { number: 'TH-1' } });
});

test('the database lets an erasure remove the people named in a document, and lets nobody name other people', async (t) => {
  const workspace = await newWorkspace();
  const [ada, bob] = [
    await newMember(workspace, { name: 'Ada' }),
    await newMember(workspace, { name: 'Bob' }),
  ];
  const line = { quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' };
  const { id } = await openInvoice(workspace, {
    company_id: undefined,
    member_id: ada.id,
    lines: [ada, bob].map((member) => ({ ...line, description: `Plan (${member.id})` })),
  });
  const change = (sql: string, ...params: unknown[]) =>
    db.query(`UPDATE invoice_documents SET ${sql} WHERE source_id = $1 RETURNING payer, member_names`, [
      id,
      ...params,
    ]);
  for (const names of [{ [ada.id]: 'Eve' }, { [ada.id]: 'Ada', [bob.id]: 'Bob', mem_1: 'Eve' }])
    await t.throwsAsync(change('member_names = $2', names), { message: /was issued/ });
  for (const payer of [
    { name: 'Eve', billing: null },
    { name: 'Ada', billing: { company: 'Acme' } },
  ])
    await t.throwsAsync(change('payer = $2', payer), { message: /was issued/ });
  const [[left]] = await change('payer = NULL, member_names = member_names - $2::text', ada.id);
  t.deepEqual(left, { payer: null, member_names: { [bob.id]: 'Bob' } });
  await t.throwsAsync(change('payer = $2', { name: 'Ada', billing: null }), { message: /was issued/ });
  await t.throwsAsync(change('member_names = $2', { [ada.id]: 'Ada', [bob.id]: 'Bob' }), {
    message: /was issued/,
  });
});

test('an adjusting invoice for a guest’s invoice is billed to the guest and mailed to them', async (t) => {
  const { api } = await newWorkspace();
  const { booking, email } = await confirmedBooking(api);
  const adjust = (id: string) =>
    api.post(`/v1/invoices/${id}/adjustments`, {
      lines: [{ description: 'Cleaning', quantity: 1, unit_amount_minor: 500, tax_code: 'ZERO' }],
      reason: 'Spilled',
    });
  const { invoice_id } = (await adjust(booking.invoice_id!)).body.adjustment;
  await api.post(`/v1/invoices/${invoice_id}/mark-paid`, { amount_minor: 500, method: 'cash' });
  const { invoice_id: last } = (await adjust(invoice_id!)).body.adjustment;
  for (const id of [invoice_id!, last!]) {
    const [document] = await listDocuments(api, id);
    t.regex((await readPdf((await getPdf(api, document!.pdf_url)).bytes)).text, /Billed to Grace Guest/);
    await until(async () =>
      (await mailTo(email)).some(({ attachments }) =>
        attachments.some(({ filename }) => filename === `${document!.number}.pdf`),
      ),
    );
  }
});

test('a hold has neither document nor number nor PDF, and an expired hold leaves no gap in the numbers', async (t) => {
  const { workspace, booking } = await pendingBooking(10);
  const { api } = workspace;
  const id = booking.invoice_id!;
  const hasNone = async () => {
    t.deepEqual(await listDocuments(api, id), []);
    const { body } = await api.get(`/v1/invoices/${id}`);
    t.like(body, { number: 1, document_number: null, accounting_reference: 'Holdfast #1' });
    t.like(await api.get(`/v1/invoices/${id}.pdf`), {
      status: 404,
      body: { error: { code: 'invoice_not_found' } },
    });
    const page = await (await openLink(body.pay_url!)).text();
    t.notRegex(page, /Holdfast #|PDF|\/pdf/);
    return page;
  };
  await hasNone();
  t.like(await api.post(`/v1/invoices/${id}/send`), { status: 409 });
  await untilStatus(api, booking.id, 'expired');
  t.true((await hasNone()).includes(message('payer.expired_why')));
  t.like(await api.post(`/v1/invoices/${id}/send`), { status: 409 });
  const { booking: paid } = await confirmedBooking(api);
  const { body: invoice } = await api.get(`/v1/invoices/${paid.invoice_id}`);
  t.like(invoice, { number: 2, document_number: 'TH-1', accounting_reference: 'Holdfast #2' });
  t.like(invoice.documents, { 0: { number: 'TH-1' } });
  const numberIn = async (type: 'invoice.created' | 'invoice.paid') => {
    const { data } = (await api.get(`/v1/events?type=${type}`)).body;
    const objects = data.map(
      (event) => event.data.object as unknown as { id: string; document_number: string },
    );
    return objects.find((object) => object.id === paid.invoice_id)!.document_number;
  };
  t.deepEqual([await numberIn('invoice.created'), await numberIn('invoice.paid')], [null, 'TH-1']);
  await sweep(t, workspace);
});

test('an invoice that is due says how to pay it, and a new prefix and new parties apply to later invoices', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  t.deepEqual(
    (await api.get('/v1/workspace')).body.invoice_problems.map(({ param }) => param),
    ['legal_address', 'tax_number'],
  );
  const { body: told } = await api.patch('/v1/workspace', { invoice_details: 'Call us.' });
  t.deepEqual(
    told.invoice_problems.map(({ param }) => param),
    ['legal_address', 'tax_number'],
    'further text is no address and no tax number',
  );
  const seller = {
    legal_name: 'Harbour Ltd',
    legal_address: '1 Quay, Bristol',
    tax_number: 'GB 1',
    payment_instructions: 'IBAN GB00',
  };
  const { body: settings } = await api.patch('/v1/workspace', {
    ...seller,
    tax_name: 'TVA',
    invoice_prefix: 'HH',
  });
  t.deepEqual(settings.invoice_problems, []);
  const invoice = await openInvoice(workspace);
  await api.patch('/v1/workspace', {
    invoice_prefix: 'Q7',
    legal_address: '2 Quay',
    payment_instructions: null,
  });
  const [document] = await listDocuments(api, invoice.id);
  t.is(document!.number, 'HH-1');
  const { text } = await readPdf((await getPdf(api, document!.pdf_url)).bytes);
  t.regex(
    text,
    new RegExp(
      `Harbour Ltd 1 Quay, Bristol TVA number GB 1.*Due ${dayOnDocuments(NEXT_MONDAY)}.*TVA 20% on ` +
        '£100\\.00.*Amount due £120\\.00.*How to pay IBAN GB00',
    ),
  );
  const next = await openInvoice(workspace);
  t.is((await listDocuments(api, next.id))[0]!.number, 'Q7-2');
  await api.post(`/v1/invoices/${next.id}/void`, {});
  t.truthy((await listDocuments(api, next.id))[0]!.voided_at);
  t.is((await api.patch('/v1/workspace', { invoice_prefix: 'a-b' })).status, 422);
});

test('an invoice that cannot be paid online has to say how it can be paid', async (t) => {
  const { api } = await newWorkspace({ processor_account_id: null });
  const { body: before } = await api.patch('/v1/workspace', {
    legal_address: '1 Quay, Bristol',
    tax_number: 'GB 1',
    invoice_details: 'IBAN on request.',
  });
  t.deepEqual(
    before.invoice_problems.map(({ param }) => param),
    ['payment_instructions'],
  );
  const { body: after } = await api.patch('/v1/workspace', { payment_instructions: 'IBAN GB00' });
  t.deepEqual(after.invoice_problems, []);
});

test('the credit note of a refund that later fails is cancelled by a supplement, and its number is not used again', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { body } = await api.get(`/v1/payments?booking_id=${booking.id}`);
  const payment = body.data[0]!;
  await withRefundMode(workspace, 'pending', async () => {
    const { body: made } = await api.post(`/v1/payments/${payment.id}/refund`, { amount_minor: 600 });
    const { refunds } = await processorLedger(workspace);
    const { id } = refunds.find((refund) => refund.metadata!.refund_id === made.refund.id)!;
    const numberOnce = async (status: 'succeeded' | 'failed') => {
      await simulator('POST', `/_sim/refunds/${id}/settle`, { status });
      return until(async () => {
        const note = (await listDocuments(api, booking.invoice_id!)).find(
          ({ kind }) => kind === 'credit_note',
        );
        return note && (note.voided_at !== null) === (status === 'failed') && note.number;
      });
    };
    t.is(await numberOnce('succeeded'), 'TH-1-C1');
    t.is(await numberOnce('failed'), 'TH-1-C1');
  });
  await api.post(`/v1/payments/${payment.id}/refund`, { amount_minor: 700 });
  const again = await until(async () =>
    (await listDocuments(api, booking.invoice_id!)).find(({ number }) => number === 'TH-1-C2'),
  );
  t.like(again, { total_minor: 700, voided_at: null });
});

/** An invoice of £60 at 20 % and £60 at 0 % that was paid in two parts: £70 in cash, then £50 by card. */
async function paidInParts(workspace: TestWorkspace) {
  const { api } = workspace;
  const line = { description: 'Desk', quantity: 1 };
  const { id } = await openInvoice(workspace, {
    lines: [
      { ...line, unit_amount_minor: 5_000, tax_code: 'STANDARD' },
      { ...line, unit_amount_minor: 6_000, tax_code: 'ZERO' },
    ],
  });
  const cash = await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 7_000, method: 'cash' });
  const { body: checkout } = await api.post(`/v1/invoices/${id}/checkout`);
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(checkout)}/pay`, {});
  await until(async () => (await api.get(`/v1/invoices/${id}`)).body.status === 'paid');
  return { id, cash: cash.body.payment.id };
}

/**
 * Credits an amount at 20 % whose card refund later fails. Returns the documents by number once the credit
 * note is cancelled.
 */
async function creditWithFailure(workspace: TestWorkspace, id: string, netMinor: number) {
  const { api } = workspace;
  const line = { description: 'Heating', quantity: 1, unit_amount_minor: -netMinor, tax_code: 'STANDARD' };
  await withRefundMode(workspace, 'pending', async () => {
    const { status } = await api.post(`/v1/invoices/${id}/adjustments`, { lines: [line], reason: 'Heating' });
    if (status !== 201) throw new Error(`the adjustment returned ${status}`);
    const refund = await until(async () => (await processorLedger(workspace)).refunds[0]);
    await simulator('POST', `/_sim/refunds/${refund.id}/settle`, { status: 'failed' });
  });
  return until(async () => {
    const documents = await listDocuments(api, id);
    const isCancelled = documents.some(({ voided_at, payment_id }) => voided_at && !payment_id);
    return isCancelled && documents.toSorted((a, b) => a.number.localeCompare(b.number));
  });
}

/** The numbers of the credit notes of an invoice's successful refunds. */
const creditNotes = async (id: string): Promise<(string | null)[]> =>
  (await listRefunds(db.manager, { invoice_id: id })).map(({ credit_note }) => credit_note);

test('when a credit is cancelled, the refund it included is credited from all that is left, per tax code', async (t) => {
  const workspace = await newWorkspace();
  const { id } = await paidInParts(workspace);
  const documents = await creditWithFailure(workspace, id, 5_000);
  t.deepEqual(
    documents.map(({ number, voided_at, net_minor, tax_minor }) => [
      number,
      !voided_at,
      net_minor,
      tax_minor,
    ]),
    [
      ['TH-1', true, 11_000, 1_000],
      ['TH-1-C1', false, 5_000, 1_000],
      ['TH-1-C2', true, 917, 83],
      ['TH-1-T1', true, 5_000, 1_000],
    ],
  );
  t.deepEqual(await creditNotes(id), ['TH-1-C2']);
  await sweep(t, workspace);
});

test('a credit note that is valid again counts among those of its payment', async (t) => {
  const workspace = await newWorkspace();
  const { id, cash } = await paidInParts(workspace);
  const { body } = await workspace.api.post(`/v1/payments/${cash}/refund`, { amount_minor: 1_000 });
  // The refund for a lost adjustment: the next one includes it.
  await db.query(`UPDATE payments SET purpose = 'adjustment' WHERE id = $1`, [body.refund.id]);
  const documents = await creditWithFailure(workspace, id, 5_834);
  t.deepEqual(
    documents.map(({ number, voided_at, total_minor }) => [number, !voided_at, total_minor]),
    [
      ['TH-1', true, 12_000],
      // The adjustment includes what was refunded before.
      ['TH-1-C1', false, 1_000],
      ['TH-1-C2', false, 7_001],
      // What was refunded before, and what the adjustment refunded of the same payment.
      ['TH-1-C3', true, 2_001],
      ['TH-1-T1', true, 1_000],
      ['TH-1-T2', true, 7_001],
    ],
  );
  t.is((await creditNotes(id))[0], 'TH-1-C3');
  await sweep(t, workspace);
});
