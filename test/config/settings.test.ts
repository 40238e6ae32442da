import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'ava';
import { createStripeClient } from '../../activities/gateways/stripe.js';
import { createXeroConsent } from '../../activities/gateways/xero/oauth.js';
import { listSettings, loadConfig } from '../../config.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';

/** The exit code and stderr of a process that is started with only these settings in its environment. */
function run(entry: string, settings: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [`build/${entry}`], { env: settings }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

test('.env.example has every setting of the service, with its default, and no other', (t) => {
  const lines = readFileSync('.env.example', 'utf8').matchAll(/^(# )?([A-Z_]+)=(.*)$/gm);
  const described = [...lines].map(([, optional, name, value]) => ({
    name,
    required: optional === undefined,
    default: value || null,
  }));
  const byName = (a: { name?: string }, b: { name?: string }) => a.name!.localeCompare(b.name!);
  const settings = listSettings().map((setting) => ({ ...setting, default: setting.default || null }));
  t.deepEqual(described.sort(byName), settings.sort(byName));
});

test('each setting of .env.example is described', (t) => {
  const paragraphs = readFileSync('.env.example', 'utf8').split('\n\n');
  for (const paragraph of paragraphs.filter((text) => /^(# )?[A-Z_]+=/m.test(text))) {
    t.regex(paragraph, /^# \w[^=]* /);
  }
});

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

for (const entry of ['api/main.js', 'worker/main.js', 'deploy/migrate.js']) {
  test(`${entry} exits with one sentence that names every missing setting`, async (t) => {
    const { PUBLIC_URL: _, SMTP_URL: __, ...settings } = REQUIRED_SETTINGS;
    const { code, stderr } = await run(entry, settings);
    t.is(code, 1);
    // oidc-provider may warn about the Node version first.
    const own = stderr.split('\n').filter((line) => !line.startsWith('oidc-provider'));
    t.deepEqual(own, ['Invalid configuration: "PUBLIC_URL" is required; "SMTP_URL" is required.', '']);
  });
}

test('the required settings are enough to create the clients of Stripe and Xero', (t) => {
  const { stripe, xero, publicUrl } = loadConfig(REQUIRED_SETTINGS);
  t.notThrows(() => createStripeClient(stripe));
  t.notThrows(() => createXeroConsent({ ...xero, redirectUri: `${publicUrl}/accounting/callback` }));
});
