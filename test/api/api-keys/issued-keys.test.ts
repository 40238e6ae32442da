import { DAY_MS } from '../../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import { transferOwnership } from '../../../commands/members/ownership.js';
import { createEncryption } from '../../../db/encryption.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { client, type ApiClient } from '../../support/api-client.js';
import { db } from '../../support/stack.js';
import { newWorkspace, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** A key that is created with another, for the given member. */
async function issue(by: ApiClient, member_id?: string): Promise<{ id: string; api: ApiClient }> {
  const { status, body } = await by.post('/v1/api-keys', { name: 'Key', member_id });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { id: body.id, api: client(body.token!) };
}
const listScopes = async (api: ApiClient): Promise<string[]> =>
  (await api.get('/v1/auth/whoami')).body.scopes;
async function isDead(t: ExecutionContext, api: ApiClient, message?: string): Promise<void> {
  isError(t, await api.get('/v1/auth/whoami'), 401, 'auth_invalid', message);
}
async function isLive(t: ExecutionContext, api: ApiClient, message?: string): Promise<void> {
  t.is((await api.get('/v1/auth/whoami')).status, 200, message);
}
const setRole = (id: string, role: string) =>
  db.query(`UPDATE members SET role = $2 WHERE id = $1`, [id, role]);
/** Why a key was revoked, by the audit log. */
async function readReason({ api }: TestWorkspace, id: string): Promise<string | undefined> {
  const { body } = await api.get('/v1/audit-log?action=api_key.revoked');
  return body.data.find(({ object }) => object === id)?.details.reason as string | undefined;
}

test('a key for another member ends when the member who issued it is archived or erased', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace, { role: 'admin' });
  const archived = await newMember(workspace, { role: 'admin' });
  const erased = await newMember(workspace, { role: 'admin' });
  const [byArchived, byErased] = [await issue(archived.api, member.id), await issue(erased.api, member.id)];
  const own = await issue(member.api);
  t.is((await workspace.api.post(`/v1/members/${archived.id}/archive`)).status, 200);
  await isDead(t, byArchived.api);
  await isLive(t, byErased.api);
  t.is((await workspace.api.delete(`/v1/members/${erased.id}`)).status, 204);
  await isDead(t, byErased.api);
  await isLive(t, own.api);
  t.is(await readReason(workspace, byArchived.id), 'member_archived');
  t.is(await readReason(workspace, byErased.id), 'member_deleted');
});

