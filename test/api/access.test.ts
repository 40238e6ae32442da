import test from 'ava';
import { anonymous, client } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { bookingBody, freeHour } from '../support/bookings.js';
import { IN_A_YEAR } from '../support/days.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { mintToken, readToken } from '../../api/http/tokens.js';
import { isError } from '../support/booking-calls.js';
import { newKey, newMember } from '../support/people.js';

test('responses are not stored by caches and not interpreted as another type', async (t) => {
  const { api } = await newWorkspace();
  const company = (await api.post('/v1/companies', { name: 'Acme' })).body;
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const bill = { company_id: company.id, currency: 'GBP', due_at: IN_A_YEAR, lines };
  const invoice = (await api.post('/v1/invoices', bill)).body;
  for (const [path, status] of [
    ['/v1/rooms', 200],
    ['/v1/bookings/bk_1', 404],
    [`/v1/invoices/${invoice.id}.pdf`, 200],
  ] as const) {
    const response = await api.get(path);
    t.is(response.status, status, path);
    t.is(response.headers.get('x-content-type-options'), 'nosniff', path);
    t.is(response.headers.get('cache-control'), 'no-store', path);
  }
  const refused = await anonymous('GET', '/v1/rooms');
  t.is(refused.headers.get('cache-control'), 'no-store', '401');
  const feed = await api.get('/v1/calendar.ics');
  t.is(feed.headers.get('cache-control'), 'private, no-cache', 'a feed is asked for again with its ETag');
  t.is(feed.headers.get('x-content-type-options'), 'nosniff');
});

