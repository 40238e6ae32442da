import test from 'ava';
import { randomUUID } from 'node:crypto';
import { fromString, toUUID } from 'typeid-js';
import { db } from '../../support/stack.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { createMember, listEvents, eventTypes } from '../../support/member-calls.js';
import { newKey } from '../../support/people.js';

test('an invited member has status invited; a member created without an invite is active immediately', async (t) => {
  const { api } = await newWorkspace();
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const email = uniqueEmail();
  const invited = await api.post('/v1/members', {
    email,
    name: 'Ines Invited',
    tier: 'plus',
    company_id: company.id,
  });
  t.is(invited.status, 201);
  const { id, created_at } = invited.body;
  t.regex(id, /^mem_/);
  t.deepEqual(invited.body, {
    id,
    name: 'Ines Invited',
    email,
    tier: 'plus',
    status: 'invited',
    role: 'member',
    billed: true,
    company: { id: company.id, name: 'Northwind' },
    locale: null,
    joined_at: null,
    tokens: { balance: 0, monthly_grant: 10 },
    trial_ends_at: null,
    pending_tier: null,
    pending_tier_at: null,
    payment_terms: null,
    credit_limit_minor: null,
    monthly_statement: false,
    autopay: false,
    card: null,
    metadata: {},
    archived_at: null,
    created_at,
    updated_at: created_at,
  });
  const [event, ...others] = await listEvents(id);
  t.deepEqual(others, []);
  t.is(event!.type, 'member.invited');
  t.deepEqual(event!.data.object, invited.body);
  t.deepEqual((await api.get(`/v1/members/${id}`)).body, invited.body);
  t.deepEqual((await api.get(`/v1/members/${toUUID(fromString(id))}`)).body, invited.body);

  const desk = await api.post('/v1/members', { email: uniqueEmail(), role: 'front_desk' });
  t.like(desk.body, { status: 'invited', role: 'front_desk' });
  const active = await createMember(api);
  t.like(active, { status: 'active', tier: 'basic', company: null });
  t.truthy(active.joined_at);
  t.deepEqual(await eventTypes(active.id), ['member.created']);
  const trialing = await createMember(api, { trial_ends_at: new Date(Date.now() + 60_000).toISOString() });
  t.is(trialing.status, 'trialing');
  t.deepEqual((await eventTypes(trialing.id)).length, 1);
});

test('an invalid field is refused and the error names it', async (t) => {
  const { api } = await newWorkspace();
  const member = await createMember(api);
  const path = `/v1/members/${member.id}` as const;
  for (const [field, value] of [
    ['email', 'nobody'],
    ['email', `${'e'.repeat(250)}@example.com`],
    ['email', null],
    ['name', ''],
    ['name', 'n'.repeat(201)],
    ['name', 'a\0b'],
    ['tier', 'gold'],
    ['company_id', 'co_1'],
    ['joined_at', null],
  ] as const) {
    const bodies = [
      await api.post('/v1/members', { email: uniqueEmail(), [field]: value }),
      await api.patch(path, { [field]: value }),
    ];
    for (const { status, body } of bodies) {
      t.is(status, 422, `${field} = ${String(value)}`);
      t.is(body.error.param, field);
    }
  }
  for (const [body, param] of [
    [{ send_invite: 'yes' }, 'send_invite'],
    [{ role: 'owner' }, 'role'],
    [{ trial_ends_at: '2020-01-01T00:00:00Z' }, 'trial_ends_at'],
    [{ trial_ends_at: '2020-01-01' }, 'trial_ends_at'],
  ] as const) {
    isError(
      t,
      await api.post('/v1/members', { email: uniqueEmail(), ...body }),
      422,
      'validation_failed',
      param,
    );
  }
  for (const body of [
    {},
    { role: 'owner' },
    { status: 'archived' },
    { status: 'trialing' },
    { tier_change_reason: 'why' },
    { tier: 'pro', tier_change_reason: 'r'.repeat(257) },
  ]) {
    isError(t, await api.patch(path, body), 422, 'validation_failed', JSON.stringify(body));
  }
  const elsewhere = { company_id: randomUUID() };
  isError(t, await api.post('/v1/members', { email: uniqueEmail(), ...elsewhere }), 404, 'company_not_found');
  isError(t, await api.patch(path, elsewhere), 404, 'company_not_found');
  t.deepEqual((await api.get(path)).body, member);
});

