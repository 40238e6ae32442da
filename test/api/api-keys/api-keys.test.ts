import test from 'ava';
import { client } from '../../support/api-client.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { SCOPES } from '../../../domain/api-keys/key-scope.js';
import { isError } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';
import { READER, audited, inDays, listed, mint, scope, whoami } from './api-key-calls.js';

test('a key has the given fields, shows its token once, and whoami describes it', async (t) => {
  const workspace = await newWorkspace();
  const expires_at = inDays(365);
  const key = await mint(workspace, { name: 'Door display', scope: READER, expires_at });
  t.deepEqual(Object.keys(key), ['id', 'token', 'fingerprint', 'created_at', 'expires_at']);
  t.regex(key.id, /^key_[0-9a-z]{26}$/);
  t.regex(key.token!, /^hf_live_[0-9A-Za-z]{36}$/);
  t.is(key.fingerprint, `${key.token!.slice(0, 12)}…${key.token!.slice(-4)}`);
  t.is(key.expires_at, expires_at);
  const expected = {
    id: key.id,
    name: 'Door display',
    kind: 'secret',
    token: null,
    origins: [],
    room_ids: null,
    member_id: workspace.ownerId,
    fingerprint: key.fingerprint,
    key_prefix: key.token!.slice(0, 12),
    created_at: key.created_at,
    expires_at,
    last_used_at: null,
    revoked_at: null,
    scope: READER,
    previous_token: null,
  };
  t.deepEqual(await listed(workspace, key.id), expected);
  const me = await whoami(key.token!);
  t.deepEqual(me.body, {
    workspace_id: workspace.id,
    scopes: ['calendar:read'],
    key_prefix: key.token!.slice(0, 12),
    created_at: key.created_at,
  });
  t.true(Date.now() - Date.parse((await listed(workspace, key.id))!.last_used_at!) < 60_000);
  const [{ count }] = await db.query(
    `SELECT count(*) FROM api_keys k JOIN api_tokens t ON t.key_id = k.id WHERE k.workspace_id = $1
       AND (k.*::text || t.*::text || encode(t.hash, 'escape')) LIKE '%' || $2 || '%'`,
    [workspace.id, key.token!.slice(12)],
  );
  t.is(count, 0, 'the plaintext is not stored');
});

test('a key defaults to the scope of the calling key, and expires after 90 days', async (t) => {
  const workspace = await newWorkspace();
  const { token, expires_at } = await mint(workspace);
  t.true(Math.abs(Date.parse(expires_at) - Date.parse(inDays(90))) < 60_000);
  t.deepEqual((await whoami(token!)).body.scopes, SCOPES);
  const narrow = await mint(workspace, { scope: { resources: ['members'], actions: ['write'] } });
  t.deepEqual((await whoami(narrow.token!)).body.scopes, ['members:write', 'members:invite']);
});

test('a create with an invalid field is refused and the error names the field', async (t) => {
  const { api } = await newWorkspace();
  const wrong: [Record<string, unknown>, string][] = [
    [{ name: '' }, 'name'],
    [{ expires_at: inDays(366) }, 'expires_at'],
    [{ expires_at: inDays(-1) }, 'expires_at'],
    [{ expires_at: '2027-01-01T00:00:00' }, 'expires_at'],
    [{ scope: { resources: [] } }, 'scope.resources'],
    [{ scope: { resources: ['everything'] } }, 'scope.resources.0'],
    [{ scope: { actions: ['read', 'read'] } }, 'scope.actions.1'],
    [{ scope: scope(['calendar'], ['invite']) }, 'scope.actions'],
    [{ scope: { ip_allowlist: ['10.0.0.0/33'] } }, 'scope.ip_allowlist.0'],
    [{ scope: { ip_allowlist: ['localhost'] } }, 'scope.ip_allowlist.0'],
    [{ scope: { colour: 'red' } }, 'scope.colour'],
    [{ token: 'mine' }, 'token'],
    [{ member_id: 'mem_1' }, 'member_id'],
  ];
  for (const [body, param] of wrong) {
    const response = await api.post('/v1/api-keys', { name: 'Key', ...body });
    isError(t, response, 422, 'validation_failed', JSON.stringify(body));
    t.is(response.body.error.param, param);
  }
  isError(t, await api.post('/v1/api-keys', {}), 422, 'validation_failed');
});

