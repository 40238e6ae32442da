import { readdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import test from 'ava';
import { firstBooking } from '../../dev/launcher/first-booking.js';
import { reservePorts } from '../../dev/launcher/ports.js';
import { inNewHome, launch } from '../support/launcher.js';
import { client } from '../support/api-client.js';
import { accountingSimulator } from '../support/simulators.js';
import { dev, readDevJson } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import type { AccountingLedger } from '../support/ledgers.js';

const devJson = resolve(process.env.HOLDFAST_DEV_JSON!);
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('dev.json has all addresses and is readable by its owner only', async (t) => {
  t.is(statSync(devJson).mode & 0o777, 0o600);
  t.deepEqual(Object.keys(dev).toSorted(), [
    'accountingUrl',
    'apiKey',
    'baseUrl',
    'baseUrls',
    'databaseUrl',
    'internalToken',
    'internalUrl',
    'mailUrl',
    'pids',
    'processorUrl',
    'temporalAddress',
    'temporalNamespace',
    'temporalUiUrl',
    'workspaceId',
  ]);
  t.is(dev.baseUrls[0], dev.baseUrl);
  t.is(dev.pids.api.length, dev.baseUrls.length);
  for (const pid of [...readDevJson().pids.api, ...readDevJson().pids.worker]) t.true(isAlive(pid));
  for (const url of [
    ...dev.baseUrls.map((base) => `${base}/health`),
    dev.temporalUiUrl!,
    dev.mailUrl!,
    dev.accountingUrl!,
  ])
    t.is((await fetch(url)).status, 200, url);
  t.true(Array.isArray((await accountingSimulator<AccountingLedger>('GET', '/_sim/ledger')).invoices));
});

test('the seeded workspace has a key, a processor, three rooms in London and members with their hours', async (t) => {
  const api = client(dev.apiKey);
  const { body: workspace } = await api.get('/v1/workspace');
  t.is(workspace.id, dev.workspaceId);
  t.is(workspace.processor.status, 'active');
  const rooms = (await api.get('/v1/rooms')).body.data;
  t.deepEqual(
    rooms.map((room: { time_zone: string }) => room.time_zone),
    ['Europe/London', 'Europe/London', 'Europe/London'],
  );
  t.is((await api.get('/v1/companies')).body.data.length, 2);
  const members = (await api.get('/v1/members')).body.data;
  for (const { name, status, tokens } of members)
    if (status === 'active') t.is(tokens.balance, tokens.monthly_grant, name);
});

for (const kind of ['api', 'worker'] as const) {
  test(`a killed ${kind} process is restarted, and dev.json has its new pid`, async (t) => {
    const before = readDevJson().pids[kind];
    const victim = before.at(-1)!;
    process.kill(victim, 'SIGKILL');
    const after = await until(async () => {
      const pids = readDevJson().pids[kind];
      return pids.length === before.length && !pids.includes(victim) && pids;
    });
    t.true(isAlive(after.at(-1)!));
    t.deepEqual(after.slice(0, -1), before.slice(0, -1), 'the other processes keep running');
    t.is(statSync(devJson).mode & 0o777, 0o600);
    if (kind === 'worker') return;
    const health = `${dev.baseUrls.at(-1)}/health`;
    const response = await until(() => fetch(health).catch(() => null));
    t.is(response.status, 200);
  });
}

test('a second start on a home in use is refused with one sentence, and changes nothing', async (t) => {
  const before = readDevJson();
  const { code, stderr, stdout } = await launch(dirname(devJson)).ended;
  t.is(code, 1, stdout);
  t.regex(stderr, /^Holdfast is already running in \S+ \(pid \d+\): .*HOLDFAST_HOME.*\.\n$/);
  t.deepEqual(readDevJson(), before);
  t.is((await fetch(`${dev.baseUrl}/health`)).status, 200);
});

test('a port in use is reported in one sentence that names its variable, and nothing is left running', async (t) => {
  const taken = { PORT: new URL(dev.baseUrl).port, POSTGRES_PORT: new URL(dev.databaseUrl).port };
  for (const [variable, port] of Object.entries(taken)) {
    await inNewHome(async (home) => {
      const { code, stderr } = await launch(home, { [variable]: port }).ended;
      t.is(code, 1);
      t.regex(stderr, new RegExp(`^Port ${port} is in use by another program: .*\\b${variable}=.*\\.\n$`));
      t.deepEqual(readdirSync(home), []);
    });
  }
});

test('a restart uses the same random port if it is free, otherwise another one', async (t) => {
  const [before] = await reservePorts([{ variable: 'PORT', port: 0 }]);
  const again = { variable: 'PORT', port: 0, before };
  const [first, second] = await reservePorts([again, again]);
  t.is(first, before);
  t.not(second, before);
  const taken = Number(new URL(dev.baseUrl).port);
  const [other] = await reservePorts([{ variable: 'PORT', port: 0, before: taken }]);
  t.not(other, taken);
});

test('the printed booking succeeds at every start, and is during the day', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const apiKey = api.token;
  const room = await newRoom(api, { time_zone: 'Asia/Tokyo', opening_hours: { mon: [['08:30', '20:00']] } });
  const starts = [];
  for (let n = 0; n < 10; n++) {
    const { status, body } = await api.post(
      '/v1/bookings',
      await firstBooking({ ...dev, apiKey, proxyHeaders: {} }, room.id),
    );
    t.is(status, 201, JSON.stringify(body));
    starts.push(body.start_at.slice(11, 16));
  }
  // 9:00 in Tokyo is midnight UTC. Eight hours fit in one Monday, the others are on the next one.
  const [nine, ten] = ['00:00', '01:00'];
  t.deepEqual(starts, [nine, ten, '02:00', '03:00', '04:00', '05:00', '06:00', '07:00', nine, ten]);
});
