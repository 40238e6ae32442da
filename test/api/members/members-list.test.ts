import test from 'ava';
import { randomUUID } from 'node:crypto';
import { client } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { createMember } from '../../support/member-calls.js';
import { newMember } from '../../support/people.js';
import type { Member, Page } from '../../support/api-bodies.js';

test('the list is sorted by join time, newest first, and can be filtered, searched and paginated', async (t) => {
  const { api, id: workspaceId, ownerId } = await newWorkspace();
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const grace = await createMember(api, { name: 'Grace Hopper', tier: 'pro', company_id: company.id });
  const oberg = await createMember(api, { name: 'Ängström Öberg', tier: 'pro' });
  const invited = await createMember(api, { name: 'Ines 100%_', send_invite: true });
  await api.patch(`/v1/members/${oberg.id}`, { status: 'paused' });
  await createMember((await newWorkspace()).api, { name: 'Grace Elsewhere' });
  const ids = async (filter: Record<string, string>) => {
    const { status, body } = await api.get(`/v1/members?${new URLSearchParams(filter)}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data.map((member) => member.id);
  };
  const all = [invited.id, oberg.id, grace.id, ownerId];
  t.deepEqual(await ids({}), all);
  for (const [filter, expected] of [
    [{ tier: 'pro' }, [oberg.id, grace.id]],
    [{ status: 'active' }, [grace.id, ownerId]],
    [{ status: 'invited' }, [invited.id]],
    [{ status: 'paused' }, [oberg.id]],
    [{ company_id: company.id }, [grace.id]],
    [{ q: 'opp' }, [grace.id]],
    [{ q: 'HOPPER grace' }, [grace.id]],
    [{ q: 'öber' }, [oberg.id]],
    [{ q: '0%_' }, [invited.id]],
    [{ q: grace.email.slice(3, 12) }, [grace.id]],
    [{ q: 'nobody' }, []],
    [{ q: 'grace', tier: 'basic' }, []],
  ] as const) {
    t.deepEqual(await ids(filter as Record<string, string>), [...expected], JSON.stringify(filter));
  }
  await db.query(
    `UPDATE members SET joined_at = '2026-01-01T00:00:00Z', created_at = '2026-01-01T00:00:00Z'
                  WHERE workspace_id = $1 AND joined_at IS NOT NULL`,
    [workspaceId],
  );
  for (const limit of [1, 2, 3]) {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: ApiResponse<Page<Member>> = await api.get(
        `/v1/members?limit=${limit}${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...body.data.map((member) => member.id));
      cursor = body.next_cursor;
    }
    t.deepEqual([...seen].sort(), [...all].sort(), `limit ${limit}`);
  }
  for (const query of [
    'tier=gold',
    'status=gone',
    'expand=all',
    'limit=0',
    'cursor=x',
    'include_archived=perhaps',
  ])
    isError(t, await api.get(`/v1/members?${query}`), 422, 'validation_failed', query);
});

test("another workspace's member returns 404 for every route", async (t) => {
  const { api } = await newWorkspace();
  const theirs = await createMember((await newWorkspace()).api, { send_invite: true });
  for (const id of [theirs.id, 'mem_1', randomUUID(), 'x', '%00']) {
    const path = `/v1/members/${id}` as const;
    isError(t, await api.get(path), 404, 'member_not_found', id);
    isError(t, await api.patch(path, { name: 'Mine' }), 404, 'member_not_found', id);
    isError(t, await api.delete(path), 404, 'member_not_found', id);
    isError(t, await api.post(`${path}/archive`), 404, 'member_not_found', id);
    isError(t, await api.post(`${path}/resend-invite`), 404, 'member_not_found', id);
  }
});

test('a member can read only their own record', async (t) => {
  const workspace = await newWorkspace();
  const self = await newMember(workspace);
  const { api } = workspace;
  t.is((await self.api.get(`/v1/members/${self.id}`)).body.email, self.email);
  isError(t, await self.api.get(`/v1/members/${workspace.ownerId}`), 403, 'role_insufficient');
  isError(t, await client('nobody').get('/v1/members'), 401, 'auth_invalid');
  t.is((await api.get(`/v1/members/${self.id}`)).status, 200);
});
