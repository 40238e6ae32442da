import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { ServiceError } from '@temporalio/client';
import { createReconciliationActivities } from '../../activities/reconciliation/reconciliation.js';
import { asApiError } from '../../api/http/errors.js';
import { confirmedBooking } from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import type { ProxyFault } from '../support/fault-proxy.js';
import { withProxyFaults } from '../support/proxy-faults.js';
import { temporal } from '../support/temporal.js';
import { reconcile } from './reconciliation-calls.js';

test('a reconciliation that outlasts its request has an address, and further requests for it share one run', async (t) => {
  const workspace = await newWorkspace();
  const [from, to] = [-DAY_MS, DAY_MS].map((offset) => new Date(Date.now() + offset).toISOString());
  const path = `/v1/reconciliation?from=${from}&to=${to}` as const;
  // Each attempt to list the charges waits for 5 s, the service's client's maximum for a response.
  const slow: ProxyFault = { fault: 'silent', method: 'GET', path: '/v1/charges', seconds: 27 };
  const responses = await withProxyFaults(workspace, [slow], () =>
    Promise.all([workspace.api.get(path), workspace.api.get(path)]),
  );
  const { headers, body } = responses[0]!;
  t.deepEqual(
    responses.map(({ status }) => status),
    [202, 202],
    JSON.stringify(body),
  );
  t.deepEqual(body, { id: body.id, status: 'running' });
  t.is(responses[1]!.body.id, body.id);
  const location = headers.get('location')!;
  t.is(location, `/v1/reconciliations/${body.id}`);
  t.true(Number(headers.get('retry-after')) > 0);
  const report = await until(async () => {
    const found = await workspace.api.get(location);
    return found.status === 200 && found.body;
  });
  t.like(report, { from, to, differences: [] });
});

test('a comparison that a lost worker has stored is not made again without the data it compared', async (t) => {
  const workspace = await newWorkspace();
  await confirmedBooking(workspace.api);
  t.deepEqual((await reconcile(workspace)).differences, []);
  const [{ id }] = await db.query(`SELECT id FROM reconciliations WHERE workspace_id = $1`, [workspace.id]);
  const deps = { db } as Parameters<typeof createReconciliationActivities>[0];
  const read = { processor: true, accounting: true };
  t.is(await createReconciliationActivities(deps).compileReport({ id, read, notifyOwner: true }), 0);
});

test('the nightly job sets attention on a workspace with differences and mails its owner', async (t) => {
  const owner_email = `owner-${Date.now()}@example.com`;
  const workspace = await newWorkspace({ owner_email });
  const { booking } = await confirmedBooking(workspace.api);
  await db.query(
    `UPDATE payments SET amount_minor = 2500, created_at = created_at - interval '3 hours'
      WHERE booking_id = $1`,
    [booking.id],
  );
  await db.query(`UPDATE invoices SET created_at = created_at - interval '3 hours' WHERE id = $1`, [
    booking.invoice_id,
  ]);
  const handle = await temporal.workflow.start('nightlyReconciliation', {
    taskQueue: 'holdfast',
    workflowId: `test-nightly-${workspace.id}`,
    args: [{ workspaceId: workspace.id }],
  });
  t.deepEqual(await handle.result(), { workspaces: 1, failed: 0 });
  const mail = await until(async () =>
    (await mailTo(owner_email)).find(({ subject }) => /Reconciliation found/.test(subject)),
  );
  t.regex(mail.subject, /Reconciliation found 2 differences/);
  const [{ id }] = await db.query(`SELECT id FROM reconciliations WHERE workspace_id = $1`, [workspace.id]);
  const run = await temporal.workflow.getHandle(`nightly-${id}`).describe();
  t.is(run.typedSearchAttributes.getAll().find(({ key }) => key.name === 'AttentionNeeded')?.value, true);
});

test('a range must be valid and at most 92 days long', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const error = async (query: string) => {
    const { status, body } = await api.get(`/v1/reconciliation${query}`);
    return [status, body.error.param];
  };
  t.deepEqual(await error(''), [422, 'from']);
  t.deepEqual(await error('?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'), [422, 'to']);
  t.deepEqual(await error('?from=2026-01-01T00:00:00Z&to=2026-06-01T00:00:00Z'), [422, 'to']);
});

test('a workspace has few reports in progress at a time, and takes no capacity from others', async (t) => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const path = (n: number) =>
    `/v1/reconciliation?from=2026-01-01T00:00:${10 + n}Z&to=2026-01-02T00:00:00Z` as const;
  const [ofOther, ...own] = await Promise.all([
    other.api.get(path(0)),
    ...Array.from({ length: 16 }, (_, n) => workspace.api.get(path(n))),
  ]);
  t.is(ofOther.status, 200);
  const refused = own.filter(({ status }) => status !== 200);
  t.true(refused.length > 0 && refused.length <= 6, own.map(({ status }) => status).join(' '));
  for (const { status, headers } of refused) t.deepEqual([status, headers.get('retry-after')], [429, '1']);
  t.is((await workspace.api.get(path(20))).status, 200, 'when the others have their reports');

  const tooLate = asApiError(new ServiceError('Failed to get Workflow execution history'));
  t.is(tooLate?.code, 'service_unavailable', 'a report that takes longer than a request may');
});
