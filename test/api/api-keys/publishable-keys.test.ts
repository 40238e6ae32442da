import test from 'ava';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';
import { newSite, ORIGIN } from '../../support/publishable-calls.js';

test('a publishable key can be shown at any time, also by a repeated request, until it is revoked', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const body = { name: 'Site', kind: 'publishable', origins: [ORIGIN], room_ids: [room.id] };
  const header = { 'idempotency-key': 'site' };
  const made = await api.post('/v1/api-keys', body, header);
  t.is(made.status, 201);
  t.regex(made.body.token!, /^hf_pub_[0-9A-Za-z]{36}$/);
  t.is(made.body.expires_at, null);
  const again = await api.post('/v1/api-keys', body, header);
  t.is(again.status, 200);
  t.deepEqual(again.body, made.body);
  const { body: key } = await api.get(`/v1/api-keys/${made.body.id}`);
  t.like(key, { ...body, token: made.body.token, expires_at: null, revoked_at: null });
  t.deepEqual(key.scope, { resources: [], actions: [], ip_allowlist: [] });
  const { body: list } = await api.get('/v1/api-keys');
  t.is(list.data.find(({ id }: { id: string }) => id === key.id)!.token, key.token);
  const { body: log } = await api.get('/v1/audit-log?action=api_key.created');
  t.like(log.data[0]!.details, { kind: 'publishable', origins: [ORIGIN], room_ids: [room.id] });
  t.false(JSON.stringify(log.data).includes(key.token!));
  const site = (await newSite(api)).site;
  t.is((await site.get('/v1/public/rooms')).status, 200);
  t.is((await api.delete(`/v1/api-keys/${made.body.id}`)).status, 204);
  t.truthy((await api.get(`/v1/api-keys/${made.body.id}`)).body.revoked_at);
});

test('a publishable key has no scope, expiry or rotation, and a secret key has no origins', async (t) => {
  const { api } = await newWorkspace();
  const site = { name: 'Site', kind: 'publishable', origins: [ORIGIN] };
  const refused = async (body: object, param: string): Promise<void> => {
    const response = await api.post('/v1/api-keys', body);
    isError(t, response, 422, 'validation_failed', param);
    t.is(response.body.error.param, param);
  };
  await refused({ name: 'Site', kind: 'publishable' }, 'origins');
  await refused({ ...site, origins: ['*'] }, 'origins.0');
  await refused({ ...site, origins: ['https://www.example.com/'] }, 'origins.0');
  await refused({ ...site, origins: ['https://www.example.com:443'] }, 'origins.0');
  await refused({ ...site, scope: { resources: ['calendar'] } }, 'scope');
  await refused({ ...site, expires_at: new Date(Date.now() + 86_400_000).toISOString() }, 'expires_at');
  await refused({ ...site, room_ids: ['00000000-0000-4000-8000-000000000000'] }, 'room_ids.0');
  await refused({ name: 'Secret', origins: [ORIGIN] }, 'origins');
  await refused({ name: 'Secret', room_ids: null }, 'room_ids');
  const { key } = await newSite(api);
  isError(t, await api.post(`/v1/api-keys/${key.id}/rotate`), 422, 'validation_failed');
  isError(t, await api.patch(`/v1/api-keys/${key.id}`, { name: 'Other' }), 422, 'validation_failed');
});

test('only a member who can book creates a key that books, and the key does not end when the member leaves', async (t) => {
  const workspace = await newWorkspace();
  const narrow = await newKey(workspace, workspace.ownerId, {
    resources: ['calendar', 'credentials'],
    actions: ['read'],
  });
  isError(
    t,
    await narrow.post('/v1/api-keys', { name: 'Site', kind: 'publishable', origins: [ORIGIN] }),
    403,
    'auth_scope_insufficient',
  );
  const writer = await newKey(workspace, workspace.ownerId, {
    resources: ['credentials'],
    actions: ['read', 'write'],
  });
  const response = await writer.post('/v1/api-keys', { name: 'S', kind: 'publishable', origins: [ORIGIN] });
  isError(t, response, 403, 'auth_scope_insufficient');
  t.is(response.body.error.details!.required, 'calendar:read');

  const admin = await newMember(workspace, { role: 'admin' });
  const { site, key } = await newSite(await newKey(workspace, admin.id));
  t.is((await workspace.api.post(`/v1/members/${admin.id}/archive`)).status, 200);
  t.is((await site.get('/v1/public/rooms')).status, 200);
  await workspace.api.delete(`/v1/api-keys/${key.id}`);
  t.is((await site.get('/v1/public/rooms')).status, 401);
});
