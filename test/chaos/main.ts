import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { untilInterrupted } from '../../dev/launcher/interrupted.js';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { separateSettings } from '../../dev/launcher/settings.js';
import { withStack } from '../../dev/launcher/stack.js';
import { startProxies } from '../support/simulator-proxies.js';
import { readOptions } from './options.js';

/**
 * `npm run chaos -- [--seed=N] [--seconds=N] [--break=…] [--lose=commits|backup|unannounced] [--gap=N]
 * [--workers=…] [--temporal=…] [--without-books] [--without-webhooks]`: clients use the service while its
 * processes, its database, Temporal and the services around it fail; then nothing may be lost, doubled or
 * stuck (docs/internals/verification.md#chaos; options.ts). On its own stack, with fresh data. The last line
 * is a report in JSON; the exit code is 1 if it has a violation.
 */
const report = createReport(process.stdout);
try {
  const options = readOptions();
  const preload = pathToFileURL(resolve('build/test/chaos/preload.js')).href;
  Object.assign(process.env, {
    API_PROCESSES: '2',
    WORKER_PROCESSES: '2',
    SELF_HEAL_AFTER_SECONDS: '1',
    WEBHOOK_RETRY_SCALE: '0.001',
    RATE_LIMIT_SCALE: '100000',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`,
    CHAOS_CLOCK: resolve(separateSettings('chaos').home, 'chaos-clock'),
    CHAOS_BREAK: options.broken ?? '',
  });
  const settings = separateSettings('chaos');
  const proxies = await startProxies();
  Object.assign(process.env, proxies.env);
  const ports = { ...settings.ports, ...proxies.ports };
  const result = await withStack(
    { ...settings, ports },
    report,
    // Guarantees are broken in modules and packages.
    { fresh: true },
    async (stack) => {
      process.env.HOLDFAST_DEV_JSON = stack.home.devJson;
      process.env.HOLDFAST_OUTAGES = 'true';
      const { runChaos } = await import('./run.js');
      report.line(`  Seed ${options.seed}, ${options.seconds} s`);
      return runChaos({ ...options, say: (line) => report.line(`  ${line}`) });
    },
    untilInterrupted(),
  );
  report.close();
  if (result) console.log(JSON.stringify(result));
  process.exitCode = result?.violations.length === 0 ? 0 : 1;
} catch (error) {
  report.close();
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
process.exit();
