import test from 'ava';
import { CAPABILITIES, ROLES, type Capability, type Role } from '../../../domain/policies.js';
import type { ApiClient } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { createMember } from '../../support/member-calls.js';
import { newKey, newMember } from '../../support/people.js';
import { NEXT_MONDAY } from '../../support/days.js';

/** A call on a new member of the caller's workspace, or on the caller. */
interface Attempt {
  (caller: { api: ApiClient; id: string }, target: { id: string; roomId: string }): Promise<ApiResponse>;
}

/**
 * Every capability with an endpoint, and calls that need it. `credentials` and
 * `webhooks` have their own tests.
 */
const ATTEMPTS: Partial<Record<Capability, Attempt[]>> = {
  read_own_profile: [({ api, id }) => api.get(`/v1/members/${id}`)],
  update_own_profile: [({ api, id }) => api.patch(`/v1/members/${id}`, { name: 'Myself' })],
  read_others: [({ api }, { id }) => api.get(`/v1/members/${id}`), ({ api }) => api.get('/v1/members')],
  read_payers: [({ api }) => api.get('/v1/companies')],
  update_others: [
    ({ api }, { id }) => api.patch(`/v1/members/${id}`, { name: 'Other' }),
    ({ api }, { id }) => api.patch(`/v1/members/${id}`, { email: uniqueEmail() }),
    ({ api }) => api.post('/v1/members.bulk', { operations: [] }),
  ],
  invite_members: [
    ({ api }) => api.post('/v1/members', { email: uniqueEmail() }),
    ({ api }) => api.post('/v1/members', { email: uniqueEmail(), send_invite: false }),
  ],
  change_tier: [
    ({ api }, { id }) => api.patch(`/v1/members/${id}`, { tier: 'plus' }),
    ({ api, id }) => api.patch(`/v1/members/${id}`, { tier: 'enterprise' }),
  ],
  change_role: [({ api }, { id }) => api.patch(`/v1/members/${id}`, { role: 'billing_contact' })],
  archive_members: [
    ({ api }, { id }) => api.patch(`/v1/members/${id}`, { status: 'paused' }),
    ({ api }, { id }) => api.post(`/v1/members/${id}/archive`),
  ],
  hard_delete: [
    ({ api }, { id }) => api.delete(`/v1/members/${id}`),
    ({ api }) => api.post('/v1/guests/erase', { email: uniqueEmail() }),
  ],
  own_bookings: [({ api }) => api.get('/v1/bookings')],
  write_blackouts: [
    ({ api }, { roomId }) =>
      api.post(`/v1/rooms/${roomId}/blackouts`, {
        start_at: `${NEXT_MONDAY}T10:00:00Z`,
        end_at: `${NEXT_MONDAY}T11:00:00Z`,
      }),
  ],
  write_rooms: [({ api }, { roomId }) => api.patch(`/v1/rooms/${roomId}`, { name: 'Green room' })],
  write_companies: [({ api }) => api.post('/v1/companies', { name: 'Northwind' })],
  read_own_invoices: [({ api }) => api.get('/v1/invoices')],
  read_billing: [({ api }) => api.get('/v1/payments')],
  read_workspace: [({ api }) => api.get('/v1/workspace')],
  write_workspace: [({ api }) => api.patch('/v1/workspace', { name: 'Harbour House' })],
  read_audit_log: [({ api }) => api.get('/v1/audit-log')],
};

for (const role of ROLES) {
  test(`the capabilities of ${role} are those of the table, cell by cell`, async (t) => {
    const workspace = await newWorkspace();
    const { id: roomId } = await newRoom(workspace.api);
    const caller =
      role === 'owner' ? { api: workspace.api, id: workspace.ownerId } : await newMember(workspace, { role });
    for (const [capability, attempts] of Object.entries(ATTEMPTS) as [Capability, Attempt[]][]) {
      for (const attempt of attempts) {
        const target = await createMember(workspace.api);
        const response = await attempt(caller, { id: target.id, roomId });
        const allowed = (CAPABILITIES[capability] as readonly Role[]).includes(role);
        const said = `${capability}: ${attempt.toString()} → ${JSON.stringify(response.body)}`;
        if (allowed) t.true(response.status < 300, said);
        else t.like(response, { status: 403, body: { error: { code: 'role_insufficient' } } }, said);
      }
    }
  });
}

