import test, { type ExecutionContext } from 'ava';
import { anonymous, internal, type ApiClient } from '../../support/api-client.js';
import { bookingBody } from '../../support/bookings.js';
import { simulator } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newMember } from '../../support/people.js';
import {
  newAccount,
  newRoom,
  newWorkspace,
  uniqueEmail,
  type TestWorkspace,
} from '../../support/workspaces.js';

test('a new workspace has the default settings', async (t) => {
  const { api, id, accountId } = await newWorkspace();
  const { status, body } = await api.get('/v1/workspace');
  t.is(status, 200);
  t.like(body, {
    id,
    name: 'Test house',
    time_zone: 'Europe/London',
    currency: 'GBP',
    checkout_hold_seconds: 1_800,
    processor: { account_id: accountId, status: 'active' },
  });
  t.deepEqual(
    body.tax_codes.map((tax) => [tax.code, tax.rate_bps]),
    [
      ['STANDARD', 2_000],
      ['REDUCED', 500],
      ['ZERO', 0],
      ['EXEMPT', 0],
    ],
  );
});

test('a changed setting applies to the next booking and is in the audit log', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const changes = {
    name: 'Harbour House',
    checkout_hold_seconds: 600,
    currency: 'eur',
    return_url: 'https://h.example/',
  };
  const patched = await api.patch('/v1/workspace', changes);
  t.is(patched.status, 200);
  t.like(patched.body, { ...changes, currency: 'EUR', time_zone: 'Europe/London' });
  t.deepEqual((await api.get('/v1/workspace')).body, patched.body);
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const held = Date.parse(booking.expires_at!) - Date.parse(booking.created_at);
  t.true(Math.abs(held - 600_000) < 15_000, `held for ${held} ms`);
  const { body: log } = await api.get('/v1/audit-log?action=workspace.updated');
  t.is(log.data.length, 1);
  t.is(log.data[0]!.actor.member_id, workspace.ownerId);
  t.is(log.data[0]!.details.after.checkout_hold_seconds, 600);
});

test('an invalid setting is refused and named, and changes nothing', async (t) => {
  const { api } = await newWorkspace();
  const before = (await api.get('/v1/workspace')).body;
  const tax = { code: 'A', rate_bps: 1, accounting_tax_type: 'A' };
  const wrong: [string, unknown[]][] = [
    ['name', ['', 1, null, 'n'.repeat(201), 'a\0b']],
    ['time_zone', ['Mars/Olympus', 1]],
    ['currency', ['POUND', '12$', 1]],
    ['checkout_hold_seconds', [9, 86_401, 1.5, '600', null]],
    [
      'tax_codes',
      [[], {}, [{ ...tax, rate_bps: 10_001 }], [{ ...tax, rate_bps: 1.5 }], [tax, tax], [{ code: 'A' }]],
    ],
    ['return_url', ['javascript:alert(1)', 'harbour', 1]],
    ['processor', [{ account_id: 'acct_1' }]],
    ['id', ['ws_1']],
  ];
  for (const [field, values] of wrong) {
    for (const value of values) {
      const answer = await api.patch('/v1/workspace', { [field]: value });
      t.is(answer.status, 422, `${field} = ${JSON.stringify(value)}`);
      t.true(answer.body.error.param!.startsWith(field), `${field}: ${answer.body.error.param}`);
    }
  }
  t.is((await api.patch('/v1/workspace', {})).status, 422);
  t.deepEqual((await api.get('/v1/workspace')).body, before);
});

test('a workspace’s currency cannot change while it has amounts in it that the request does not replace', async (t) => {
  // Without an account, an upgrade waits for the next invoice of the plans.
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme' });
  const set = (body: Record<string, unknown>) => api.patch('/v1/workspace', body);
  const refused = async (words: RegExp, body: Record<string, unknown> = { currency: 'JPY' }) => {
    const { status, body: answer } = await set(body);
    t.is(status, 422, JSON.stringify(body));
    t.is(answer.error.param, 'currency');
    t.regex(answer.error.message, words);
  };
  t.is((await set({ tier_prices: { pro: 15_000 } })).status, 200);
  await refused(/plan prices/);
  await refused(/plan prices/, { currency: 'JPY', tier_prices: { plus: 100 } });
  t.is((await set({ currency: 'GBP', name: 'Mansion' })).status, 200, 'the same currency');
  await api.patch(`/v1/companies/${company.id}`, { payment_terms: 14, credit_limit_minor: 100_000 });
  await refused(/credit limit/, { currency: 'JPY', tier_prices: { pro: 20_000 } });
  await api.patch(`/v1/companies/${company.id}`, { credit_limit_minor: null });
  await set({ desk_refund_limit_minor: 5_000 });
  await refused(/front desk/, { currency: 'JPY', tier_prices: { pro: 20_000 } });
  t.like((await api.get('/v1/workspace')).body, { currency: 'GBP', tier_prices: { pro: 15_000 } });

  const yen = { currency: 'JPY', tier_prices: { pro: 20_000 }, desk_refund_limit_minor: 8_000 };
  t.like((await set(yen)).body, { ...yen, tier_prices: { pro: 20_000, basic: 0 } });
  const member = await newMember(workspace, { tier: 'plus' });
  t.is((await api.patch(`/v1/members/${member.id}`, { tier: 'pro' })).status, 200);
  await refused(/plan upgrades in JPY/, { ...yen, currency: 'KRW' });
});

