import { runDeployStep, secretVariables } from './deploy-step.js';
import { writePrivately } from './home.js';
import { node, type Plan } from './plan.js';
import type { WebhookSecrets } from './secrets.js';
import { withServiceRole } from './service-environment.js';

/** As in the `api` and `worker` scripts and the image. A small young generation saves 50 MB. */
export const LEAN = ['--max-semi-space-size=4'];

/** The environment in which the service's processes start. */
export interface Deployed {
  environment: Record<string, string>;
  /** The secrets of the webhook endpoints, if they are registered at the simulator. */
  webhooks: WebhookSecrets | undefined;
}

/** Migrates the database, creates the Schedules and registers the webhook endpoints. */
export async function deploy(plan: Plan): Promise<Deployed> {
  const { home, secrets } = plan;
  const [webhooks, service] = await Promise.all([prepareDeployment(plan), migrate(plan)]);
  writePrivately(home.secrets, { ...secrets, webhooks });
  return { environment: { ...service, ...(webhooks && secretVariables(webhooks)) }, webhooks };
}

function prepareDeployment({ report, supervisor, home, secrets, addresses, environment }: Plan) {
  return report.step('Schedules and webhook endpoints', () =>
    runDeployStep({
      environment,
      processorUrl: addresses.processorUrl,
      baseUrl: addresses.baseUrl,
      known: secrets.webhooks,
      secretsFile: home.webhookSecrets,
      run: (args, env) => supervisor.run(node('deploy-prepare', 'deploy/prepare.js', { env, args })),
    }),
  );
}

/** Migrates as the owner. Returns the service's environment, with its own role. */
function migrate({ report, supervisor, settings, addresses, secrets, environment }: Plan) {
  return report.step('database schema', async () => {
    const { migration, service } = await withServiceRole(environment, settings, addresses, secrets);
    await supervisor.run(node('migrate', 'deploy/migrate.js', { env: migration }));
    return service;
  });
}

/** Starts the API and the workers. */
export async function startService(plan: Plan, deployed: Deployed): Promise<void> {
  const { report, supervisor, settings, ports, options } = plan;
  const { nodeFlags: flags = LEAN } = options;
  await Promise.all([
    report.step('worker', async () => {
      for (let n = 0; n < settings.workerProcesses; n++) await startWorker(plan, deployed);
    }),
    report.step('API', async () => {
      for (const [i, port] of ports.api.entries()) {
        const env = { ...deployed.environment, PORT: String(port), INTERNAL_PORT: String(ports.internal[i]) };
        await supervisor.startService(node(numbered('api', i), 'api/main.js', { env, flags }));
      }
    }),
  ]);
}

/** Starts one more worker process. Returns its pid. */
export async function startWorker({ supervisor, options }: Plan, deployed: Deployed): Promise<number> {
  const { nodeFlags: flags = LEAN } = options;
  const name = numbered('worker', supervisor.pids('worker').length);
  await supervisor.startService(node(name, 'worker/main.js', { env: deployed.environment, flags }));
  return supervisor.pids('worker').at(-1)!;
}

const numbered = (kind: string, index: number): string => (index === 0 ? kind : `${kind}-${index + 1}`);
