import ava from 'ava';
import * as xero from 'xero-node';
import { create, invoice, line, newKey, refused, Rig } from '../support/accounting-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.sim('faults', {}));

const { AUTHORISED } = xero.Invoice.StatusEnum;

test('one invalid invoice prevents the whole request, or only itself with summarizeErrors=false', async (t) => {
  const { api, tenant } = await rig.books();
  const batch = [invoice(), invoice({ lineItems: [line({ taxType: 'NOPE' })] }), invoice()];
  t.is((await refused(api.createInvoices(tenant, { invoices: batch }, true))).body.Elements!.length, 1);
  t.is((await rig.ledger(tenant))['invoices']!.length, 0);
  t.is((await rig.ledger(tenant))['contacts']!.length, 0);
  // False is the default of Xero's OpenAPI document.
  const { body } = await api.createInvoices(tenant, { invoices: batch });
  t.deepEqual(
    body.invoices!.map(({ statusAttributeString }) => statusAttributeString),
    ['OK', 'ERROR', 'OK'],
  );
  t.regex(body.invoices![1]!.validationErrors![0]!.message!, /NOPE/);
  t.is((await rig.ledger(tenant))['invoices']!.length, 2);
});

test('a retry with its idempotency key after a lost response has no second effect, and another request with it is refused', async (t) => {
  const { api, tenant } = await rig.books();
  const [key, sent] = [newKey(), { invoices: [invoice()] }];
  const send = (body = sent) => api.createInvoices(tenant, body, true, undefined, key);
  await rig.sim('faults', {
    fail: [{ method: 'PUT', path: '/api.xro/2.0/Invoices', status: 0, after_effect: true }],
  });
  t.is((await refused(send())).status, 0);
  const again = await send();
  const { invoices, requests } = await rig.ledger(tenant);
  t.is(invoices!.length, 1);
  t.is(invoices[0]!.InvoiceID, again.body.invoices![0]!.invoiceID!);
  t.like(invoices![0], { tenant_id: tenant, idempotency_key: key });
  t.deepEqual(
    requests!.map(({ status, idempotency_key }) => [status, idempotency_key]),
    [
      [0, key],
      [200, key],
    ],
  );
  const other = await refused(send({ invoices: [invoice()] }));
  t.is(other.status, 400);
  t.is(other.body.Detail, `Idempotency Key ${key} is used with a different request.`);
});

test('a refusal is replayed for its key, but a failure before the work is not', async (t) => {
  const { api, tenant } = await rig.books();
  const key = newKey();
  const bad = { invoices: [invoice({ lineItems: [line({ taxType: 'TAX001' })] })] };
  const send = () => api.createInvoices(tenant, bad, true, undefined, key);
  await rig.sim('faults', { fail: [{ path: '/api.xro/2.0/Inv*', status: 503 }] });
  t.is((await refused(send())).status, 503);
  t.is((await refused(send())).status, 400);
  await api.createTaxRates(tenant, {
    taxRates: [{ name: 'GST', taxComponents: [{ name: 'GST', rate: 15 }] }],
  });
  t.is((await refused(send())).status, 400);
  await t.notThrowsAsync(api.createInvoices(tenant, bad, true, undefined, newKey()));
});

test('responses have only fields that Xero has', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const made = await create(books, { status: AUTHORISED });
  const account = { code: '090' };
  await api.createPayment(tenant, { invoice: { invoiceID: made.invoiceID }, account, amount: 1 });
  const note = { type: xero.CreditNote.TypeEnum.ACCRECCREDIT, contact: made.contact, lineItems: [line()] };
  await api.createCreditNotes(tenant, { creditNotes: [{ ...note, status: AUTHORISED as never }] });
  for (const [path, model] of Object.entries({
    Organisation: 'Organisations',
    Accounts: 'Accounts',
    TaxRates: 'TaxRates',
    Contacts: 'Contacts',
    Invoices: 'Invoices',
    CreditNotes: 'CreditNotes',
    Payments: 'Payments',
  })) {
    const headers = { authorization: `Bearer ${books.tokens.access_token}`, 'xero-tenant-id': tenant };
    const answer = await fetch(rig.url(`/api.xro/2.0/${path}?page=1`), { headers });
    t.is(answer.status, 200);
    t.truthy(findModel(model)!.getAttributeTypeMap);
    t.deepEqual(unknownFields(await answer.json(), model), [], path);
  }
});

/** In the responses of Xero's examples, but not in the client's models. */
const EXAMPLES_HAVE = [
  'Id',
  'Status',
  'ProviderName',
  'DateTimeUTC',
  'DateString',
  'DueDateString',
  'ID',
  'pagination',
];

/** A model of the stock client. */
const findModel = (type: string) =>
  (xero as Record<string, unknown>)[type] as
    | { getAttributeTypeMap?: () => { baseName: string; type: string }[] }
    | undefined;

