import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import ava from '../support/suite.js';
import { rateLimitOf } from '../../activities/failures.js';
import type { NewDocumentPayment } from '../../activities/gateways/accounting.js';
import { createXeroConsent } from '../../activities/gateways/xero/oauth.js';
import { CALLBACK, CLIENT, newKey, Rig, SECRET } from '../dev/accounting-rig.js';
import { until } from '../dev/processor-rig.js';
import { bookLine, document, failure, gatewayFor, WORKSPACE } from './xero-rig.js';

// Faults apply to all of the simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());
ava.afterEach.always(() => rig.sim('faults', {}));

async function open() {
  const books = await rig.books();
  return { books, accounting: gatewayFor(rig, books), ledger: () => rig.ledger(books.tenant) };
}

const INVOICES = '/api.xro/2.0/Invoices*';
const loseAnswer = (method: string, path: string) =>
  rig.sim('faults', { fail: [{ method, path, status: 0, after_effect: true }] });

const payment = (document_id: string, overrides: Partial<NewDocumentPayment> = {}): NewDocumentPayment => ({
  document_id,
  reference: 'pay_1',
  amount_minor: 3000,
  currency: 'GBP',
  date: '2026-10-02',
  ...overrides,
});

test('an invoice is submitted, approved and paid', async (t) => {
  const { accounting, ledger } = await open();
  const sent = await document(accounting);
  const made = await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
  const { number, reference } = sent;
  t.like(made, {
    number,
    reference,
    status: 'submitted',
    currency: 'GBP',
    total_minor: 3000,
    outstanding_minor: 3000,
  });
  t.is((await accounting.authoriseInvoice(WORKSPACE, made.id, newKey())).status, 'authorised');
  t.is((await accounting.authoriseInvoice(WORKSPACE, made.id, newKey())).status, 'authorised');
  const paid = await accounting.payInvoice(WORKSPACE, payment(made.id), newKey());
  t.like(paid, { reference: 'pay_1', amount_minor: 3000 });
  const [found] = await accounting.findInvoices(WORKSPACE, [number, 'HF-nothing']);
  t.like(found, { id: made.id, status: 'paid', outstanding_minor: 0 });
  t.deepEqual(found!.payments, [paid]);
  t.deepEqual(await accounting.readInvoice(WORKSPACE, made.id), found!);
  t.is(await accounting.readInvoice(WORKSPACE, '00000000-0000-0000-0000-000000000000'), null);
  const renamed = await accounting.setReference(WORKSPACE, made.id, 'Holdfast #1 — summer', newKey());
  t.like(renamed, { reference: 'Holdfast #1 — summer', status: 'paid' });
  const { invoices } = await ledger();
  t.like(invoices![0], { Date: '/Date(1790812800000+0000)/', LineAmountTypes: 'Exclusive', TotalTax: 5 });
  t.like(invoices![0].LineItems[0], { LineAmount: 25, TaxAmount: 5, TaxType: 'OUTPUT2', AccountCode: '200' });
});

const DOCUMENTS: [string, string, Parameters<typeof bookLine>[0][], number][] = [
  // 3 × 0.3333 = 0.9999 → 1.00
  [
    'a fractional quantity',
    'GBP',
    [{ quantity: '0.3333', unit_amount_minor: 300, net_minor: 100, tax_minor: 20 }],
    120,
  ],
  [
    'case 21',
    'GBP',
    [2506, 2561, 2563].map((net, i) => ({
      unit_amount_minor: net,
      net_minor: net,
      tax_minor: [376, 384, 384][i]!,
    })),
    8774,
  ],
  // 1.5 × 333 = 499.5 → 500 yen; Xero itself would have 499.50.
  ['yen', 'JPY', [{ quantity: '1.5', unit_amount_minor: 333, net_minor: 500, tax_minor: 100 }], 600],
  ['dinars that fit', 'KWD', [{ unit_amount_minor: 1230, net_minor: 1230, tax_minor: 250 }], 1480],
];
for (const [title, currency, lines, total_minor] of DOCUMENTS) {
  test(`the total in Xero equals ours: ${title}`, async (t) => {
    const { accounting } = await open();
    const sent = await document(accounting, { currency, lines: lines.map(bookLine) });
    const made = await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
    t.like(made, { currency, total_minor });
  });
}

test('an amount with too many decimals for Xero is refused before it is sent', async (t) => {
  const { accounting, ledger } = await open();
  const lines = [bookLine({ unit_amount_minor: 1234, net_minor: 1234 })];
  const sent = await document(accounting, { currency: 'KWD', lines });
  const { type, reason } = await failure(accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey()));
  t.is(type, 'AccountingRefused');
  t.regex(reason, /1\.234 KWD does not fit/);
  t.is((await ledger())['invoices']!.length, 0);
});

