import test from 'ava';
import { client, type ApiClient } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { freeHour } from '../support/bookings.js';
import { IN_A_YEAR } from '../support/days.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';
import type { Page } from '../support/api-bodies.js';

const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };

/** A POST that accepts an `Idempotency-Key`. */
interface Create {
  path: string;
  body: object;
  other: object;
}

/** All creates, in a new workspace. Bookings have the key in the body. */
const CREATES: Record<string, (api: ApiClient) => Promise<Create>> = {
  room: async () => ({
    path: '/v1/rooms',
    body: { name: 'Blue', price_per_hour },
    other: { name: 'Green', price_per_hour },
  }),
  'copied room': async (api) => {
    const { id } = await newRoom(api);
    return { path: `/v1/rooms/${id}/copy`, body: { name: 'Blue' }, other: { name: 'Green' } };
  },
  blackout: async (api) => {
    const { id } = await newRoom(api);
    return { path: `/v1/rooms/${id}/blackouts`, body: freeHour(), other: freeHour() };
  },
  extra: async () => ({
    path: '/v1/extras',
    body: { name: 'Lunch', price: price_per_hour },
    other: { name: 'Projector', price: price_per_hour },
  }),
  'discount code': async () => ({
    path: '/v1/discounts',
    body: { code: 'SPRING', percent: 10 },
    other: { code: 'AUTUMN', percent: 10 },
  }),
  company: async () => ({
    path: '/v1/companies',
    body: { name: 'Acme' },
    other: { name: 'Bolt' },
  }),
  member: async () => ({
    path: '/v1/members',
    body: { email: uniqueEmail(), tier: 'pro' },
    other: { email: uniqueEmail(), tier: 'pro' },
  }),
  invoice: async (api) => {
    const company_id = (await api.post('/v1/companies', { name: 'Acme' })).body.id;
    const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
    const body = { company_id, currency: 'GBP', due_at: IN_A_YEAR, lines };
    return { path: '/v1/invoices', body, other: { ...body, reference: 'Another' } };
  },
};

/**
 * An object without the fields that change by themselves soon after its create: an invoice's mail and
 * collection.
 */
const withoutCollection = (object: object): object => ({
  ...object,
  collection: 0,
  sent_at: 0,
  updated_at: 0,
});

for (const [what, create] of Object.entries(CREATES)) {
  test(`repeated and concurrent creates of a ${what} with one key create it once`, async (t) => {
    const { api } = await newWorkspace();
    const { path, body, other } = await create(api);
    const key = { 'idempotency-key': `key of a ${what}` };
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.post(path, body, key)));
    t.is(responses.filter(({ status }) => status === 201).length, 1);
    t.is(responses.filter(({ status }) => status === 200).length, 9);
    t.is(new Set(responses.map((response) => response.body.id)).size, 1);
    const reversed = Object.fromEntries(Object.entries(body).toReversed());
    const again = await api.post(path, reversed, key);
    t.deepEqual(withoutCollection(again.body), withoutCollection(responses[0]!.body));
    const empty = await api.post(path, body, { 'idempotency-key': '' });
    t.is(empty.body.error.param, 'Idempotency-Key');

    const refused = await api.post(path, other, key);
    t.is(refused.status, 409);
    t.is(refused.body.error.code, 'idempotency_conflict');
    t.is((await api.post(path, other, { 'idempotency-key': 'another' })).status, 201);
  });
}

/** What is listed by time and id at the path of its create, by table. */
const LISTS = {
  rooms: CREATES.room!,
  extras: CREATES.extra!,
  companies: CREATES.company!,
  blackouts: CREATES.blackout!,
};

for (const [table, create] of Object.entries(LISTS)) {
  test(`pagination of ${table} returns each once, even with equal timestamps and concurrent inserts`, async (t) => {
    const { api, id } = await newWorkspace();
    const { path, body } = await create(api);
    const make = async (): Promise<string> => {
      const made = await api.post(path, body);
      t.is(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    };
    const there = await Promise.all(Array.from({ length: 9 }, make));
    await db.query(`UPDATE ${table} SET created_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1`, [id]);
    for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
      const seen: string[] = [];
      let made = 0;
      for (let cursor: string | null = ''; cursor !== null;) {
        const response: ApiResponse<Page<{ id: string }>> = await api.get(
          `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`,
        );
        seen.push(...response.body.data.map((row: { id: string }) => row.id));
        cursor = response.body.next_cursor;
        if (made++ < 2) await make();
      }
      t.is(new Set(seen).size, seen.length, `limit ${limit}: none twice`);
      t.deepEqual(
        there.filter((row) => !seen.includes(row)),
        [],
        `limit ${limit}: none lost`,
      );
    }
  });
}

/**
 * A POST that shows a secret once: path, body, a different body, the status of the first
 * response, the audit action.
 */
interface Once {
  path: string;
  body: object;
  other: object;
  /** The field. */
  secret: string;
  first: 200 | 201;
  action: string;
}

