import test from 'ava';
import { client } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { db, dev } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';
import type { ApiKey, Page } from '../../support/api-bodies.js';
import { READER, audited, inDays, listed, mint, whoami } from './api-key-calls.js';

/** The content type of a browser's form. */
const form = { 'content-type': 'application/x-www-form-urlencoded' };

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

test('a previous token is shown for as long as it works: until its key expires or is revoked', async (t) => {
  const workspace = await newWorkspace();
  const { id } = await mint(workspace);
  const keyed = { 'idempotency-key': 'rotation' };
  await workspace.api.post(`/v1/api-keys/${id}/rotate`, undefined, keyed);
  const expires_at = inDays(1);
  const { body: shortened } = await workspace.api.patch(`/v1/api-keys/${id}`, { expires_at });
  t.is(shortened.previous_token!.expires_at, expires_at);
  t.is((await listed(workspace, id)).previous_token!.expires_at, expires_at);
  const repeated = await workspace.api.post(`/v1/api-keys/${id}/rotate`, undefined, keyed);
  t.is(repeated.body.previous_expires_at, expires_at);
  await workspace.api.delete(`/v1/api-keys/${id}`);
  t.is((await listed(workspace, id)).previous_token, null);
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
    t.true(body.data.every(({ token }) => token === null));
    t.notRegex(JSON.stringify(body), /hf_live_[0-9A-Za-z]{5}/);
    seen.push(...body.data.map((key) => key.id));
    cursor = body.next_cursor;
  }
  t.deepEqual(seen.slice(0, 4), made);
  t.is(seen.length, 5);
});