test('repeated creates with one idempotency key create one key, and show its token once', async (t) => {
  const workspace = await newWorkspace();
  const headers = { 'idempotency-key': 'once' };
  const expires_at = inDays(90);
  const create = (name: string) => workspace.api.post('/v1/api-keys', { name, expires_at }, headers);
  const first = await create('Key');
  const again = await create('Key');
  t.deepEqual([first.status, again.status], [201, 200]);
  t.deepEqual(again.body, { ...first.body, token: null });
  isError(t, await create('Other'), 409, 'idempotency_conflict');
});

test("a key can be issued for a member of at most the caller's role, and has that member's rights", async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const member = await newMember(workspace);
  const issue = (by: typeof admin.api, member_id: string) =>
    by.post('/v1/api-keys', { name: 'Key', member_id });
  const issued = await issue(admin.api, member.id);
  t.is(issued.status, 201);
  isError(t, await client(issued.body.token!).get('/v1/api-keys'), 403, 'role_insufficient');
  t.is((await issue(admin.api, admin.id)).status, 201);
  isError(t, await issue(admin.api, workspace.ownerId), 403, 'role_insufficient');
  isError(t, await issue(member.api, member.id), 403, 'role_insufficient');
  const otherWorkspace = await newWorkspace();
  isError(t, await issue(admin.api, otherWorkspace.ownerId), 404, 'member_not_found');
  t.is((await workspace.api.post(`/v1/members/${member.id}/archive`)).status, 200);
  isError(t, await issue(admin.api, member.id), 404, 'member_not_found');
  isError(t, await whoami(issued.body.token!), 401, 'auth_invalid', 'archiving revokes the keys');
  const ended = (await audited(workspace, 'api_key.revoked')).map(({ object }) => object);
  t.true(ended.includes(issued.body.id), 'and the audit log records it');
});

test('a key has the rights of its current scope and current role', async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const setRole = (role: string) => db.query(`UPDATE members SET role = $2 WHERE id = $1`, [admin.id, role]);
  const scopes = async () => (await whoami(admin.api.token)).body.scopes;
  t.is((await admin.api.get('/v1/api-keys')).status, 200);
  t.true((await scopes()).includes('credentials:read'));
  await setRole('member');
  isError(t, await admin.api.get('/v1/api-keys'), 403, 'role_insufficient');
  t.deepEqual(await scopes(), [
    'calendar:read',
    'calendar:write',
    'billing:read',
    'billing:write',
    'members:read',
    'members:write',
    'workspace:read',
  ]);
  await setRole('admin');
  t.is((await admin.api.get('/v1/api-keys')).status, 200);
});