const ROTATION: Omit<Once, 'path'> = {
  body: { grace_window_days: 1 },
  other: { grace_window_days: 2 },
  secret: 'token',
  first: 200,
  action: 'api_key.rotated',
};

const SECRETS: Record<string, (workspace: TestWorkspace) => Promise<Once>> = {
  'an API key': async () => ({
    path: '/v1/api-keys',
    body: { name: 'Door' },
    other: { name: 'Window' },
    secret: 'token',
    first: 201,
    action: 'api_key.created',
  }),
  'a calendar address': async ({ api }) => {
    const [room, another] = [await newRoom(api), await newRoom(api)];
    return {
      path: '/v1/feeds',
      body: { kind: 'room', id: room.id },
      other: { kind: 'room', id: another.id },
      secret: 'url',
      first: 201,
      action: 'feed.created',
    };
  },
  'an OAuth client': async () => ({
    path: '/v1/oauth-clients',
    body: { name: 'Door', redirect_uris: ['https://app.example/callback'] },
    other: { name: 'Window', redirect_uris: ['https://app.example/callback'] },
    secret: 'client_secret',
    first: 201,
    action: 'oauth_client.created',
  }),
  "an API key's new token": async ({ api }) => {
    const { body } = await api.post('/v1/api-keys', { name: 'Door' });
    return { ...ROTATION, path: `/v1/api-keys/${body.id}/rotate` };
  },
  "the calling key's new token": async () => ({ ...ROTATION, path: '/v1/api-keys/rotate' }),
  'a webhook secret': async ({ api }) => {
    await api.put('/v1/webhook-endpoint', { url: 'http://127.0.0.1:9/' });
    return {
      path: '/v1/webhook-endpoint/rotate-secret',
      body: { overlap_hours: 1 },
      other: { overlap_hours: 2 },
      secret: 'secret',
      first: 200,
      action: 'webhook_endpoint.secret_rotated',
    };
  },
};

for (const [what, describe] of Object.entries(SECRETS)) {
  test(`${what} is created once for a key, and its secret is only in the first response`, async (t) => {
    const workspace = await newWorkspace();
    const { api } = workspace;
    const { path, body, other, secret, first, action } = await describe(workspace);
    const logged = async (): Promise<number> =>
      (await api.get(`/v1/audit-log?action=${action}`)).body.data.length;
    const before = await logged();
    const key = { 'idempotency-key': `key of ${what}` };
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.post(path, body, key)));
    const shown = responses.filter((response) => response.body[secret] !== null);
    t.is(shown.length, 1);
    t.is(shown[0]!.status, first);
    t.is(typeof shown[0]!.body[secret], 'string');
    responses.push(await api.post(path, body, key));
    for (const response of responses.filter((one) => one !== shown[0])) {
      t.is(response.status, 200);
      t.deepEqual(response.body, { ...shown[0]!.body, [secret]: null });
    }
    t.is(await logged(), before + 1, 'it happened once');

    const refused = await api.post(path, other, key);
    t.is(refused.status, 409);
    t.is(refused.body.error.code, 'idempotency_conflict');
    t.is((await api.post(path, other, { 'idempotency-key': 'another' })).status, first);
  });
}

test('an idempotency key rotates one API key; for another calling key it is a conflict', async (t) => {
  const { api } = await newWorkspace();
  const { body: other } = await api.post('/v1/api-keys', { name: 'Door' });
  const header = { 'idempotency-key': 'rotate me' };
  const first = await api.post('/v1/api-keys/rotate', {}, header);
  t.is(first.status, 200);
  const refused = await client(other.token!).post('/v1/api-keys/rotate', {}, header);
  t.is(refused.body.error?.code, 'idempotency_conflict');
  const byName = await api.post(`/v1/api-keys/${first.body.id}/rotate`, {}, header);
  t.deepEqual(
    byName.body,
    { ...first.body, token: null },
    'rotation by id and by calling key are the same request',
  );
});

test('the key of a failed create can be used again', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const slot = freeHour();
  const path = `/v1/rooms/${id}/blackouts` as const;
  const key = { 'idempotency-key': 'once more' };
  t.is((await api.post(path, { start_at: slot.end_at, end_at: slot.start_at }, key)).status, 422);
  t.is((await api.post(path, slot, key)).status, 201);
});

test('a repeated create whose object was deleted does not create it again', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const [path, slot, key] = [`/v1/rooms/${id}/blackouts`, freeHour(), { 'idempotency-key': 'gone' }];
  const made = await api.post(path, slot, key);
  t.is((await api.delete(`${path}/${made.body.id}`)).status, 204);
  t.is((await api.post(path, slot, key)).status, 404);

  const app = [
    '/v1/oauth-clients',
    { name: 'Door', redirect_uris: ['https://app.example/callback'] },
  ] as const;
  const header = { 'idempotency-key': 'gone, too' };
  const { client_id } = (await api.post(...app, header)).body;
  t.is((await api.delete(`/v1/oauth-clients/${client_id}`)).status, 204);
  t.is((await api.post(...app, header)).status, 404);
});
