import test from 'ava';
import { freeHour, newRoom, newWorkspace, uniqueEmail, type ApiClient } from '../support/stack.js';

const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };

/** Creates that take an `Idempotency-Key`: where, a body, and another one. Bookings have theirs in the body. */
const CREATES: Record<string, (api: ApiClient) => Promise<[string, object, object]>> = {
  room: async () => ['/v1/rooms', { name: 'Blue', price_per_hour }, { name: 'Green', price_per_hour }],
  blackout: async (api) => {
    const { id } = await newRoom(api);
    return [`/v1/rooms/${id}/blackouts`, freeHour(), freeHour()];
  },
  company: async () => ['/v1/companies', { name: 'Acme' }, { name: 'Bolt' }],
  member: async () => [
    '/v1/members',
    { email: uniqueEmail(), tier: 'pro' },
    { email: uniqueEmail(), tier: 'pro' },
  ],
  invoice: async (api) => {
    const company_id = (await api.post('/v1/companies', { name: 'Acme' })).body.id;
    const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
    const body = { company_id, currency: 'GBP', due_at: '2030-01-01T00:00:00Z', lines };
    return ['/v1/invoices', body, { ...body, reference: 'Another' }];
  },
};

for (const [what, create] of Object.entries(CREATES)) {
  test(`a ${what} is made once for a key, however often and at once it is asked for`, async (t) => {
    const { api } = await newWorkspace();
    const [path, body, other] = await create(api);
    const key = { 'idempotency-key': `key of a ${what}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(path, body, key)));
    t.is(answers.filter(({ status }) => status === 201).length, 1);
    t.is(answers.filter(({ status }) => status === 200).length, 9);
    t.is(new Set(answers.map((answer) => answer.body.id)).size, 1);
    t.deepEqual((await api.post(path, body, key)).body, answers[0]!.body);

    const refused = await api.post(path, other, key);
    t.is(refused.status, 409);
    t.is(refused.body.error.code, 'idempotency_conflict');
    t.is((await api.post(path, other, { 'idempotency-key': 'another' })).status, 201);
  });
}

test('a create that failed leaves its key free', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const slot = freeHour();
  const path = `/v1/rooms/${id}/blackouts`;
  const key = { 'idempotency-key': 'once more' };
  t.is((await api.post(path, { start_at: slot.end_at, end_at: slot.start_at }, key)).status, 422);
  t.is((await api.post(path, slot, key)).status, 201);
});

test('what a key stands for and is gone is not made again', async (t) => {
  const { api } = await newWorkspace();
  const { id } = await newRoom(api);
  const [path, slot, key] = [`/v1/rooms/${id}/blackouts`, freeHour(), { 'idempotency-key': 'gone' }];
  const made = await api.post(path, slot, key);
  t.is((await api.delete(`${path}/${made.body.id}`)).status, 204);
  t.is((await api.post(path, slot, key)).status, 404);
});
