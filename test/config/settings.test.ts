import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { createStripeClient } from '../../activities/gateways/stripe.js';
import { createXeroConsent } from '../../activities/gateways/xero/oauth.js';
import { loadConfig } from '../../config/config.js';
import { SECRETS } from '../../config/secret-files.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';

/** Values for the secrets that are not required. */
const OTHER_SECRETS = {
  DATABASE_OWNER_URL: 'postgres://owner@127.0.0.1:1/none',
  INTERNAL_TOKEN: 'an internal token',
  STRIPE_SECRET_KEY: 'sk_test_1',
  XERO_CLIENT_SECRET: 'secret',
  PICTURES_S3_ACCESS_KEY_ID: 'key',
  PICTURES_S3_SECRET_ACCESS_KEY: 'secret',
  WEBHOOK_PROXY_URL: 'http://user:secret@proxy:4750',
};

/** The exit code and stderr of a process started with only these settings in its environment. */
function run(entry: string, settings: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [`build/${entry}`], { env: settings }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

for (const name of Object.keys(REQUIRED_SETTINGS)) {
  test(`without ${name} the configuration is refused in one sentence that names it`, (t) => {
    const { [name as keyof typeof REQUIRED_SETTINGS]: _, ...others } = REQUIRED_SETTINGS;
    const message = `Invalid configuration: "${name}" is required.`;
    t.throws(() => loadConfig(others), { message });
    t.throws(() => loadConfig({ ...others, [name]: '' }), {
      message: new RegExp(`^Invalid configuration: "${name}" .*\\.$`),
    });
  });
}

test('unknown environment variables are allowed', (t) => {
  t.is(loadConfig({ ...REQUIRED_SETTINGS, EDITOR: 'ed' }).publicUrl, REQUIRED_SETTINGS.PUBLIC_URL);
});

test('addresses are absolute URLs with an allowed scheme', (t) => {
  const accepted = {
    DATABASE_URL: [
      'postgres://us:p%ss@127.0.0.1:5432/db',
      'postgresql:///db?host=/var/run',
      'postgres://[::1]/db',
    ],
    PUBLIC_URL: ['http://localhost:8080', 'https://book.example.com/'],
    SECURITY_CONTACT: ['mailto:security@example.com', 'https://example.com/security'],
    SMTP_URL: ['smtps://us:pass@mail:465'],
    XERO_ISSUER: ['http://127.0.0.1:9'],
  };
  for (const [name, values] of Object.entries(accepted))
    for (const value of values) t.notThrows(() => loadConfig({ ...REQUIRED_SETTINGS, [name]: value }), value);
  const refused = [
    'book.example.com',
    '127.0.0.1:80',
    'localhost:80',
    'ftp://a',
    'https:/a',
    'https://',
    'https://a b',
    'https://a/{b}',
    'https://ä',
  ];
  for (const value of refused)
    t.throws(() => loadConfig({ ...REQUIRED_SETTINGS, PUBLIC_URL: value }), {
      message:
        'Invalid configuration: "PUBLIC_URL" must be a valid uri with a scheme matching ' +
        'the http|https pattern.',
    });
  t.throws(() => loadConfig({ ...REQUIRED_SETTINGS, XERO_ISSUER: 'identity.xero.com' }), {
    message: 'Invalid configuration: "XERO_ISSUER" must be a valid uri.',
  });
});

/** The required settings that a process needs. */
const NEEDED: Record<string, (keyof typeof REQUIRED_SETTINGS)[]> = {
  'api/main.js': [
    'DATABASE_URL',
    'PUBLIC_URL',
    'STRIPE_PLATFORM_WEBHOOK_SECRET',
    'STRIPE_CONNECT_WEBHOOK_SECRET',
    'ENCRYPTION_KEY',
  ],
  'worker/main.js': ['DATABASE_URL', 'PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'ENCRYPTION_KEY'],
  'deploy/migrate.js': ['DATABASE_URL'],
};

for (const [entry, needed] of Object.entries(NEEDED)) {
  test(`${entry} exits with one sentence that names every missing setting, and needs no secrets of others`, async (t) => {
    const { code, stderr } = await run(entry, {});
    t.is(code, 1);
    // oidc-provider may warn about the Node version first.
    const own = stderr.split('\n').filter((line) => !line.startsWith('oidc-provider'));
    const missing = needed.map((name) => `"${name}" is required`);
    t.deepEqual(own, [`Invalid configuration: ${missing.join('; ')}.`, '']);
  });
}

test('the required settings are enough to create the clients of Stripe and Xero', (t) => {
  const { stripe, xero, publicUrl } = loadConfig(REQUIRED_SETTINGS);
  t.notThrows(() => createStripeClient(stripe));
  t.notThrows(() => createXeroConsent({ ...xero, redirectUri: `${publicUrl}/accounting/callback` }));
});

test('each secret can be in a file, and no message contains its content', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    const inFiles = Object.fromEntries(
      SECRETS.map((name) => {
        const value = { ...REQUIRED_SETTINGS, ...OTHER_SECRETS }[name];
        writeFileSync(join(folder, name), `${value}\n`);
        return [`${name}_FILE`, join(folder, name)];
      }),
    );
    const given = { ...REQUIRED_SETTINGS, ...OTHER_SECRETS };
    const left = Object.entries(given).filter(([name]) => !SECRETS.some((secret) => secret === name));
    t.deepEqual(loadConfig({ ...Object.fromEntries(left), ...inFiles }), loadConfig(given));
    t.throws(() => loadConfig({ ...given, SMTP_URL_FILE: join(folder, 'SMTP_URL') }), {
      message: 'Invalid configuration: "SMTP_URL" and "SMTP_URL_FILE" are both set.',
    });
    t.throws(() => loadConfig({ ...given, SMTP_URL: '', SMTP_URL_FILE: join(folder, 'none') }), {
      message: 'Invalid configuration: the file of "SMTP_URL_FILE" cannot be read (ENOENT).',
    });
    t.deepEqual(loadConfig({ ...given, SMTP_URL_FILE: '' }), loadConfig(given));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('all encryption keys but the first can be marked as leaked', (t) => {
  const key = REQUIRED_SETTINGS.ENCRYPTION_KEY;
  const load = (keys: string) => loadConfig({ ...REQUIRED_SETTINGS, ENCRYPTION_KEY: keys });
  t.is(load(`${key},leaked:${key},${key}`).encryptionKey, `${key},leaked:${key},${key}`);
  for (const keys of [`leaked:${key}`, `leaked:${key},${key}`, `${key},lost:${key}`])
    t.throws(() => load(keys), { message: /^Invalid configuration: "ENCRYPTION_KEY" / }, keys);
});
