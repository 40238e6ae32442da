import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import test from 'ava';
import { parse } from 'yaml';
import { SERVER_SETTINGS } from '../../dev/launcher/temporal.js';
import { compose, read, variablesOf } from './manifests.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-certificates-'));
const make = (): void => void execFileSync('sh', ['ops/compose/certificates.sh', folder]);
test.before(make);
test.after.always(() => rmSync(folder, { recursive: true }));

const file = (name: string): Buffer => readFileSync(join(folder, name));
const pair = (name: string) => ({ cert: file(`${name}.pem`), key: file(`${name}.key`) });

/** The answer of a server that has one certificate to a client that has another, or none. Throws if either is refused. */
async function shake(server: string, client: string | null): Promise<string> {
  const ca = file('ca.pem');
  const listening = createServer(
    { ...pair(server), ca, requestCert: true, rejectUnauthorized: true },
    (socket) => socket.on('error', () => undefined).end('hello'),
  );
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      const socket = connect({
        port,
        host: '127.0.0.1',
        servername: 'temporal',
        ca,
        ...(client && pair(client)),
      });
      socket.on('data', (data) => resolve(String(data)));
      socket.on('error', reject).on('close', () => reject(new Error('closed')));
    });
  } finally {
    listening.close();
  }
}

test.serial('Temporal and its clients know each other, and nobody else gets in', async (t) => {
  for (const client of ['service', 'temporal-ui', 'temporal'])
    t.is(await shake('temporal', client), 'hello', client);
  await t.throwsAsync(shake('temporal', null), undefined, 'a client without a certificate');
  await t.throwsAsync(shake('service', 'temporal'), undefined, 'a client that poses as Temporal');
  t.is(statSync(folder).mode & 0o077, 0, 'the folder is its owner’s');
  t.is(statSync(join(folder, 'ca.key')).mode & 0o077, 0);
});

test.serial('run again, the script renews the certificates of the same authority', async (t) => {
  const [ca, before] = [file('ca.pem'), file('service.pem')];
  make();
  t.deepEqual(file('ca.pem'), ca);
  t.notDeepEqual(file('service.pem'), before);
  t.is(await shake('temporal', 'service'), 'hello');
});

test.serial(
  'compose.yaml gives each container its own certificate, and Temporal refuses clients without one',
  (t) => {
    const shared = variablesOf('ops/compose/holdfast.env');
    const KEYS = { temporal: 'temporal.key', 'temporal-ui': 'temporal-ui.key' } as const;
    for (const [name, { secrets = [], environment = {} }] of Object.entries(compose.services)) {
      const isOurs = ['api', 'worker', 'prepare'].includes(name);
      const all = isOurs ? { ...shared, ...environment } : environment;
      const named = Object.values(all).flatMap(
        (value) => /^\/run\/secrets\/(.*)$/.exec(String(value))?.[1] ?? [],
      );
      t.deepEqual(new Set(named), new Set(secrets), name);
      const key = isOurs ? 'service.key' : KEYS[name as keyof typeof KEYS];
      t.deepEqual(
        secrets.filter((secret) => secret.endsWith('.key')),
        key ? [key] : [],
        name,
      );
    }
    for (const [name, { file: path }] of Object.entries(compose.secrets)) {
      t.is(path, `.certificates/${name.replace('temporal-ca', 'ca')}`);
      t.true(file(path.replace('.certificates/', '')).length > 0);
    }
    for (const ignored of ['.gitignore', '.dockerignore'])
      t.regex(read(ignored), /^\.certificates\/?$/m, `${ignored}: the keys are on this machine only`);
    t.like(compose.services.temporal!.environment, {
      TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: true,
      TEMPORAL_TLS_FRONTEND_SERVER_NAME: 'temporal',
      TEMPORAL_TLS_INTERNODE_SERVER_NAME: 'temporal',
    });
    t.like(compose.services['temporal-ui']!.environment, { TEMPORAL_TLS_ENABLE_HOST_VERIFICATION: true });
  },
);

test.serial('Temporal in compose.yaml reads its queues as often as that of the launcher', (t) => {
  const { environment, volumes } = compose.services.temporal!;
  t.true(volumes!.includes(`./ops/compose/temporal.yaml:${environment.DYNAMIC_CONFIG_FILE_PATH}:ro`));
  const settings = parse(read('ops/compose/temporal.yaml')) as Record<string, { value: unknown }[]>;
  t.is(Object.keys(settings).length, 3);
  for (const [name, values] of Object.entries(settings)) {
    t.regex(name, /^history\.\w+ProcessorMaxPollRPS$/);
    t.deepEqual(values, [{ value: SERVER_SETTINGS[name] }], name);
  }
});
