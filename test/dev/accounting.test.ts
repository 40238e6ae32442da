import ava from 'ava';
import * as xero from 'xero-node';
import { create, invoice, line, refused, Rig } from '../support/accounting-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());
ava.afterEach.always(() => rig.sim('faults', {}));

const { Invoice, LineAmountTypes } = xero;
type Invoice = xero.Invoice;
const { AUTHORISED, VOIDED, DELETED, PAID, DRAFT } = Invoice.StatusEnum;

test('tax is rounded per line: 25.06, 25.61 and 25.63 at 15 % have 11.44 of tax', async (t) => {
  const books = await rig.books();
  const made = await books.api.createTaxRates(books.tenant, {
    taxRates: [{ name: 'GST', taxComponents: [{ name: 'GST', rate: 15 }] }],
  });
  const { taxType } = made.body.taxRates![0]!;
  t.is(taxType, 'TAX001');
  const lineItems = [25.06, 25.61, 25.63].map((unitAmount) => line({ unitAmount, taxType }));
  const { lineItems: lines, subTotal, totalTax, total } = await create(books, { lineItems });
  // 3.759 → 3.76, 3.8415 → 3.84, 3.8445 → 3.84; 15 % of the sum would be 11.445 → 11.45.
  t.deepEqual(
    lines!.map(({ taxAmount }) => taxAmount),
    [3.76, 3.84, 3.84],
  );
  t.deepEqual([subTotal, totalTax, total], [76.3, 11.44, 87.74]);
});

const AMOUNTS: [string, Parameters<typeof line>[0], number, number][] = [
  ['quantity times price, half away from zero', { quantity: 1.5, unitAmount: 0.33 }, 0.5, 0.1],
  ['a price has two decimals', { quantity: 1000, unitAmount: 0.0612 }, 60, 12],
  ['a given tax is taken as it is', { taxAmount: 4.99 }, 25, 4.99],
  ['a line amount alone', { unitAmount: undefined, quantity: undefined, lineAmount: 12.34 }, 12.34, 2.47],
];
for (const [title, overrides, lineAmount, taxAmount] of AMOUNTS) {
  test(`amounts: ${title}`, async (t) => {
    const made = await create(await rig.books(), { lineItems: [line(overrides)] });
    t.like(made.lineItems![0], { lineAmount, taxAmount });
  });
}

test('amounts: four decimals on request, tax-inclusive, without tax', async (t) => {
  const { api, tenant } = await rig.books();
  const lineItems = [line({ quantity: 1000, unitAmount: 0.0612 })];
  const precise = await api.createInvoices(tenant, { invoices: [invoice({ lineItems })] }, true, 4);
  t.is(precise.body.invoices![0]!.subTotal, 61.2);
  const inclusive = await create({ api, tenant } as never, { lineAmountTypes: LineAmountTypes.Inclusive });
  t.like(inclusive, { subTotal: 20.83, totalTax: 4.17, total: 25 });
  const untaxed = await create({ api, tenant } as never, { lineAmountTypes: LineAmountTypes.NoTax });
  t.like(untaxed, { subTotal: 25, totalTax: 0, total: 25 });
});

