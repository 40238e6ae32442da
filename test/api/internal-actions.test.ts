import test from 'ava';
import { client, internal } from '../support/api-client.js';
import { dev } from '../support/stack.js';
import { newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { listEntries } from '../support/audit-log-calls.js';
import { isError } from '../support/booking-calls.js';

const PATH = '/internal/actions';
const inside = client(dev.internalToken, dev.internalUrl);

test('internal actions require the internal token, and refuse requests through a proxy', async (t) => {
  const { api } = await newWorkspace();
  const body = { action: 'create_workspace', name: 'Mine', owner_email: 'me@example.com' };
  for (const token of ['none', api.token])
    isError(t, await client(token, dev.internalUrl).post(PATH, body), 401, 'auth_invalid');
  for (const header of ['x-forwarded-for', 'forwarded']) {
    const response = await inside.post(PATH, body, { [header]: 'for=127.0.0.1' });
    isError(t, response, 404, 'not_found', header);
  }
  for (const bad of [
    {},
    { action: 'drop_everything' },
    { action: 'toString' },
    { action: 'verify_payment' },
    { ...body, colour: 'red' },
    { ...body, currency: 'ZZZ' },
    ...['', ' Olga', 'x'.repeat(201), 5].map((operator) => ({ ...body, operator })),
    ...['2027-02-30', '9999-12-31', 'yesterday', '2027-01-01T00:00:00Z', 5].map((as_of) => ({
      action: 'run_job',
      job: 'subscription_invoices',
      as_of,
    })),
  ]) {
    isError(t, await inside.post(PATH, bad), 422, 'validation_failed', JSON.stringify(bad));
  }
  for (const action of [{ action: 'run_job', job: 'self_heal' }, { action: 'backfill_reference' }]) {
    const response = await inside.post(PATH, { ...action, workspace_id: 'ws_none' });
    isError(t, response, 404, 'not_found', action.action);
  }
  isError(t, await inside.post('/v1/internal/actions', body), 404, 'not_found');
});

test('internal actions and the API have ports of their own, and neither serves the other', async (t) => {
  t.false(dev.baseUrls.includes(dev.internalUrl));
  const body = { action: 'run_job', job: 'self_heal' };
  for (const on of dev.baseUrls) {
    const outside = client(dev.internalToken, on);
    isError(t, await outside.post(PATH, body), 404, 'not_found');
    isError(t, await outside.get(PATH), 404, 'not_found');
  }
  const { api } = await newWorkspace();
  const headers = { authorization: `Bearer ${api.token}` };
  for (const path of ['/v1/workspace', '/health', '/dashboard', '/docs'])
    t.is((await fetch(dev.internalUrl + path, { headers })).status, 404, path);
});

test('the operator can hold and release a workspace’s mail', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const by = { workspace_id, operator: 'Olga Operator' };
  for (const bad of [{}, { reason: ' ' }, { reason: 'x'.repeat(501) }])
    isError(t, await inside.post(PATH, { action: 'hold_mail', ...by, ...bad }), 422, 'validation_failed');
  const { body: held } = await internal('hold_mail', { ...by, reason: 'Complaints' });
  t.like(held, { workspace_id, mail_hold: { held_until: null, reason: 'Complaints' } });
  t.deepEqual((await internal('release_mail', { ...by, reason: 'Settled' })).body, {
    workspace_id,
    mail_hold: null,
  });
  const entries = await listEntries(api, { actor: 'system' });
  t.deepEqual(
    entries
      .filter(({ action }) => action.startsWith('mail.'))
      .map(({ action, details }) => [action, details]),
    [
      ['mail.released', { reason: 'Settled' }],
      ['mail.held', { reason: 'Complaints' }],
    ],
  );
});

test('the audit log names the operator who requested an action', async (t) => {
  const operator = 'Olga Operator';
  const { body: made } = await internal('create_workspace', {
    name: 'Mine',
    owner_email: uniqueEmail(),
    operator,
  });
  const workspace = { api: client(made.token), id: made.workspace_id };
  const from = Date.now() + 60_000;
  await internal('maintenance', {
    workspace_id: workspace.id,
    starts_at: new Date(from).toISOString(),
    ends_at: new Date(from + 60_000).toISOString(),
    operator,
  });
  await internal('run_job', { job: 'member_cycle', workspace_id: workspace.id, operator });
  await internal('run_job', { job: 'member_cycle', workspace_id: workspace.id });
  const entries = await listEntries(workspace.api, { actor: 'system' });
  t.deepEqual(
    entries.map(({ action, actor, object }) => [action, actor, object]),
    ['job.run', 'workspace.updated', 'workspace.created'].map((action) => [
      action,
      { system: 'operator', operator },
      workspace.id,
    ]),
  );
});
