import ava from 'ava';
import { API_VERSION, createStripeClient } from '../../activities/gateways/stripe.js';
import { ensureWebhookEndpoints } from '../../deploy/webhook-endpoints.js';
import { PROCESSOR_EVENTS } from '../../domain/processor/events.js';
import { newAccount, paidSession, Rig } from '../support/processor-rig.js';

// The registrations belong to the simulator: one test at a time.
const test = ava.serial;

let rig: Rig;
ava.before(async () => {
  rig = await Rig.start();
});
ava.after.always(() => rig.close());

const prepare = (url: string, replace: ('platform' | 'connect')[] = []) =>
  ensureWebhookEndpoints(createStripeClient({ secretKey: 'sk_test_holdfast', apiUrl: rig.url('') }), {
    url,
    apiVersion: API_VERSION,
    replace,
  });

const registeredFor = async (url: string) =>
  (await rig.stripe.webhookEndpoints.list({ limit: 100 })).data.filter((endpoint) => endpoint.url === url);

/** The changes requested from the processor. */
const writes = async (): Promise<unknown[]> =>
  ((await rig.ledger())['requests'] ?? []).filter(
    ({ method, path }) => method !== 'GET' && String(path).startsWith('/v1/webhook_endpoints'),
  );

test('both registrations are created once: of the Connect kind, in our version, each with its secret', async (t) => {
  const url = 'http://127.0.0.1:9/first';
  const { secrets, notes } = await prepare(url);
  t.truthy(secrets.platform);
  t.truthy(secrets.connect);
  t.not(secrets.platform, secrets.connect);
  t.is(notes.length, 2);
  const registered = await registeredFor(url);
  t.deepEqual(
    registered.map(({ api_version, status }) => [api_version, status]),
    [
      [API_VERSION, 'enabled'],
      [API_VERSION, 'enabled'],
    ],
  );
  t.deepEqual(
    registered.flatMap((endpoint) => endpoint.enabled_events).sort(),
    Object.values(PROCESSOR_EVENTS).flat().sort(),
  );
  const before = await writes();
  t.deepEqual(await prepare(url), { secrets: {}, notes: [] });
  t.deepEqual(await writes(), before, 'the second run changes nothing');
});

test('events sent to them are about the connected account, in our version', async (t) => {
  await prepare(rig.webhookUrl);
  const account = newAccount();
  const { session } = await paidSession(rig, account);
  for (const [type, id] of [
    ['checkout.session.completed', session.id],
    ['charge.succeeded', undefined],
  ] as const) {
    const { event } = await rig.webhook(type, id, account.stripeAccount);
    t.is(event.account, account.stripeAccount);
    t.is(event.api_version, API_VERSION);
  }
});

test('a registration that was disabled or lacks a type is repaired, and others are left alone', async (t) => {
  const url = 'http://127.0.0.1:9/second';
  await prepare(url);
  const other = await rig.stripe.webhookEndpoints.create({ url, enabled_events: ['charge.failed'] });
  const [connect] = await registeredFor(url).then((all) =>
    all.filter(({ enabled_events }) => enabled_events.includes('charge.succeeded')),
  );
  await rig.stripe.webhookEndpoints.update(connect!.id, {
    disabled: true,
    enabled_events: ['charge.succeeded'],
  });
  const { secrets, notes } = await prepare(url);
  t.deepEqual(secrets, {});
  t.is(notes.length, 2);
  t.true(notes.some((note) => note.includes(connect!.id) && note.startsWith('Updated the connect')));
  t.true(notes.some((note) => note.includes(other.id) && note.includes('was not created by this command')));
  const again = await rig.stripe.webhookEndpoints.retrieve(connect!.id);
  t.is(again.status, 'enabled');
  t.deepEqual([...again.enabled_events].sort(), [...PROCESSOR_EVENTS.connect].sort());
  t.deepEqual((await rig.stripe.webhookEndpoints.retrieve(other.id)).enabled_events, ['charge.failed']);
});

test('a registration’s version cannot be changed, so it is reported, and replacing creates new registrations and secrets', async (t) => {
  const url = 'http://127.0.0.1:9/third';
  const old = await rig.stripe.webhookEndpoints.create({
    url,
    connect: true,
    enabled_events: PROCESSOR_EVENTS.platform as never,
    api_version: '2026-10-28.endive',
    metadata: { holdfast_registration: 'platform' },
  });
  const first = await prepare(url);
  t.deepEqual(Object.keys(first.secrets), ['connect']);
  t.true(first.notes.some((note) => note.includes(old.id) && note.includes('2026-10-28.endive')));
  const second = await prepare(url, ['platform']);
  t.deepEqual(Object.keys(second.secrets), ['platform']);
  const ids = (await registeredFor(url)).map(({ id }) => id);
  t.is(ids.length, 2);
  t.false(ids.includes(old.id));
});