test('a key has the member rights of its scopes, and write includes invite', async (t) => {
  const workspace = await newWorkspace();
  const { id } = await createMember(workspace.api, { send_invite: true });
  const calls: [string, (api: ApiClient) => Promise<ApiResponse>][] = [
    ['read', (api) => api.get('/v1/members')],
    ['read', (api) => api.get(`/v1/members/${id}`)],
    ['invite', (api) => api.post('/v1/members', { email: uniqueEmail() })],
    ['invite', (api) => api.post(`/v1/members/${id}/resend-invite`)],
    ['write', (api) => api.patch(`/v1/members/${id}`, { tier: 'plus' })],
    ['delete', (api) => api.post('/v1/guests/erase', { email: uniqueEmail() })],
    ['delete', (api) => api.post(`/v1/members/${id}/archive`)],
    ['delete', (api) => api.delete(`/v1/members/${id}`)],
  ];
  for (const action of ['read', 'invite', 'write', 'delete'] as const) {
    const api = await newKey(workspace, workspace.ownerId, { resources: ['members'], actions: [action] });
    for (const [needed, call] of calls) {
      if (action === 'delete' && needed === action) continue;
      const { status, body } = await call(api);
      const has = needed === action || (needed === 'invite' && action === 'write');
      t.is(status < 300, has, `${action}: ${call.toString()} → ${JSON.stringify(body)}`);
      if (!has) t.is(body.error.details!.required, `members:${needed}`);
    }
    const rows = [
      { op: 'create', email: uniqueEmail(), tier: 'basic', send_invite: false },
      { op: 'update', id, tier: 'plus' },
      { op: 'archive', id: (await createMember(workspace.api)).id },
    ];
    const { status, body } = await api.post('/v1/members.bulk', { operations: rows });
    if (action === 'read') t.is(body.error.code, 'auth_scope_insufficient');
    else {
      t.is(status, 200);
      const allowed = { invite: ['create'], write: ['create', 'update'], delete: ['archive'] }[action];
      const ok = body.results.filter((row) => row.status === 'ok').map((row) => row.op);
      t.deepEqual(ok, allowed);
      for (const row of body.results.filter((row) => row.status === 'error'))
        t.is(row.error!.code, 'auth_scope_insufficient');
    }
    if (action !== 'delete') continue;
    for (const [needed, call] of calls)
      if (needed === action) t.true((await call(api)).status < 300, call.toString());
  }
});

test('nobody can archive, demote or delete the owner, or change the owner’s address', async (t) => {
  const workspace = await newWorkspace();
  const { ownerId } = workspace;
  const admin = await newMember(workspace, { role: 'admin' });
  const path = `/v1/members/${ownerId}` as const;
  for (const api of [workspace.api, admin.api]) {
    const responses = [
      await api.patch(path, { role: 'member' }),
      await api.patch(path, { role: 'admin', name: 'Demoted' }),
      await api.patch(path, { status: 'cancelled' }),
      await api.post(`${path}/archive`),
    ];
    for (const response of responses)
      t.like(response, { status: 403, body: { error: { code: 'owner_protected' } } });
    const row = (await api.post('/v1/members.bulk', { operations: [{ op: 'archive', id: ownerId }] })).body
      .results[0]!;
    t.is(row.error!.code, 'owner_protected');
  }
  t.is((await workspace.api.delete(path)).body.error.code, 'owner_protected');
  for (const { patch } of [admin.api, workspace.api])
    t.is((await patch(path, { email: uniqueEmail() })).body.error.code, 'owner_protected');
  t.like((await workspace.api.get(path)).body, { role: 'owner', status: 'active' });
});