test('a write whose response was lost is done once, even if the next attempt has another idempotency key', async (t) => {
  const { accounting, ledger } = await open();
  const sent = await document(accounting);
  const twice = async <T>(method: string, path: string, write: () => Promise<T>): Promise<T> => {
    await loseAnswer(method, `/api.xro/2.0/${path}`);
    t.is((await failure(write())).type, 'AccountingUnavailable');
    return write();
  };
  const made = await twice('PUT', 'Invoices', () =>
    accounting.createInvoice(WORKSPACE, sent, 'authorised', newKey()),
  );
  await twice('POST', 'Payments', () => accounting.payInvoice(WORKSPACE, payment(made.id), newKey()));
  const note = await twice('PUT', 'CreditNotes', () =>
    accounting.createCreditNote(WORKSPACE, { ...sent, number: 'CN-1' }, newKey()),
  );
  const refund = payment(note.id, { reference: 'pay_2' });
  await twice('POST', 'Payments', () => accounting.refundCreditNote(WORKSPACE, refund, newKey()));
  const { invoices, payments, credit_notes } = await ledger();
  t.deepEqual([invoices!.length, payments!.length, credit_notes!.length], [1, 2, 1]);
  t.like(invoices![0], { Status: 'PAID', AmountPaid: 30 });
  t.like(credit_notes![0], { Status: 'PAID', RemainingCredit: 0, Total: 30 });
});

test('a document with the number of another document is refused', async (t) => {
  const { accounting } = await open();
  const sent = await document(accounting);
  await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
  const other = { ...sent, reference: 'Holdfast #999' };
  const { reason } = await failure(accounting.createInvoice(WORKSPACE, other, 'submitted', newKey()));
  t.is(reason, 'Invoice # must be unique.');
});

test('void deletes a submitted invoice, voids an approved one, returns an already voided one and refuses a paid one', async (t) => {
  const { accounting, ledger } = await open();
  const make = async (status: 'submitted' | 'authorised') =>
    (await accounting.createInvoice(WORKSPACE, await document(accounting), status, newKey())).id;
  const cancel = (id: string) => accounting.voidInvoice(WORKSPACE, id, newKey());
  const [waiting, approved, paid] = [
    await make('submitted'),
    await make('authorised'),
    await make('authorised'),
  ];
  t.is((await cancel(waiting)).status, 'deleted');
  t.is((await cancel(waiting)).status, 'deleted');
  t.is((await cancel(approved)).status, 'voided');
  t.is((await cancel(approved)).status, 'voided');
  await accounting.payInvoice(WORKSPACE, payment(paid), newKey());
  t.is((await failure(cancel(paid))).type, 'AccountingRefused');
  const lost = await make('authorised');
  await loseAnswer('POST', INVOICES);
  t.is((await failure(cancel(lost))).type, 'AccountingUnavailable');
  t.is((await cancel(lost)).status, 'voided');
  const voids = (await ledger())['requests']!.filter(({ path }) => path.endsWith(lost));
  t.deepEqual(
    voids.map(({ method }) => method),
    ['GET', 'POST', 'GET'],
  );
});

test('an invoice that a bookkeeper approves during the void is voided', async (t) => {
  const { accounting, ledger } = await open();
  const { id } = await accounting.createInvoice(WORKSPACE, await document(accounting), 'submitted', newKey());
  await rig.sim('faults', { latency_ms: 300 });
  const voiding = accounting.voidInvoice(WORKSPACE, id, newKey());
  const wasRead = async () =>
    (await ledger())['requests']!.find(({ method, path }) => method === 'GET' && path.endsWith(id));
  await until(wasRead, 'the read of the invoice');
  await rig.sim(`invoices/${id}`, { Status: 'AUTHORISED' });
  t.is((await voiding).status, 'voided');
});

test('a contact is found by our id, updated, and kept apart from a contact of the same name', async (t) => {
  const { accounting, ledger } = await open();
  const ensure = (number: string, name: string, email: string | null = null) =>
    accounting.ensureContact(WORKSPACE, { number, name, email }, newKey());
  const ada = await ensure('mem_aaaaaa', 'Ada');
  t.is(await ensure('mem_aaaaaa', 'Ada'), ada);
  t.is(await ensure('mem_aaaaaa', 'Ada Lovelace', 'ada@example.com'), ada);
  const namesake = await ensure('mem_bbbbbb', 'Ada Lovelace');
  t.not(namesake, ada);
  t.is(await ensure('mem_bbbbbb', 'Ada Lovelace'), namesake);
  const { contacts, requests } = await ledger();
  t.deepEqual(
    contacts!.map(({ Name, EmailAddress }) => [Name, EmailAddress]),
    [
      ['Ada Lovelace', 'ada@example.com'],
      ['Ada Lovelace (bbbbbb)', ''],
    ],
  );
  t.is(requests!.filter(({ method }) => method !== 'GET').length, 4);
});

