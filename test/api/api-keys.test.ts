import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { client, db, dev, newWorkspace, type ApiResponse, type TestWorkspace } from '../support/stack.js';
import { startApi } from '../support/api-process.js';
import { SCOPES } from '../../domain/key-scope.js';
import { isError } from './booking-calls.js';
import { newKey, newMember } from './people.js';
import type { ApiKey, Page } from '../support/api-bodies.js';

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const scope = (resources: string[], actions: string[], ip_allowlist: string[] = []) => ({
  resources,
  actions,
  ip_allowlist,
});
const READER = scope(['calendar'], ['read']);

async function mint(workspace: TestWorkspace, body: Record<string, unknown> = {}) {
  const made = await workspace.api.post('/v1/api-keys', { name: 'Key', ...body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body;
}
const whoami = (token: string, on?: string) => client(token, on).get('/v1/auth/whoami');
const listed = async (workspace: TestWorkspace, id: string) =>
  (await workspace.api.get('/v1/api-keys?limit=200')).body.data.find((key) => key.id === id)!;
const audited = async ({ api }: TestWorkspace, action: string) =>
  (await api.get(`/v1/audit-log?action=${action}`)).body.data;
/** The content type of a browser's form. */
const form = { 'content-type': 'application/x-www-form-urlencoded' };

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
  const create = (name: string) =>
    workspace.api.post('/v1/api-keys', { name, expires_at: '2027-06-01T00:00:00Z' }, headers);
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
  const stranger = await newWorkspace();
  isError(t, await issue(admin.api, stranger.ownerId), 404, 'member_not_found');
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
});

test('after a rotation the new token works immediately, the previous one until its grace period ends, older ones never', async (t) => {
  const workspace = await newWorkspace();
  const key = await mint(workspace, { scope: READER });
  const path = `/v1/api-keys/${key.id}/rotate` as const;
  const first = await workspace.api.post(path, 'grace_window_days=0.5', form);
  t.is(first.status, 200);
  t.deepEqual(Object.keys(first.body), [
    'id',
    'token',
    'fingerprint',
    'rotation_id',
    'previous_expires_at',
    'expires_at',
  ]);
  t.is(first.body.id, key.id);
  t.regex(first.body.rotation_id, /^rot_/);
  t.is(first.body.expires_at, key.expires_at);
  t.true(Math.abs(Date.parse(first.body.previous_expires_at) - Date.parse(inDays(0.5))) < 60_000);
  for (const token of [key.token, first.body.token]) {
    const me = await whoami(token!);
    t.deepEqual([me.body.scopes, me.body.key_prefix], [['calendar:read'], token!.slice(0, 12)]);
  }
  const { previous_token, fingerprint } = await listed(workspace, key.id);
  t.is(fingerprint, first.body.fingerprint);
  t.is(previous_token!.fingerprint, key.fingerprint);
  t.true(
    Date.now() - Date.parse(previous_token!.last_used_at!) < 60_000,
    'the last use of the previous token is shown',
  );

  const second = await workspace.api.post(path, { grace_window_days: 30 });
  isError(t, await whoami(key.token!), 401, 'auth_invalid', 'another rotation revokes the oldest token');
  t.is((await whoami(first.body.token!)).status, 200);
  t.is((await whoami(second.body.token!)).status, 200);
  await db.query(
    `UPDATE api_tokens SET ends_at = now() - interval '1 second' WHERE key_id = $1 AND ends_at > now()`,
    [key.id],
  );
  for (const on of dev.baseUrls)
    isError(t, await whoami(first.body.token!, on), 401, 'auth_invalid', 'after its grace period');
  t.is((await listed(workspace, key.id))!.previous_token, null);
  const entries = await audited(workspace, 'api_key.rotated');
  t.deepEqual(
    entries.map(({ details }) => [details.previous_fingerprint, details.fingerprint, details.rotation_id]),
    [
      [first.body.fingerprint, second.body.fingerprint, second.body.rotation_id],
      [key.fingerprint, first.body.fingerprint, first.body.rotation_id],
    ],
  );
});

