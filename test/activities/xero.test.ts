import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import ava from 'ava';
import { rateLimitOf } from '../../activities/failures.js';
import { createXeroAccounting } from '../../activities/gateways/xero.js';
import type { NewDocumentPayment } from '../../activities/gateways/accounting.js';
import { createXeroConsent } from '../../activities/gateways/xero/oauth.js';
import { CALLBACK, CLIENT, create, line, newKey, Rig, SECRET } from '../dev/accounting-rig.js';
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

const purchase = line({ taxType: 'INPUT2', accountCode: '404' });
const INVOICES = '/api.xro/2.0/Invoices*';
const loseAnswer = (method: string, path: string) =>
  rig.sim('faults', { fail: [{ method, path, status: 0, after_effect: true }] });

const payment = (document_id: string, overrides: Partial<NewDocumentPayment> = {}): NewDocumentPayment => ({
  document_id,
  account: '090',
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
  t.like(invoices[0]!.LineItems[0], { LineAmount: 25, TaxAmount: 5, TaxType: 'OUTPUT2', AccountCode: '200' });
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
  await rig.sim('faults', { latency_ms: 1_500 });
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
    // A role that is missing, not a lost connection.
    [403, 'AccountingRefused', true],
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

test("a supplier's bill with the number of an invoice is never returned, changed or voided", async (t) => {
  const { books, accounting, ledger } = await open();
  const sent = await document(accounting);
  const bill = { type: 'ACCPAY' as never, invoiceNumber: sent.number, lineItems: [purchase] };
  const { invoiceID: billId } = await create(books, bill);
  t.deepEqual(await accounting.findInvoices(WORKSPACE, [sent.number]), []);
  const made = await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
  const ids = async (found: Promise<{ id: string }[]>) => (await found).map(({ id }) => id);
  t.deepEqual(await ids(accounting.findInvoices(WORKSPACE, [sent.number])), [made.id]);
  t.deepEqual(await ids(accounting.readInvoices(WORKSPACE, [made.id, billId!])), [made.id]);
  t.is((await failure(accounting.voidInvoice(WORKSPACE, billId!, newKey()))).type, 'AccountingRefused');
  await accounting.voidInvoice(WORKSPACE, made.id, newKey());
  const { invoices } = await ledger();
  t.deepEqual(invoices!.map(({ Type, Status }) => [Type, Status]).toSorted(), [
    ['ACCPAY', 'SUBMITTED'],
    ['ACCREC', 'DELETED'],
  ]);
});

for (const frees_deleted_numbers of [true, false]) {
  const kept = frees_deleted_numbers ? 'is free again' : 'stays taken';
  test(`an invoice is created once and found, where the number of a deleted one ${kept}`, async (t) => {
    const books = await rig.books({ frees_deleted_numbers });
    const accounting = gatewayFor(rig, books);
    const sent = await document(accounting);
    const first = await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
    await accounting.voidInvoice(WORKSPACE, first.id, newKey());
    const again = await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
    t.is(again.status, frees_deleted_numbers ? 'submitted' : 'deleted');
    t.is(again.id === first.id, !frees_deleted_numbers);
    const found = await accounting.findInvoices(WORKSPACE, [sent.number]);
    t.deepEqual(
      found.map(({ id }) => id),
      [again.id],
    );
  });
}

test('refusals that need a person say what to do', async (t) => {
  const books = await rig.books({ currencies: ['USD'], lock_date: '2026-09-30' });
  const accounting = gatewayFor(rig, books);
  const sent = await document(accounting);
  const refusal = async (change: object) =>
    (await failure(accounting.createInvoice(WORKSPACE, { ...sent, ...change }, 'submitted', newKey())))
      .reason;
  t.regex(await refusal({ currency: 'EUR' }), /not subscribed to currency EUR\. Add the currency/);
  t.regex(await refusal({ date: '2026-09-30' }), /set at 30-Sep-2026\. .* Move the lock date/);
  t.regex(await refusal({ sales_account: '999' }), /'999' is not a valid .* Choose accounts/);
  t.regex(await refusal({ lines: [bookLine({ tax_type: 'NOPE' })] }), /'NOPE' .* Choose a tax type/);
  const made = await accounting.createInvoice(WORKSPACE, sent, 'authorised', newKey());
  const paid = (change: object) => accounting.payInvoice(WORKSPACE, payment(made.id, change), newKey());
  t.regex((await failure(paid({ account: '260' }))).reason, /not enabled for payments\. Choose accounts/);
  t.regex((await failure(paid({ date: '2026-09-30' }))).reason, /Move the lock date/);

  await books.api.updateContact(books.tenant, sent.contact_id, {
    contacts: [{ contactStatus: 'ARCHIVED' as never }],
  });
  t.regex(await refusal({ number: 'HF-archived' }), /archived .* Restore the contact/);
  const contact = { number: 'mem_1', name: 'Grace Guest', email: null };
  const ensured = await failure(accounting.ensureContact(WORKSPACE, contact, newKey()));
  t.regex(ensured.reason, /The contact Grace Guest is archived\. Restore/);
});

test('names of contacts are cleaned of what Xero refuses', async (t) => {
  const { accounting, ledger } = await open();
  const long = 'Ærø '.repeat(100);
  const names: [string, string][] = [
    ['  Eve   <eve@example.com>\n', 'Eve eve@example.com'],
    ['\u0007<>', 'mem_names1'],
    [long, long.slice(0, 255).trim()],
    [long, `${long.slice(0, 255 - 9).trim()} (names3)`],
  ];
  for (const [index, [name]] of names.entries()) {
    const contact = { number: `mem_names${index}`, name, email: null };
    const id = await accounting.ensureContact(WORKSPACE, contact, newKey());
    t.is(await accounting.ensureContact(WORKSPACE, contact, newKey()), id);
  }
  const { contacts, requests } = await ledger();
  t.deepEqual(
    contacts!.map(({ Name }) => Name),
    names.map(([, cleaned]) => cleaned),
  );
  // One more for the name that was taken.
  t.is(requests!.filter(({ method }) => method !== 'GET').length, 5);
});

test('what was set off is read, of invoices and credit notes; credit notes are listed by page', async (t) => {
  const { books, accounting, ledger } = await open();
  const sent = await document(accounting);
  const invoice = await accounting.createInvoice(WORKSPACE, sent, 'authorised', newKey());
  const note = (date: string) =>
    accounting.createCreditNote(WORKSPACE, { ...sent, number: `${sent.number}-${date}`, date }, newKey());
  const [early, later] = [await note('2026-10-01'), await note('2026-10-02')];
  await books.api.createCreditNoteAllocation(
    books.tenant,
    later.id,
    { allocations: [{ invoice: { invoiceID: invoice.id }, amount: 10, date: '2026-10-03' }] },
    true,
  );
  t.like(await accounting.readInvoice(WORKSPACE, invoice.id), {
    status: 'authorised',
    outstanding_minor: 2000,
    credited_minor: 1000,
  });
  const before = (await ledger())['requests']!.length;
  const all = await accounting.listCreditNotes(WORKSPACE, '2026-10-01', 1);
  t.deepEqual(
    all.notes.map(({ id, credited_minor }) => [id, credited_minor]),
    [
      [early.id, 0],
      [later.id, 1000],
    ],
  );
  t.true(all.last);
  t.is((await ledger())['requests']!.length, before + 1);
  const some = await accounting.listCreditNotes(WORKSPACE, '2026-10-02', 1);
  t.deepEqual(
    some.notes.map(({ id }) => id),
    [later.id],
  );
});

test('the chart has what documents can refer to', async (t) => {
  const books = await rig.books({ currencies: ['USD'] });
  await rig.sim(`organisations/${books.tenant}/settings`, {
    archive_accounts: ['091'],
    accounts: [{ code: '', name: 'Card account', type: 'BANK' }],
  });
  const accounting = gatewayFor(rig, books);
  const { sales_accounts, payment_accounts, tax_types, currencies } = await accounting.readChart(WORKSPACE);
  const codes = sales_accounts.map(({ code }) => code);
  t.true(codes.includes('200') && codes.includes('404'));
  t.false(codes.includes('090') || codes.includes('610'), 'no bank account and no system account');
  t.true(sales_accounts.find(({ code }) => code === '200')!.is_revenue);
  const [uncoded, ...others] = payment_accounts.toSorted((a, b) => b.code.length - a.code.length);
  t.deepEqual(
    others.map(({ code }) => code),
    ['090', '970'],
  );
  t.like(
    tax_types.find(({ tax_type }) => tax_type === 'RROUTPUT'),
    { rate_bps: 500 },
  );
  t.false(tax_types.some(({ tax_type }) => tax_type === 'INPUT2'));
  t.deepEqual(currencies, ['GBP', 'USD']);

  t.is(uncoded!.name, 'Card account');
  const made = await accounting.createInvoice(WORKSPACE, await document(accounting), 'authorised', newKey());
  await accounting.payInvoice(WORKSPACE, payment(made.id, { account: uncoded!.code }), newKey());
  t.is((await accounting.readInvoice(WORKSPACE, made.id))!.status, 'paid');
});

test('a tenant that is refused is asked for; only one that is no longer connected disconnects', async (t) => {
  const books = await rig.books();
  const consent = createXeroConsent({
    clientId: CLIENT.client_id,
    clientSecret: SECRET,
    issuer: rig.url(''),
    apiUrl: rig.url(''),
    redirectUri: CALLBACK,
  });
  const { access_token } = books.tokens;
  const asked: boolean[] = [];
  const accounting = createXeroAccounting({
    apiUrl: rig.url(''),
    access: {
      token: async () => ({ accessToken: access_token, tenantId: books.tenant, limitedUntil: null }),
      refused: async () => undefined,
      isDisconnected: async () => {
        asked.push((await consent.isConnected(access_token, books.tenant)) === false);
        return asked.at(-1)!;
      },
      limited: async () => undefined,
    },
  });
  const ask = () => failure(accounting.findInvoices(WORKSPACE, ['HF-1']));
  await rig.sim('faults', { fail: [{ path: INVOICES, status: 403 }] });
  t.is((await ask()).type, 'AccountingRefused');
  t.deepEqual(asked, [], 'another 403 does not even ask');
  t.is(await consent.isConnected('made-up', books.tenant), null);
  await consent.disconnect(access_token, books.tenant);
  t.is((await ask()).type, 'AccountingDisconnected');
  t.deepEqual(asked, [true]);
  await t.notThrowsAsync(consent.disconnect(access_token, books.tenant), 'nothing is left to disconnect');
});
