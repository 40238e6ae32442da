import { mkdtempSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ava, { type ExecutionContext } from 'ava';
import { runDeployStep, secretVariables } from '../../dev/launcher/deploy-step.js';
import type { WebhookSecrets } from '../../dev/launcher/secrets.js';

// The environment decides: one test at a time.
const test = ava.serial;
const BASE_URL = 'http://127.0.0.1:8080';
const OLD: WebhookSecrets = {
  url: BASE_URL,
  STRIPE_PLATFORM_WEBHOOK_SECRET: 'whsec_old_platform',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_old_connect',
};
const CREATED =
  'STRIPE_PLATFORM_WEBHOOK_SECRET=whsec_new_platform\nSTRIPE_CONNECT_WEBHOOK_SECRET=whsec_new_connect\n';
const NEW = {
  STRIPE_PLATFORM_WEBHOOK_SECRET: 'whsec_new_platform',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_new_connect',
};

/** Runs the step with a program that creates registrations if asked to, as `deploy/prepare.ts` does. */
async function step(
  t: ExecutionContext,
  known?: WebhookSecrets,
  processorUrl: string | null = 'http://127.0.0.1:8181',
) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-deploy-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const secretsFile = join(folder, 'secrets.env');
  const runs: { args: string[]; env: Record<string, string> }[] = [];
  const result = await runDeployStep({
    environment: { STRIPE_API_URL: 'http://127.0.0.1:9', PUBLIC_URL: 'https://elsewhere.example' },
    processorUrl,
    baseUrl: BASE_URL,
    known,
    secretsFile,
    run: async (args, env) => {
      runs.push({ args, env });
      if (args.includes('--replace-webhook-endpoints')) writeFileSync(secretsFile, CREATED);
    },
  });
  t.is(runs.length, 1);
  t.false(existsSync(secretsFile), 'no secrets are left beside the others');
  return { result, ...runs[0]! };
}

test('the first start registers with the simulator, and the service gets the new secrets', async (t) => {
  const { result, env } = await step(t);
  t.deepEqual(secretVariables(result!), NEW);
  t.like(env, { STRIPE_API_URL: 'http://127.0.0.1:8181', PUBLIC_URL: BASE_URL });
});

test('a later start keeps existing registrations', async (t) => {
  const { result, args } = await step(t, OLD);
  t.deepEqual(result, OLD);
  t.false(args.includes('--replace-webhook-endpoints'));
});

test('another address, or another secret in the environment, is registered anew', async (t) => {
  t.deepEqual(secretVariables((await step(t, { ...OLD, url: 'http://127.0.0.1:1' })).result!), NEW);
  process.env.STRIPE_CONNECT_WEBHOOK_SECRET = 'whsec_given';
  t.teardown(() => delete process.env.STRIPE_CONNECT_WEBHOOK_SECRET);
  t.true((await step(t, OLD)).args.includes('--replace-webhook-endpoints'));
});

test('nothing is registered with the real Stripe, which could not reach this machine', async (t) => {
  const { result, args } = await step(t, OLD, null);
  t.is(result, undefined);
  t.deepEqual(args, ['--no-webhook-endpoints']);
});
