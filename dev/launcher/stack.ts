import { rmSync } from 'node:fs';
import { seed, type Seeded } from '../seed.js';
import type { Addresses } from './addresses.js';
import { startBase } from './base-parts.js';
import {
  endLeftovers,
  lockHome,
  openHome,
  readJson,
  releaseHome,
  writePrivately,
  type Home,
} from './home.js';
import { planStart, type Plan, type StackOptions } from './plan.js';
import type { Report } from './report.js';
import { deploy, startService, startWorker } from './service-parts.js';
import type { LauncherSettings } from './settings.js';
import { Supervisor } from './supervisor.js';

/** The content of dev.json. */
export interface DevJson extends Addresses {
  apiKey: string;
  workspaceId: string;
  internalToken: string;
  pids: { api: number[]; worker: number[] };
}

export interface Stack {
  home: Home;
  dev: DevJson;
  /** A room of the seeded workspace, for the first booking. */
  roomId: string;
  /** The address of its booking page. */
  bookingPageUrl: string;
  /** The headers that make a request to the API look as if it came through a proxy. */
  proxyHeaders: Record<string, string>;
  /** Starts another worker process. Returns its pid. */
  startWorker(): Promise<number>;
}

/** Starts all parts, seeds the workspace and writes dev.json. The caller stops the supervisor. */
async function startStack(plan: Plan): Promise<Stack> {
  const { home, secrets, proxyHeaders } = plan;
  await startBase(plan);
  const deployed = await deploy(plan);
  await startService(plan, deployed);
  const { roomId, apiKey, workspaceId, bookingPageUrl } = await seedWorkspace(plan);
  writePrivately(home.secrets, { ...secrets, webhooks: deployed.webhooks, apiKey });
  const dev = describe(plan, { apiKey, workspaceId });
  writePrivately(home.devJson, dev);
  return {
    home,
    dev,
    roomId,
    bookingPageUrl,
    proxyHeaders,
    startWorker: () => startWorker(plan, deployed),
  };
}

const seedWorkspace = ({ report, addresses, secrets, proxyHeaders }: Plan): Promise<Seeded> =>
  report.step('seeded workspace', () =>
    seed({
      databaseUrl: addresses.databaseUrl,
      baseUrl: addresses.baseUrl,
      internalUrl: addresses.internalUrl,
      internalToken: secrets.internalToken,
      accounting: addresses.accountingUrl !== null,
      existingApiKey: secrets.apiKey,
      proxyHeaders,
    }),
  );

const listPids = (supervisor: Supervisor): DevJson['pids'] => ({
  api: supervisor.pids('api'),
  worker: supervisor.pids('worker'),
});

function describe(
  { addresses, secrets, supervisor }: Plan,
  seeded: Pick<Seeded, 'apiKey' | 'workspaceId'>,
): DevJson {
  return { ...addresses, ...seeded, internalToken: secrets.internalToken, pids: listPids(supervisor) };
}

/**
 * Runs a stack while `work` runs, and always stops it afterwards. When `interrupted` resolves, stops
 * immediately and returns undefined.
 */
export async function withStack<T>(
  settings: LauncherSettings,
  report: Report,
  options: StackOptions,
  work: (stack: Stack) => Promise<T>,
  interrupted: Promise<void>,
): Promise<T | undefined> {
  const home = openHome(settings.home, options.databases);
  lockHome(home);
  const supervisor = new Supervisor({
    logs: home.logs,
    report,
    onChange: (running) => {
      writePrivately(home.processes, running);
      const dev = readJson<DevJson>(home.devJson);
      if (dev) writePrivately(home.devJson, { ...dev, pids: listPids(supervisor) });
    },
  });
  const stopped = interrupted.then(() => report.line('  Stopping …'));
  // Unexpected errors, such as a full disk under a log, must not leave children running.
  const crashed = new Promise<never>((_, reject) => process.on('uncaughtException', reject));
  try {
    await endLeftovers(home);
    const run = planStart({ settings, home, supervisor, report, options }).then(startStack).then(work);
    run.catch(() => undefined);
    return await Promise.race([run, crashed, stopped.then(() => undefined)]);
  } finally {
    await supervisor.stop();
    // Kills parts that could not be stopped.
    await endLeftovers(home);
    if (options.databases) rmSync(options.databases, { recursive: true, force: true });
    releaseHome(home);
  }
}
