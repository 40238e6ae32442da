import ava from 'ava';
import { newKey, Rig } from '../../support/accounting-rig.js';
import { document, failure, WORKSPACE } from './xero-rig.js';
import { open } from './xero-calls.js';

const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

test('our invoice numbers and totals are read from a given day on; deleted invoices have no total, and foreign ones are left out', async (t) => {
  const { accounting } = await open(rig);
  const write = async (number: string, reference: string, date: string) =>
    accounting.createInvoice(
      WORKSPACE,
      { ...(await document(accounting)), number, reference, date },
      'submitted',
      newKey(),
    );
  const numbers = async (from: string) => {
    const seen = await accounting.listNumbers(WORKSPACE, from);
    return seen.map(({ number, document, total_minor }) => [number, document, total_minor]).toSorted();
  };
  t.deepEqual(await numbers('2026-10-01'), []);
  await write('HF-900', 'Holdfast #900', '2026-09-30');
  await write('HH-9', 'Holdfast #19 — Order 1000', '2026-10-01');
  await write('INV-1000', 'Order 1000', '2026-10-02');
  const deleted = await write('HH-12-T1', 'Holdfast #12', '2026-10-02');
  await accounting.voidInvoice(WORKSPACE, deleted.id, newKey());
  await write('Old 7', 'Holdfast #7', '2026-10-02');
  const since = [
    [12, 'HH-12-T1', undefined],
    [19, 'HH-9', 3_000],
    [7, null, 3_000],
  ];
  t.deepEqual(await numbers('2026-10-01'), since.toSorted());
  t.deepEqual(await numbers('2026-09-30'), [...since, [900, 'HF-900', 3_000]].toSorted());
});

test('a document with our number and reference is someone else’s if its contact or total differs', async (t) => {
  const { accounting } = await open(rig);
  const lost = await document(accounting);
  await accounting.createInvoice(WORKSPACE, lost, 'submitted', newKey());
  const payer = { number: 'mem_2', name: 'Ada', email: 'ada@example.com' };
  const contact_id = await accounting.ensureContact(WORKSPACE, payer, newKey());
  const create = (change: object) =>
    accounting.createInvoice(WORKSPACE, { ...lost, ...change }, 'submitted', newKey());
  t.is((await create({})).number, lost.number, 'the same one');
  for (const change of [{ contact_id }, { lines: [...lost.lines, ...lost.lines] }])
    t.is((await failure(create(change))).type, 'AccountingRefused');
});
