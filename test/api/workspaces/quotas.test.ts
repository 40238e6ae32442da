import { randomUUID } from 'node:crypto';
import test from 'ava';
import { createChangeActivities } from '../../../activities/bookings/changes.js';
import { insertChange } from '../../../commands/bookings/change/plan.js';
import { findChange } from '../../../db/queries/bookings/booking-change.js';
import { transaction } from '../../../db/transaction.js';
import { scaledQuotas } from '../../../domain/workspaces/quotas.js';
import { startApi } from '../../support/api-process.js';
import { freeHour, hoursLater } from '../../support/bookings.js';
import { once } from '../../support/once.js';
import { client } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { book, pendingChange } from '../../support/pending-change-calls.js';
import { isError } from '../../support/booking-calls.js';

const SCALE = 0.01;
const QUOTAS = scaledQuotas(SCALE);
const strict = once(() => startApi({ QUOTA_SCALE: String(SCALE), RATE_LIMIT_SCALE: '100' }));

const room = (body: object = {}) => ({
  price_per_hour: { currency: 'GBP', amount_minor: 0 },
  name: 'Blue',
  ...body,
});
const member = () => ({ email: uniqueEmail(), send_invite: false });

/** A workspace with a client of the process that has a hundredth of the quotas. */
async function limited() {
  const workspace = await newWorkspace();
  return { workspace, api: client(workspace.api.token, (await strict()).baseUrl) };
}

/** Sets how many objects a workspace has, without creating them. */
const setUsed = (workspaceId: string, kind: string, used: number) =>
  db.query(
    `INSERT INTO used_quotas VALUES ($1, $2, $3)
     ON CONFLICT (workspace_id, kind) DO UPDATE SET used = excluded.used`,
    [workspaceId, kind, used],
  );

let nextCode = 0;
const statuses = (responses: ApiResponse[]) => responses.map(({ status }) => status).toSorted();
const only = (created: number, of: number) => [...Array(created).fill(201), ...Array(of - created).fill(409)];

test('of 50 concurrent creates for the last place of a quota one is stored: rooms, companies, members, blackouts, extras, discount codes', async (t) => {
  const { workspace, api } = await limited();
  t.is(QUOTAS.rooms, 5);
  const { id: roomId } = await newRoom(workspace.api);
  for (let n = 1; n < QUOTAS.rooms - 1; n++) t.is((await api.post('/v1/rooms', room())).status, 201);
  for (let n = 1; n < QUOTAS.discounts; n++)
    t.is((await api.post('/v1/discounts', { code: `CODE-${nextCode++}`, percent: 10 })).status, 201);
  await setUsed(workspace.id, 'companies', QUOTAS.companies - 1);
  await setUsed(workspace.id, 'members', QUOTAS.members - 1);
  await db.query(
    `INSERT INTO blackouts (id, workspace_id, room_id, during)
     SELECT 'bo_quota_' || gen_random_uuid(), $1, $2,
       tstzrange(now() + n * interval '1 day', now() + (n + 1) * interval '1 day')
     FROM generate_series(1, $3) n`,
    [workspace.id, roomId, QUOTAS.blackouts - 1],
  );
  await db.query(
    `INSERT INTO blackouts (id, workspace_id, room_id, during)
     SELECT 'bo_quota_' || gen_random_uuid(), $1, $2,
       tstzrange(now() - interval '2 days', now() - interval '1 day')
     FROM generate_series(1, 100)`,
    [workspace.id, roomId],
  );
  const creates: Record<string, () => Promise<ApiResponse>> = {
    rooms: () => api.post('/v1/rooms', room()),
    companies: () => api.post('/v1/companies', { name: 'Northwind' }),
    members: () => api.post('/v1/members', member()),
    discounts: () => api.post('/v1/discounts', { code: `CODE-${nextCode++}`, percent: 10 }),
    extras: () => api.post('/v1/extras', { name: 'Lunch', price: { currency: 'GBP', amount_minor: 1_800 } }),
    blackouts: () => api.post(`/v1/rooms/${roomId}/blackouts`, freeHour(200)),
  };
  for (const [kind, create] of Object.entries(creates)) {
    const responses: ApiResponse[] = await Promise.all(Array.from({ length: 50 }, create));
    t.deepEqual(statuses(responses), only(1, 50), kind);
    const refused = responses.find(({ status }) => status === 409)!;
    isError(t, refused, 409, 'limit_reached', kind);
    t.like(refused.body.error.details, { reason: kind, limit: QUOTAS[kind as keyof typeof QUOTAS] });
  }
  const elsewhere = (await limited()).api;
  t.is((await elsewhere.post('/v1/rooms', room())).status, 201, 'of another workspace');
});

test('a repeat with the key of the last object returns it, and a refused create takes no place', async (t) => {
  const { workspace, api } = await limited();
  await setUsed(workspace.id, 'companies', QUOTAS.companies - 1);
  const key = { 'idempotency-key': randomUUID() };
  const body = { name: 'Northwind' };
  const { status, body: company } = await api.post('/v1/companies', body, key);
  t.is(status, 201);
  t.is((await api.post('/v1/companies', body, key)).body.id, company.id);
  isError(t, await api.post('/v1/companies', body), 409, 'limit_reached');
  const [{ used }] = await db.query(
    `SELECT used FROM used_quotas WHERE workspace_id = $1 AND kind = 'companies'`,
    [workspace.id],
  );
  t.is(used, QUOTAS.companies);
});

test('each create of a bulk call takes a place', async (t) => {
  const { workspace, api } = await limited();
  await setUsed(workspace.id, 'members', QUOTAS.members - 2);
  const operations = Array.from({ length: 4 }, () => ({ op: 'create', ...member() }));
  const { body } = await api.post('/v1/members.bulk', { operations });
  t.deepEqual(body.summary, { ok: 2, error: 2 });
  t.is(body.results[3]!.error!.code, 'limit_reached');
});

test('a change that would wait for its payer is refused once the workspace’s maximum of them is waiting', async (t) => {
  const workspace = await newWorkspace();
  await pendingChange(t, workspace);
  const { booking } = await book(workspace);
  /** Decides a change whose charge would require the payer's authentication. */
  const decide = async (pending_changes: number) => {
    const changeId = await transaction(db, (tx) =>
      insertChange(tx, {
        workspace_id: workspace.id,
        booking_id: booking.id,
        actor: { member_id: workspace.ownerId, key_id: null },
        kind: 'change',
        request: { end_at: Date.parse(hoursLater(booking.end_at, 1)) },
        on_authentication: 'link',
      }),
    );
    const quotas = { ...QUOTAS, pending_changes };
    const activities = createChangeActivities({ db, quotas, processor: null as never });
    t.is((await activities.beginChange(changeId)).kind, 'charge');
    const charged = {
      kind: 'refused',
      reason: 'authentication_required',
      code: 'authentication_required',
    } as const;
    const { opensLink } = await activities.finishChange({ changeId, charged });
    return { opensLink, outcome: (await findChange(db.manager, changeId))!.outcome };
  };
  t.like(await decide(1), {
    opensLink: false,
    outcome: { code: 'limit_reached', context: { details: { reason: 'pending_changes', limit: 1 } } },
  });
  t.like(await decide(2), { opensLink: true, outcome: null });
});
