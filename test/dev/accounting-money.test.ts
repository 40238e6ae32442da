import ava from 'ava';
import { Contact, CreditNote, Invoice, type Payment } from 'xero-node';
import { create, line, newKey, refused, Rig, type Books } from '../support/accounting-rig.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());
ava.afterEach.always(() => rig.sim('faults', {}));

const { AUTHORISED, PAID, VOIDED, DELETED } = Invoice.StatusEnum;

test('an approved invoice accepts payments up to the amount due and is then paid, and deleting one reopens it', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const { invoiceID } = await create(books);
  const pay = (amount: number, code = '090') =>
    api.createPayment(tenant, { invoice: { invoiceID }, account: { code }, amount, reference: 'pay_1' });
  t.regex((await refused(pay(30))).messages.join(), /only be made against Authorised documents/);
  await api.updateInvoice(tenant, invoiceID!, { invoices: [{ status: AUTHORISED }] });
  t.regex((await refused(pay(30.01))).messages.join(), /exceeds the amount outstanding/);
  t.regex((await refused(pay(30, '999'))).messages.join(), /Account could not be found/);
  t.regex((await refused(pay(30, '200'))).messages.join(), /not enabled for payments/);
  await pay(10);
  const { body } = await pay(20);
  t.like(body.payments![0], { amount: 20, reference: 'pay_1', status: AUTHORISED as never });
  const read = async () => (await api.getInvoice(tenant, invoiceID!)).body.invoices![0]!;
  const paid = await read();
  t.like(paid, { status: PAID, amountDue: 0, amountPaid: 30, total: 30 });
  t.deepEqual(
    paid.payments!.map(({ amount, reference }) => [amount, reference]),
    [
      [10, 'pay_1'],
      [20, 'pay_1'],
    ],
  );
  await api.deletePayment(tenant, body.payments![0]!.paymentID!, { status: 'DELETED' });
  t.like(await read(), { status: AUTHORISED, amountDue: 20, amountPaid: 10 });
  const voided = api.updateInvoice(tenant, invoiceID!, { invoices: [{ status: VOIDED }] });
  t.regex((await refused(voided)).messages.join(), /has a payment or credit note allocated/);
});

async function creditNote({ api, tenant }: Books, overrides: Partial<CreditNote> = {}): Promise<CreditNote> {
  const note: CreditNote = {
    type: CreditNote.TypeEnum.ACCRECCREDIT,
    creditNoteNumber: `CN-${newKey()}`,
    contact: { name: 'Grace Guest' },
    lineItems: [line()],
    status: CreditNote.StatusEnum.AUTHORISED,
    ...overrides,
  };
  return (await api.createCreditNotes(tenant, { creditNotes: [note] }, true)).body.creditNotes![0]!;
}

test('a credit note can be refunded by a payment up to its amount', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const note = await creditNote(books, {
    lineItems: [line(), line({ unitAmount: 10, taxType: 'RROUTPUT' })],
  });
  t.like(note, { total: 40.5, totalTax: 5.5, remainingCredit: 40.5 });
  const refund = (amount: number, key = newKey()) => {
    const payment: Payment = {
      creditNote: { creditNoteID: note.creditNoteID },
      account: { code: '090' },
      amount,
    };
    return api.createPayment(tenant, { ...payment, reference: 'pay_2' }, key);
  };
  t.regex((await refused(refund(40.51))).messages.join(), /exceeds the amount outstanding/);
  const { body } = await refund(40.5);
  t.is(body.payments![0]!.paymentType as unknown, 'ARCREDITPAYMENT');
  const read = (await api.getCreditNote(tenant, note.creditNoteNumber!)).body.creditNotes![0]!;
  t.like(read, { status: PAID as never, remainingCredit: 0 });
  t.is(read.payments![0]!.reference, 'pay_2');
  t.regex((await refused(refund(1))).messages.join(), /Authorised/);
  const twin = creditNote(books, { creditNoteNumber: note.creditNoteNumber });
  t.deepEqual((await refused(twin)).messages, ['Credit Note # must be unique.']);
});