test('a key cannot create or rotate a key with a wider scope', async (t) => {
  const workspace = await newWorkspace();
  const broad = await mint(workspace);
  const own = scope(['credentials', 'calendar'], ['read', 'write'], ['127.0.0.0/8', '::1/128']);
  const narrow = await mint(workspace, { scope: own });
  const api = client(narrow.token!);
  const beyond: [Record<string, unknown>, string][] = [
    [scope(['billing'], ['read'], own.ip_allowlist), 'billing:read'],
    [scope(['calendar'], ['delete'], own.ip_allowlist), 'calendar:delete'],
    [scope(['calendar'], ['read']), 'ip_allowlist'],
    [scope(['calendar'], ['read'], ['127.0.0.0/7']), 'ip_allowlist'],
    [scope(['calendar'], ['read'], ['127.0.0.1', '10.0.0.1']), 'ip_allowlist'],
  ];
  for (const [wanted, required] of beyond) {
    const response = await api.post('/v1/api-keys', { name: 'Key', scope: wanted });
    isError(t, response, 403, 'auth_scope_insufficient', JSON.stringify(wanted));
    t.is(response.body.error.details!.required, required);
  }
  isError(t, await api.post(`/v1/api-keys/${broad.id}/rotate`), 403, 'auth_scope_insufficient');
  t.is((await whoami(broad.token!)).status, 200, 'the key is unchanged');
  const within = { name: 'Key', scope: scope(['calendar'], ['read'], ['127.0.0.1']) };
  t.is((await api.post('/v1/api-keys', within)).status, 201);
  t.is((await api.post('/v1/api-keys/rotate')).status, 200);
  const admin = await newMember(workspace, { role: 'admin' });
  isError(t, await admin.api.post(`/v1/api-keys/${broad.id}/rotate`), 403, 'role_insufficient');
});

test('a scope can be narrowed, never widened, and the change applies immediately', async (t) => {
  const workspace = await newWorkspace();
  const old = scope(['calendar', 'billing', 'members'], ['read', 'write'], ['127.0.0.0/8']);
  const key = await mint(workspace, { scope: old });
  const patch = (body: unknown) => workspace.api.patch(`/v1/api-keys/${key.id}`, body);
  const wider: [unknown, string][] = [
    [{ scope: { resources: ['calendar', 'webhooks'] } }, 'scope.resources'],
    [{ scope: { actions: ['read', 'delete'] } }, 'scope.actions'],
    [{ scope: { ip_allowlist: [] } }, 'scope.ip_allowlist'],
    [{ scope: { ip_allowlist: ['127.0.0.0/8', '10.0.0.0/8'] } }, 'scope.ip_allowlist'],
    [{ scope: { ip_allowlist: ['::/0'] } }, 'scope.ip_allowlist'],
    [{ expires_at: inDays(91) }, 'expires_at'],
  ];
  for (const [body, param] of wider) {
    const response = await patch(body);
    isError(t, response, 422, 'scope_not_narrower', JSON.stringify(body));
    t.is(response.body.error.param, param);
  }
  isError(t, await patch({}), 422, 'validation_failed');
  const nothing = await patch({ scope: { resources: ['calendar'], actions: ['invite'] } });
  isError(t, nothing, 422, 'validation_failed', 'a change that leaves no scope');
  t.is(nothing.body.error.param, 'scope.actions');
  const expires_at = inDays(1);
  const allowed = ['127.0.0.1/32'];
  const response = await patch({
    name: 'Less',
    expires_at,
    scope: { resources: ['calendar'], ip_allowlist: ['::ffff:127.0.0.1'] },
  });
  t.is(response.status, 200);
  t.deepEqual(response.body.scope, scope(['calendar'], ['read', 'write'], allowed));
  t.deepEqual([response.body.name, response.body.expires_at], ['Less', expires_at]);
  t.deepEqual((await whoami(key.token!)).body.scopes, ['calendar:read', 'calendar:write']);
  isError(t, await client(key.token!).get('/v1/invoices'), 403, 'auth_scope_insufficient');
  const [entry] = await audited(workspace, 'api_key.narrowed');
  t.is(entry!.object, key.id);
  t.is(entry!.details.fingerprint, key.fingerprint);
  t.deepEqual([entry!.details.before.scope, entry!.details.after.scope], [old, response.body.scope]);

  t.is((await patch({ name: 'Less', expires_at })).status, 200);
  t.is((await audited(workspace, 'api_key.narrowed')).length, 1, 'nothing changed');
  await patch({ name: 'Least' });
  const [renamed] = await audited(workspace, 'api_key.narrowed');
  const { fingerprint } = key;
  t.deepEqual(renamed!.details, { fingerprint, before: { name: 'Less' }, after: { name: 'Least' } });
});
