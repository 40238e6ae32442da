import { statfsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { substituteIn } from '../../dev/launcher/home.js';
import type { Report } from '../../dev/launcher/report.js';
import { separateSettings } from '../../dev/launcher/settings.js';
import { withStack, type Stack } from '../../dev/launcher/stack.js';
import { pauseSchedules } from './pause-schedules.js';
import { forgetResponses, unseenResponses } from './responses.js';
import { startProxies } from './simulator-proxies.js';
import { statementFaults } from './statements.js';

/** For the runner, its stacks and its tests, unless they are set. */
export const TEST_ENVIRONMENT = {
  SELF_HEAL_AFTER_SECONDS: '1',
  WEBHOOK_RETRY_SCALE: '0.001',
  RATE_LIMIT_SCALE: '100',
  API_PROCESSES: '2',
  // Temporal uses a tenth less CPU time, and more memory.
  GOGC: '600',
  // More than a hundred processes load the same files.
  NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
};

/** A stack that `npm test` has started. */
export interface SuiteStack extends Stack {
  /** The environment for its tests' processes. */
  env: Record<string, string>;
  stop(): Promise<void>;
}

/**
 * Starts a stack for tests. The folder of its data ends in `-name`. If it does not start, or ends by itself,
 * `onFailure` gets the error.
 */
export async function startSuiteStack(
  name: string,
  report: Report,
  interrupted: Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<SuiteStack | undefined> {
  const settings = separateSettings(name);
  const proxies = await startProxies();
  const options = {
    fresh: true,
    countsStatements: true,
    databases: memoryFolder(settings.home),
    env: proxies.env,
    // Replaces the flags that save memory: API and worker collect less garbage, above all while they start.
    nodeFlags: ['--min-semi-space-size=16'],
    // Tests kill processes, never the machine, so Postgres need not flush to disk.
    postgresSettings: { fsync: 'off', full_page_writes: 'off', 'pg_stat_statements.max': '20000' },
    // With the default of 4,096 events a test would need hundreds of requests.
    temporalSettings: { 'limit.historyCount.suggestContinueAsNew': 400 },
  };
  return new Promise((resolve) => {
    const work = async (stack: Stack): Promise<void> => {
      forgetResponses(stack.home.devJson);
      await pauseSchedules(stack.dev);
      await new Promise<void>((stop) => {
        const env = { ...proxies.env, HOLDFAST_DEV_JSON: stack.home.devJson };
        resolve({ ...stack, env, stop: () => (stop(), ended) });
      });
    };
    const ports = { ...settings.ports, ...proxies.ports };
    const ended = withStack({ ...settings, ports }, report, options, work, interrupted)
      .catch(onFailure)
      .then(() => resolve(undefined));
  });
}

/**
 * A folder in memory for the databases of the stack in `home`; undefined without 2 GB in /dev/shm, which
 * Linux has.
 */
function memoryFolder(home: string): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize < 2 * 1024 ** 3 ? undefined : substituteIn('/dev/shm', home);
  } catch {
    return undefined;
  }
}

/**
 * Checks a stack whose tests have run: every query by API and worker was for one workspace and, after a full
 * run, every success response in the API document was received. Returns each check with its faults, or null
 * if it is skipped, because this Postgres does not count statements.
 */
export async function checkStack(
  { home, dev }: Stack,
  isFull: boolean,
): Promise<[string, string[] | null][]> {
  const statements =
    `each statement of ${basename(home.path)} names its workspace, or ` +
    'test/tenants/exceptions.ts says why not';
  const checks: [string, string[] | null][] = [[statements, await statementFaults(dev)]];
  if (isFull)
    checks.push([
      'every response of the document is tested',
      await unseenResponses(home.devJson, dev.baseUrl),
    ]);
  return checks;
}