test('a processor account belongs to at most one workspace', async (t) => {
  const { accountId } = await newWorkspace();
  const second = { name: 'Second', owner_email: uniqueEmail(), processor_account_id: accountId };
  const answer = await internal('create_workspace', second);
  t.is(answer.status, 409);
  t.is(answer.body.error.code, 'processor_account_taken');
  const left = await db.query(`SELECT 1 FROM profiles WHERE email = $1`, [second.owner_email]);
  t.deepEqual(left, [], 'nothing of the refused workspace is stored');
  const another = { ...second, processor_account_id: newAccount() };
  t.is((await internal('create_workspace', another)).status, 200);
});

const readStatus = async (api: ApiClient): Promise<string> =>
  (await api.get('/v1/workspace')).body.processor.status;

async function unconfigured(t: ExecutionContext, { api }: TestWorkspace, roomId: string): Promise<void> {
  const answer = await api.post('/v1/bookings', bookingBody(roomId));
  t.is(answer.status, 412);
  t.is(answer.body.error.code, 'processor_unconfigured');
}

test('a workspace can take payments after onboarding on the hosted page, and no longer after a revocation', async (t) => {
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const room = await newRoom(api);
  const none = { account_id: null, status: 'unconfigured', due_by: null, problem: null };
  t.deepEqual((await api.get('/v1/workspace')).body.processor, none);
  await unconfigured(t, workspace, room.id);

  const started = await Promise.all(
    Array.from({ length: 3 }, () => api.post('/v1/workspace/processor/onboarding')),
  );
  for (const { status, body } of started) {
    t.is(status, 200, JSON.stringify(body));
    t.deepEqual(Object.keys(body), ['url']);
  }
  const { account_id } = (await api.get('/v1/workspace')).body.processor;
  t.regex(account_id!, /^acct_/);
  t.is(await readStatus(api), 'pending');
  await unconfigured(t, workspace, room.id);

  const { url } = started.at(-1)!.body;
  t.regex(await (await fetch(url)).text(), /Get ready to take payments/);
  const finished = await fetch(url, { method: 'POST', redirect: 'manual' });
  t.is(finished.status, 303);
  const done = await fetch(finished.headers.get('location')!);
  t.is(done.status, 200);
  t.regex(await done.text(), /Thanks, we’re checking your account/);
  await until(async () => (await readStatus(api)) === 'active');
  t.is(
    (await api.get('/v1/workspace')).body.processor.account_id,
    account_id,
    'repeated requests use one account',
  );
  const booked = await api.post('/v1/bookings', bookingBody(room.id));
  t.is(booked.status, 201, JSON.stringify(booked.body));

  await simulator('POST', '/_sim/event', {
    type: 'account.application.deauthorized',
    object: { id: 'ca_test', object: 'application' },
    account: account_id,
    via: 'connect',
  });
  await until(async () => (await readStatus(api)) === 'revoked');
  await unconfigured(t, workspace, room.id);
  t.is(
    (await api.get(`/v1/bookings/${booked.body.id}`)).body.status,
    'pending_payment',
    'the hold continues',
  );

  // A revoked account cannot be onboarded again, so a new one is created.
  const again = await api.post('/v1/workspace/processor/onboarding');
  t.is(again.status, 200, JSON.stringify(again.body));
  const { processor } = (await api.get('/v1/workspace')).body;
  t.is(processor.status, 'pending');
  t.not(processor.account_id, account_id);
  await fetch(again.body.url, { method: 'POST', redirect: 'manual' });
  await until(async () => (await readStatus(api)) === 'active');
  t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 201);
});

test('an event about an unknown account changes nothing', async (t) => {
  const { api } = await newWorkspace();
  const account = newAccount();
  await simulator('POST', '/_sim/event', {
    type: 'account.application.deauthorized',
    object: { id: 'ca_test', object: 'application' },
    account,
    via: 'connect',
  });
  t.is(await readStatus(api), 'active');
});

test('a tax code that a room, a live booking or an unpaid invoice uses cannot be removed', async (t) => {
  const { api } = await newWorkspace();
  const { tax_codes } = (await api.get('/v1/workspace')).body;
  const without = (...codes: string[]) =>
    api.patch('/v1/workspace', { tax_codes: tax_codes.filter(({ code }) => !codes.includes(code)) });
  const refusedFor = async (...codes: string[]) => {
    const { status, body } = await without(...codes);
    t.is(status, 422);
    t.is(body.error.param, 'tax_codes');
    return /tax codes (.*?)\./.exec(body.error.message)![1];
  };
  const room = await newRoom(api, { tax_code: 'REDUCED' });
  t.is(await refusedFor('REDUCED', 'ZERO'), 'REDUCED');
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  await api.patch(`/v1/rooms/${room.id}`, { tax_code: 'EXEMPT' });
  t.is(await refusedFor('REDUCED', 'EXEMPT'), 'EXEMPT, REDUCED');
  await api.post(`/v1/bookings/${booking.id}/cancel`, {});
  t.is((await without('REDUCED', 'ZERO')).status, 200);
  const unknown = await api.patch(`/v1/rooms/${room.id}`, { tax_code: 'REDUCED' });
  t.is(unknown.body.error.param, 'tax_code');
});

test('the page after onboarding does not claim that it was completed, as the person may have left early', async (t) => {
  const { status, body } = await anonymous('GET', '/onboarding/done');
  t.is(status, 200);
  t.notRegex(body, /complete/i);
  t.regex(body, /processor\.status/);
});
