import test from 'ava';
import { newWorkspace } from '../../support/workspaces.js';

test('a company is created, read, changed and listed by creation time', async (t) => {
  const { api } = await newWorkspace();
  const made = await api.post('/v1/companies', {
    name: 'Northwind',
    billing_email: 'books@northwind.example',
  });
  t.is(made.status, 201);
  const { id } = made.body;
  const terms = {
    address: null,
    vat_number: null,
    payment_terms: null,
    credit_limit_minor: null,
    monthly_statement: false,
    autopay: false,
    card: null,
    metadata: {},
  };
  t.deepEqual(made.body, { id, name: 'Northwind', billing_email: 'books@northwind.example', ...terms });
  t.deepEqual((await api.get(`/v1/companies/${id}`)).body, made.body);
  const patched = await api.patch(`/v1/companies/${id}`, { billing_email: null });
  t.is(patched.status, 200);
  t.deepEqual(patched.body, { id, name: 'Northwind', billing_email: null, ...terms });
  const { body: second } = await api.post('/v1/companies', { name: 'Bright & Daughters' });
  t.is(second.billing_email, null);
  const page = (await api.get('/v1/companies?limit=1')).body;
  t.deepEqual(page.data, [patched.body]);
  const rest = (await api.get(`/v1/companies?limit=1&cursor=${page.next_cursor}`)).body;
  t.deepEqual(rest, { data: [second], next_cursor: null });
});

test('a company with an invalid field is refused and the error names the field', async (t) => {
  const { api } = await newWorkspace();
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const wrong: [string, unknown][] = [
    ['name', ''],
    ['name', 7],
    ['name', 'n'.repeat(201)],
    ['name', 'a\0b'],
    ['billing_email', 'nobody'],
    ['billing_email', 7],
    ['id', 'mine'],
    ['workspace_id', 'ws_1'],
  ];
  for (const [field, value] of wrong) {
    for (const response of [
      await api.post('/v1/companies', { name: 'N', [field]: value }),
      await api.patch(`/v1/companies/${company.id}`, { [field]: value }),
    ]) {
      t.is(response.status, 422, `${field} = ${String(value)}`);
      t.is(response.body.error.param, field);
    }
  }
  t.is((await api.post('/v1/companies', {})).body.error.param, 'name');
  t.is((await api.patch(`/v1/companies/${company.id}`, {})).status, 422);
  t.is((await api.get('/v1/companies')).body.data.length, 1);
});
