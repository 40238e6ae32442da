import { mkdirSync, writeFileSync } from 'node:fs';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { readSettings, separateSettings } from '../../dev/launcher/settings.js';
import { withStack, type Stack } from '../../dev/launcher/stack.js';
import { printAims, readOptions, type Aim, type Bench } from './bench.js';
import { benchBookings } from './bookings.js';
import { benchLife } from './life.js';
import { benchMemory } from './memory.js';
import { benchReads } from './reads.js';

/**
 * `npm run bench`: the service's costs, each against a floor measured at the same time on the same machine.
 * It starts its own stack with fresh data, because old workflows affect a server.
 */
const ENVIRONMENT = { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'warn' };
const BENCHES = { bookings: benchBookings, life: benchLife, reads: benchReads, memory: benchMemory };
type Name = keyof typeof BENCHES;
const NAMES = Object.keys(BENCHES) as Name[];

for (const [name, value] of Object.entries(ENVIRONMENT)) process.env[name] = value;
const { only, options } = readOptions(process.argv.slice(2), NAMES);
const report = createReport(process.stdout);

async function bench(stack: Stack): Promise<void> {
  const temporal = `${stack.dev.temporalAddress}, namespace ${stack.dev.temporalNamespace}`;
  console.log(`\nTemporal: ${temporal}`);
  const context: Bench = { stack, options, report, figures: { temporal } };
  const aims: Aim[] = [];
  for (const name of only ? [only] : NAMES) aims.push(...(await BENCHES[name](context)));
  printAims(aims);
  mkdirSync('build', { recursive: true });
  const json = { at: new Date().toISOString(), only, options, ...context.figures, aims };
  writeFileSync('build/bench.json', `${JSON.stringify(json, null, 2)}\n`);
  console.log('\nAll figures: build/bench.json');
}

const interrupted = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
});
try {
  // The targets are for one process of each.
  const { temporalAddress, temporalNamespace } = readSettings();
  const temporal = { temporalAddress, temporalNamespace };
  const own = { ...separateSettings('bench'), ...temporal, apiProcesses: 1, workerProcesses: 1 };
  await withStack(own, report, { fresh: true, countsStatements: true }, bench, interrupted);
} catch (error) {
  console.error(sentenceFor(error));
  process.exitCode = 1;
}
report.close();
process.exit();