test('without a valid token in the Authorization header every path returns 401', async (t) => {
  const workspace = await newWorkspace();
  const unknown = mintToken().token;
  const { token } = workspace.api;
  const expired = await newKey(workspace, workspace.ownerId, { expires_at: new Date(Date.now() - 1_000) });
  const revoked = await newKey(workspace, workspace.ownerId);
  await db.query(
    `UPDATE api_keys SET revoked_at = now() FROM api_tokens t
      WHERE t.key_id = api_keys.id AND api_keys.workspace_id = $1 AND t.hash = $2`,
    [workspace.id, readToken(revoked.token)!.hash],
  );
  const [missing, header, key, wrong] = [
    /header is missing/,
    /header is malformed/,
    /key is malformed/,
    /unknown, expired or revoked/,
  ] as const;
  const headers: [authorization: string | undefined, message: RegExp][] = [
    [undefined, missing],
    ['', missing],
    ['Bearer', header],
    ['Bearer ', header],
    [token, header],
    [`Basic ${token}`, header],
    [`bearer ${token}`, header],
    [`Bearer  ${token}`, header],
    [`Bearer ${token}x`, key],
    [`Bearer ${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, key],
    [`Bearer ${unknown}`, wrong],
    [`Bearer ${expired.token}`, wrong],
    [`Bearer ${revoked.token}`, wrong],
  ];
  for (const [authorization, message] of headers) {
    const sent: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const [method, path] of [
      ['GET', '/v1/bookings'],
      ['POST', '/v1/bookings'],
      ['GET', '/v1/workspace'],
      ['GET', '/v1/bookings/bk_1'],
    ] as const) {
      const response = await anonymous(method, path, undefined, sent);
      isError(t, response, 401, 'auth_invalid', `${method} ${path} ${authorization}`);
      t.regex(response.body.error.message, message, authorization);
      t.is(response.headers.get('www-authenticate'), 'Bearer');
    }
  }
  const inQuery = await anonymous('GET', `/v1/bookings?access_token=${token}`);
  isError(t, inQuery, 401, 'auth_invalid', 'a token in the query');
});

test('a key without the scope gets 403 before the input is validated', async (t) => {
  const workspace = await newWorkspace();
  const keyWith = (options: Parameters<typeof newKey>[2]) => newKey(workspace, workspace.ownerId, options);
  const [reader, biller, writer] = [
    await keyWith({ resources: ['calendar'], actions: ['read'] }),
    await keyWith({ resources: ['billing'] }),
    await keyWith({ resources: ['calendar'], actions: ['write'] }),
  ];
  const lacks = async (response: Promise<ApiResponse>, required: string) => {
    const { body, ...rest } = await response;
    isError(t, { ...rest, body }, 403, 'auth_scope_insufficient', required);
    t.is(body.error.details!.required, required);
  };
  await lacks(reader.post('/v1/bookings', { nonsense: true }), 'calendar:write');
  await lacks(reader.post('/v1/rooms', {}), 'calendar:write');
  await lacks(reader.get('/v1/workspace'), 'workspace:read');
  await lacks(reader.get('/v1/companies'), 'members:read');
  await lacks(biller.get('/v1/bookings'), 'calendar:read');
  await lacks(biller.get('/v1/rooms?limit=0'), 'calendar:read');
  await lacks(writer.get('/v1/bookings'), 'calendar:read');
  await lacks(writer.patch('/v1/workspace', {}), 'workspace:write');
  t.is((await reader.get('/v1/bookings')).status, 200);
});

test('a role without the capability gets 403, even with all scopes', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const member = await newMember(workspace);
  const billing = await newMember(workspace, { role: 'billing_contact' });
  const refusals = [
    member.api.post('/v1/rooms', { name: 'Mine' }),
    member.api.patch(`/v1/rooms/${room.id}`, { name: 'Mine' }),
    member.api.post(`/v1/rooms/${room.id}/blackouts`, freeHour()),
    member.api.patch('/v1/workspace', { name: 'Mine' }),
    member.api.post('/v1/workspace/processor/onboarding'),
    member.api.get('/v1/companies'),
    member.api.post('/v1/companies', { name: 'Mine' }),
    billing.api.post('/v1/companies', { name: 'Mine' }),
    billing.api.post('/v1/rooms', { name: 'Mine' }),
  ];
  for (const response of await Promise.all(refusals)) isError(t, response, 403, 'role_insufficient');
  t.is((await billing.api.get('/v1/companies')).status, 200);
  t.is((await member.api.get('/v1/rooms')).status, 200);
});

test("another workspace's ids return 404, never 403", async (t) => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const room = await newRoom(theirs.api);
  const { body: company } = await theirs.api.post('/v1/companies', { name: 'Theirs' });
  const { body: booking } = await theirs.api.post('/v1/bookings', bookingBody(room.id));
  const { body: blackout } = await theirs.api.post(`/v1/rooms/${room.id}/blackouts`, freeHour(60));
  const { api } = mine;
  isError(t, await api.get(`/v1/bookings/${booking.id}`), 404, 'booking_not_found');
  isError(t, await api.get(`/v1/rooms/${room.id}`), 404, 'room_not_found');
  isError(t, await api.patch(`/v1/rooms/${room.id}`, { name: 'Mine' }), 404, 'room_not_found');
  isError(t, await api.get(`/v1/rooms/${room.id}/blackouts`), 404, 'room_not_found');
  isError(t, await api.delete(`/v1/rooms/${room.id}/blackouts/${blackout.id}`), 404, 'room_not_found');
  isError(t, await api.get(`/v1/companies/${company.id}`), 404, 'company_not_found');
  isError(t, await api.patch(`/v1/companies/${company.id}`, { name: 'Mine' }), 404, 'company_not_found');
  const own = await newRoom(api);
  isError(t, await api.delete(`/v1/rooms/${own.id}/blackouts/${blackout.id}`), 404, 'not_found');
  for (const filter of [`room_id=${room.id}`, `company_id=${company.id}`, `member_id=${theirs.ownerId}`]) {
    t.deepEqual((await api.get(`/v1/bookings?to=2099-01-01T00:00:00Z&${filter}`)).body.data, []);
  }
});

test('a known path with another method returns 405, an unknown path 404', async (t) => {
  const { api } = await newWorkspace();
  const send = (method: string, path: string) =>
    anonymous(method, path, undefined, { authorization: `Bearer ${api.token}` });
  for (const [method, path] of [
    ['DELETE', '/v1/bookings'],
    ['PUT', '/v1/bookings/bk_1'],
    ['PUT', '/v1/rooms'],
    ['PATCH', '/v1/invoices/inv_1.pdf'],
    ['DELETE', '/v1/workspace'],
    ['GET', '/v1/workspace/processor/onboarding'],
    ['PATCH', '/v1/api-keys/rotate'],
    ['DELETE', '/v1/api-keys/revoke-all'],
    ['GET', '/webhooks/processor'],
    ['POST', '/checkout/success'],
  ] as const) {
    isError(t, await send(method, path), 405, 'method_not_allowed', `${method} ${path}`);
  }
  for (const path of [
    '/',
    '/v1',
    '/v1/nothing',
    '/v2/bookings',
    '/v1/bookings/a/b/c',
    '/v1//bookings',
    '/%',
    '/v1/bookings/%E0%A4%A',
  ]) {
    const response = await send('GET', path);
    t.true(
      response.status === 404 || (response.status === 400 && path.includes('%')),
      `${path} → ${response.status}`,
    );
    t.truthy(response.headers.get('x-request-id'), path);
    t.is(response.body.error.request_id, response.headers.get('x-request-id')!);
  }
});

test('every response has its own x-request-id', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const responses = [
    await api.get('/v1/bookings'),
    await api.get('/v1/bookings', undefined, { 'x-request-id': 'mine' }),
    await api.post('/v1/bookings', bookingBody(room.id)),
    await api.post('/v1/bookings', {}),
    await api.get('/v1/nothing'),
    await anonymous('GET', '/health'),
    await anonymous('GET', '/checkout/success'),
    await client('nobody').get('/v1/rooms'),
  ];
  const ids = responses.map(({ headers }) => headers.get('x-request-id'));
  for (const id of ids) t.regex(id!, /^[0-9a-f-]{36}$/);
  t.is(new Set(ids).size, ids.length);
});
