import ava from 'ava';
import { newKey, Rig } from '../../support/accounting-rig.js';
import { bookLine, document, failure, gatewayFor, WORKSPACE } from './xero-rig.js';
import { open, payment } from './xero-calls.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.sim('faults', {}));

test('an invoice is submitted, approved and paid', async (t) => {
  const { accounting, ledger } = await open(rig);
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
  // 1.5 × 333 = 499.5 → 500 yen; Xero's own result would be 499.50.
  ['yen', 'JPY', [{ quantity: '1.5', unit_amount_minor: 333, net_minor: 500, tax_minor: 100 }], 600],
  ['dinars that fit', 'KWD', [{ unit_amount_minor: 1230, net_minor: 1230, tax_minor: 250 }], 1480],
  // 2 × 1.255 = 2.51, although 1.255 has three decimals.
  [
    'dinars whose price does not fit',
    'KWD',
    [{ quantity: '2', unit_amount_minor: 1255, net_minor: 2510, tax_minor: 500 }],
    3010,
  ],
];

for (const [title, currency, lines, total_minor] of DOCUMENTS) {
  test(`the total in Xero equals ours: ${title}`, async (t) => {
    const { accounting } = await open(rig);
    const sent = await document(accounting, { currency, lines: lines.map(bookLine) });
    const made = await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
    t.like(made, { currency, total_minor });
  });
}

test('an amount with too many decimals for Xero is refused before it is sent', async (t) => {
  const { accounting, ledger } = await open(rig);
  const lines = [bookLine({ unit_amount_minor: 1234, net_minor: 1234 })];
  const sent = await document(accounting, { currency: 'KWD', lines });
  const { type, reason } = await failure(accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey()));
  t.is(type, 'AccountingRefused');
  t.regex(reason, /1\.234 KWD does not fit/);
  t.is((await ledger())['invoices']!.length, 0);
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

test('amounts allocated to invoices and credit notes are read; credit notes are listed by page', async (t) => {
  const { books, accounting, ledger } = await open(rig);
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

test('the chart of accounts has everything that documents can refer to', async (t) => {
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
