import test from 'ava';
import { anonymous, dev, newWorkspace } from '../support/stack.js';
import { isError } from './booking-calls.js';

test('internal actions require the internal token, and refuse requests through a proxy', async (t) => {
  const { api } = await newWorkspace();
  const body = { action: 'create_workspace', name: 'Mine', owner_email: 'me@example.com' };
  const right = { authorization: `Bearer ${dev.internalToken}` };
  isError(t, await anonymous('POST', '/internal/actions', body), 401, 'auth_invalid');
  isError(t, await api.post('/internal/actions', body), 401, 'auth_invalid');
  for (const header of ['x-forwarded-for', 'forwarded']) {
    const response = await anonymous('POST', '/internal/actions', body, {
      ...right,
      [header]: 'for=127.0.0.1',
    });
    isError(t, response, 404, 'not_found', header);
  }
  for (const bad of [
    {},
    { action: 'drop_everything' },
    { action: 'toString' },
    { action: 'verify_payment' },
    { ...body, colour: 'red' },
    { ...body, currency: 'ZZZ' },
    ...['2027-02-30', '9999-12-31', 'yesterday', '2027-01-01T00:00:00Z', 5].map((as_of) => ({
      action: 'run_job',
      job: 'subscription_invoices',
      as_of,
    })),
  ]) {
    isError(
      t,
      await anonymous('POST', '/internal/actions', bad, right),
      422,
      'validation_failed',
      JSON.stringify(bad),
    );
  }
  for (const action of [{ action: 'run_job', job: 'self_heal' }, { action: 'backfill_reference' }]) {
    const response = await anonymous(
      'POST',
      '/internal/actions',
      { ...action, workspace_id: 'ws_none' },
      right,
    );
    isError(t, response, 404, 'not_found', action.action);
  }
  isError(t, await anonymous('POST', '/v1/internal/actions', body, right), 404, 'not_found');
});
