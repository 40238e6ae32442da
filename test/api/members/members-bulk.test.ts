import test from 'ava';
import { randomUUID } from 'node:crypto';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { createMember, eventTypes } from '../../support/member-calls.js';

test('each operation has a result, and a failed one does not stop the others', async (t) => {
  const { api } = await newWorkspace();
  const [first, second] = [await createMember(api), await createMember(api)];
  const elsewhere = await createMember((await newWorkspace()).api);
  const email = uniqueEmail();
  const operations = [
    { op: 'create', email, tier: 'plus', send_invite: false },
    { op: 'create', email: email.toUpperCase(), tier: 'plus' },
    { op: 'create', email: 'nobody', tier: 'plus' },
    { op: 'create', email: uniqueEmail(), tier: 'plus', company_id: randomUUID() },
    { op: 'update', id: first.id, tier: 'pro', tier_change_reason: 'Promised.' },
    { op: 'update', id: first.id },
    { op: 'update', id: elsewhere.id, tier: 'pro' },
    { op: 'archive', id: second.id },
    { op: 'update', id: second.id, tier: 'pro' },
    { op: 'promote', id: second.id },
    { op: 'toString' },
    'nonsense',
    null,
    { op: 'create', email: uniqueEmail(), tier: 'basic' },
  ];
  const { status, body } = await api.post('/v1/members.bulk', { operations });
  t.is(status, 200);
  t.deepEqual(
    body.results.map(({ index, status, error }) => [index, status === 'ok' ? 'ok' : error!.code]),
    [
      'ok',
      'member_exists',
      'validation_failed',
      'company_not_found',
      'ok',
      'validation_failed',
      'member_not_found',
      'ok',
      'member_not_editable',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'ok',
    ].map((code, index) => [index, code]),
  );
  t.deepEqual(body.summary, { ok: 4, error: 10 });
  t.deepEqual(
    body.results.map(({ op }) => op),
    operations.map((operation) => (operation as { op?: unknown } | null)?.op ?? null),
  );
  t.is(body.results[4]!.id, first.id);
  t.is(body.results[6]!.id, elsewhere.id);
  t.is(body.results[2]!.error!.param, 'email');
  t.like((await api.get(`/v1/members/${body.results[0]!.id}`)).body, {
    email,
    tier: 'plus',
    status: 'active',
  });
  t.is((await api.get(`/v1/members/${body.results[13]!.id}`)).body.status, 'invited');
  t.is((await api.get(`/v1/members/${first.id}`)).body.tier, 'pro');
  t.is((await api.get(`/v1/members/${elsewhere.id}`)).status, 404);
  t.deepEqual(await eventTypes(second.id), ['member.created', 'member.archived']);
});

test('1,000 operations are accepted in one call, in order; more, or no list, are refused without effect', async (t) => {
  const { api, id } = await newWorkspace();
  const operations = Array.from({ length: 1_000 }, (_, i) => ({
    op: 'create',
    email: `bulk-${i}-${randomUUID()}@example.com`,
    tier: 'basic',
    send_invite: false,
  }));
  const one = operations[0]!;
  for (const body of [
    { operations: [...operations, one] },
    { operations: one },
    {},
    { operations: null },
    [],
  ])
    isError(t, await api.post('/v1/members.bulk', body), 422, 'validation_failed');
  const count = async () =>
    (await db.query(`SELECT count(*)::int AS n FROM members WHERE workspace_id = $1`, [id]))[0].n;
  t.is(await count(), 1);
  const readLimit = ({ headers }: { headers: Headers }) =>
    ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
  // From a full bucket, so that it is not refilled between the two calls.
  await until(async () => {
    const [limit, remaining] = readLimit(await api.get('/v1/members'));
    return remaining === limit! - 1;
  });
  const { status, body, headers } = await api.post('/v1/members.bulk', { operations });
  const [limit, remaining] = readLimit({ headers });
  t.is(limit! - remaining!, 100, 'it costs a tenth of its operations');
  t.is(status, 200);
  t.deepEqual(body.summary, { ok: 1_000, error: 0 });
  t.is(await count(), 1_001);
  const rows: { id: string; email: string }[] = await db.query(
    `SELECT m.id, p.email FROM members m JOIN profiles p ON p.id = m.profile_id WHERE m.workspace_id = $1`,
    [id],
  );
  const emails = new Map(rows.map((row) => [row.id, row.email]));
  t.deepEqual(
    body.results.map((row) => emails.get(row.id!)),
    operations.map(({ email }) => email),
  );
  t.deepEqual(
    body.results.map(({ index }) => index),
    operations.map((_, index) => index),
  );
  t.deepEqual((await api.post('/v1/members.bulk', { operations: [] })).body, {
    results: [],
    summary: { ok: 0, error: 0 },
  });
});

