import test from 'ava';
import type { DocumentPdfInput } from '../../../commands/invoices/pdf/document.js';
import { draw } from '../../../commands/invoices/pdf/drawing.js';
import { longestBlock } from '../../support/longest-block.js';
import { extractText, getDocumentProxy } from 'unpdf';
import type { ApiClient } from '../../support/api-client.js';
import { confirmedBooking } from '../../support/bookings.js';
import { mailTo } from '../../support/simulators.js';
import { dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { openInvoice } from '../../support/accounting.js';
import { newMember } from '../../support/people.js';
import { formatDateAsPages, dayOnDocuments, NEXT_MONDAY } from '../../support/days.js';

async function pdf({ token }: ApiClient, path: string): Promise<{ response: Response; bytes: Uint8Array }> {
  const response = await fetch(dev.baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

async function read(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  const { totalPages, text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return { pages: totalPages, text };
}

test('the PDF of an invoice has the issuer, the payer, the lines, the tax and the total', async (t) => {
  const { api } = await newWorkspace({ name: 'Harbour House' });
  await api.patch('/v1/workspace', { invoice_details: '1 Quay Street, Bristol\nVAT GB123456789' });
  const company = await api.post('/v1/companies', {
    name: 'Łódź & Żółć Ltd',
    billing_email: null,
    address: '12 Mill Lane\nBristol BS1 4ND',
    vat_number: 'GB 987 6543 21',
  });
  t.is(company.status, 201);
  const line = {
    description: 'Desk for a month',
    quantity: 1.5,
    unit_amount_minor: 10_000,
    tax_code: 'STANDARD',
  };
  const { id } = await openInvoice(
    { api },
    {
      company_id: company.body.id,
      reference: 'Order 7',
      lines: [line, { ...line, description: 'Post', tax_code: 'ZERO' }],
    },
  );
  // An issued document stays unchanged, whatever changes later. An invoice opened afterwards has the change.
  await api.patch('/v1/workspace', { name: 'Harbour Two', invoice_details: '2 New Street' });
  await api.patch(`/v1/companies/${company.body.id}`, { name: 'Łódź Two', address: null, vat_number: null });
  const next = await openInvoice({ api }, { company_id: company.body.id });
  const { text: changed } = await read((await pdf(api, `/v1/invoices/${next.id}.pdf`)).bytes);
  t.regex(changed, /Harbour Two\s+2 New Street.*Billed to\s+Łódź Two\s+Date/s);
  const { response, bytes } = await pdf(api, `/v1/invoices/${id}.pdf`);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'application/pdf');
  const { pages, text } = await read(bytes);
  t.is(pages, 1);
  // 150.00 + 30.00 tax, and 150.00 without: 330.00
  for (const part of [
    'Harbour House',
    'VAT GB123456789',
    'Reference Order 7',
    'Łódź & Żółć Ltd',
    '12 Mill Lane',
    'VAT number GB 987 6543 21',
    'Desk for a month',
    '£150.00',
    'VAT 20% on £150.00',
    'Invoice HH-1',
    '£30.00',
    '£330.00',
    dayOnDocuments(NEXT_MONDAY),
  ])
    t.true(text.replaceAll(/\s+/g, ' ').includes(part), `${part} in ${text}`);
  t.false(text.includes('Holdfast'), 'a payer knows the number only');
});

const AT = new Date();
const LINE = {
  quantity: 1,
  unit_amount_minor: 1,
  tax_code: 'ZERO',
  tax_rate_bps: 0,
  tax_minor: 0,
  net_minor: 1,
};
const TERMS = {
  currency: 'GBP',
  time_zone: 'Europe/London',
  reference: 'Holdfast #1',
  due_at: AT.toISOString(),
  supplied: null,
  paid: [{ method: 'card', amount_minor: 50, at: AT.toISOString() }],
  reason: null,
  payment_instructions: null,
  booking: null,
  locale: 'en' as const,
};

/** An invoice as drawn with these lines and these details of the seller. */
const pdfInput = (descriptions: string[], details: string | null): DocumentPdfInput => ({
  document: {
    kind: 'invoice',
    number: 'HH-1',
    issued_at: AT,
    net_minor: 50,
    tax_minor: 0,
    total_minor: 50,
    lines: descriptions.map((description) => ({ ...LINE, description })),
    terms: { ...TERMS, parties: { seller: { name: 'Harbour House', details }, payer: null } },
  },
  payer: details ?? 'Ada',
});

const drawInvoice = (of: DocumentPdfInput, workspaceId = 'ws_1') => draw(workspaceId, 'renderDocument', of);

test('the longest PDFs are drawn without blocking the event loop', async (t) => {
  const long = 'x'.repeat(1_000);
  const worst = [
    pdfInput(Array(200).fill('a word '.repeat(142)), null),
    pdfInput(Array(200).fill('e\u0301'.repeat(500)), long),
    pdfInput([long], long),
  ];
  for (const [n, each] of worst.entries()) {
    let bytes: Buffer;
    const block = await longestBlock(async () => (bytes = await drawInvoice(each)), 2);
    t.true(block < 100, `${n}: ${block} ms`);
    t.true((await read(new Uint8Array(bytes!))).pages > 0);
  }
  const { text } = await read(new Uint8Array(await drawInvoice(pdfInput(['Desk'], null))));
  t.regex(text, /Paid on .* by card £0\.50/s);
});

test('one workspace’s documents are drawn one after another, and another workspace’s don’t wait for all of them', async (t) => {
  const mine = Array.from({ length: 60 }, () => drawInvoice(pdfInput(['Desk'], null), 'ws_2'));
  const settled = Promise.allSettled(mine);
  let done = 0;
  for (const each of mine) each.then(() => done++).catch(() => {});
  t.true((await drawInvoice(pdfInput(['Desk'], null), 'ws_3')).length > 0);
  t.true(done <= 10, `${done} of another workspace came first`);
  const refused = (await settled).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  t.is(refused.length, 20);
  for (const { code } of refused) t.is(code, 'rate_limited');
  t.true((await drawInvoice(pdfInput(['Desk'], null), 'ws_2')).length > 0);
});

test('a PDF costs as much as ten other requests', async (t) => {
  const { api } = await newWorkspace();
  const breaks = {
    description: `a${'\na'.repeat(400)}`,
    quantity: 1,
    unit_amount_minor: 100,
    tax_code: 'ZERO',
  };
  const { id } = await openInvoice({ api }, { lines: Array.from({ length: 5 }, () => breaks) });
  const { response, bytes } = await pdf(api, `/v1/invoices/${id}.pdf`);
  const [size, left] = ['limit', 'remaining'].map((name) =>
    Number(response.headers.get(`x-ratelimit-${name}`)),
  );
  t.true(left! <= size! - 10, `${left} of ${size}`);
  t.is((await read(bytes)).pages, 2, 'line breaks take no lines');
});

test('200 lines are printed on several pages without loss', async (t) => {
  const { api } = await newWorkspace();
  const lines = Array.from({ length: 200 }, (_, n) => ({
    description: `Item ${n + 1} of a long list`,
    quantity: 1,
    unit_amount_minor: 100,
    tax_code: 'ZERO',
  }));
  const { id } = await openInvoice({ api }, { lines });
  const { pages, text } = await read((await pdf(api, `/v1/invoices/${id}.pdf`)).bytes);
  t.true(pages > 3);
  for (let n = 1; n <= 200; n++) t.true(text.includes(`Item ${n} of`));
  t.true(text.includes(`page ${pages} of ${pages}`));
});

test('an invoice of a booking or a company is mailed to the payer with the PDF, once per idempotency key', async (t) => {
  const { api } = await newWorkspace();
  const { booking, email } = await confirmedBooking(api);
  const sent = await api.post(`/v1/invoices/${booking.invoice_id}/send`);
  t.deepEqual(sent.body, { invoice_id: booking.invoice_id, sent_to: email });
  const mailsWithPdf = async (to: string) =>
    (await mailTo(to)).filter(({ subject }: { subject: string }) => subject.startsWith('Invoice '));
  await until(async () => (await mailsWithPdf(email)).length === 1);

  const billing_email = uniqueEmail();
  const company = await api.post('/v1/companies', { name: 'Acme', billing_email });
  const invoice = await openInvoice({ api }, { company_id: company.body.id });
  const key = { 'idempotency-key': 'once' };
  for (let i = 0; i < 3; i++) t.is((await api.post(`/v1/invoices/${invoice.id}/send`, {}, key)).status, 200);
  await api.post(`/v1/invoices/${invoice.id}/send`, {});
  const mails = await until(async () => {
    const found = await mailsWithPdf(billing_email);
    return found.length === 2 && found;
  });
  t.regex(mails[0]!.text, new RegExp(`Please pay £120\\.00 by ${formatDateAsPages(NEXT_MONDAY)}`));
});

test('a refund’s credit note is addressed to the recipient of its invoice', async (t) => {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const { api } = workspace;
  const [payer, colleague] = [await newMember(workspace), await newMember(workspace)];
  const { id } = await openInvoice(workspace, { company_id: undefined, member_id: payer.id });
  const cash = { amount_minor: 12_000, method: 'cash' };
  const { body: paid } = await api.post(`/v1/invoices/${id}/mark-paid`, cash);
  const { body } = await api.post(`/v1/payments/${paid.payment.id}/refund`, { amount_minor: 3_000 });
  const path = `/v1/payments/${body.refund.id}.pdf` as const;
  for (const reader of [api, payer.api]) {
    const { response, bytes } = await pdf(reader, path);
    t.is(response.headers.get('content-disposition'), 'inline; filename="HH-1-C1.pdf"');
    const { text } = await read(bytes);
    t.regex(text, /Harbour House.*Credit note HH-1-C1.*Mel Member.*Credited £30\.00/s);
  }
  for (const [reader, other] of [
    [colleague.api, path],
    [(await newWorkspace()).api, path],
    [api, `/v1/payments/${paid.payment.id}.pdf`],
    [api, '/v1/payments/pay_nobody.pdf'],
  ] as const)
    t.like(await reader.get(other), { status: 404, body: { error: { code: 'payment_not_found' } } }, other);
});

test('the reason for an adjustment is on its document', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id } = await openInvoice(workspace);
  await api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor: 12_000, method: 'cash' });
  const adjust = async (unit_amount_minor: number, reason: string) => {
    const line = { description: 'Room', quantity: 1, unit_amount_minor, tax_code: 'STANDARD' };
    return (await api.post(`/v1/invoices/${id}/adjustments`, { lines: [line], reason })).body.adjustment;
  };
  const debit = await adjust(1_000, 'Key returned\nlate');
  const credit = await adjust(-2_500, 'Heating\nbroke');
  for (const [path, reason] of [
    [`/v1/invoices/${debit.invoice_id}.pdf`, 'Key returned late'],
    [`/v1/payments/${credit.refund_id}.pdf`, 'Heating broke'],
  ] as const) {
    const { text } = await read((await pdf(api, path)).bytes);
    t.true(text.includes(`Reason ${reason}`), text);
  }
});

test('an invoice that cannot be sent is refused, and so is a caller without the right', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const company = await api.post('/v1/companies', { name: 'Acme', billing_email: null });
  const { id } = await openInvoice(workspace, { company_id: company.body.id });
  const refused = await api.post(`/v1/invoices/${id}/send`);
  t.is(refused.status, 422);
  t.is(refused.body.error.param, 'billing_email');
  await api.post(`/v1/invoices/${id}/void`, { reason: 'x' });
  t.is((await api.post(`/v1/invoices/${id}/send`)).status, 409);
  const { api: member } = await newMember(workspace);
  t.is((await member.get(`/v1/invoices/${id}.pdf`)).status, 404);
  const other = await newWorkspace();
  t.is((await other.api.get(`/v1/invoices/${id}.pdf`)).status, 404);
});
