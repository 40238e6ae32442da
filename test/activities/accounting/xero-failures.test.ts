import { defaultFailureConverter, defaultPayloadConverter } from '@temporalio/common';
import ava from 'ava';
import { readRateLimit } from '../../../activities/failures.js';
import { createXeroAccounting } from '../../../activities/gateways/xero.js';
import { createXeroConsent } from '../../../activities/gateways/xero/oauth.js';
import { CALLBACK, CLIENT, newKey, Rig, SECRET } from '../../support/accounting-rig.js';
import { bookLine, document, failure, gatewayFor, WORKSPACE } from './xero-rig.js';
import { INVOICES, loseAnswer, open, payment } from './xero-calls.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.sim('faults', {}));

test('a write whose response was lost takes effect once, even if the next attempt has another idempotency key', async (t) => {
  const { accounting, ledger } = await open(rig);
  const sent = await document(accounting);
  const twice = async <T>(method: string, path: string, write: () => Promise<T>): Promise<T> => {
    await loseAnswer(rig, method, `/api.xro/2.0/${path}`);
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

test('a document is refused if another document has its number', async (t) => {
  const { accounting } = await open(rig);
  const sent = await document(accounting);
  await accounting.createInvoice(WORKSPACE, sent, 'submitted', newKey());
  const other = { ...sent, reference: 'Holdfast #999' };
  const { reason } = await failure(accounting.createInvoice(WORKSPACE, other, 'submitted', newKey()));
  const taken =
    `The number ${sent.number} belongs to another document in the accounting ` +
    `system (${sent.reference}).`;
  t.is(reason, taken);
});

test('an expired grant disconnects; wrong app credentials do not', async (t) => {
  const { books } = await open(rig);
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

test('failures have types, and no failure message contains personal data', async (t) => {
  const { accounting, books } = await open(rig);
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
    // A missing role, not a lost connection.
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

test('a call is retried after the minute limit, but not after the day limit', async (t) => {
  const { accounting } = await open(rig);
  const ask = () => accounting.findInvoices(WORKSPACE, ['HF-1']);
  await rig.sim('faults', { minute_limit: 1 });
  await ask();
  const minute = await failure(ask());
  t.like(minute, { type: 'AccountingRateLimited', nonRetryable: false });
  const { limit, retryAfterSeconds } = readRateLimit(minute)!;
  t.is(limit, 'minute');
  t.true(retryAfterSeconds > 50 && retryAfterSeconds <= 60);
  t.is(minute.nextRetryDelay, `${retryAfterSeconds} s`);
  await rig.sim('faults', { day_limit: 0 });
  const day = await failure(ask());
  t.like(day, { type: 'AccountingRateLimited', nonRetryable: true });
  t.is(readRateLimit(day)!.limit, 'day');
  await rig.sim('faults', { latency_ms: 800 });
  const at = await Promise.allSettled(Array.from({ length: 7 }, ask));
  const late = at.flatMap((each) => (each.status === 'rejected' ? [readRateLimit(each.reason)] : []));
  t.is(late.length, 2);
  for (const each of late) t.deepEqual(each, { limit: 'concurrent', retryAfterSeconds: 2 });
});

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

test('a refused tenant is looked up; the workspace is disconnected only if the tenant is no longer connected', async (t) => {
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