test('a credit note allocated to an invoice reduces the amount due', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  const note = await creditNote(books);
  const { invoiceID } = await create(books, { status: AUTHORISED, lineItems: [line({ quantity: 2 })] });
  const allocate = (amount: number) => {
    const allocations = [{ invoice: { invoiceID }, amount, date: '2026-10-02' }];
    return api.createCreditNoteAllocation(tenant, note.creditNoteID!, { allocations }, true);
  };
  t.regex((await refused(allocate(31))).messages.join(), /Allocation amount exceeds/);
  await allocate(30);
  const read = (await api.getInvoice(tenant, invoiceID!)).body.invoices![0]!;
  t.like(read, { status: AUTHORISED, amountDue: 30, amountCredited: 30, amountPaid: 0 });
  t.like(read.creditNotes![0]!, { creditNoteID: note.creditNoteID, appliedAmount: 30 });
  const spent = (await api.getCreditNote(tenant, note.creditNoteID!)).body.creditNotes![0]!;
  t.like(spent, { status: PAID as never, remainingCredit: 0 });
  const voided = api.updateInvoice(tenant, invoiceID!, { invoices: [{ status: VOIDED }] });
  t.regex((await refused(voided)).messages.join(), /payment or credit note allocated/);
});

test('an unused credit note can be voided, and a draft deleted', async (t) => {
  const books = await rig.books();
  const { api, tenant } = books;
  for (const [status, gone] of [
    [AUTHORISED, VOIDED],
    [Invoice.StatusEnum.DRAFT, DELETED],
  ]) {
    const { creditNoteID } = await creditNote(books, { status: status as never });
    const creditNotes = [{ status: gone as never }];
    const { body } = await api.updateCreditNote(tenant, creditNoteID!, { creditNotes });
    t.like(body.creditNotes![0]!, { status: gone as never, remainingCredit: 0, total: 30 });
  }
});

test('a contact is found by id, number or name, and name and number are unique', async (t) => {
  const { api, tenant } = await rig.books();
  const put = async (contact: Contact) =>
    (await api.createContacts(tenant, { contacts: [contact] }, true)).body.contacts![0]!;
  const post = async (contact: Contact) =>
    (await api.updateOrCreateContacts(tenant, { contacts: [contact] }, true)).body.contacts![0]!;
  const ada = await put({ name: 'Ada', contactNumber: 'mem_1', emailAddress: 'ada@example.com' });
  t.regex((await refused(put({ name: 'ada' }))).messages.join(), /already assigned to another contact/);
  for (const name of ['Eve <eve@example.com>', ' Eve', 'Eve  Adams'])
    t.regex((await refused(put({ name }))).messages.join(), /contact name cannot/, name);
  t.regex((await refused(put({ name: 'Eve', contactNumber: 'mem_1' }))).messages.join(), /number mem_1/);
  t.is((await post({ contactNumber: 'mem_1', name: 'Ada Lovelace' })).contactID, ada.contactID);
  t.is((await post({ name: 'ADA LOVELACE', emailAddress: 'a@example.com' })).contactID, ada.contactID);
  const found = (await api.getContact(tenant, 'mem_1')).body.contacts![0]!;
  t.like(found, { contactID: ada.contactID, emailAddress: 'a@example.com' });
  const where = 'ContactNumber="mem_1"';
  t.is((await api.getContacts(tenant, undefined, where)).body.contacts!.length, 1);
  await api.updateContact(tenant, ada.contactID!, {
    contacts: [{ contactStatus: Contact.ContactStatusEnum.ARCHIVED }],
  });
  t.is((await api.getContacts(tenant)).body.contacts!.length, 0);
  await t.notThrowsAsync(put({ name: 'Ada Lovelace' }));
});