/** Fields of a response that the stock client does not have. */
function unknownFields(value: unknown, type: string): string[] {
  const inner = /^Array<(.*)>$/.exec(type)?.[1];
  if (inner) return (value as unknown[]).flatMap((each) => unknownFields(each, inner));
  const model = findModel(type);
  if (!model?.getAttributeTypeMap || typeof value !== 'object' || value === null) return [];
  const fields = model.getAttributeTypeMap();
  return Object.entries(value).flatMap(([name, each]) => {
    const field = fields.find(({ baseName }) => baseName === name);
    if (!field) return EXAMPLES_HAVE.includes(name) ? [] : [`${type}.${name}`];
    return unknownFields(each, field.type);
  });
}

test('lists filter by number, status and where, and lines are only in pages and single documents', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const made: xero.Invoice[] = [];
  for (let n = 0; n < 3; n++) made.push(await create(books, { reference: `Holdfast #${n}` }));
  const [first, second] = made;
  await api.updateInvoice(tenant, first!.invoiceID!, { invoices: [{ status: AUTHORISED }] });
  type Filters = { where?: string; numbers?: string[]; statuses?: string[]; page?: number; size?: number };
  const list = async ({ where, numbers, statuses, page, size }: Filters) => {
    const order = 'InvoiceNumber ASC';
    // oxfmt-ignore
    const { body } = await api.getInvoices(
      tenant, undefined, where, order, undefined, numbers, undefined, statuses, page,
      undefined, undefined, undefined, undefined, size,
    );
    return body;
  };
  const invoiceNumbers = ({ invoices }: xero.Invoices) => invoices!.map(({ invoiceNumber }) => invoiceNumber);
  const numbers = [first!.invoiceNumber!, second!.invoiceNumber!].toSorted();
  t.deepEqual(invoiceNumbers(await list({ numbers })), numbers);
  t.deepEqual(invoiceNumbers(await list({ statuses: ['AUTHORISED', 'PAID'] })), [first!.invoiceNumber]);
  const where = `Type=="ACCREC" AND Reference=="holdfast #1" && Total>=30 AND Date<DateTime(2026,12,31)`;
  t.deepEqual(invoiceNumbers(await list({ where })), [second!.invoiceNumber]);
  t.is((await list({})).invoices![0]!.lineItems!.length, 0);
  const page = await list({ page: 2, size: 2 });
  t.is(page.invoices![0]!.lineItems!.length, 1);
  t.like(page.pagination!, { page: 2, pageSize: 2, pageCount: 2, itemCount: 3 });
  const alone = await api.getInvoice(tenant, second!.invoiceNumber!);
  t.is(alone.body.invoices![0]!.lineItems!.length, 1);
  t.is((await refused(list({ where: 'Reference.Contains("x")' }))).body.Type, 'QueryParseException');
  t.is((await refused(api.getInvoice(tenant, 'nothing'))).status, 404);
});

test('an organisation sees only its own documents', async (t) => {
  const [mine, theirs] = [await rig.books(), await rig.books()];
  const { invoiceID, invoiceNumber } = await create(mine);
  t.is((await refused(theirs.api.getInvoice(theirs.tenant, invoiceID!))).status, 404);
  t.is((await refused(theirs.api.getInvoice(theirs.tenant, invoiceNumber!))).status, 404);
  t.deepEqual((await theirs.api.getInvoices(theirs.tenant)).body.invoices, []);
  const { status, body } = await refused(theirs.api.getInvoice(mine.tenant, invoiceID!));
  t.like(body, { Title: 'Forbidden', Detail: 'AuthenticationUnsuccessful' });
  t.is(status, 403);
});

test('a bookkeeper can edit what Xero permits', async (t) => {
  const books = await rig.books();
  const { invoiceID } = await create(books);
  const edit = (change: object) => rig.sim(`invoices/${invoiceID}`, change);
  t.like(await edit({ Reference: 'legacy' }), { Reference: 'legacy', Status: 'SUBMITTED' });
  t.like(await edit({ Status: 'AUTHORISED' }), { Status: 'AUTHORISED', AmountDue: 30 });
  t.like(await edit({ LineItems: [{ Description: 'Less', UnitAmount: 10, AccountCode: '200' }] }), {
    Total: 12,
  });
  t.like(await edit({ Status: 'PAID' }), { Status: 'PAID', AmountPaid: 12, AmountDue: 0 });
  t.like(await edit({ Reference: 'still' }), { Reference: 'still', Status: 'PAID' });
  await t.throwsAsync(edit({ Status: 'VOIDED' }), { message: /not of valid status/ });
  await t.throwsAsync(edit({ Colour: 'red' }), { message: /Colour/ });
});

test('a killed process keeps documents, tokens, idempotency keys and the request log', async (t) => {
  const books = await rig.books();
  const { tenant } = books;
  const [key, sent] = [newKey(), { invoices: [invoice()] }];
  const before = await books.api.createInvoices(tenant, sent, true, undefined, key);
  await rig.stopAccounting('SIGKILL');
  await rig.startAccounting();
  const again = await books.api.createInvoices(tenant, sent, true, undefined, key);
  t.is(again.body.invoices![0]!.invoiceID, before.body.invoices![0]!.invoiceID!);
  t.truthy((await rig.refresh(books.tokens.refresh_token!)).access_token);
  const { invoices, requests } = await rig.ledger(tenant);
  t.is(invoices!.length, 1);
  t.is(requests!.length, 2);
  t.is(await rig.stopAccounting('SIGTERM'), 0);
  await rig.startAccounting();
});