const REFUSALS: [string, Partial<Invoice>, RegExp][] = [
  ['an unknown tax', { lineItems: [line({ taxType: 'NOPE' })] }, /TaxType code 'NOPE' does not exist/],
  ['a tax on purchases', { lineItems: [line({ taxType: 'INPUT2' })] }, /TaxType code 'INPUT2'/],
  ['an unknown account', { lineItems: [line({ accountCode: '999' })] }, /Account code '999' is not a valid/],
  ['a system account', { lineItems: [line({ accountCode: '610' })] }, /Account code '610' is not a valid/],
  ['no account', { lineItems: [line({ accountCode: undefined })] }, /Account code must be specified/],
  [
    'a line that does not add up',
    { lineItems: [line({ lineAmount: 24 })] },
    /24\.00 does not match .* 25\.00/,
  ],
  ['no lines', { lineItems: [] }, /One or more line items/],
  ['no contact', { contact: {} }, /A Contact must be specified/],
  ['a negative total', { lineItems: [line({ quantity: -1 })] }, /cannot be negative/],
  ['a start as paid', { status: PAID }, /not of valid status for creation/],
  ['a foreign currency', { currencyCode: 'EUR' as never }, /not subscribed to currency EUR/],
];
for (const [title, overrides, message] of REFUSALS) {
  test(`an invoice is refused for ${title}`, async (t) => {
    const books = await rig.books({ currencies: ['USD'] });
    const { status, body, messages } = await refused(create(books, overrides));
    t.is(status, 400);
    t.like(body, { ErrorNumber: 10, Type: 'ValidationException' });
    t.regex(messages.join(' '), message);
    t.is((await rig.ledger(books.tenant))['invoices']!.length, 0);
  });
}

test('an invoice number is unique: a voided invoice keeps it, and a deleted one releases it', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const number = (await create(books)).invoiceNumber!;
  const again = () => create(books, { invoiceNumber: number });
  t.deepEqual((await refused(again())).messages, ['Invoice # must be unique.']);
  const [first] = (await api.getInvoices(tenant, undefined, undefined, undefined, undefined, [number])).body
    .invoices!;
  await api.updateInvoice(tenant, first!.invoiceID!, { invoices: [{ status: DELETED }] });
  const second = await again();
  await api.updateInvoice(tenant, second.invoiceID!, { invoices: [{ status: AUTHORISED }] });
  await api.updateInvoice(tenant, second.invoiceID!, { invoices: [{ status: VOIDED }] });
  t.deepEqual((await refused(again())).messages, ['Invoice # must be unique.']);
  // Another organisation has its own numbers.
  await t.notThrowsAsync(create(await rig.books(), { invoiceNumber: number }));
});

test('an organisation can also keep the numbers of deleted invoices', async (t) => {
  const books = await rig.books({ frees_deleted_numbers: false });
  const { invoiceID, invoiceNumber } = await create(books);
  await books.api.updateInvoice(books.tenant, invoiceID!, { invoices: [{ status: DELETED }] });
  t.deepEqual((await refused(create(books, { invoiceNumber }))).messages, ['Invoice # must be unique.']);
});

test('a bill may have the number of a sales invoice, and a list of numbers finds both', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const { invoiceNumber, invoiceID } = await create(books);
  const bill = { type: Invoice.TypeEnum.ACCPAY, invoiceNumber, lineItems: [line({ taxType: 'INPUT2' })] };
  for (let n = 0; n < 2; n++) await create(books, bill);
  const found = async (where?: string) =>
    (
      await api.getInvoices(tenant, undefined, where, undefined, undefined, [invoiceNumber!])
    ).body.invoices!.map(({ type }) => type as unknown);
  t.deepEqual((await found()).toSorted(), ['ACCPAY', 'ACCPAY', 'ACCREC']);
  t.deepEqual(await found('Type=="ACCREC"'), ['ACCREC']);
  t.is((await api.getInvoice(tenant, invoiceNumber!)).body.invoices![0]!.invoiceID, invoiceID);
});

test('nothing can be dated or changed in a locked period', async (t) => {
  const books = await rig.books({ lock_date: '2026-09-30' });
  const { api, tenant } = books;
  const locked = /before the period lock date, currently set at 30-Sep-2026/;
  t.regex((await refused(create(books, { date: '2026-09-30' }))).messages.join(), locked);
  const { invoiceID } = await create(books, { status: AUTHORISED });
  const pay = (date: string) =>
    api.createPayment(tenant, { invoice: { invoiceID }, account: { code: '090' }, amount: 1, date });
  t.regex((await refused(pay('2026-09-30'))).messages.join(), locked);
  await rig.sim(`organisations/${tenant}/settings`, { lock_date: '2026-10-31' });
  const voided = api.updateInvoice(tenant, invoiceID!, { invoices: [{ status: VOIDED }] });
  t.regex((await refused(voided)).messages.join(), /31-Oct-2026/);
  await rig.sim(`organisations/${tenant}/settings`, { lock_date: null });
  await t.notThrowsAsync(pay('2026-09-30'));
});