test('a grace period lasts 1 hour to 30 days, by default 7 days, and ends with the key at the latest', async (t) => {
  const workspace = await newWorkspace();
  const key = await mint(workspace);
  const path = `/v1/api-keys/${key.id}/rotate` as const;
  for (const body of [
    'grace_window_days=0',
    'grace_window_days=30.1',
    'grace_window_days=soon',
    'grace_window_days=1&grace_window_days=2',
    'days=1',
    '__proto__=1',
  ])
    isError(t, await workspace.api.post(path, body, form), 422, 'validation_failed', body);
  isError(t, await workspace.api.post(path, { grace_window_days: '1' }), 422, 'validation_failed');
  const week = await workspace.api.post(path);
  t.true(Math.abs(Date.parse(week.body.previous_expires_at) - Date.parse(inDays(7))) < 60_000);
  const hour = await workspace.api.post(path, `grace_window_days=${1 / 24}`, form);
  t.true(Math.abs(Date.parse(hour.body.previous_expires_at) - Date.parse(inDays(1 / 24))) < 60_000);
  const short = await mint(workspace, { expires_at: inDays(2) });
  const { body } = await workspace.api.post(`/v1/api-keys/${short.id}/rotate`);
  t.is(body.previous_expires_at, short.expires_at);
});

test('a key can rotate itself, and 20 concurrent rotations leave two valid tokens', async (t) => {
  const workspace = await newWorkspace();
  const { token } = await mint(workspace);
  const rotated = await client(token!).post('/v1/api-keys/rotate', 'grace_window_days=1', form);
  t.is(rotated.status, 200);
  const { id } = rotated.body;
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      client(rotated.body.token!, dev.baseUrls[n % dev.baseUrls.length]).post('/v1/api-keys/rotate'),
    ),
  );
  t.deepEqual(
    [...new Set(responses.map(({ status }) => status))].filter((status) => status !== 401),
    [200],
  );
  const live = await db.query(
    `SELECT FROM api_tokens WHERE key_id = $1 AND (ends_at IS NULL OR ends_at > now())`,
    [id],
  );
  t.is(live.length, 2);
});

test('a revocation applies in every process immediately, is final, and is in the audit log with its actor', async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const key = await mint(workspace);
  const rotated = await workspace.api.post(`/v1/api-keys/${key.id}/rotate`);
  const tokens = [key.token, rotated.body.token];
  for (const token of tokens) for (const on of dev.baseUrls) t.is((await whoami(token!, on)).status, 200);
  const path = `/v1/api-keys/${key.id}` as const;
  for (let time = 1; time <= 2; time++) {
    t.is((await admin.api.delete(path)).status, 204);
    for (const token of tokens)
      for (const on of dev.baseUrls) isError(t, await whoami(token!, on), 401, 'auth_invalid');
  }
  isError(t, await workspace.api.post(`${path}/rotate`), 409, 'key_not_live');
  isError(t, await workspace.api.patch(path, { name: 'Again' }), 409, 'key_not_live');
  t.truthy((await listed(workspace, key.id))!.revoked_at);
  const entries = await audited(workspace, 'api_key.revoked');
  const [{ profile_id }] = await db.query(`SELECT profile_id FROM members WHERE id = $1`, [admin.id]);
  t.is(entries.length, 1, 'a second revocation changes nothing');
  t.deepEqual(entries[0]!.details, {
    fingerprint: rotated.body.fingerprint,
    reason: 'revoked_by_member',
    revoker_profile_id: profile_id,
  });
  t.is(entries[0]!.actor.member_id, admin.id);
});

test('revoke-all revokes every key of the workspace, including the calling one, and none of another workspace', async (t) => {
  const workspace = await newWorkspace();
  const other = await newWorkspace();
  const keys = [await mint(workspace), await mint(workspace), await mint(workspace)];
  await workspace.api.delete(`/v1/api-keys/${keys[0]!.id}`);
  const response = await workspace.api.post('/v1/api-keys/revoke-all');
  t.is(response.status, 200);
  t.deepEqual(response.body, { revoked: 3 });
  for (const { token } of [...keys, workspace.api]) isError(t, await whoami(token!), 401, 'auth_invalid');
  t.is((await whoami(other.api.token)).status, 200);
  const owner = { ...workspace, api: await newKey(workspace, workspace.ownerId) };
  t.is((await audited(owner, 'api_key.revoked')).length, 4);
});

test("another workspace's key returns 404, and lists contain no token", async (t) => {
  const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
  const { id } = await mint(theirs);
  for (const key of [id, 'key_01h455vb4pex5vsknk084sn02q', 'key', 'null']) {
    isError(t, await mine.api.patch(`/v1/api-keys/${key}`, { name: 'Mine' }), 404, 'key_not_found', key);
    isError(t, await mine.api.post(`/v1/api-keys/${key}/rotate`), 404, 'key_not_found', key);
    isError(t, await mine.api.delete(`/v1/api-keys/${key}`), 404, 'key_not_found', key);
  }
  const made = [];
  for (let n = 0; n < 4; n++) made.unshift((await mint(mine)).id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body }: ApiResponse<Page<ApiKey>> = await mine.api.get(
      `/v1/api-keys?limit=2${cursor && `&cursor=${cursor}`}`,
    );
    t.false(JSON.stringify(body).includes('"token"'));
    seen.push(...body.data.map((key) => key.id));
    cursor = body.next_cursor;
  }
  t.deepEqual(seen.slice(0, 4), made);
  t.is(seen.length, 5);
});

