import { chmod, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { API_VERSION, createStripeClient } from '../activities/gateways/stripe.js';
import { loadConfigOrExit, loadDeployConfig, type DeployConfig } from '../config/config.js';
import { SCHEDULES } from '../contract/jobs.js';
import { ensureRetention } from './namespace-retention.js';
import { ensureSchedules } from './schedules.js';
import { ensureSearchAttributes } from './search-attributes.js';
import { untilAnswered } from './until-answered.js';
import { ensureWebhookEndpoints, type Registration } from './webhook-endpoints.js';

const VARIABLES: Record<Registration, string> = {
  platform: 'STRIPE_PLATFORM_WEBHOOK_SECRET',
  connect: 'STRIPE_CONNECT_WEBHOOK_SECRET',
};

const { values: options } = parseArgs({
  options: {
    /** Leaves the registrations at the processor unchanged. */
    'no-webhook-endpoints': { type: 'boolean', default: false },
    /** Creates the registrations again, with new secrets. */
    'replace-webhook-endpoints': { type: 'boolean', default: false },
    /** A file for the secrets of new registrations. By default they are printed. */
    'secrets-file': { type: 'string' },
  },
});

async function prepareTemporal({ temporal }: DeployConfig): Promise<void> {
  const { options, apiKey, namespace, taskQueue } = temporal;
  const connection = await Connection.connect({ ...options, apiKey: apiKey ?? undefined });
  try {
    const created = await untilAnswered(() => ensureSearchAttributes(connection, namespace));
    console.log(
      created.length > 0
        ? `Created the search attributes ${created.join(', ')}.`
        : 'The search attributes exist.',
    );
    console.log(await untilAnswered(() => ensureRetention(connection, namespace)));
    await ensureSchedules(new Client({ connection, namespace }), taskQueue);
    console.log(`The Schedules are up to date: ${Object.values(SCHEDULES).join(', ')}.`);
  } finally {
    await connection.close();
  }
}

async function prepareProcessor({ stripe, publicUrl }: DeployConfig): Promise<void> {
  if (!stripe.secretKey) {
    console.log('STRIPE_SECRET_KEY is not set: no webhook endpoints are registered.');
    return;
  }
  const registrations = Object.keys(VARIABLES) as Registration[];
  const { secrets, notes } = await ensureWebhookEndpoints(createStripeClient(stripe), {
    url: `${publicUrl}/webhooks/processor`,
    apiVersion: API_VERSION,
    replace: options['replace-webhook-endpoints'] ? registrations : [],
  });
  for (const note of notes) console.log(note);
  if (notes.length === 0) console.log('The webhook endpoints are up to date.');
  const lines = Object.entries(secrets).map(
    ([name, secret]) => `${VARIABLES[name as Registration]}=${secret}\n`,
  );
  if (lines.length === 0) return;
  const file = options['secrets-file'];
  if (file === undefined) {
    console.log(`Set these for the API; they cannot be read again:\n${lines.join('')}`);
    return;
  }
  await writeFile(file, lines.join(''), { mode: 0o600 });
  await chmod(file, 0o600);
  console.log(`The secrets of the new registrations are in ${file}.`);
}

/**
 * The deploy step, run once per release before its workers start: search attributes, retention and Schedules
 * at Temporal, webhook registrations at the processor. It can be run again at any time
 * (docs/guides/install.md#processes).
 */
const config = loadConfigOrExit(loadDeployConfig);
const outcomes = await Promise.allSettled([
  prepareTemporal(config),
  options['no-webhook-endpoints'] ? undefined : prepareProcessor(config),
]);
for (const outcome of outcomes) {
  if (outcome.status === 'fulfilled') continue;
  console.error((outcome.reason as Error).message);
  process.exitCode = 1;
}
process.exit();
