import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { loadConfig } from '../../config/config.js';
import { followApiKey, keepFresh, readTemporalConnection } from '../../config/temporal-connection.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { until } from '../support/until.js';

function fileWith(t: ExecutionContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-temporal-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
}

test('without settings the connection is to a local server, without TLS', (t) => {
  t.deepEqual(readTemporalConnection({ TEMPORAL_API_KEY: '', TEMPORAL_TLS: '' }), {
    options: { address: '127.0.0.1:7233', tls: false },
    namespace: 'default',
    apiKey: null,
  });
});

test('an API key implies TLS, and TLS alone needs nothing else', (t) => {
  const withKey = readTemporalConnection({
    TEMPORAL_ADDRESS: 'rooms.a1b2c.tmprl.cloud:7233',
    TEMPORAL_NAMESPACE: 'rooms.a1b2c',
    TEMPORAL_API_KEY: 'key-1',
  });
  t.like(withKey, {
    options: { address: 'rooms.a1b2c.tmprl.cloud:7233', tls: true },
    namespace: 'rooms.a1b2c',
  });
  t.is(withKey.apiKey?.(), 'key-1');
  const { options } = readTemporalConnection({ TEMPORAL_TLS: 'true' });
  t.truthy(options.tls);
  t.is(readTemporalConnection({ TEMPORAL_TLS: 'false' }).options.tls, false);
});

test('certificates come from files or from variables, with the authority, the server name and metadata', (t) => {
  const { options } = readTemporalConnection({
    TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate',
    TEMPORAL_TLS_CLIENT_KEY_PATH: fileWith(t, 'key'),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: fileWith(t, 'authority'),
    TEMPORAL_TLS_SERVER_NAME: 'rooms.a1b2c.tmprl.cloud',
    TEMPORAL_GRPC_META_TRACE: 'on',
  });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  t.deepEqual(options.metadata, { trace: 'on' });
  t.deepEqual(options.tls, {
    serverNameOverride: 'rooms.a1b2c.tmprl.cloud',
    serverRootCACertificate: bytes('authority'),
    clientCertPair: { crt: bytes('certificate'), key: bytes('key') },
  });
});

test('a certificate without its key, or a missing file, is reported in one sentence that names it', (t) => {
  const load = (settings: Record<string, string>) => () => loadConfig({ ...REQUIRED_SETTINGS, ...settings });
  t.throws(load({ TEMPORAL_TLS_CLIENT_CERT_DATA: 'certificate' }), {
    message:
      'Invalid configuration: the connection to Temporal (TEMPORAL_*): a TLS client certificate and its ' +
      'key are needed together.',
  });
  t.throws(load({ TEMPORAL_API_KEY_FILE: '/nowhere/key' }), { message: /ENOENT.*\/nowhere\/key.*\.$/ });
  t.throws(load({ TEMPORAL_TLS: 'yes' }), { message: /"TEMPORAL_TLS" must be a boolean/ });
});

test('a configuration file is read if a variable names it, and variables override it', (t) => {
  const file = fileWith(
    t,
    '[profile.default]\naddress = "from-file:7233"\nnamespace = "file"\napi_key = ' +
      '"file-key"\n[profile.other]\naddress = "other:7233"\n',
  );
  const connection = readTemporalConnection({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_NAMESPACE: 'variable' });
  t.like(connection, { options: { address: 'from-file:7233', tls: true }, namespace: 'variable' });
  t.is(connection.apiKey?.(), 'file-key');
  const other = readTemporalConnection({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'other' });
  t.is(other.options.address, 'other:7233');
  t.is(other.apiKey, null);
});

test('an API key is read again when its file changes, and kept while the file is missing or empty', (t) => {
  const path = fileWith(t, 'key-1\n');
  const { apiKey } = readTemporalConnection({ TEMPORAL_API_KEY_FILE: path });
  t.is(apiKey?.(), 'key-1');
  let time = 0;
  let content: string | undefined = 'key-1';
  const key = keepFresh(
    'key-1',
    () => {
      if (content === undefined) throw new Error('ENOENT');
      return content;
    },
    () => time,
  );
  content = 'key-2';
  t.is(key(), 'key-1', 'it was just read');
  time += 10_000;
  t.is(key(), 'key-2');
  for (const gone of [undefined, '']) {
    content = gone;
    time += 10_000;
    t.is(key(), 'key-2');
  }
});

test('a worker’s connection gets each new key once', async (t) => {
  let key = 'key-1';
  let reads = 0;
  const used: string[] = [];
  const connection = { ...readTemporalConnection({}), apiKey: () => (reads++, key) };
  const use = async (next: string) => void used.push(next);
  const stop = followApiKey(connection, use, (error) => t.fail(String(error)), 5);
  t.teardown(stop);
  const readAgain = async () => {
    const before = reads;
    await until(() => reads > before + 2);
  };
  await readAgain();
  t.deepEqual(used, []);
  key = 'key-2';
  await readAgain();
  t.deepEqual(used, ['key-2']);
});
