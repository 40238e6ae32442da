import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ava from 'ava';
import { accountingSimulator, client, dev, readDevJson, until } from '../support/stack.js';

// A killed API is everyone's API: one test at a time.
const test = ava.serial;

const devJson = resolve(process.env.HOLDFAST_DEV_JSON!);
const anyPort = Object.fromEntries(
  [
    'PORT',
    'POSTGRES_PORT',
    'TEMPORAL_PORT',
    'TEMPORAL_UI_PORT',
    'PROCESSOR_PORT',
    'ACCOUNTING_PORT',
    'MAIL_PORT',
    'SMTP_PORT',
  ].map((name) => [name, '0']),
);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the launcher until it gives up; one that starts after all is ended, and fails the test by its exit code. */
function launch(env: Record<string, string>): Promise<Ended> {
  return new Promise((done) => {
    const launcher = execFile(
      process.execPath,
      ['--import', 'tsx', 'dev/launcher/main.ts'],
      { env: { ...process.env, ...anyPort, ...env }, timeout: 30_000, killSignal: 'SIGINT' },
      (_, stdout, stderr) => done({ code: launcher.exitCode, stdout, stderr }),
    );
  });
}

async function inNewHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'holdfast-home-'));
  try {
    await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('dev.json says where everything is, to its owner only', async (t) => {
  t.is(statSync(devJson).mode & 0o777, 0o600);
  t.deepEqual(Object.keys(dev).toSorted(), [
    'accountingUrl',
    'apiKey',
    'baseUrl',
    'baseUrls',
    'databaseUrl',
    'internalToken',
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
  t.true(Array.isArray((await accountingSimulator('GET', '/_sim/ledger')).invoices));
});

test('the seeded workspace has a key, a processor and three rooms in London', async (t) => {
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
});

for (const kind of ['api', 'worker'] as const) {
  test(`a killed ${kind} process comes back within seconds, and dev.json has its new pid`, async (t) => {
    const before = readDevJson().pids[kind];
    const victim = before.at(-1)!;
    process.kill(victim, 'SIGKILL');
    const after = await until(async () => {
      const pids = readDevJson().pids[kind];
      return pids.length === before.length && !pids.includes(victim) && pids;
    }, 5_000);
    t.true(isAlive(after.at(-1)!));
    t.deepEqual(after.slice(0, -1), before.slice(0, -1), 'the others were left alone');
    t.is(statSync(devJson).mode & 0o777, 0o600);
    if (kind === 'worker') return;
    const health = `${dev.baseUrls.at(-1)}/health`;
    const answer = await until(() => fetch(health).catch(() => null), 15_000);
    t.is(answer.status, 200);
  });
}

test('a second start on a home that is in use is refused in one sentence, and harms nothing', async (t) => {
  const before = readDevJson();
  const { code, stderr, stdout } = await launch({ HOLDFAST_HOME: dirname(devJson) });
  t.is(code, 1, stdout);
  t.regex(stderr, /^Holdfast already runs on \S+ \(pid \d+\): .*HOLDFAST_HOME.*\.\n$/);
  t.deepEqual(readDevJson(), before);
  t.is((await fetch(`${dev.baseUrl}/health`)).status, 200);
});

test('a port in use is one sentence that names its variable, and leaves nothing running', async (t) => {
  const taken = { PORT: new URL(dev.baseUrl).port, POSTGRES_PORT: new URL(dev.databaseUrl).port };
  for (const [variable, port] of Object.entries(taken)) {
    await inNewHome(async (home) => {
      const { code, stderr } = await launch({ HOLDFAST_HOME: home, [variable]: port });
      t.is(code, 1);
      t.regex(stderr, new RegExp(`^Port ${port} is in use by another program: .*\\b${variable}=.*\\.\n$`));
      t.deepEqual(readdirSync(home), []);
    });
  }
});

test('a setting that makes no sense is one sentence that names it', async (t) => {
  for (const [variable, value] of [
    ['PORT', 'eighty'],
    ['SMTP_PORT', '70000'],
    ['API_PROCESSES', '-1'],
  ] as const) {
    await inNewHome(async (home) => {
      const { code, stderr } = await launch({ HOLDFAST_HOME: home, [variable]: value });
      t.is(code, 1);
      t.regex(stderr, new RegExp(`^${variable} is "${value}": give it a whole number .*\\.\n$`));
    });
  }
});