test("a status allows Xero's transitions and no others", async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const allowed: Record<string, string[]> = {
    DRAFT: ['DRAFT', 'SUBMITTED', 'AUTHORISED', 'DELETED'],
    SUBMITTED: ['DRAFT', 'SUBMITTED', 'AUTHORISED', 'DELETED'],
    AUTHORISED: ['AUTHORISED', 'VOIDED'],
    VOIDED: [],
    DELETED: [],
  };
  await rig.sim('faults', { minute_limit: 1000 });
  for (const from of Object.keys(allowed)) {
    for (const to of ['DRAFT', 'SUBMITTED', 'AUTHORISED', 'VOIDED', 'DELETED', 'PAID']) {
      const before = { VOIDED: AUTHORISED, DELETED: DRAFT }[from] ?? from;
      const { invoiceID } = await create(books, { status: before as never });
      const move = (status: string) =>
        api.updateInvoice(tenant, invoiceID!, { invoices: [{ status: status as never }] });
      if (before !== from) await move(from);
      const outcome = await move(to).then(
        ({ body }) => body.invoices![0]!.status as unknown,
        () => 'refused',
      );
      t.is(outcome, allowed[from]!.includes(to) ? to : 'refused', `${from} to ${to}`);
    }
  }
});

test('an edit of a paid invoice returns 200 and changes its texts but not its amounts', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const { invoiceID, lineItems } = await create(books, { status: AUTHORISED });
  await rig.sim(`invoices/${invoiceID}`, { Status: 'PAID' });
  const edit: Invoice = {
    reference: 'Holdfast #7',
    status: PAID,
    lineItems: [{ ...lineItems![0], unitAmount: 99 }, line()],
    currencyCode: 'EUR' as never,
  };
  const approve = api.updateInvoice(tenant, invoiceID!, { invoices: [{ status: AUTHORISED }] });
  t.regex((await refused(approve)).messages.join(), /not of valid status/);
  const { response, body } = await api.updateInvoice(tenant, invoiceID!, { invoices: [edit] });
  t.is(response.status, 200);
  t.like(body.invoices![0], {
    reference: 'Holdfast #7',
    status: PAID,
    total: 30,
    currencyCode: 'GBP' as never,
  });
  t.deepEqual(body.invoices![0]!.lineItems, lineItems);
});

test('lines are changed by id, added without an id, and removed if not sent', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const made = await create(books, { lineItems: [line(), line({ unitAmount: 10 }), line()] });
  const [first, second] = made.lineItems!;
  const edited = await api.updateInvoice(tenant, made.invoiceID!, {
    invoices: [
      { lineItems: [{ lineItemID: first!.lineItemID, quantity: 2 }, second!, line({ unitAmount: 1 })] },
    ],
  });
  const lines = edited.body.invoices![0]!.lineItems!;
  t.deepEqual(
    lines.map(({ lineAmount }) => lineAmount),
    [50, 10, 1],
  );
  t.deepEqual([lines[0]!.lineItemID, lines[1]!.lineItemID], [first!.lineItemID, second!.lineItemID]);
  // Without lines, as in a change of only the status, they stay unchanged.
  const approved = await api.updateInvoice(tenant, made.invoiceID!, {
    invoices: [{ status: AUTHORISED, lineItems: [] }],
  });
  t.is(approved.body.invoices![0]!.total, 73.2);
});

test('an invoice with a total of 0 is paid as soon as it is approved', async (t) => {
  const made = await create(await rig.books(), { status: AUTHORISED, lineItems: [line({ unitAmount: 0 })] });
  t.like(made, { status: PAID, total: 0 });
});
