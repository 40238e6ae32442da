import { readFileSync, rmSync } from 'node:fs';
import { hasCode } from './problem.js';
import type { WebhookSecrets } from './secrets.js';

const VARIABLES = ['STRIPE_PLATFORM_WEBHOOK_SECRET', 'STRIPE_CONNECT_WEBHOOK_SECRET'] as const;

/** The settings of the service. */
export const secretVariables = (webhooks: WebhookSecrets): Record<string, string> =>
  Object.fromEntries(VARIABLES.map((name) => [name, webhooks[name]]));

interface DeployStep {
  environment: Record<string, string>;
  /** Null if the environment has another processor, whose owner registers the endpoints. */
  processorUrl: string | null;
  /** Where the simulator reaches the API. */
  baseUrl: string;
  /** What the previous start registered. */
  known: WebhookSecrets | undefined;
  secretsFile: string;
  run(args: string[], env: Record<string, string>): Promise<void>;
}

/**
 * Runs `npm run deploy:prepare` against this stack. Returns the secrets of the webhook endpoints at the
 * simulator. Endpoints that moved or whose secrets are lost are registered again.
 */
export async function runDeployStep(step: DeployStep): Promise<WebhookSecrets | undefined> {
  const { environment, processorUrl, baseUrl, secretsFile, run } = step;
  if (!processorUrl) {
    await run(['--no-webhook-endpoints'], environment);
    return undefined;
  }
  const known = step.known?.url === baseUrl && agrees(step.known) ? step.known : undefined;
  rmSync(secretsFile, { force: true });
  const args = known ? [] : ['--replace-webhook-endpoints'];
  await run([`--secrets-file=${secretsFile}`, ...args], {
    ...environment,
    // Called directly, even if the service reaches the simulator through a proxy that injects faults.
    STRIPE_API_URL: processorUrl,
    PUBLIC_URL: baseUrl,
  });
  const created = readVariables(secretsFile);
  rmSync(secretsFile, { force: true });
  const secrets = { ...known, ...created, url: baseUrl };
  for (const name of VARIABLES)
    if (!secrets[name]) throw new Error(`The deploy step did not create ${name}.`);
  return secrets as WebhookSecrets;
}

/** False if the environment now has another secret. */
const agrees = (known: WebhookSecrets): boolean =>
  VARIABLES.every((name) => (process.env[name] || known[name]) === known[name]);

/** The variables of a file with lines `NAME=value`; none if there is no file. */
function readVariables(path: string): Record<string, string> {
  try {
    const lines = readFileSync(path, 'utf8').matchAll(/^(\w+)=(.+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return {};
    throw error;
  }
}
