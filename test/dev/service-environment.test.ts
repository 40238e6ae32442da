import test from 'ava';
import { stackAddresses } from '../../dev/launcher/addresses.js';
import { serviceEnvironment } from '../../dev/launcher/service-environment.js';
import { readSettings, separateSettings } from '../../dev/launcher/settings.js';
import type { Secrets } from '../../dev/launcher/secrets.js';

const secrets: Secrets = {
  postgresPassword: 'password',
  serviceRole: { name: 'service', password: 'password' },
  internalToken: 'internal-token-of-a-test',
  encryptionKey: Buffer.alloc(32).toString('base64'),
};

function environmentWith(env: Record<string, string>) {
  const settings = readSettings();
  const ports = { named: settings.ports, api: [settings.ports.PORT], internal: [0] };
  const addresses = stackAddresses(settings, ports, secrets.postgresPassword);
  return { addresses, ports, environment: serviceEnvironment(settings, ports, addresses, secrets, env) };
}

test('API and workers use the simulators by default', (t) => {
  const { addresses, ports, environment } = environmentWith({});
  t.like(environment, {
    STRIPE_API_URL: addresses.processorUrl!,
    XERO_API_URL: addresses.accountingUrl!,
    XERO_ISSUER: addresses.accountingUrl!,
    SMTP_URL: `smtp://127.0.0.1:${ports.named.SMTP_PORT}`,
  });
});

test('addresses in the environment win, and the simulators and the mailbox still run', (t) => {
  const given = {
    STRIPE_API_URL: 'http://127.0.0.1:9001',
    XERO_API_URL: 'http://127.0.0.1:9002',
    XERO_ISSUER: 'http://127.0.0.1:9003',
    SMTP_URL: 'smtp://127.0.0.1:9004',
  };
  const { addresses, environment } = environmentWith(given);
  t.like(environment, given);
  for (const url of [addresses.processorUrl, addresses.accountingUrl, addresses.mailUrl])
    t.regex(String(url), /^http:\/\/127\.0\.0\.1:\d+$/);
});

test.serial('tests leave the data, the ports and the services of `npm start` alone', (t) => {
  const given = {
    PORT: '9000',
    DATABASE_URL: 'postgres://db.example.com/holdfast',
    TEMPORAL_ADDRESS: 'temporal.example.com:7233',
    STRIPE_SECRET_KEY: 'sk_live_x',
    XERO_CLIENT_ID: 'x',
  };
  const before = { ...process.env };
  t.teardown(() => (process.env = before));
  Object.assign(process.env, given, { HOLDFAST_HOME: '/srv/holdfast' });
  const settings = separateSettings('test');
  t.is(settings.home, '/srv/holdfast-test');
  t.true(Object.values(settings.ports).every((port) => port === 0));
  const ports = { named: settings.ports, api: [0], internal: [0] };
  const addresses = stackAddresses(settings, ports, secrets.postgresPassword);
  const environment = serviceEnvironment(settings, ports, addresses, secrets);
  for (const value of Object.values(given)) t.false(Object.values(environment).includes(value), value);
});