test('an IP allowlist applies to the address that the trusted proxy reports, not to headers of the client', async (t) => {
  const workspace = await newWorkspace();
  const ip_allowlist = ['192.0.2.0/24', '2001:db8::/32'];
  const { token } = await mint(workspace, { scope: scope(['calendar'], ['read'], ip_allowlist) });
  const api = await startApi({ TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '100' });
  try {
    const from = (address: string) =>
      client(token!, api.baseUrl).get('/v1/rooms', undefined, { 'x-forwarded-for': address });
    for (const address of [
      '192.0.2.7',
      '10.1.1.1, 192.0.2.7',
      '::ffff:192.0.2.7',
      '2001:db8:1::1',
      '192.0.2.7:4711',
      '10.1.1.1:1, 192.0.2.7:65535',
      '[2001:db8:1::1]:4711',
      '[2001:db8:1::1]',
      '[::ffff:192.0.2.7]:4711',
    ])
      t.is((await from(address)).status, 200, address);
    for (const address of [
      '192.0.3.1',
      '192.0.2.7, 10.1.1.1',
      '::ffff:192.0.3.1',
      '2001:db9::1',
      'nonsense',
      '192.0.2.7,',
      '192.0.3.1:4711',
      '[2001:db9::1]:4711',
      '192.0.2.7:4711, 10.1.1.1:4711',
      '192.0.2.7:',
      '192.0.2.7:port',
      '192.0.2.7:1:2',
      '[2001:db8:1::1',
      '192.0.2.777:80',
    ])
      isError(t, await from(address), 403, 'ip_not_allowed', address);

    const inner = await mint(workspace, {
      scope: scope(['calendar'], ['read'], ['127.0.0.0/8', '::1/128']),
    });
    const through = (headers: Record<string, string>) =>
      client(inner.token!, api.baseUrl).get('/v1/rooms', undefined, headers);
    t.is((await through({})).status, 200, 'without a proxy');
    t.is((await through({ 'x-forwarded-for': '127.0.0.1:4711' })).status, 200);
    for (const unreadable of ['unknown', '192.0.2.7, ', '127.0.0.1:', '_hidden:4711']) {
      const response = await through({ 'x-forwarded-for': unreadable });
      isError(t, response, 403, 'ip_not_allowed', `${unreadable} does not count as the proxy's own address`);
    }
  } finally {
    api.stop();
  }
  const direct = await client(token!).get('/v1/rooms', undefined, { 'x-forwarded-for': '192.0.2.7' });
  isError(t, direct, 403, 'ip_not_allowed', 'this process trusts no proxy');
});

test('plain HTTP is refused unless a trusted proxy reports HTTPS', async (t) => {
  const { api } = await newWorkspace();
  const behind = await startApi({ ALLOW_HTTP: 'false', TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '100' });
  const open = await startApi({ ALLOW_HTTP: 'false', RATE_LIMIT_SCALE: '100' });
  try {
    const get = (on: string, proto?: string) =>
      client(api.token, on).get(
        '/v1/rooms',
        undefined,
        proto === undefined ? {} : { 'x-forwarded-proto': proto },
      );
    for (const proto of ['https', 'http, https']) {
      const response = await get(behind.baseUrl, proto);
      t.is(response.status, 200);
      t.regex(response.headers.get('strict-transport-security')!, /^max-age=\d{8,}$/);
    }
    const missing = await client('none', behind.baseUrl).get('/', undefined, {
      'x-forwarded-proto': 'https',
    });
    t.is(missing.status, 404);
    t.truthy(missing.headers.get('strict-transport-security'), 'on errors, too');
    for (const proto of [undefined, 'http', 'https, http', '']) {
      const response = await get(behind.baseUrl, proto);
      isError(t, response, 403, 'https_required', proto);
      t.is(response.headers.get('location'), null);
      t.truthy(response.headers.get('x-ratelimit-limit'));
      t.is(response.headers.get('strict-transport-security'), null);
    }
    const untrusted = await get(open.baseUrl, 'https');
    isError(t, untrusted, 403, 'https_required', 'no proxy is trusted');
    t.is(untrusted.headers.get('strict-transport-security'), null);
    t.is((await client('none', open.baseUrl).get('/health')).status, 200);
  } finally {
    behind.stop();
    open.stop();
  }
});
