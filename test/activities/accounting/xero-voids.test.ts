import ava from 'ava';
import { CreditNote } from 'xero-node';
import { create, line, newKey, Rig } from '../../support/accounting-rig.js';
import { until } from '../../support/until.js';
import { document, failure, WORKSPACE } from './xero-rig.js';
import { INVOICES, loseAnswer, open, payment } from './xero-calls.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.sim('faults', {}));

const purchase = line({ taxType: 'INPUT2', accountCode: '404' });

test('void deletes a submitted invoice, voids an approved one, returns an already voided one and refuses a paid one', async (t) => {
  const { accounting, ledger } = await open(rig);
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
  await loseAnswer(rig, 'POST', INVOICES);
  t.is((await failure(cancel(lost))).type, 'AccountingUnavailable');
  t.is((await cancel(lost)).status, 'voided');
  const voids = (await ledger())['requests']!.filter(({ path }) => path.endsWith(lost));
  t.deepEqual(
    voids.map(({ method }) => method),
    ['GET', 'POST', 'GET'],
  );
});

test('an invoice that a bookkeeper approves during the void is voided', async (t) => {
  const { accounting, ledger } = await open(rig);
  const { id } = await accounting.createInvoice(WORKSPACE, await document(accounting), 'submitted', newKey());
  await rig.sim('faults', { latency_ms: 1_500 });
  const voiding = accounting.voidInvoice(WORKSPACE, id, newKey());
  const wasRead = async () =>
    (await ledger())['requests']!.find(({ method, path }) => method === 'GET' && path.endsWith(id));
  await until(wasRead);
  await rig.sim(`invoices/${id}`, { Status: 'AUTHORISED' });
  t.is((await voiding).status, 'voided');
});

test("a supplier's bill with the number of an invoice is never returned, changed or voided", async (t) => {
  const { books, accounting, ledger } = await open(rig);
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

test("a supplier's credit note with the number of ours is never returned or refunded", async (t) => {
  const { books, accounting } = await open(rig);
  const sent = await document(accounting);
  const { number } = sent;
  const note = { type: CreditNote.TypeEnum.ACCPAYCREDIT, creditNoteNumber: number, lineItems: [purchase] };
  const status = CreditNote.StatusEnum.AUTHORISED;
  const creditNotes = [{ ...note, status, contact: { name: 'Supplier' }, date: sent.date }];
  const { body } = await books.api.createCreditNotes(books.tenant, { creditNotes }, true);
  const theirs = body.creditNotes![0]!.creditNoteID!;
  t.is(await accounting.findCreditNote(WORKSPACE, number), null);
  t.is((await failure(accounting.readCreditNote(WORKSPACE, theirs))).type, 'AccountingRefused');
  const made = await accounting.createCreditNote(WORKSPACE, sent, newKey());
  t.is((await accounting.findCreditNote(WORKSPACE, number))?.id, made.id);
  t.is((await accounting.readCreditNote(WORKSPACE, made.id))?.number, number);
});
