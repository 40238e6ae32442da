import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import { withScratchDatabase } from '../support/scratch-database.js';
import { startCollector } from '../support/collector.js';
import { ACCOUNTING_SETTINGS, startOwnService } from '../support/own-service.js';
import '../support/quiet-runtime.js';
import { client } from '../support/api-client.js';
import { openLink } from '../support/links.js';
import { bookingBody, pay, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { until } from '../support/until.js';
import { newAccount } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import { BUNDLE_PATH } from '../../worker/bundle.js';

const bundle = fileURLToPath(new URL('../../worker/bundle.js', import.meta.url));

const scrape = async (port: number): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

/** The value of the first sample whose name and labels match. */
function sample(text: string, pattern: string): number {
  const [, value] = new RegExp(`^${pattern} ([0-9.e+-]+)$`, 'm').exec(text) ?? [];
  return Number(value);
}

test('a booking can be followed through metrics and one trace, without personal data', async (t) => {
  await promisify(execFile)(process.execPath, [bundle, '--if-changed', '--traced']);
  const collector = await startCollector();
  t.teardown(collector.close);
  await withScratchDatabase(async (_, databaseUrl) => {
    const service = await startOwnService(databaseUrl, {
      ...ACCOUNTING_SETTINGS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      MAX_CONCURRENT_ACTIVITY_TASK_EXECUTIONS: '17',
      MAX_CONCURRENT_WEBHOOK_DELIVERIES: '19',
    });
    t.teardown(service.stop);
    const { body: made } = await service.internal('create_workspace', {
      name: 'Traced house',
      owner_email: 'traced-owner@example.com',
      processor_account_id: newAccount(),
      accounting: true,
    });
    const { token } = made;
    const api = client(token, service.baseUrl);
    const { body: room } = await api.post('/v1/rooms', {
      name: 'Blue room',
      time_zone: 'Europe/London',
      price_per_hour: { currency: 'GBP', amount_minor: 2_500 },
    });
    const body = bookingBody(room.id, { notes: 'a private word' });
    const created = await api.post('/v1/bookings', body);
    t.is(created.status, 201);
    const booking = created.body;
    await pay(booking);
    await fetch(`${service.baseUrl}/checkout/success?session_id=${checkoutSessionId(booking)}`);
    await untilStatus(api, booking.id, 'confirmed');
    t.is((await fetch(`${service.baseUrl}/nothing/${body.booked_by.guest.email}`)).status, 404);

    const { manage_url } = booking;
    const { pay_url } = (await api.get(`/v1/invoices/${booking.invoice_id!}`)).body;
    const signIn = `${service.baseUrl}/sign-in/link?token=a-token-to-sign-in`;
    for (const url of [
      manage_url,
      `${manage_url}/receipt.pdf`,
      `${manage_url}x`,
      pay_url,
      `${pay_url}x`,
      signIn,
    ])
      await openLink(url!, service.baseUrl);

    const traceId = created.headers.get('x-request-id')!.replaceAll('-', '');
    const namesIn = () => collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    const expected = [
      'POST /v1/bookings',
      'UpdateWithStartWorkflow:create',
      'HandleUpdate:create',
      'RunActivity:openBooking',
      'POST /v1/checkout/sessions',
      'publish_booking',
    ];
    await until(async () => expected.every((name) => namesIn().includes(name))).catch(() => undefined);
    for (const name of expected) t.true(namesIn().includes(name), `${name} in ${namesIn().join(', ')}`);
    const ofRun = collector.spans.filter(({ attributes }) => Object.values(attributes).includes(booking.id));
    t.true(
      ofRun.some(({ service }) => service === 'holdfast-worker'),
      'spans have the id of the workflow',
    );
    t.true(
      collector.spans.some(
        ({ name, parentSpanId }) => name === 'publish_booking' && parentSpanId !== undefined,
      ),
    );
    t.false(
      collector.spans.some(({ name, parentSpanId }) => name === 'SELECT' && !parentSpanId),
      'what polls makes no traces',
    );

    // The invoice's guest is a contact there, looked up and created by name and address.
    const ofAccounting = () =>
      collector.spans.filter(({ attributes }) => `${attributes['url.template']}`.startsWith('/api.xro/2.0/'));
    const requests = ['GET /api.xro/2.0/Contacts', 'PUT /api.xro/2.0/Contacts', 'POST /api.xro/2.0/Payments'];
    const isComplete = () => requests.every((name) => ofAccounting().some((span) => span.name === name));
    await until(async () => isComplete()).catch(() => undefined);
    t.true(
      isComplete(),
      ofAccounting()
        .map(({ name }) => name)
        .join(', '),
    );
    const ofAttempt = () => collector.spans.find(({ name }) => name === 'FirstAccountingAttempt');
    await until(async () => ofAttempt());
    t.is(ofAttempt()!.attributes['invoice.id'], booking.invoice_id);
    t.true(
      ofAccounting().every(
        ({ name, traceId }) => !requests.includes(name) || traceId === ofAttempt()!.traceId,
      ),
      'what is sent to the accounting system is one trace',
    );
    for (const { attributes, parentSpanId } of ofAccounting()) {
      t.truthy(parentSpanId);
      t.deepEqual(
        Object.keys(attributes)
          .filter((name) => name !== 'accounting.correlation_id')
          .sort(),
        ['http.request.method', 'http.response.status_code', 'url.template'],
      );
    }

    const history = await temporal.workflow.getHandle(booking.id).fetchHistory();
    t.true(JSON.stringify(history).includes('_tracer-data'));
    const untraced = { workflowBundle: { codePath: BUNDLE_PATH } };
    await t.notThrowsAsync(Worker.runReplayHistory(untraced, history, booking.id), 'without traces');

    const { metrics } = service;
    const [ofApi, ofWorker, ofSdk] = await Promise.all(
      [metrics.api, metrics.worker, metrics.sdk].map(scrape),
    );
    t.is(
      sample(ofApi!, 'holdfast_http_requests_total\\{method="POST",route="/v1/bookings",status="201"\\}'),
      1,
    );
    t.is(sample(ofApi!, 'holdfast_http_requests_total\\{method="GET",route="none",status="404"\\}'), 1);
    t.true(sample(ofApi!, 'holdfast_db_connections\\{state="idle"\\}') > 0);
    t.is(sample(ofWorker!, 'holdfast_bookings\\{status="confirmed"\\}'), 1);
    t.is(sample(ofWorker!, 'holdfast_booking_outcomes_total\\{outcome="confirmed"\\}'), 1);
    t.true(sample(ofWorker!, 'holdfast_outbox_lag_seconds\\{outbox="mail"\\}') >= 0);
    for (const name of [
      'sticky_cache_size',
      'num_pollers',
      'workflow_task_schedule_to_start_latency_seconds_bucket',
    ])
      t.regex(ofSdk!, new RegExp(`^temporal_${name}\\{`, 'm'));
    const readSlots = (state: string, queue: string): number =>
      sample(
        ofSdk!,
        `temporal_worker_task_slots_${state}\\{[^}]*task_queue="` +
          `${service.taskQueue}${queue}",worker_type="ActivityWorker"\\}`,
      );
    for (const [queue, slots] of Object.entries({ '': 17, '-webhooks': 19, '-webhooks-slow': 19 }))
      t.is(readSlots('available', queue) + readSlots('used', queue), slots, queue);
    const live = await fetch(`http://127.0.0.1:${metrics.worker}/health/live`);
    t.is(live.status, 200);

    await service.stop();
    const lines = service
      .logs()
      .split('\n')
      .filter((line) => line && !line.startsWith('oidc-provider'));
    for (const line of lines) t.notThrows(() => JSON.parse(line), line);
    const everything = [service.logs(), collector.text(), ofApi, ofWorker, ofSdk].join('\n');
    t.true(everything.includes(booking.id));
    for (const secret of [
      body.booked_by.guest.email,
      body.booked_by.guest.name,
      body.notes!,
      'traced-owner',
      token,
      manage_url!.split('.').at(-1)!,
      pay_url!.split('.').at(-1)!,
      'a-token-to-sign-in',
    ])
      t.false(everything.includes(secret), secret);
  });
});