test('an email address can be a member of a workspace once, in any letter case, even with 10 concurrent creates', async (t) => {
  const { api, id } = await newWorkspace();
  const email = uniqueEmail();
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      api.post('/v1/members', { email: i % 2 ? email : email.toUpperCase(), send_invite: false }),
    ),
  );
  t.is(responses.filter(({ status }) => status === 201).length, 1);
  for (const response of responses.filter(({ status }) => status !== 201))
    isError(t, response, 409, 'member_exists');
  const [{ count }] = await db.query(`SELECT count(*)::int FROM members WHERE workspace_id = $1`, [id]);
  t.is(count, 2);
  const other = await createMember(api);
  isError(t, await api.patch(`/v1/members/${other.id}`, { email }), 409, 'member_exists');
  t.is((await api.patch(`/v1/members/${other.id}`, { email: other.email.toUpperCase() })).status, 200);
});

test('an idempotency key creates one member, and a different request with it is refused', async (t) => {
  const { api } = await newWorkspace();
  const body = { email: uniqueEmail(), send_invite: false };
  const headers = { 'idempotency-key': randomUUID() };
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => api.post('/v1/members', body, headers)),
  );
  t.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 201]);
  t.is(new Set(responses.map((response) => response.body.id)).size, 1);
  const other = await api.post('/v1/members', { ...body, tier: 'pro' }, headers);
  isError(t, other, 409, 'idempotency_conflict');
});

test('a change has an event with the previous values; a request that changes nothing has none', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const member = await createMember(api, { name: 'Ben' });
  const path = `/v1/members/${member.id}` as const;
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const changed = await api.patch(path, {
    name: 'Benjamin',
    role: 'billing_contact',
    tier: 'pro',
    tier_change_reason: 'Asked for it.',
    company_id: company.id,
  });
  t.is(changed.status, 200);
  t.like(changed.body, { name: 'Benjamin', role: 'billing_contact', tier: 'pro' });
  t.deepEqual(changed.body.company, { id: company.id, name: 'Northwind' });
  t.is(changed.body.tokens.monthly_grant, 25);
  t.true(changed.body.updated_at > member.updated_at);
  t.deepEqual((await api.get(path)).body, changed.body);
  const [, ...events] = await listEvents(member.id);
  t.deepEqual(
    events.map(({ type }) => type),
    ['member.tier_changed', 'member.updated', 'member.role_changed'],
  );
  for (const { data } of events) t.deepEqual(data.object, changed.body);
  const { name, role, tier, tokens } = member;
  t.deepEqual(events[1]!.data.previous, { name, role, tier, tokens, company: null });

  t.is((await api.patch(path, { name: 'Benjamin', tier: 'pro' })).status, 200);
  t.is((await listEvents(member.id)).length, 4);

  const { body: log } = await api.get('/v1/audit-log');
  const [tiers, edit] = log.data.filter(({ object }) => object === member.id);
  t.is(tiers!.action, 'member.tier_changed');
  t.is(tiers!.details.tier_change_reason, 'Asked for it.');
  t.is(tiers!.details.before.tier, 'basic');
  t.is(tiers!.details.after.tier, 'pro');
  t.is(edit!.action, 'member.updated');
  t.deepEqual(edit!.details.before, { name: 'Ben', role: 'member', company: null });
  t.is(tiers!.actor.member_id, workspace.ownerId);
});

