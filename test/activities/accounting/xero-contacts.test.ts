import { randomUUID } from 'node:crypto';
import ava from 'ava';
import { newKey, Rig } from '../../support/accounting-rig.js';
import { WORKSPACE } from './xero-rig.js';
import { open } from './xero-calls.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.sim('faults', {}));

test('a contact is found by our id, updated, and kept apart from a contact of the same name', async (t) => {
  const { accounting, ledger } = await open(rig);
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

test('a company is found by its number, a UUID, and renamed', async (t) => {
  const { accounting, ledger } = await open(rig);
  const number = randomUUID();
  const ensure = (name: string) =>
    accounting.ensureContact(WORKSPACE, { number, name, email: null }, newKey());
  const acme = await ensure('Acme');
  t.is(await ensure('Acme Ltd'), acme);
  const { contacts } = await ledger();
  t.deepEqual(
    contacts!.map(({ ContactNumber, Name }) => [ContactNumber, Name]),
    [[number, 'Acme Ltd']],
  );
});

test('a known contact is used even if its new name is refused', async (t) => {
  const { accounting, ledger } = await open(rig);
  const ensure = (number: string, name: string) =>
    accounting.ensureContact(WORKSPACE, { number, name, email: null }, newKey());
  const ada = await ensure('mem_eeeeee', 'Ada');
  await ensure('mem_ffffff', 'Taken');
  await ensure('mem_gggggg', 'Taken (eeeeee)');
  t.is(await ensure('mem_eeeeee', 'Taken'), ada);
  const { contacts } = await ledger();
  t.is(contacts!.find(({ ContactID }) => ContactID === ada)?.Name, 'Ada');
});

test('concurrent invoices of a new payer create one contact, whether or not its name is taken', async (t) => {
  const { accounting, ledger } = await open(rig);
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

test('characters that Xero refuses are removed from contact names', async (t) => {
  const { accounting, ledger } = await open(rig);
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
  // One extra attempt, as the name was taken.
  t.is(requests!.filter(({ method }) => method !== 'GET').length, 5);
});
