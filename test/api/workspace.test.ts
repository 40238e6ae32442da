import test, { type ExecutionContext } from '../support/suite.js';
import {
  bookingBody,
  db,
  internal,
  newAccount,
  newRoom,
  newWorkspace,
  pay,
  simulator,
  uniqueEmail,
  until,
  type ApiClient,
  type TestWorkspace,
} from '../support/stack.js';

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
    body.tax_codes.map((tax: any) => [tax.code, tax.rate_bps]),
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
  const held = Date.parse(booking.expires_at) - Date.parse(booking.created_at);
  t.true(Math.abs(held - 600_000) < 15_000, `held for ${held} ms`);
  const { body: log } = await api.get('/v1/audit-log?action=workspace.updated');
  t.is(log.data.length, 1);
  t.is(log.data[0].actor.member_id, workspace.ownerId);
  t.is(log.data[0].details.after.checkout_hold_seconds, 600);
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
      t.true(answer.body.error.param.startsWith(field), `${field}: ${answer.body.error.param}`);
    }
  }
  t.is((await api.patch('/v1/workspace', {})).status, 422);
  t.deepEqual((await api.get('/v1/workspace')).body, before);
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

const statusOf = async (api: ApiClient): Promise<string> =>
  (await api.get('/v1/workspace')).body.processor.status;

async function unconfigured(t: ExecutionContext<any>, { api }: TestWorkspace, roomId: string): Promise<void> {
  const answer = await api.post('/v1/bookings', bookingBody(roomId));
  t.is(answer.status, 412);
  t.is(answer.body.error.code, 'processor_unconfigured');
}

test('a workspace can take payments after onboarding on the hosted page, and no longer after a revocation', async (t) => {
  const workspace = await newWorkspace({ processor_account_id: null });
  const { api } = workspace;
  const room = await newRoom(api);
  t.deepEqual((await api.get('/v1/workspace')).body.processor, { account_id: null, status: 'unconfigured' });
  await unconfigured(t, workspace, room.id);

  const started = await Promise.all(
    Array.from({ length: 3 }, () => api.post('/v1/workspace/processor/onboarding')),
  );
  for (const { status, body } of started) {
    t.is(status, 200, JSON.stringify(body));
    t.deepEqual(Object.keys(body), ['url']);
  }
  const { account_id } = (await api.get('/v1/workspace')).body.processor;
  t.regex(account_id, /^acct_/);
  t.is(await statusOf(api), 'pending');
  await unconfigured(t, workspace, room.id);

  const { url } = started.at(-1)!.body;
  t.regex(await (await fetch(url)).text(), /Get ready to take payments/);
  const finished = await fetch(url, { method: 'POST', redirect: 'manual' });
  t.is(finished.status, 303);
  const done = await fetch(finished.headers.get('location')!);
  t.is(done.status, 200);
  t.regex(await done.text(), /Onboarding is complete/);
  await until(async () => (await statusOf(api)) === 'active');
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
  await until(async () => (await statusOf(api)) === 'revoked');
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
  await until(async () => (await statusOf(api)) === 'active');
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
  t.is(await statusOf(api), 'active');
});

test('during maintenance every call returns 503 with the end time, except the one that ends it; payments continue', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const in10Minutes = new Date(Date.now() + 600_000).toISOString();
  const later = { starts_at: in10Minutes, ends_at: new Date(Date.now() + 1_200_000).toISOString() };
  t.deepEqual((await api.patch('/v1/workspace', { maintenance: later })).body.maintenance, later);
  t.is((await api.get('/v1/rooms')).status, 200, 'announced, not started');

  const now = { starts_at: new Date(Date.now() - 1_000).toISOString(), ends_at: in10Minutes };
  t.is((await api.patch('/v1/workspace', { maintenance: now })).status, 200);
  const refused = await api.get('/v1/rooms');
  t.is(refused.status, 503);
  t.is(refused.body.error.code, 'maintenance');
  const seconds = Number(refused.headers.get('retry-after'));
  t.true(seconds > 590 && seconds <= 600, String(seconds));
  t.is((await api.post('/v1/bookings', bookingBody(room.id))).status, 503);
  await pay(booking);
  await until(async () => {
    const rows = await db.query(`SELECT FROM bookings WHERE id = $1 AND status = 'confirmed'`, [booking.id]);
    return rows.length === 1;
  });

  t.is((await api.patch('/v1/workspace', { maintenance: null })).body.maintenance, null);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  const backwards = { starts_at: later.ends_at, ends_at: later.starts_at };
  t.is((await api.patch('/v1/workspace', { maintenance: backwards })).body.error.param, 'maintenance');
});