test('a bulk call with an idempotency key updates and archives once, and accepts no other body', async (t) => {
  const { api } = await newWorkspace();
  const [renamed, archived] = [await createMember(api), await createMember(api)];
  const operations = [
    { op: 'update', id: renamed.id, name: 'Bulk Name' },
    { op: 'archive', id: archived.id },
  ];
  const headers = { 'idempotency-key': randomUUID() };
  const first = await api.post('/v1/members.bulk', { operations }, headers);
  t.deepEqual(first.body.summary, { ok: 2, error: 0 });
  await api.patch(`/v1/members/${renamed.id}`, { name: 'Later Name' });
  await api.patch(`/v1/members/${archived.id}`, { status: 'active' });
  const again = await api.post('/v1/members.bulk', { operations }, headers);
  t.deepEqual([again.status, again.body], [200, first.body]);
  const other = { operations: [{ op: 'update', id: renamed.id, name: 'Other Name' }] };
  const conflict = await api.post('/v1/members.bulk', other, headers);
  t.like(conflict, {
    status: 409,
    body: { error: { code: 'idempotency_conflict', param: 'Idempotency-Key' } },
  });
  t.is((await api.get(`/v1/members/${renamed.id}`)).body.name, 'Later Name');
  t.is((await api.get(`/v1/members/${archived.id}`)).body.status, 'active');
});

test('a bulk call repeated with its idempotency key creates nobody twice and retries what failed', async (t) => {
  const { api } = await newWorkspace();
  const taken = await createMember(api);
  const operations = [
    { op: 'create', email: uniqueEmail(), tier: 'basic', send_invite: false },
    { op: 'create', email: taken.email, tier: 'basic', send_invite: false },
  ];
  const headers = { 'idempotency-key': randomUUID() };
  const first = (await api.post('/v1/members.bulk', { operations }, headers)).body;
  t.deepEqual(first.summary, { ok: 1, error: 1 });
  await api.patch(`/v1/members/${taken.id}`, { email: uniqueEmail() });
  const again = (await api.post('/v1/members.bulk', { operations }, headers)).body;
  t.deepEqual(again.summary, { ok: 2, error: 0 });
  t.is(again.results[0]!.id, first.results[0]!.id);
});

test('at most two bulk calls of a workspace are in progress, while other workspaces’ continue', async (t) => {
  const [workspace, other] = await Promise.all([newWorkspace(), newWorkspace()]);
  const operations = Array.from({ length: 200 }, () => ({
    op: 'create',
    email: uniqueEmail(),
    tier: 'basic',
    send_invite: false,
  }));
  const bulk = ({ api }: typeof workspace) => api.post('/v1/members.bulk', { operations });
  const [mine, theirs] = await Promise.all([
    Promise.all(Array.from({ length: 6 }, () => bulk(workspace))),
    bulk(other),
  ]);
  const refused = mine.filter(({ status }) => status === 429);
  t.true(refused.length >= 1 && refused.length <= 4, String(mine.map(({ status }) => status)));
  for (const response of refused) {
    isError(t, response, 429, 'rate_limited');
    t.is(
      response.body.error.message,
      'At most 2 requests of this kind can be in progress at once. Wait until one of them ends, then ' +
        'try again.',
    );
    t.truthy(response.headers.get('retry-after'));
  }
  t.is(theirs.status, 200);
});