test('concurrent invoices of a new payer create one contact, whether or not its name is taken', async (t) => {
  const { accounting, ledger } = await open();
  for (const number of ['mem_cccccc', 'mem_dddddd']) {
    const ids = await Promise.all(
      Array.from({ length: 4 }, () =>
        accounting.ensureContact(WORKSPACE, { number, name: 'Grace Hopper', email: null }, newKey()),
      ),
    );
    t.is(new Set(ids).size, 1, number);
  }
  const { contacts } = await ledger();
  t.deepEqual(
    contacts!.map(({ Name }) => Name),
    ['Grace Hopper', 'Grace Hopper (dddddd)'],
  );
});

test('an expired grant disconnects; wrong app credentials do not', async (t) => {
  const { books } = await open();
  const refresh = (clientSecret: string, token: string) =>
    createXeroConsent({
      clientId: CLIENT.client_id,
      clientSecret,
      issuer: rig.url(''),
      apiUrl: rig.url(''),
      redirectUri: CALLBACK,
    }).refresh(token);
  const wrongSecret = await failure(refresh('of another deployment', books.tokens.refresh_token!));
  t.is(wrongSecret.type, 'AccountingUnavailable');
  t.is((await failure(refresh(SECRET, 'made-up'))).type, 'AccountingDisconnected');
});

test('failures have types, and none has personal data in its message', async (t) => {
  const { accounting, books } = await open();
  const sent = await document(accounting);
  const create = (change: object) =>
    accounting.createInvoice(WORKSPACE, { ...sent, ...change }, 'submitted', newKey());
  const unknownTax = await failure(create({ lines: [bookLine({ tax_type: 'NOPE' })] }));
  t.like(unknownTax, { type: 'AccountingRefused', nonRetryable: true });
  t.regex(unknownTax.reason, /TaxType code 'NOPE'/);
  const encoded = JSON.stringify(defaultFailureConverter.errorToFailure(unknownTax, defaultPayloadConverter));
  t.regex(encoded, /400 ValidationException/);
  t.notRegex(encoded, /NOPE|Grace/);
  for (const [status, type, nonRetryable] of [
    [0, 'AccountingUnavailable', false],
    [500, 'AccountingUnavailable', false],
    [401, 'AccountingUnavailable', false],
    [403, 'AccountingDisconnected', true],
    [400, 'AccountingRefused', true],
  ] as const) {
    await rig.sim('faults', { fail: [{ path: INVOICES, status }] });
    t.like(await failure(create({})), { type, nonRetryable });
  }
  await rig.sim('faults', { latency_ms: 500 });
  const impatient = gatewayFor(rig, books, 50);
  const slow = await failure(impatient.findInvoices(WORKSPACE, ['HF-1']));
  t.is(slow.type, 'AccountingUnavailable');
  t.regex(slow.message, /timeout/);
});

test('a call is retried after a minute limit, not after a day limit', async (t) => {
  const { accounting } = await open();
  const ask = () => accounting.findInvoices(WORKSPACE, ['HF-1']);
  await rig.sim('faults', { minute_limit: 1 });
  await ask();
  const minute = await failure(ask());
  t.like(minute, { type: 'AccountingRateLimited', nonRetryable: false });
  const { limit, retryAfterSeconds } = rateLimitOf(minute)!;
  t.is(limit, 'minute');
  t.true(retryAfterSeconds > 50 && retryAfterSeconds <= 60);
  t.is(minute.nextRetryDelay, `${retryAfterSeconds} s`);
  await rig.sim('faults', { day_limit: 0 });
  const day = await failure(ask());
  t.like(day, { type: 'AccountingRateLimited', nonRetryable: true });
  t.is(rateLimitOf(day)!.limit, 'day');
  await rig.sim('faults', { latency_ms: 800 });
  const at = await Promise.allSettled(Array.from({ length: 7 }, ask));
  const late = at.flatMap((each) => (each.status === 'rejected' ? [rateLimitOf(each.reason)] : []));
  t.is(late.length, 2);
  for (const each of late) t.deepEqual(each, { limit: 'concurrent', retryAfterSeconds: 2 });
});