test('a status allows its transitions and no others', async (t) => {
  const { api } = await newWorkspace();
  const member = await createMember(api);
  const invited = await createMember(api, { send_invite: true });
  const set = (id: string, status: string) => api.patch(`/v1/members/${id}`, { status });
  for (const status of [
    'paused',
    'cancelled',
    'active',
    'cancelled',
    'active',
    'paused',
    'active',
    'active',
  ] as const)
    t.is((await set(member.id, status)).body.status, status);
  t.is((await eventTypes(member.id)).filter((type) => type === 'member.updated').length, 7);
  await set(member.id, 'cancelled');
  isError(t, await set(member.id, 'paused'), 409, 'member_not_editable');
  for (const status of ['active', 'paused', 'cancelled'])
    isError(t, await set(invited.id, status), 409, 'member_not_editable', status);
});

test('by default only members are billed for a plan, and a later role changes nothing about it', async (t) => {
  const { api } = await newWorkspace();
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const roles = ['member', 'front_desk', 'billing_contact', 'admin'] as const;
  const create = (fields: object) => ({ email: uniqueEmail(), tier: 'plus', ...fields });
  const asked = [
    ...roles.flatMap((role) => [
      { fields: { role }, billed: role === 'member' },
      { fields: { role, send_invite: false, company_id: company.id }, billed: role === 'member' },
      { fields: { role, billed: true }, billed: true },
      { fields: { role, billed: false }, billed: false },
    ]),
    { fields: {}, billed: true },
  ];
  const { body } = await api.post('/v1/members.bulk', {
    operations: asked.map(({ fields }) => ({ op: 'create', ...create(fields) })),
  });
  for (const [index, { fields, billed }] of asked.entries()) {
    const label = JSON.stringify(fields);
    t.is((await api.post('/v1/members', create(fields))).body.billed, billed, label);
    t.is((await api.get(`/v1/members/${body.results[index]!.id}`)).body.billed, billed, `${label} in bulk`);
  }
  const [promoted, demoted] = [await createMember(api), await createMember(api, { role: 'admin' })];
  t.true((await api.patch(`/v1/members/${promoted.id}`, { role: 'front_desk' })).body.billed);
  t.false((await api.patch(`/v1/members/${demoted.id}`, { role: 'member' })).body.billed);
  const { body: log } = await api.get('/v1/audit-log?action=member.created');
  t.deepEqual(
    log.data.filter(({ object }) => object === demoted.id).map(({ details }) => details.after),
    [{ tier: 'basic', status: 'active', role: 'admin', billed: false, company: null, trial_ends_at: null }],
  );
});

test('an archived member has no valid keys, stays readable, and can be restored', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id } = await createMember(api);
  const own = await newKey(workspace, id);
  t.is((await own.get(`/v1/members/${id}`)).status, 200);
  const archived = await api.post(`/v1/members/${id}/archive`);
  t.is(archived.status, 200);
  t.is(archived.body.status, 'archived');
  t.truthy(archived.body.archived_at);
  isError(t, await own.get(`/v1/members/${id}`), 401, 'auth_invalid');
  t.deepEqual(
    (await api.post(`/v1/members/${id}/archive`)).body,
    archived.body,
    'a second archive changes nothing',
  );
  t.deepEqual(await eventTypes(id), ['member.created', 'member.archived']);
  t.deepEqual((await api.get(`/v1/members/${id}`)).body, archived.body);
  const ids = async (query: string) =>
    (await api.get(`/v1/members?${query}`)).body.data.map((member) => member.id);
  t.false((await ids('')).includes(id));
  t.true((await ids('include_archived=true')).includes(id));
  t.deepEqual(await ids('status=archived'), [id]);
  isError(t, await api.patch(`/v1/members/${id}`, { name: 'Late' }), 409, 'member_not_editable');
  const back = await api.patch(`/v1/members/${id}`, { status: 'active' });
  t.like(back.body, { status: 'active', archived_at: null });
  isError(t, await own.get(`/v1/members/${id}`), 401, 'auth_invalid', 'its keys stay revoked');
});