test('keys and tokens that a member creates with another member’s key end with that key, too', async (t) => {
  const workspace = await newWorkspace();
  const [issuer, member, third] = [
    await newMember(workspace, { role: 'admin' }),
    await newMember(workspace, { role: 'admin' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  const first = await issue(issuer.api, member.id);
  const second = await issue(first.api, member.id);
  const forThird = await issue(second.api, third.id);
  const rotated = await first.api.post('/v1/api-keys/rotate');
  const taken = await issue(member.api);
  const takenOver = await issuer.api.post(`/v1/api-keys/${taken.id}/rotate`);
  const all = [second.api, forThird.api, client(rotated.body.token!), client(takenOver.body.token!)];
  for (const api of all) await isLive(t, api);
  t.is((await workspace.api.post(`/v1/members/${issuer.id}/archive`)).status, 200);
  for (const [n, api] of all.entries()) await isDead(t, api, String(n));
  await isLive(t, member.api);
});

test("a key for another member has only the rights that its issuer's and its member's roles share", async (t) => {
  const workspace = await newWorkspace();
  const issuer = await newMember(workspace, { role: 'admin' });
  const member = await newMember(workspace, { role: 'admin' });
  const { api } = await issue(issuer.api, member.id);
  t.is((await api.get('/v1/api-keys')).status, 200);
  // Without the key changes that the API makes together with these role changes.
  await setRole(issuer.id, 'member');
  isError(t, await api.get('/v1/api-keys'), 403, 'role_insufficient', "the issuer's role now");
  await setRole(issuer.id, 'billing_contact');
  t.is((await api.get('/v1/payments')).status, 200);
  t.false((await listScopes(api)).includes('webhooks:write'));
  await setRole(issuer.id, 'admin');
  await setRole(member.id, 'member');
  isError(t, await api.get('/v1/payments'), 403, 'role_insufficient', "the member's role now");
  await setRole(workspace.ownerId, 'admin');
  await setRole(member.id, 'owner');
  await setRole(issuer.id, 'admin');
  isError(t, await api.delete(`/v1/members/${issuer.id}`), 403, 'role_insufficient', 'not the role owner');
  await setRole(member.id, 'admin');
  await setRole(issuer.id, 'owner');
  isError(
    t,
    await api.delete(`/v1/members/${workspace.ownerId}`),
    403,
    'role_insufficient',
    "the issuer's role at the creation, and the member's",
  );
  isError(t, await api.post('/v1/api-keys', { name: 'Key', member_id: issuer.id }), 403, 'role_insufficient');
});

test('front_desk and billing_contact each allow what the other does not, so a key of both acts as a member', async (t) => {
  const workspace = await newWorkspace();
  const issuer = await newMember(workspace, { role: 'admin' });
  const member = await newMember(workspace, { role: 'admin' });
  const { api } = await issue(issuer.api, member.id);
  const statuses = async () =>
    Promise.all(
      (['/v1/payments', '/v1/members', '/v1/auth/whoami'] as const).map(
        async (path) => (await api.get(path)).status,
      ),
    );
  for (const [ofMember, ofIssuer, expected] of [
    ['front_desk', 'billing_contact', [403, 403, 200]],
    ['billing_contact', 'front_desk', [403, 403, 200]],
    ['front_desk', 'owner', [403, 200, 200]],
    ['admin', 'billing_contact', [200, 200, 200]],
    ['member', 'front_desk', [403, 403, 200]],
  ] as const) {
    await setRole(member.id, ofMember);
    await setRole(issuer.id, ofIssuer === 'owner' ? 'admin' : ofIssuer);
    t.deepEqual(await statuses(), [...expected], `${ofMember} by ${ofIssuer}`);
  }
});

test('a promotion revokes the keys that others issued to the member, and only those', async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const member = await newMember(workspace);
  const issued = await issue(admin.api, member.id);
  const patch = (role: string) => workspace.api.patch(`/v1/members/${member.id}`, { role });
  t.is((await patch('billing_contact')).status, 200);
  await isDead(t, issued.api);
  t.is(await readReason(workspace, issued.id), 'member_promoted');
  await isLive(t, member.api, 'their own key');
  const beside = await issue(admin.api, member.id);
  t.is((await patch('front_desk')).status, 200);
  await isDead(t, beside.api, 'a role beside the former one permits more, too');
  const again = await issue(admin.api, member.id);
  t.is((await patch('member')).status, 200);
  await isLive(t, again.api, 'after a demotion');
  const own = await issue(member.api, member.id).catch(() => null);
  t.is(own, null, 'a member cannot create keys');
});

test('a transfer of ownership revokes the keys that others issued to the new owner', async (t) => {
  const workspace = await newWorkspace();
  const [admin, successor] = [
    await newMember(workspace, { role: 'admin' }),
    await newMember(workspace, { role: 'admin' }),
  ];
  const issued = await issue(admin.api, successor.id);
  const elsewhere = await issue(successor.api, admin.id);
  const [{ profile_id }] = await db.query(`SELECT profile_id FROM members WHERE id = $1`, [
    workspace.ownerId,
  ]);
  const owner = {
    workspace_id: workspace.id,
    member_id: workspace.ownerId,
    profile_id,
    role: 'owner' as const,
    issuer_ids: [],
    key_id: null,
    key_created_at: null,
    resources: [...SCOPE_RESOURCES],
    actions: [...SCOPE_ACTIONS],
    ip_allowlist: [],
  };
  const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
  await transferOwnership({ db, encryption }, owner, successor.id, null);
  await isDead(t, issued.api);
  await isLive(t, elsewhere.api);
  t.is(await readReason(workspace, issued.id), 'ownership_transferred');
});

test('no key works for an invited member', async (t) => {
  const workspace = await newWorkspace();
  const invited = await workspace.api.post('/v1/members', { email: uniqueEmail(), tier: 'basic' });
  t.is(invited.body.status, 'invited');
  const { id } = invited.body;
  await isDead(t, (await issue(workspace.api, id)).api);
  await isDead(t, await newKey(workspace, id));
});

test("shortening or narrowing another member's key needs credentials:delete and a role that is not below theirs", async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const other = await newMember(workspace, { role: 'admin' });
  const [ofOwner, ofOther] = [await issue(workspace.api), await issue(other.api)];
  const writing = await newKey(workspace, admin.id, { resources: ['credentials'], actions: ['write'] });
  const own = await newKey(workspace, admin.id);
  const shorten = (by: ApiClient, { id }: { id: string }, days = 1) =>
    by.patch(`/v1/api-keys/${id}`, { expires_at: inDays(days) });
  const refused = await shorten(writing, ofOther);
  isError(t, refused, 403, 'auth_scope_insufficient');
  t.is(refused.body.error.details!.required, 'credentials:delete');
  isError(t, await shorten(own, ofOwner), 403, 'role_insufficient');
  const nowhere = { scope: { ip_allowlist: ['192.0.2.1'] } };
  const narrowed = await writing.patch(`/v1/api-keys/${ofOther.id}`, nowhere);
  isError(t, narrowed, 403, 'auth_scope_insufficient', 'a key that works nowhere has ended');
  isError(t, await own.patch(`/v1/api-keys/${ofOwner.id}`, nowhere), 403, 'role_insufficient');
  t.is((await writing.patch(`/v1/api-keys/${ofOther.id}`, { name: 'Renamed' })).status, 200);
  t.is((await shorten(own, ofOther)).status, 200);
  const mine = await issue(own);
  t.is((await shorten(writing, mine)).status, 200, "the caller's own");
  t.is((await shorten(workspace.api, mine, 0.5)).status, 200);
});

test('a workspace has at most 100 live keys, also when they are created concurrently', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  await Promise.all(Array.from({ length: 94 }, () => newKey(workspace, member.id)));
  // With the owner's and the member's keys there are 96. Ended keys do not count.
  await newKey(workspace, member.id, { expires_at: new Date(Date.now() - 1_000) });
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      workspace.api.post('/v1/api-keys', { name: 'Key' }, { 'idempotency-key': `key-${n}` }),
    ),
  );
  const created = responses.filter(({ status }) => status === 201);
  t.is(created.length, 4);
  for (const response of responses.filter(({ status }) => status !== 201))
    isError(t, response, 409, 'too_many_keys');
  const index = responses.indexOf(created[0]!);
  const repeat = await workspace.api.post(
    '/v1/api-keys',
    { name: 'Key' },
    { 'idempotency-key': `key-${index}` },
  );
  t.is(repeat.status, 200, 'a repeat creates none');
  t.is((await workspace.api.delete(`/v1/api-keys/${repeat.body.id}`)).status, 204);
  t.is((await workspace.api.post('/v1/api-keys', { name: 'Key' })).status, 201);
});
