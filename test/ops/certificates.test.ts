import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import test from 'ava';
import { readCompose } from '../../dev/lint/deployment/manifests.js';
import { Tree } from '../../dev/lint/rule.js';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-certificates-'));
const make = (): void => void execFileSync('sh', ['ops/compose/certificates.sh', folder]);
test.before(make);
test.after.always(() => rmSync(folder, { recursive: true }));

const file = (name: string): Buffer => readFileSync(join(folder, name));
const pair = (name: string) => ({ cert: file(`${name}.pem`), key: file(`${name}.key`) });

/**
 * The answer of a server with one certificate to a client with another, or none. Throws if either is refused.
 */
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

test.serial('Temporal and its clients accept each other’s certificates and no others', async (t) => {
  for (const client of ['service', 'temporal-ui', 'temporal'])
    t.is(await shake('temporal', client), 'hello', client);
  await t.throwsAsync(shake('temporal', null), undefined, 'a client without a certificate');
  await t.throwsAsync(shake('service', 'temporal'), undefined, 'a client that poses as Temporal');
  t.is(statSync(folder).mode & 0o077, 0, 'the folder is its owner’s');
  t.is(statSync(join(folder, 'ca.key')).mode & 0o077, 0);
});

test.serial('when it runs again, the script renews the certificates of the same authority', async (t) => {
  const [ca, before] = [file('ca.pem'), file('service.pem')];
  make();
  t.deepEqual(file('ca.pem'), ca);
  t.notDeepEqual(file('service.pem'), before);
  t.is(await shake('temporal', 'service'), 'hello');
});

test.serial('each certificate and key of compose.yaml is created', (t) => {
  const { secrets } = readCompose(new Tree());
  for (const { file: path } of Object.values(secrets))
    t.true(file(path.replace('.certificates/', '')).length > 0, path);
});
